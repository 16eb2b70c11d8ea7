//! An operation, carried out once for each way to break it.

use std::time::Duration;

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use tests::{
    Answer,
    fault::{Backends, Fault, Faults, Injection, Strength},
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
    /// What went wrong, and with which call.
    pub broken: Option<(Injection, String)>,
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
    for (index, call) in calls.iter().enumerate() {
        for fault in Fault::ALL.into_iter().filter(|fault| fault.concerns(call)) {
            for &strength in fault.strengths() {
                injections.push((Injection { call: index, fault, strength }, call.clone()));
            }
        }
    }
    let combinations = injections.len();
    let attempts = injections.into_iter().map(|(injection, call)| async move {
        let attempt = async move {
            let _permit = AT_ONCE.acquire().await;
            attempt(fresh().await, Some((injection, call))).await
        };
        let Injection { call, fault, strength } = injection;
        let failure = tokio::spawn(attempt).await.err().map(message);
        failure.map(|failure| format!("{name}, call {call}, {fault:?}, {strength:?}: {failure}"))
    });
    let failures: Vec<_> = attempts.collect::<FuturesUnordered<_>>().collect().await;
    Tally { calls: calls.len(), combinations, failures: failures.into_iter().flatten().collect() }
}

/// Carries a request out, checks it, and gives the calls that it made.
async fn attempt<O: Operation>(operation: O, broken: Option<(Injection, String)>) -> Vec<String> {
    let injection = broken.as_ref().map(|(injection, _)| *injection);
    let faults = Faults::new(stack(), injection).await;
    let sending = faults.unless_killed(operation.send(faults.backends()));
    let answer: Result<_, Elapsed> = timeout(PATIENCE, sending).await;
    let end = End { answer: answer.expect("an answer in time"), calls: faults.calls(), broken };
    check_answer(&operation, &end);
    operation.check(&end, &Backends::of(stack())).await;
    end.calls
}

fn check_answer(operation: &impl Operation, end: &End) {
    let regular = operation.answer();
    let Some((Injection { call, fault, strength }, name)) = &end.broken else {
        return expect(end.answer.as_ref().unwrap(), regular);
    };
    let reached = end.calls.get(*call).unwrap();
    assert_eq!(kind(reached), kind(name), "the call that is to be broken");
    let Some(answer) = &end.answer else { return assert!(fault.kills(), "nobody was killed") };
    assert!(!fault.kills(), "somebody killed answers");
    if *strength == Strength::Once || operation.is_best_effort(kind(name)) {
        expect(answer, regular);
    } else {
        let code = if kind(name) == "PUT" { "S_002" } else { "S_003" };
        expect(answer, (503, code));
        assert_eq!(answer.header("Retry-After"), "2");
    }
}

/// The operation of `DynamoDB` or the method of S3 in the name of a call.
pub fn kind(call: &str) -> &str {
    call.split(' ').next().unwrap_or(call)
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
