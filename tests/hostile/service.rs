//! Services that receive hostile requests.

use local::{BUCKET, Settings};
use tests::{Api, Proxy, Response, Usage, new_stack, stack_at};

use crate::case::Case;

const MAX_ERRORS: usize = 100;
/// Maximum characters of user input in an error.
const MAX_VALUE: usize = 1_000;

/// Asserts that every case gets its response and makes no call to the database, and that no poster is stored.
pub async fn assert_rejected(cases: &[Case]) {
    let database = new_stack().await;
    let proxy = Proxy::start(&database, []).await;
    let stack = stack_at(proxy.dynamodb_url(), Settings::default()).await;
    let api = Api::with_url(&stack.url());
    drop(proxy.take_usage());
    let mut failures = Vec::new();
    for case in cases {
        let response = Api::send(case.request(&api)).await;
        let failure = unexpected_response(case, &response).or_else(|| too_many_errors(case, &response));
        failures.extend(failure);
        let usage = proxy.take_usage();
        if usage != Usage::default() {
            failures.push(format!("{}: calls {usage:?}", case.name()));
        }
    }
    assert_no_failures(&failures, cases);
    let posters = stack.s3().list_objects_v2().bucket(BUCKET).send().await.unwrap();
    assert_eq!(posters.contents().len(), 0);
    api.get("/api/v1/events").await.check(200, "0");
}

/// Asserts that every case gets its response, and that the posters of events have names and types of the service.
pub async fn assert_accepted(cases: &[Case]) {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    let mut failures = Vec::new();
    for case in cases {
        let response = Api::send(case.request(&api)).await;
        failures.extend(unexpected_response(case, &response));
        if response.status == 201 && case.path == "/api/v1/events" {
            let thumbnail = response.data()["thumbnail"].as_str().unwrap().to_owned();
            let poster = api.poster(&thumbnail).await;
            let headers = [poster.header("Content-Type"), poster.header("X-Content-Type-Options")];
            let expected_name = format!("{}.png", response.data()["id"].as_str().unwrap());
            if (thumbnail.as_str(), headers) != (&expected_name, ["image/png", "nosniff"]) {
                failures.push(format!("{}: {thumbnail} is served as {headers:?}", case.name()));
            }
        }
    }
    assert_no_failures(&failures, cases);
}

/// Returns a failure if a response is not the expected one.
fn unexpected_response(case: &Case, response: &Response) -> Option<String> {
    let status = match case.code {
        "0" if case.method == "POST" => 201,
        "0" => 200,
        "AM_001" => 401,
        "C_008" | "E_002" => 404,
        "C_005" => 413,
        "C_004" => 415,
        _ => 400,
    };
    let code = serde_json::from_slice::<serde_json::Value>(&response.body).ok();
    let code = code.and_then(|envelope| Some(envelope["code"].as_str()?.to_owned()));
    let got = (response.status, code);
    let is_expected = got == (status, Some(case.code.to_owned()));
    (!is_expected).then(|| format!("{}: {got:?} instead of {}: {:.300}", case.name(), case.code, response.text()))
}

/// Returns a failure if a response has too many errors or too long values.
fn too_many_errors(case: &Case, response: &Response) -> Option<String> {
    if !["C_001", "C_003"].contains(&case.code) {
        return None;
    }
    let errors = response.errors();
    let is_bounded =
        (1..=MAX_ERRORS).contains(&errors.len()) && errors.iter().all(|[_, value]| value.chars().count() <= MAX_VALUE);
    (!is_bounded).then(|| format!("{}: {} errors, or too long values", case.name(), errors.len()))
}

fn assert_no_failures(failures: &[String], cases: &[Case]) {
    println!("{} cases", cases.len());
    assert!(!cases.is_empty());
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), cases.len(), failures.join("\n"));
}
