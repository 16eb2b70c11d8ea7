//! Text of docs/benchmarks.md.

use std::fmt::{Error, Write as _};

use domain::{decimal::grouped, error::Cause};

use crate::{
    cost::Cost,
    functions::{FUNCTIONS, Function, Job},
    implementations::Kind,
    measure::{
        LOGIN, Measured, MeasuredJob, Results,
        codec::Codec,
        growth::{Growth, SEATS},
        hash::{self, Hashing},
        machine::Machine,
        timing::Times,
    },
    statistics::{Quartiles, exponent, fitted_exponent},
    template::memory,
};

/// Minimum bytes of an event for which memory growth is reported.
const LARGE_EVENT: usize = 1_000_000;

/// Renders the report.
///
/// # Errors
///
/// Returns an error if the results contain a function or a job that is not in [`FUNCTIONS`].
pub fn render(results: &Results) -> Result<String, Cause> {
    let mut out = String::new();
    header(&mut out, &results.machine)?;
    summary(&mut out, results)?;
    writeln!(out, include_str!("method.md"), rounds = results.rounds)?;
    instructions(&mut out, results)?;
    if !results.growth.is_empty() {
        halls(&mut out, results)?;
    }
    for measured in &results.functions {
        let function = FUNCTIONS.iter().find(|function| function.slug == measured.slug);
        details(&mut out, measured, function.ok_or_else(|| format!("unknown function {}", measured.slug))?)?;
    }
    if let Some(hashing) = &results.hashing {
        hashes(&mut out, hashing)?;
    }
    if !results.codec.is_empty() {
        codec(&mut out, &results.codec)?;
    }
    if !results.growth.is_empty() {
        growth(&mut out, &results.growth)?;
    }
    costs(&mut out, results)?;
    Ok(out)
}

fn header(out: &mut String, machine: &Machine) -> Result<(), Error> {
    writeln!(
        out,
        include_str!("head.md"),
        date = machine.date,
        processors = machine.processors,
        processor = machine.processor,
        versions = machine.versions.join(", "),
    )
}

fn summary(out: &mut String, results: &Results) -> Result<(), Error> {
    out.push_str(include_str!("summary.md"));
    for (measured, job) in timed_jobs(results) {
        let processor = |kind| times(job, kind).map(|times| times.processor.median);
        let own = processor(Kind::Function);
        write!(out, "| {} | **{}** |", title(measured, job), own.map_or_else(missing, number))?;
        for kind in [Kind::Bare, Kind::Node, Kind::Python] {
            let ratio = processor(kind).zip(own).map(|(other, own)| other / own);
            write!(out, " {} |", ratio.map_or_else(missing, |ratio| format!("× {}", number(ratio))))?;
        }
        writeln!(out)?;
    }
    if let Some(hashing) = &results.hashing {
        logins(out, results, hashing)?;
    }
    writeln!(out, "\n{}", include_str!("starts.md"))?;
    for measured in &results.functions {
        let Some(job) = measured.jobs.first() else { continue };
        let size = measured.sizes.iter().find(|(kind, _)| *kind == Kind::Function).map(|(_, size)| grouped(*size));
        write!(out, "| `{}` | {} |", measured.slug, size.unwrap_or_else(missing))?;
        for kind in Kind::ALL {
            let start = times(job, kind).map(|times| times.start.median);
            write!(out, " {} |", start.map_or_else(missing, number))?;
        }
        let start = |kind| measured.starts.iter().find(|(counted, _)| *counted == kind).map(|(_, start)| real(*start));
        let ratio = start(Kind::Function).zip(start(Kind::Hello)).map(|(own, hello)| own / hello);
        writeln!(out, " {} |", ratio.map_or_else(missing, number))?;
    }
    writeln!(out)
}

