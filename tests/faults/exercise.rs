//! Runs an operation once for each possible fault.

use std::{any::Any, panic::AssertUnwindSafe, time::Duration};

use futures_util::{FutureExt as _, StreamExt as _, future::ready, stream};
use tests::{
    Backends, Proxy, Response,
    fault::{Extent, Fault, Rule, is_s3, kind},
};
use tokio::time::{error::Elapsed, timeout};

use crate::stored::Stored;

/// Number of concurrent requests of a test; most of them wait.
const CONCURRENCY: usize = 8;

/// Time limit of a request: that of the slowest function on Lambda.
const TIMEOUT: Duration = Duration::from_secs(45);

/// Request with the checks of the stored data that hold after any fault.
pub trait Operation {
    /// Kind of an item that some requests store, if any.
    const STORED_KIND: Option<&'static str>;

    /// Returns the status and code without a fault.
    fn expected_response(&self) -> (u16, &'static str);

    /// Returns true if the failure of this call is only logged and does not change the response.
    fn is_best_effort(&self, kind: &str, _nth: usize) -> bool {
        ["DELETE", "DeleteItem"].contains(&kind)
    }

    /// Returns true if a call of this kind is concurrent with another one, which may come after it.
    fn is_concurrent(&self, _kind: &str) -> bool {
        false
    }

    /// Returns the code of the response if a call of this kind fails.
    fn failure(&self, kind: &str) -> &'static str {
        if is_s3(kind) { "S_002" } else { "S_003" }
    }

    /// Sends the request.
    async fn send(&self, backends: &Backends) -> Response;

    /// Checks the stored data, and repeats the request without faults.
    async fn check(&self, outcome: &Outcome, stored: &Stored);
}

/// Outcome of a request.
#[derive(Debug)]
pub struct Outcome {
    /// Response, or `None` if the process was killed.
    pub response: Option<Response>,
    /// Calls of the request.
    pub calls: Vec<String>,
    /// Injected fault, if any.
    pub broken: Option<Rule>,
}

/// Number of calls of an operation, and of its possible faults.
#[derive(Debug, PartialEq, Eq)]
pub struct Tally {
    /// Calls of the operation without a fault.
    pub calls: usize,
    /// Combinations of a call, a fault and an extent.
    pub combinations: usize,
}

impl Outcome {
    /// Returns the response if it is a success.
    pub fn success(&self) -> Option<&Response> {
        self.response.as_ref().filter(|response| response.status < 300)
    }
}

/// Runs an operation on fresh data: once without a fault, and once for each call, fault and extent.
pub async fn exercise<O: Operation>(fresh: impl AsyncFn(&Stored) -> O, expected: Tally) {
    let stored = Stored::start().await;
    let calls = Box::pin(attempt(&fresh, &stored, None)).await;
    let rules = rules(&calls);
    let tally = Tally { calls: calls.len(), combinations: rules.len() };
    println!("{tally:?}: {calls:?}");

    let attempts = rules.iter().map(async |rule| {
        let attempt = AssertUnwindSafe(Box::pin(attempt(&fresh, &stored, Some(rule.clone()))));
        let panic = attempt.catch_unwind().await.err()?;
        Some(format!("{rule:?}: {}", message(panic.as_ref())))
    });
    let failures = stream::iter(attempts).buffer_unordered(CONCURRENCY).filter_map(ready);
    let failures: Vec<_> = failures.collect().await;
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(tally, expected);

    stored.sweep(calls.iter().any(|call| kind(call) == "PUT")).await;
    stored.assert_consistent(O::STORED_KIND).await;
}

/// Returns a rule for each possible fault of each call.
fn rules(calls: &[String]) -> Vec<Rule> {
    let kinds: Vec<_> = calls.iter().map(|call| kind(call)).collect();
    let mut rules = Vec::new();
    for (index, &kind) in kinds.iter().enumerate() {
        let nth = kinds[..index].iter().filter(|before| **before == kind).count();
        for fault in Fault::ALL.into_iter().filter(|fault| fault.applies_to(kind)) {
            for &extent in fault.extents() {
                rules.push(Rule { nth, ..Rule::new(kind, extent, fault.clone()) });
            }
        }
    }
    rules
}

/// Sends a request, checks its outcome and returns its calls.
async fn attempt<O: Operation>(
    fresh: impl AsyncFn(&Stored) -> O,
    stored: &Stored,
    broken: Option<Rule>,
) -> Vec<String> {
    let operation = fresh(stored).await;
    let proxy = Proxy::start(stored.stack(), broken.clone()).await;
    let sending = proxy.unless_killed(operation.send(proxy.backends()));
    let response: Result<_, Elapsed> = timeout(TIMEOUT, sending).await;
    let outcome = Outcome { response: response.expect("response in time"), calls: proxy.calls(), broken };
    check_response(&operation, &outcome);
    operation.check(&outcome, stored).await;
    outcome.calls
}

fn check_response(operation: &impl Operation, outcome: &Outcome) {
    let expected = operation.expected_response();
    let Some(Rule { kind: broken, nth, extent, fault }) = &outcome.broken else {
        return expect(outcome.response.as_ref().unwrap(), expected);
    };
    let reached = outcome.calls.iter().filter(|call| kind(call) == broken).count();
    assert!(reached > *nth, "the call to break was not made");
    let Some(response) = &outcome.response else {
        return assert!(fault.kills(), "no response, although no process was killed");
    };
    assert!(!fault.kills(), "response of a killed process");
    let is_best_effort = operation.is_best_effort(broken, *nth);
    // An outage that begins with a call may also break the concurrent one.
    let may_fail = !is_best_effort || (*extent == Extent::Outage && operation.is_concurrent(broken));
    if *extent != Extent::ONCE && may_fail && (!is_best_effort || response.status == 503) {
        expect(response, (503, operation.failure(broken)));
        assert_eq!(response.header("Retry-After"), "2");
    } else {
        expect(response, expected);
    }
}

fn expect(response: &Response, (status, code): (u16, &str)) {
    match status {
        304 => assert_eq!((response.status, response.text().as_str()), (304, "")),
        _ if response.header("Content-Type") == "image/svg+xml" => assert_eq!(response.status, status),
        204 => assert_eq!((response.status, response.code().as_str()), (204, code)),
        _ => response.check(status, code),
    }
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref().copied()).unwrap_or_default()
}
