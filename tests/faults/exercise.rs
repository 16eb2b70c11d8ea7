//! An operation, carried out once for each way to break it.

use std::{any::Any, panic::AssertUnwindSafe, time::Duration};

use futures_util::{FutureExt as _, StreamExt as _, future::ready, stream};
use tests::{
    Backends, Proxy, Response,
    fault::{Extent, Fault, Rule, is_s3, kind},
};
use tokio::time::{error::Elapsed, timeout};

use crate::stored::Stored;

/// Number of requests that a test sends at once; most of them wait.
const AT_ONCE: usize = 8;

/// How long a request may take: as long as the slowest function on Lambda.
const PATIENCE: Duration = Duration::from_secs(40);

/// A request, and what is to be true of what is stored whatever happens to it.
pub trait Operation {
    /// The kind of an item that some requests leave in the table, if there is one.
    const LEAVES: Option<&'static str>;

    /// The status and the code where all goes well.
    fn answer(&self) -> (u16, &'static str);

    /// Whether the failure of a call of this kind is logged and changes no answer.
    fn is_best_effort(&self, kind: &str) -> bool {
        ["DELETE", "DeleteItem"].contains(&kind)
    }

    /// Whether a call of this kind is made beside another one, which may come after it.
    fn is_made_beside_another(&self, _kind: &str) -> bool {
        false
    }

    /// The code that is answered where a call of this kind fails.
    fn failure(&self, kind: &str) -> &'static str {
        if is_s3(kind) { "S_002" } else { "S_003" }
    }

    /// Sends the request.
    async fn send(&self, backends: &Backends) -> Response;

    /// Checks what is stored after it, and repeats it with backends that work.
    async fn check(&self, end: &End, stored: &Stored);
}

/// How a request ended.
#[derive(Debug)]
pub struct End {
    /// What was answered; none where the process was killed.
    pub answer: Option<Response>,
    /// The calls that it made.
    pub calls: Vec<String>,
    /// What went wrong.
    pub broken: Option<Rule>,
}

/// Number of calls that an operation makes, and of the ways in which they are broken.
#[derive(Debug, PartialEq, Eq)]
pub struct Tally {
    /// The calls that the operation makes where all goes well.
    pub calls: usize,
    /// The combinations of a call, a fault and an extent.
    pub combinations: usize,
}

impl End {
    /// What was answered, where it is a success.
    pub fn success(&self) -> Option<&Response> {
        self.answer.as_ref().filter(|answer| answer.status < 300)
    }
}

/// Carries an operation out on fresh data: once, and once for each call, fault and extent.
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
    let failures = stream::iter(attempts).buffer_unordered(AT_ONCE).filter_map(ready);
    let failures: Vec<_> = failures.collect().await;
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(tally, expected);

    stored.sweep(calls.iter().any(|call| kind(call) == "PUT")).await;
    stored.assert_nothing_is_partial(O::LEAVES).await;
}

/// Returns a rule for each way to break one of the calls.
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

/// Carries a request out, checks it, and returns the calls that it made.
async fn attempt<O: Operation>(
    fresh: impl AsyncFn(&Stored) -> O,
    stored: &Stored,
    broken: Option<Rule>,
) -> Vec<String> {
    let operation = fresh(stored).await;
    let proxy = Proxy::start(stored.stack(), broken.clone()).await;
    let sending = proxy.unless_killed(operation.send(proxy.backends()));
    let answer: Result<_, Elapsed> = timeout(PATIENCE, sending).await;
    let end = End { answer: answer.expect("an answer in time"), calls: proxy.calls(), broken };
    check_answer(&operation, &end);
    operation.check(&end, stored).await;
    end.calls
}

fn check_answer(operation: &impl Operation, end: &End) {
    let regular = operation.answer();
    let Some(Rule { kind: broken, nth, extent, fault }) = &end.broken else {
        return expect(end.answer.as_ref().unwrap(), regular);
    };
    let reached = end.calls.iter().filter(|call| kind(call) == broken).count();
    assert!(reached > *nth, "the call that is to be broken");
    let Some(answer) = &end.answer else { return assert!(fault.kills(), "nobody was killed") };
    assert!(!fault.kills(), "somebody killed answers");
    let is_best_effort = operation.is_best_effort(broken);
    // In an outage that begins with a call, the one that is made beside it may fail as well.
    let may_fail = !is_best_effort || (*extent == Extent::Outage && operation.is_made_beside_another(broken));
    if *extent != Extent::ONCE && may_fail && (!is_best_effort || answer.status == 503) {
        expect(answer, (503, operation.failure(broken)));
        assert_eq!(answer.header("Retry-After"), "2");
    } else {
        expect(answer, regular);
    }
}

fn expect(answer: &Response, (status, code): (u16, &str)) {
    match status {
        304 => assert_eq!((answer.status, answer.text().as_str()), (304, "")),
        _ if answer.header("Content-Type") == "image/svg+xml" => assert_eq!(answer.status, status),
        204 => assert_eq!((answer.status, answer.code().as_str()), (204, code)),
        _ => answer.check(status, code),
    }
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref().copied()).unwrap_or_default()
}
