//! docs/benchmarks.md.

use std::fmt::{Error, Write as _};

use domain::error::Cause;

use crate::{
    contestants::Kind,
    cost::Cost,
    functions::{FUNCTIONS, Function, Job},
    measure::{
        Measured, MeasuredJob, Results, codec::Codec, growth::Growth, hash::Hashing, machine::Machine,
        race::Times,
    },
    statistics::{Spread, exponent, fitted_exponent},
    template::memory,
};

/// From how many bytes on an event is set against the memory that it takes.
const LARGE: usize = 1_000_000;

/// Writes it all.
///
/// # Errors
///
/// Where the results are not those of the functions in [`FUNCTIONS`].
pub fn render(results: &Results) -> Result<String, Cause> {
    let mut out = String::new();
    head(&mut out, &results.machine, results.rounds)?;
    summary(&mut out, results)?;
    for measured in &results.functions {
        let function = FUNCTIONS.iter().find(|function| function.slug == measured.slug);
        details(&mut out, measured, function.ok_or_else(|| format!("no function {}", measured.slug))?)?;
    }
    if let Some(hashing) = &results.hashing {
        hash(&mut out, hashing)?;
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

fn head(out: &mut String, machine: &Machine, rounds: usize) -> Result<(), Error> {
    write!(
        out,
        "\
# Benchmarks

What each function costs, beside the least that it could cost and beside peers in other
languages. All of this file is written by one command, which takes some twenty minutes on
two processors, more than half of them to build:

```sh
benches/run
```

It needs Rust, Node.js, npm and Python, installs Valgrind where that is missing, and keeps
everything else in `target/`. `--only events-get` measures one function and reports on it in
`target/benchmarks`. What CI holds the functions to is in `benches/instructions.toml`;
`.ci/instructions` compares.

Measured on {date}: {processors} processors, {processor}; {versions}.

| Contestant | What it is |
|---|---|
| function | the bootstrap as it is deployed |
| bare calls | the same calls to AWS by the same clients, and nothing more (`benches/peers/rust`): the floor |
| hello | a function that does nothing, by `lambda_runtime`: the floor of floors |
| Node.js | the same requests with the AWS SDK for JavaScript, bundled and minified (`benches/peers/node`) |
| Python | the same requests with boto3 (`benches/peers/python`) |

Each is a process of its own that speaks to a Lambda Runtime API on this machine, with
DynamoDB and S3 emulated beside it. The peers do what a short handler does: they read,
store and answer the same, and check almost nothing.

- **Instructions** are those of the process, without the kernel's, counted by callgrind. Its
  processor has no instructions for SHA, so that hashes weigh more than they do elsewhere.
- **Start** is from the start of the process to its first call for a request. What Lambda
  does before that, such as fetching the code, is not in it.
- **First** is the first request, **warm** one after as many to warm up as are timed; both as
  the caller sees them, the emulators' time included, which is the same for all.
- **Processor** is what a warm request takes of a processor, the kernel's work included.
- **Idle** and **peak** are the most memory before the first request, and after the last;
  **growth ÷ event** is their difference by the bytes of a large Lambda event.
- Times are medians of {rounds} processes that took turns, with what half of them lie between.
- Connections are plain HTTP. On AWS they are TLS, for every contestant.

",
        date = machine.date,
        processors = machine.processors,
        processor = machine.processor,
        versions = machine.versions.join(", "),
    )
}

fn summary(out: &mut String, results: &Results) -> Result<(), Error> {
    writeln!(out, "## All functions\n\n![Starts and warm requests](benchmarks-peers.svg)\n")?;
    writeln!(
        out,
        "Milliseconds of a processor for a warm request, and in brackets how many times that of the function:\n"
    )?;
    writeln!(out, "| Request | function | bare calls | Node.js | Python |")?;
    writeln!(out, "|---|--:|--:|--:|--:|")?;
    for (measured, job) in raced(results) {
        write!(out, "| {} |", title(measured, job))?;
        let own = times(job, Kind::Function).map_or(f64::NAN, |times| times.processor.median);
        write!(out, " **{}** |", number(own))?;
        for kind in [Kind::Bare, Kind::Node, Kind::Python] {
            let median = times(job, kind).map_or(f64::NAN, |times| times.processor.median);
            write!(out, " {} (× {}) |", number(median), number(median / own))?;
        }
        writeln!(out)?;
    }
    instructions(out, results)?;
    writeln!(out, "\nMilliseconds from the start of a process to its first call for a request:\n")?;
    writeln!(out, "| Function | function | bare calls | hello | Node.js | Python |")?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|")?;
    for measured in &results.functions {
        write!(out, "| `{}` |", measured.slug)?;
        for kind in Kind::ALL {
            let start =
                measured.jobs.first().and_then(|job| times(job, kind)).map(|times| times.start.median);
            write!(out, " {} |", start.map_or_else(String::new, number))?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

fn instructions(out: &mut String, results: &Results) -> Result<(), Error> {
    writeln!(
        out,
        "\nInstructions of a warm request; to the calls of what hashes, its bare hash is added:\n"
    )?;
    writeln!(out, "| Request | function | bare calls | function ÷ bare calls | hello |")?;
    writeln!(out, "|---|--:|--:|--:|--:|")?;
    let jobs =
        results.functions.iter().flat_map(|measured| measured.jobs.iter().map(move |job| (measured, job)));
    for (measured, job) in jobs {
        let function = FUNCTIONS.iter().find(|function| function.slug == measured.slug);
        let known = function.and_then(|function| function.jobs.iter().find(|known| known.name == job.name));
        let hash = match &results.hashing {
            Some(hashing) if known.is_some_and(Job::hashes) => hashing.instructions,
            _ => 0,
        };
        let warm = |wanted| {
            let counted = job.instructions.iter().find(|(kind, ..)| *kind == wanted);
            counted.map_or(0, |(_, _, warm)| *warm)
        };
        let [own, bare, hello] = [Kind::Function, Kind::Bare, Kind::Hello].map(warm);
        let bare = bare + hash;
        let ratio = number(real(own) / real(bare));
        let title = title(measured, job);
        writeln!(
            out,
            "| {title} | {} | {} | **{ratio}** | {} |",
            grouped(own),
            grouped(bare),
            grouped(hello)
        )?;
    }
    Ok(())
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
            start.map_or_else(|| "–".to_owned(), |(_, count)| grouped(*count)),
            times.map_or_else(String::new, |times| spread(&times.start)),
            times.map_or_else(String::new, |times| spread(&times.first)),
            times.map_or_else(String::new, |times| number(times.idle.median / 1e6)),
        )?;
    }
    writeln!(out)?;
    for job in &measured.jobs {
        requests(out, job, function.jobs.iter().find(|known| known.name == job.name))?;
    }
    Ok(())
}

fn requests(out: &mut String, job: &MeasuredJob, known: Option<&Job>) -> Result<(), Error> {
    let about = known.map_or("", |known| known.about);
    let event = job
        .times
        .first()
        .map(|times| format!("; the Lambda event has {} bytes", grouped(times.event as u64)));
    writeln!(out, "`{}`: {about}{}.\n", job.name, event.unwrap_or_default())?;
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
            counted.map_or_else(|| "–".to_owned(), |(_, _, warm)| grouped(*warm)),
            spread(&times.warm),
            spread(&times.processor),
            number(times.peak.median / 1e6),
            if times.event > LARGE {
                number((times.peak.median - times.idle.median) / event)
            } else {
                "–".to_owned()
            },
        )?;
    }
    writeln!(out)
}

fn hash(out: &mut String, hashing: &Hashing) -> Result<(), Error> {
    write!(
        out,
        "\
## The hash of a login

Milliseconds of a processor, by turns in one run. The bare hash is Argon2id by the same
crate with the same parameters, in memory that is kept from hash to hash; it takes
{instructions} instructions.

| | Milliseconds | ÷ bare hash |
|---|--:|--:|
| a warm login | {login} | {over:.3} |
| the bare hash | {bare} | 1 |
| argon2-cffi, the hash alone | {python} | {peer:.3} |

",
        instructions = grouped(hashing.instructions),
        login = spread(&hashing.login),
        over = hashing.login.median / hashing.bare.median,
        bare = spread(&hashing.bare),
        python = spread(&hashing.python),
        peer = hashing.python.median / hashing.bare.median,
    )
}

fn codec(out: &mut String, codecs: &[Codec]) -> Result<(), Error> {
    write!(
        out,
        "\
## Seat maps

Coding a map as it is stored (`shared/seating/src/codec.rs`) and reading it again, beside
parsing the JSON that it came in by `serde_json`, in milliseconds. *Ratio* is to the parsing.

| Plan | Seats | JSON, bytes | Parse | Encode | Ratio | Decode | Ratio | Bytes a seat |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
"
    )?;
    for codec in codecs {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | **{:.2}** | {} | **{:.2}** | {:.2} |",
            codec.layout,
            grouped(codec.seats as u64),
            grouped(codec.json as u64),
            spread(&codec.parse),
            spread(&codec.encode),
            codec.encode.median / codec.parse.median,
            spread(&codec.decode),
            codec.decode.median / codec.parse.median,
            codec.bytes_a_seat,
        )?;
    }
    writeln!(out)
}

