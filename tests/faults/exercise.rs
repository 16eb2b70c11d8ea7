//! An operation, carried out once for each way to break it.

use std::time::Duration;

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use tests::{
    Answer,
    fault::{Backends, Fault, Faults, Injection, Strength, is_of_s3, kind},
    stack,
};
use tokio::{
    sync::Semaphore,
    task::JoinError,
    time::{error::Elapsed, timeout},
};

/// Bounds the requests under way at once; most of them wait.
static AT_ONCE: Semaphore = Semaphore::const_new(16);

/// How long a request may take: as long as the slowest function on Lambda.
const PATIENCE: Duration = Duration::from_secs(40);

/// A request, and what is to be true of what is stored whatever happens to it.
pub trait Operation: Send + Sync + 'static {
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
        if is_of_s3(kind) { "S_002" } else { "S_003" }
    }

    /// Sends the request.
    fn send(&self, backends: &Backends) -> impl Future<Output = Answer> + Send;

    /// Checks what is stored after it, and repeats it with backends that work.
    fn check(&self, end: &End, backends: &Backends) -> impl Future<Output = ()> + Send;
}

/// How a request ended.
#[derive(Debug)]
pub struct End {
    /// What was answered; none where the process was killed.
    pub answer: Option<Answer>,
    /// The calls that it made.
    pub calls: Vec<String>,
    /// What went wrong.
    pub broken: Option<Injection>,
}

/// What was tried.
#[derive(Debug)]
pub struct Tally {
    /// The calls that the operation makes where all goes well.
    pub calls: usize,
    /// The ways in which they were broken.
    pub combinations: usize,
    /// What did not hold in which of them.
    pub failures: Vec<String>,
}

impl End {
    /// What was answered, where it is a success.
    pub fn success(&self) -> Option<&Answer> {
        self.answer.as_ref().filter(|answer| answer.status < 300)
    }
}

/// Carries an operation out on fresh data: once, and once for each call, fault and strength.
pub async fn exercise<O: Operation, F>(name: &'static str, fresh: fn() -> F) -> Tally
where
    F: Future<Output = O> + Send + 'static,
{
    let calls = attempt(fresh().await, None).await;
    let mut injections = Vec::new();
    let kinds: Vec<_> = calls.iter().map(|call| kind(call)).collect();
    for (index, &kind) in kinds.iter().enumerate() {
        let nth = kinds[..index].iter().filter(|before| **before == kind).count();
        for fault in Fault::ALL.into_iter().filter(|fault| fault.concerns(kind)) {
            for &strength in fault.strengths() {
                injections.push(Injection { kind: kind.to_owned(), nth, fault, strength });
            }
        }
    }
    let combinations = injections.len();
    let attempts = injections.into_iter().map(|injection| async move {
        let Injection { kind, nth, fault, strength } = injection.clone();
        let attempt = async move {
            let _permit = AT_ONCE.acquire().await;
            attempt(fresh().await, Some(injection)).await
        };
        let failure = tokio::spawn(attempt).await.err().map(message);
        failure.map(|failure| format!("{name}, {kind} after {nth}, {fault:?}, {strength:?}: {failure}"))
    });
    let failures: Vec<_> = attempts.collect::<FuturesUnordered<_>>().collect().await;
    Tally { calls: calls.len(), combinations, failures: failures.into_iter().flatten().collect() }
}

/// Carries a request out, checks it, and gives the calls that it made.
async fn attempt<O: Operation>(operation: O, broken: Option<Injection>) -> Vec<String> {
    let faults = Faults::new(stack(), broken.clone()).await;
    let sending = faults.unless_killed(operation.send(faults.backends()));
    let answer: Result<_, Elapsed> = timeout(PATIENCE, sending).await;
    let end = End { answer: answer.expect("an answer in time"), calls: faults.calls(), broken };
    check_answer(&operation, &end);
    operation.check(&end, &Backends::of(stack())).await;
    end.calls
}

fn check_answer(operation: &impl Operation, end: &End) {
    let regular = operation.answer();
    let Some(Injection { kind: broken, nth, fault, strength }) = &end.broken else {
        return expect(end.answer.as_ref().unwrap(), regular);
    };
    let reached = end.calls.iter().filter(|call| kind(call) == broken).count();
    assert!(reached > *nth, "the call that is to be broken");
    let Some(answer) = &end.answer else { return assert!(fault.kills(), "nobody was killed") };
    assert!(!fault.kills(), "somebody killed answers");
    let is_best_effort = operation.is_best_effort(broken);
    // In an outage that begins with a call, the one that is made beside it may fail as well.
    let may_fail =
        !is_best_effort || (*strength == Strength::Outage && operation.is_made_beside_another(broken));
    if *strength != Strength::Once && may_fail && (!is_best_effort || answer.status == 503) {
        expect(answer, (503, operation.failure(broken)));
        assert_eq!(answer.header("Retry-After"), "2");
    } else {
        expect(answer, regular);
    }
}

fn expect(answer: &Answer, (status, code): (u16, &str)) {
    match status {
        304 => assert_eq!((answer.status, answer.text().as_str()), (304, "")),
        _ if answer.header("Content-Type") == "image/svg+xml" => assert_eq!(answer.status, status),
        204 => assert_eq!((answer.status, answer.code().as_str()), (204, code)),
        _ => answer.check(status, code),
    }
}

/// What a test that panicked said.
pub fn message(error: JoinError) -> String {
    let panic = error.into_panic();
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
}
