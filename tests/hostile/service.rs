//! Services that receive hostile requests.

use domain::{manager::Authentication, password::Password};
use local::{BUCKET, Stack, TABLE};
use tests::{Api, Proxy, Response, Usage, function, new_stack, sample};

use crate::case::{CREATE, Case, EDIT, JOIN, MEMBER, THUMBNAIL, WITHDRAWAL};

const MAX_ERRORS: usize = 100;
/// Maximum characters of user input in an error.
const MAX_VALUE: usize = 1_000;

/// Service that must store nothing.
struct EmptyService {
    stack: Stack,
    api: Api,
    proxy: Proxy,
}

/// Asserts that every case gets its response, stores nothing and makes no call, and that there are `count` cases.
pub async fn assert_rejected(cases: &[Case], count: usize) {
    let stack = new_stack().await;
    let (api, proxy) = (Api::with_url(&stack.url()), Proxy::start(&stack, None).await);
    let service = EmptyService { stack, api, proxy };
    let mut failures = Vec::new();
    let mut before = (0, 0);
    for case in cases {
        let response = Api::send(case.request(&service.api)).await;
        failures.extend(unexpected_response(case, &response).or_else(|| too_many_errors(case, &response)));
        failures.extend(service.unnecessary_calls(case).await);
        let stored = service.stored().await;
        if stored != before {
            failures.push(format!("{}: stored {before:?} before and {stored:?} after it", case.name));
            before = stored;
        }
        let next = service.api.get("/api/v1/events?limit=1").await;
        if next.status != 200 {
            failures.push(format!("{}: the next request gets {}", case.name, next.text()));
        }
    }
    assert_no_failures(&failures, cases, count);
}

/// Asserts that every case gets its response and is returned unchanged, and that there are `count` cases.
pub async fn assert_accepted(cases: &[Case], count: usize) {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    let mut failures = Vec::new();
    for case in cases {
        let response = Api::send(case.request(&api)).await;
        match unexpected_response(case, &response) {
            None if case.path == CREATE && case.method == "POST" => {
                failures.extend(changed_content(case, &response, &api).await);
            }
            failure => failures.extend(failure),
        }
    }
    assert_no_failures(&failures, cases, count);
}

impl EmptyService {
    /// Counts records in the table and objects in the bucket.
    async fn stored(&self) -> (i32, usize) {
        let records = self.stack.dynamodb().scan().table_name(TABLE).send().await.unwrap().count;
        let objects = self.stack.s3().list_objects_v2().bucket(BUCKET).send().await.unwrap();
        (records, objects.contents().len())
    }

    /// Returns a failure if the function calls a backend or sends an unexpected response.
    async fn unnecessary_calls(&self, case: &Case) -> Option<String> {
        let response = match case.path.as_str() {
            CREATE if case.method == "POST" => {
                let table = self.proxy.table();
                let posters = self.proxy.posters();
                let create = events_create::Create::new(table, posters, Authentication::Open);
                function::send(create, case.lambda_request()).await
            }
            JOIN => {
                let table = self.proxy.table();
                let join = members_join::Join::new(table, sample::hasher(1), Password::parse);
                function::send(join, case.lambda_request()).await
            }
            MEMBER => {
                let (table, hasher) = (self.proxy.table(), sample::hasher(1));
                let edit = members_edit::Edit::new(table, hasher, Password::parse);
                function::send(edit, case.lambda_request()).await
            }
            WITHDRAWAL => {
                let withdraw = members_withdraw::Withdraw::new(self.proxy.table(), sample::hasher(1));
                function::send(withdraw, case.lambda_request()).await
            }
            // Without an id, which is read after the rest of the request.
            EDIT if case.code != "E_002" => {
                let edit = events_edit::Edit::new(self.proxy.table(), Authentication::Open);
                function::send(edit, case.lambda_request()).await
            }
            THUMBNAIL => {
                let (table, posters) = (self.proxy.table(), self.proxy.posters());
                let replace = events_thumbnail::ReplaceThumbnail::new(table, posters, Authentication::Open);
                function::send(replace, case.lambda_request()).await
            }
            _ => return None,
        };
        let usage = self.proxy.take_usage();
        unexpected_response(case, &response)
            .or_else(|| (usage != Usage::default()).then(|| format!("{}: calls {usage:?}", case.name)))
    }
}

/// Returns a failure if an event is not returned as it was sent, or its poster is served as another type.
async fn changed_content(case: &Case, created: &Response, api: &Api) -> Option<String> {
    let data = created.data();
    let (id, thumbnail) = (data["id"].as_str()?, data["thumbnail"].as_str()?);
    let format = thumbnail.strip_prefix(id).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default();
    if !["jpg", "png", "gif", "webp"].contains(&format) {
        return Some(format!("{}: the poster is named {thumbnail}", case.name));
    }
    let poster = api.poster(thumbnail).await;
    let media_type = format!("image/{}", format.replace("jpg", "jpeg"));
    let headers = [poster.header("Content-Type"), poster.header("X-Content-Type-Options")];
    if headers != [media_type.as_str(), "nosniff"] {
        return Some(format!("{}: the poster is served as {headers:?}", case.name));
    }
    let detail = api.get(&format!("/api/v1/events/{id}/detail")).await;
    let seat_map = api.get(&format!("/api/v1/events/{id}/seat-map.svg")).await;
    if (detail.status, seat_map.status) != (200, 200) || roxmltree::Document::parse(&seat_map.text()).is_err() {
        return Some(format!("{}: cannot be read", case.name));
    }
    let (drawing, image) = case.returned.as_ref()?;
    let is_same = detail.data()["totalMap"] == *drawing.as_str() && poster.body == *image;
    (!is_same).then(|| format!("{}: returns another drawing or poster", case.name))
}

/// Returns a failure if a response is not the expected one.
fn unexpected_response(case: &Case, response: &Response) -> Option<String> {
    let code = || serde_json::from_slice::<serde_json::Value>(&response.body).ok()?["code"].as_str().map(str::to_owned);
    let got = (response.status, code());
    let is_expected = got == (case.status(), Some(case.code.to_owned()));
    (!is_expected).then(|| format!("{}: {got:?} instead of {}: {:.300}", case.name, case.code, response.text()))
}

/// Returns a failure if a response has too many errors or too long values.
fn too_many_errors(case: &Case, response: &Response) -> Option<String> {
    if !["C_001", "C_003"].contains(&case.code) {
        return None;
    }
    let errors = response.errors();
    let is_bounded =
        (1..=MAX_ERRORS).contains(&errors.len()) && errors.iter().all(|[_, value]| value.chars().count() <= MAX_VALUE);
    (!is_bounded).then(|| format!("{}: {} errors, or too long values", case.name, errors.len()))
}

fn assert_no_failures(failures: &[String], cases: &[Case], count: usize) {
    println!("{} cases", cases.len());
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), cases.len(), failures.join("\n"));
    let mut names: Vec<_> = cases.iter().map(|case| &case.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), cases.len(), "case names are unique");
    assert_eq!(cases.len(), count, "number of cases");
}