fn growth(out: &mut String, growths: &[Growth]) -> Result<(), Error> {
    write!(
        out,
        "\
## Growth

![Growth](benchmarks-growth.svg)

Instructions of a warm request and the most memory of its process. *Exponent* is the slope
between a size and the one before it, both axes logarithmic: 0 where nothing grows, 1 where
the cost doubles with the size.

"
    )?;
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
                slope.map_or_else(String::new, hundredths),
                real(point.peak) / 1e6,
            )?;
        }
        let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
        let each = (last.1 - first.1) / (last.0 - first.0);
        let constant = first.1 - each * first.0;
        write!(out, "\nOver all sizes the exponent is {}. ", hundredths(fitted_exponent(&points)))?;
        if last.1 / first.1 < 1.1 {
            writeln!(out, "What a request takes does not depend on the size.\n")?;
        } else {
            writeln!(
                out,
                "A request takes about {} instructions and {} more for each; below {} the constant part is the larger.\n",
                grouped(rounded(constant)),
                grouped(rounded(each)),
                grouped(rounded(constant / each)),
            )?;
        }
    }
    Ok(())
}

fn costs(out: &mut String, results: &Results) -> Result<(), Cause> {
    write!(
        out,
        "\
## A million requests

In US dollars, by the prices of [operations](operations.md): Lambda 0.20 a million requests and
0.0000166667 a GB-second, DynamoDB 0.68 a million write units and 0.1355 a million read units,
S3 4.50 a million uploads. Units are those of [the table](table.md). Lambda's time is the one
above on the processor, stretched to the share of a processor that comes with the memory
(1,769 MB for a whole one), and rounded up to milliseconds. Waiting for DynamoDB and S3,
starts, the gateway, logs and what is sent are left out: they are not measured here, and much
the same for all.

| Request | Memory, MB | Function, ms | Node.js, ms | Storage, both | Function, Lambda | Node.js, Lambda | Function, together | Node.js, together |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
"
    )?;
    for (measured, job) in raced(results) {
        let function = FUNCTIONS.iter().find(|function| function.slug == measured.slug);
        let function = function.ok_or("a function that is not known")?;
        let known =
            function.jobs.iter().find(|known| known.name == job.name).ok_or("a job that is not known")?;
        let memory = memory(function.slug)?;
        let cost = |kind| {
            let processor = times(job, kind).map_or(f64::NAN, |times| times.processor.median);
            Cost::of(processor, f64::from(memory), known.storage)
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

/// Each kind of request that was raced, with its function.
pub fn raced(results: &Results) -> impl Iterator<Item = (&Measured, &MeasuredJob)> {
    results.functions.iter().flat_map(|measured| {
        measured.jobs.iter().filter(|job| !job.times.is_empty()).map(move |job| (measured, job))
    })
}

/// The times of a contestant.
pub fn times(job: &MeasuredJob, kind: Kind) -> Option<&Times> {
    job.times.iter().find(|times| times.kind == kind)
}

fn title(measured: &Measured, job: &MeasuredJob) -> String {
    if job.name == "request" {
        format!("`{}`", measured.slug)
    } else {
        format!("`{}`, {}", measured.slug, job.name)
    }
}

fn spread(spread: &Spread) -> String {
    format!("{} ({}–{})", number(spread.median), number(spread.lower), number(spread.upper))
}

/// A number with three digits that matter.
fn number(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        10.0..100.0 => format!("{value:.1}"),
        1.0..10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A number with two decimals, and no sign where these are zeros.
fn hundredths(value: f64) -> String {
    // Adding nothing turns a zero below zero into one above.
    format!("{:.2}", (value * 100.0).round() / 100.0 + 0.0)
}

/// A whole number with commas.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[expect(clippy::cast_precision_loss, reason = "a count has far fewer digits than a double")]
fn real(count: u64) -> f64 {
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
    fn numbers_have_three_digits_that_matter() {
        assert_eq!([0.1234, 1.234, 12.34, 123.4].map(number), ["0.123", "1.23", "12.3", "123"]);
    }

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!([-0.001, 0.001, -0.126].map(hundredths), ["0.00", "0.00", "-0.13"]);
    }

    #[test]
    fn whole_numbers_are_grouped_by_three() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
