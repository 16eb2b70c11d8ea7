//! Report of the measurements, in Markdown.

use std::path::Path;

use domain::{decimal::grouped, error::Cause};

use crate::{
    environment::Environment,
    job::{REQUEST, jobs},
    measure::{IMPLEMENTATIONS, Implementation, Row, measure},
};

/// Measures the functions with these slugs, or all, and prints the report.
///
/// # Errors
///
/// Returns an error if a program is not built or a measurement fails.
pub async fn print(programs: &Path, only: &[String], rounds: usize, machine: &str) -> Result<(), Cause> {
    let mut rows = Vec::new();
    for job in jobs(only)? {
        rows.push(measure(programs, &job, rounds).await?);
    }
    let job = &rows[0].job;
    let environment = Environment::start(job, job.counted_hash).await?;
    let hello = Implementation::new(programs, "hello", job, &environment)?.count(0).await?;
    let (halls, requests): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.job.hall.is_some() && !row.job.is_timed);
    println!(
        include_str!("report.md.jinja"),
        machine = machine,
        rounds = rounds,
        hello = grouped(hello),
        requests = requests.iter().map(|row| request_row(row, hello)).collect::<String>(),
        halls = halls.chunks(3).map(hall_row).collect::<String>(),
    );
    Ok(())
}

/// Divides one count by another.
#[expect(clippy::cast_precision_loss, reason = "a ratio needs only a few digits")]
pub fn ratio(count: u64, base: u64) -> f64 {
    count as f64 / base as f64
}

fn request_row(row: &Row, hello: u64) -> String {
    let quartile = |index: usize, number: usize| row.times[index].get(row.times[index].len() * number / 4).copied();
    let [lower, median, upper] = [1, 2, 3].map(|number| quartile(0, number));
    let instructions = row.instructions[0].unwrap_or_default();
    let name = if row.job.name == REQUEST { String::new() } else { format!(", {}", row.job.name) };
    let spread = lower.zip(upper).map(|(lower, upper)| format!(" ({}–{})", digits(lower), digits(upper)));
    let mut cells = vec![format!("`{}`{name}", row.job.slug), cell(median) + &spread.unwrap_or_default()];
    let others = 1..IMPLEMENTATIONS;
    cells.extend(others.clone().map(|other| cell(quartile(other, 2).zip(median).map(|(other, own)| other / own))));
    cells.push(grouped(instructions));
    cells.extend(others.map(|other| cell(row.instructions[other].map(|other| ratio(other, instructions)))));
    cells.push(cell((row.job.name == REQUEST).then(|| ratio(row.start, hello))));
    format!("| {} |\n", cells.join(" | "))
}

/// Formats the requests of one function in halls of growing size.
fn hall_row(rows: &[&Row]) -> String {
    let cell = |row: &&Row| {
        let instructions = row.instructions[0].unwrap_or_default();
        let seats = row.job.hall.map_or(1, |hall| hall().seats() as u64);
        format!(" {} ({}) |", grouped(instructions), grouped(instructions / seats))
    };
    format!("| `{}` |{}\n", rows[0].job.slug, rows.iter().map(cell).collect::<String>())
}

fn cell(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), digits)
}

/// Formats a number with three significant digits.
fn digits(value: f64) -> String {
    let decimals = [100.0, 10.0, 1.0].iter().filter(|limit| value < **limit).count();
    format!("{value:.decimals$}")
}