/// Compares logins with the targets of the project.
fn logins(out: &mut String, results: &Results, hashing: &Hashing) -> Result<(), Error> {
    let login = timed_jobs(results).find(|(measured, job)| measured.slug == LOGIN && job.name == "request");
    let processor = |kind| login.and_then(|(_, job)| times(job, kind)).map(|times| times.processor.median);
    let own = processor(Kind::Function);
    let ratio = |other: Option<f64>| own.zip(other).map_or_else(missing, |(own, other)| number(own / other));
    let argon2 = hashing.others.iter().find(|(name, _)| name == hash::RUST_CRYPTO).map(|(_, times)| times.median);
    writeln!(
        out,
        "\nA login takes {} of the time that only its hash takes with the crate `argon2`, {} of the Node.js peer's, and \
         {} of the Python peer's.",
        ratio(argon2),
        ratio(processor(Kind::Node)),
        ratio(processor(Kind::Python)),
    )
}

fn instructions(out: &mut String, results: &Results) -> Result<(), Error> {
    writeln!(out, "## Instructions\n")?;
    writeln!(out, "Instructions of a warm request. If a request hashes, its bare calls include the bare hash:\n")?;
    writeln!(out, "| Request | function | bare calls | function ÷ bare calls | hello |")?;
    writeln!(out, "|---|--:|--:|--:|--:|")?;
    let jobs = results.functions.iter().flat_map(|measured| measured.jobs.iter().map(move |job| (measured, job)));
    for (measured, job) in jobs {
        let function = FUNCTIONS.iter().find(|function| function.slug == measured.slug);
        let definition =
            function.and_then(|function| function.jobs.iter().find(|definition| definition.name == job.name));
        let hash = match &results.hashing {
            Some(hashing) if definition.is_some_and(Job::has_default_hash_cost) => hashing.instructions,
            _ => 0,
        };
        let warm = |kind| job.instructions.iter().find(|(counted, ..)| *counted == kind).map(|(_, _, warm)| *warm);
        let [own, bare, hello] = [Kind::Function, Kind::Bare, Kind::Hello].map(warm);
        let bare = bare.map(|bare| bare + hash);
        let ratio = own.zip(bare).map(|(own, bare)| format!("**{}**", number(real(own) / real(bare))));
        let [own, bare, hello] = [own, bare, hello].map(|count| count.map_or_else(missing, grouped));
        let title = title(measured, job);
        writeln!(out, "| {title} | {own} | {bare} | {} | {hello} |", ratio.unwrap_or_else(missing))?;
    }
    writeln!(out)
}

/// Compares the costs of a seat with the targets of the project.
fn halls(out: &mut String, results: &Results) -> Result<(), Error> {
    const STADIUM_SEATS: f64 = 25_000.0;
    out.push_str(include_str!("halls.md"));
    for growth in results.growth.iter().filter(|growth| growth.over == SEATS) {
        let measured = results.functions.iter().find(|measured| measured.slug == growth.slug);
        let of_seat = |name: &str| {
            let job = measured?.jobs.iter().find(|job| job.name == name)?;
            let (.., warm) = job.instructions.iter().find(|(kind, ..)| *kind == Kind::Function)?;
            Some(real(*warm) / STADIUM_SEATS)
        };
        let [.., before, last] = &growth.points[..] else { continue };
        let [start, end] = [before, last].map(|point| (real(point.size as u64), real(point.instructions)));
        let each = [of_seat("stadium"), of_seat("stadium-gzip"), Some(end.1 / end.0)];
        let [plain, gzip, largest] = each.map(|count| count.map_or_else(missing, |count| grouped(rounded(count))));
        let (exponent, peak) = (hundredths(exponent(start, end)), real(last.peak) / 1e6);
        writeln!(out, "| `{}` | {plain} | {gzip} | {largest} | {exponent} | {peak:.0} |", growth.slug)?;
    }
    writeln!(out)
}

