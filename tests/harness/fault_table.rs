//! Faults of each call of a request.

use std::time::Duration;

use tokio::time::timeout;

use crate::{
    Api, Response, Service,
    contents::now,
    fault::{Extent, Fault, Rule},
    service::in_order,
    snapshot::named,
};

/// Time limit of a request: that of the slowest function on Lambda.
const LIMIT: Duration = Duration::from_secs(45);

/// Faults of a call:
///
/// - once: the first try is not carried out, and the next one is.
/// - lost: the first try is carried out, but its response is lost, so the SDK tries again.
/// - fails: no try is carried out, but later calls are.
/// - unknown: all tries are carried out, but their responses are lost.
/// - ends: neither this call nor any later one is carried out, as if the function had ended before it.
/// - ends after: the first try is carried out, but nothing after it.
const FAULTS: [&str; 6] = ["once", "lost", "fails", "unknown", "ends", "ends after"];

/// Request of which a call failed, and its repetition without faults.
struct Attempt {
    response: Response,
    calls: Vec<String>,
    /// Lasting changes, without orphans, claims and counters that expire.
    changes: Vec<String>,
    /// Items and posters that remain until they expire, for example ` +claim`.
    rest: String,
    repeated: String,
    /// Lasting changes of both requests.
    total: Vec<String>,
}

/// Breaks each call of a request in each way, and returns a table of the responses.
///
/// `prepare` stores what a request needs, and `send` sends it. A cell has the status of an expected response, or the
/// code of a failure. It ends with `done` if the request took effect in spite of the failure, and with `+claim` or
/// `+poster` if an idempotency key is claimed or an orphan remains until it expires.
///
/// # Panics
///
/// Panics if a response is neither the expected one nor a 503 with `Retry-After`, or a retry within the SDK changes it.
/// Panics if a request takes effect only partly, if a repetition does not complete it, or if stored data is
/// inconsistent.
pub async fn faults<T>(prepare: impl AsyncFn(&Service) -> T, send: impl AsyncFn(&Api, &T) -> Response) -> String {
    let service = Service::start().await;
    let attempt = async |rules: Vec<Rule>| Box::pin(attempt(&service, &prepare, &send, rules)).await;
    let expected = attempt(Vec::new()).await;
    let mut rows = vec![[""].iter().chain(&FAULTS).map(ToString::to_string).collect::<Vec<_>>()];
    for (index, call) in expected.calls.iter().enumerate() {
        let mut row = vec![call.clone()];
        for fault in FAULTS {
            let got = attempt(rules(fault, &expected.calls, index)).await;
            row.push(check(&got, &expected, fault).unwrap_or_else(|error| {
                let Attempt { response, calls, changes, repeated, total, .. } = got;
                panic!("{call}, {fault}: {error}\n{response}\n{calls:?}\n{changes:#?}\n{repeated}\n{total:#?}")
            }));
        }
        rows.push(row);
    }
    let widths: Vec<_> =
        (0..=FAULTS.len()).map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0) + 2).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().concat().trim_end().to_owned() + "\n"
    });
    lines.collect()
}

async fn attempt<T>(
    service: &Service,
    prepare: &impl AsyncFn(&Service) -> T,
    send: &impl AsyncFn(&Api, &T) -> Response,
    rules: Vec<Rule>,
) -> Attempt {
    let request = prepare(service).await;
    let (before, started) = (service.contents().await, now());
    service.proxy.set_rules(rules);
    let response = timeout(LIMIT, send(&service.api, &request)).await.expect("response in time");
    let mut calls = service.proxy.calls();
    in_order(&mut calls);
    service.proxy.set_rules([]);
    service.proxy.wait().await;
    let after = service.contents().await;
    after.check();
    let (temporary, changes): (Vec<_>, _) =
        before.changes(&after, started).into_iter().partition(|change| is_temporary(change));
    let rest = [("IDEMPOTENCY#", " +claim"), (" poster ", " +poster")].map(|(kind, name)| {
        // The poster of an event is no orphan.
        let is_rest = |change: &&String| {
            change.starts_with('+') && change.contains(kind) && (kind != " poster " || changes.is_empty())
        };
        if temporary.iter().any(|change| is_rest(&change)) { name } else { "" }
    });
    service.expire_claims(&after).await;
    let repeated = send(&service.api, &request).await.summary();
    let after = service.contents().await;
    after.check();
    service.clear(&after).await;
    let mut total = before.changes(&after, started);
    total.retain(|change| !is_temporary(change));
    let normalized = |changes: Vec<String>| named(&changes.join("\n")).lines().map(str::to_owned).collect();
    Attempt {
        response,
        calls,
        changes: normalized(changes),
        rest: rest.concat(),
        repeated: named(&repeated),
        total: normalized(total),
    }
}

/// Returns true if a change expires by itself: an expiry record, a counter, a claim without an event, or a poster.
fn is_temporary(change: &str) -> bool {
    [" POSTER#", " FAILURES", " RESETS", " VERIFICATIONS", " MAILS", " poster "]
        .iter()
        .any(|kind| change.contains(kind))
        || change.contains(" IDEMPOTENCY#") && !["\"event\"", "\"made\""].iter().any(|done| change.contains(done))
}

fn rules(fault: &str, calls: &[String], index: usize) -> Vec<Rule> {
    let call = &*calls[index];
    let nth = calls[..index].iter().filter(|before| *before == call).count();
    let rule = |extent, fault| Rule { nth, ..Rule::new(call, extent, fault) };
    let once = Extent::Tries(1);
    let end = || rule(Extent::AllBut(calls[..index].to_vec()), Fault::ConnectionError);
    match fault {
        "once" => vec![rule(once, Fault::ConnectionError)],
        "lost" => vec![rule(once, Fault::LostResponse)],
        "fails" => vec![rule(Extent::Call, Fault::ConnectionError)],
        "unknown" => vec![rule(Extent::Call, Fault::LostResponse)],
        "ends" => vec![end()],
        _ => vec![rule(once, Fault::LostResponse), end()],
    }
}

/// Returns the cell of an attempt, or a description of what is wrong.
fn check(got: &Attempt, expected: &Attempt, fault: &str) -> Result<String, &'static str> {
    let is_expected = named(&got.response.summary()) == named(&expected.response.summary());
    let is_done = got.changes == expected.changes;
    let code = if is_expected { got.response.status.to_string() } else { got.response.code() };
    let is_unavailable = ["S_002", "S_003", "S_004"].contains(&&*code) && got.response.status == 503;
    let is_retried_later = is_unavailable && got.response.header("Retry-After") == "2";
    if !is_expected && !is_retried_later {
        return Err("another response");
    }
    if !is_expected && ["once", "lost"].contains(&fault) {
        return Err("the call is not tried again");
    }
    if !is_done && !got.changes.is_empty() {
        return Err("half of the changes");
    }
    if is_expected && !is_done {
        return Err("an acknowledged request without effect");
    }
    let changes_something = !expected.changes.is_empty();
    let first = named(&expected.response.summary());
    let (repeated, total) =
        if is_done && changes_something { (&expected.repeated, &expected.total) } else { (&first, &expected.changes) };
    if got.repeated != *repeated || got.total != *total {
        return Err("another result of the repeated request");
    }
    let done = if !is_expected && is_done && changes_something { " done" } else { "" };
    Ok(format!("{code}{done}{}", if is_expected && expected.rest == got.rest { "" } else { &got.rest }))
}