fn details(out: &mut String, measured: &Measured, function: &Function) -> Result<(), Error> {
    writeln!(out, "## {}\n", measured.slug)?;
    writeln!(out, "| | Bytes to deploy | Start, instructions | Start, ms | First, ms | Idle, MB |")?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|")?;
    for (kind, size) in &measured.sizes {
        let start = measured.starts.iter().find(|(counted, _)| counted == kind);
        let times = measured.jobs.first().and_then(|job| times(job, *kind));
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            kind.name(),
            grouped(*size),
            start.map_or_else(missing, |(_, count)| grouped(*count)),
            times.map_or_else(missing, |times| quartiles(&times.start)),
            times.map_or_else(missing, |times| quartiles(&times.first)),
            times.map_or_else(missing, |times| number(times.idle.median / 1e6)),
        )?;
    }
    writeln!(out)?;
    for job in &measured.jobs {
        requests(out, job, function.jobs.iter().find(|definition| definition.name == job.name))?;
    }
    Ok(())
}

fn requests(out: &mut String, job: &MeasuredJob, definition: Option<&Job>) -> Result<(), Error> {
    let description = definition.map_or("", |definition| definition.description);
    let event = job.times.first().map(|times| format!("; the Lambda event has {} bytes", grouped(times.event as u64)));
    writeln!(out, "`{}`: {description}{}.\n", job.name, event.unwrap_or_default())?;
    if job.times.is_empty() {
        writeln!(out, "| | Instructions, start and first | Instructions, warm |\n|---|--:|--:|")?;
        for (kind, first, warm) in &job.instructions {
            writeln!(out, "| {} | {} | {} |", kind.name(), grouped(*first), grouped(*warm))?;
        }
        return writeln!(out);
    }
    writeln!(out, "| | Instructions, warm | Warm, ms | Processor, ms | Peak, MB | Growth ÷ event |")?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|")?;
    for times in &job.times {
        let counted = job.instructions.iter().find(|(kind, ..)| *kind == times.kind);
        let event = f64::from(u32::try_from(times.event).unwrap_or(u32::MAX));
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            times.kind.name(),
            counted.map_or_else(missing, |(_, _, warm)| grouped(*warm)),
            quartiles(&times.warm),
            quartiles(&times.processor),
            number(times.peak.median / 1e6),
            if times.event > LARGE_EVENT { number((times.peak.median - times.idle.median) / event) } else { missing() },
        )?;
    }
    writeln!(out)
}

fn hashes(out: &mut String, hashing: &Hashing) -> Result<(), Error> {
    write!(
        out,
        include_str!("hash.md"),
        instructions = grouped(hashing.instructions),
        login = quartiles(&hashing.login),
        over = hashing.login.median / hashing.bare.median,
        bare = quartiles(&hashing.bare),
    )?;
    for (name, times) in &hashing.others {
        writeln!(out, "| {name} | {} | {:.3} |", quartiles(times), times.median / hashing.bare.median)?;
    }
    writeln!(out)
}

fn codec(out: &mut String, codecs: &[Codec]) -> Result<(), Error> {
    out.push_str(include_str!("codec.md"));
    for codec in codecs {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | **{:.2}** | {} | **{:.2}** | {:.2} |",
            codec.layout,
            grouped(codec.seats as u64),
            grouped(codec.json as u64),
            quartiles(&codec.parse),
            quartiles(&codec.encode),
            codec.encode.median / codec.parse.median,
            quartiles(&codec.decode),
            codec.decode.median / codec.parse.median,
            codec.bytes_a_seat,
        )?;
    }
    writeln!(out)
}

fn growth(out: &mut String, growths: &[Growth]) -> Result<(), Error> {
    writeln!(out, include_str!("growth.md"))?;
    for growth in growths {
        writeln!(out, "`{}`, by {}:\n", growth.slug, growth.over)?;
        writeln!(out, "| Size | Instructions | Exponent | Peak, MB |\n|--:|--:|--:|--:|")?;
        let points: Vec<_> =
            growth.points.iter().map(|point| (real(point.size as u64), real(point.instructions))).collect();
        for (index, point) in growth.points.iter().enumerate() {
            let slope = index.checked_sub(1).map(|before| exponent(points[before], points[index]));
            writeln!(
                out,
                "| {} | {} | {} | {:.1} |",
                grouped(point.size as u64),
                grouped(point.instructions),
                slope.map_or_else(missing, hundredths),
                real(point.peak) / 1e6,
            )?;
        }
        let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
        let each = (last.1 - first.1) / (last.0 - first.0);
        let constant = first.1 - each * first.0;
        write!(out, "\nOver all sizes the exponent is {}. ", hundredths(fitted_exponent(&points)))?;
        if last.1 / first.1 < 1.1 {
            writeln!(out, "The cost of a request does not depend on the size.\n")?;
        } else {
            writeln!(
                out,
                "A request takes about {} instructions and {} more for each; below {} the constant part is \
                 larger.\n",
                grouped(rounded(constant)),
                grouped(rounded(each)),
                grouped(rounded(constant / each)),
            )?;
        }
    }
    Ok(())
}

fn costs(out: &mut String, results: &Results) -> Result<(), Cause> {
    out.push_str(include_str!("costs.md"));
    let compared = timed_jobs(results).filter(|(_, job)| times(job, Kind::Node).is_some());
    for (measured, job) in compared {
        let function = FUNCTIONS.iter().find(|function| function.slug == measured.slug);
        let function = function.ok_or("unknown function")?;
        let definition = function.jobs.iter().find(|definition| definition.name == job.name).ok_or("unknown job")?;
        let memory = memory(function.slug)?;
        let cost = |kind| {
            let processor = times(job, kind).map_or(f64::NAN, |times| times.processor.median);
            Cost::new(processor, f64::from(memory), definition.storage)
        };
        let (own, node) = (cost(Kind::Function), cost(Kind::Node));
        writeln!(
            out,
            "| {} | {memory} | {} | {} | {:.2} | {:.2} | {:.2} | **{:.2}** | {:.2} |",
            title(measured, job),
            own.billed,
            node.billed,
            own.storage,
            own.lambda,
            node.lambda,
            own.lambda + own.storage,
            node.lambda + node.storage,
        )?;
    }
    Ok(())
}

/// Returns the content of a cell without a value.
fn missing() -> String {
    "–".to_owned()
}

/// Returns each kind of request that was timed, with its function.
pub fn timed_jobs(results: &Results) -> impl Iterator<Item = (&Measured, &MeasuredJob)> {
    results
        .functions
        .iter()
        .flat_map(|measured| measured.jobs.iter().filter(|job| !job.times.is_empty()).map(move |job| (measured, job)))
}

/// Returns the times of an implementation.
pub fn times(job: &MeasuredJob, kind: Kind) -> Option<&Times> {
    job.times.iter().find(|times| times.kind == kind)
}

fn title(measured: &Measured, job: &MeasuredJob) -> String {
    if job.name == "request" { format!("`{}`", measured.slug) } else { format!("`{}`, {}", measured.slug, job.name) }
}

fn quartiles(quartiles: &Quartiles) -> String {
    format!("{} ({}–{})", number(quartiles.median), number(quartiles.lower), number(quartiles.upper))
}

/// Formats a number with three significant digits.
fn number(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        10.0..100.0 => format!("{value:.1}"),
        1.0..10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Formats a number with two decimals, and without a sign if both are zero.
fn hundredths(value: f64) -> String {
    // Adding zero turns a negative zero into a positive one.
    format!("{:.2}", (value * 100.0).round() / 100.0 + 0.0)
}

#[expect(clippy::cast_precision_loss, reason = "a count is exact within the precision of a double")]
pub fn real(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count, rounded")]
fn rounded(value: f64) -> u64 {
    value.round().max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!([0.1234, 1.234, 12.34, 123.4].map(number), ["0.123", "1.23", "12.3", "123"]);
    }

    #[test]
    fn rounded_zero_has_no_sign() {
        assert_eq!([-0.001, 0.001, -0.126].map(hundredths), ["0.00", "0.00", "-0.13"]);
    }
}
