//! Services that receive hostile requests.

use domain::{manager::Authentication, password::common::CommonPasswords};
use local::{BUCKET, Stack, TABLE};
use tests::{Api, Proxy, Response, Usage, function, new_stack, sample};

use crate::case::{CREATE, Case, JOIN};

/// The most entries that an answer has.
const ERRORS: usize = 100;
/// The most characters of what was sent that an entry repeats.
const ECHO: usize = 1_000;

/// A service in which nothing is ever stored.
struct Rejecting {
    stack: Stack,
    api: Api,
    proxy: Proxy,
}

/// Sends every case of so many, and fails if one gets another response, leaves something or costs a call.
pub async fn assert_rejected(cases: &[Case], count: usize) {
    let stack = new_stack().await;
    let (api, proxy) = (Api::at(&stack.url()), Proxy::start(&stack, None).await);
    let service = Rejecting { stack, api, proxy };
    let mut failures = Vec::new();
    let mut before = (0, 0);
    for case in cases {
        let answer = Api::send(case.request(&service.api)).await;
        failures.extend(wrong(case, &answer).or_else(|| unbounded(case, &answer)));
        failures.extend(service.called(case).await);
        let stored = service.stored().await;
        if stored != before {
            failures.push(format!("{}: leaves {stored:?} where {before:?} was", case.name));
            before = stored;
        }
        let next = service.api.get("/api/v1/events?limit=1").await;
        if next.status != 200 {
            failures.push(format!("{}: the next request gets {}", case.name, next.text()));
        }
    }
    assert_none(&failures, cases, count);
}

/// Sends every case of so many, and fails if one gets another response or does not come back.
pub async fn assert_kept(cases: &[Case], count: usize) {
    let stack = new_stack().await;
    let api = Api::at(&stack.url());
    let mut failures = Vec::new();
    for case in cases {
        let answer = Api::send(case.request(&api)).await;
        match wrong(case, &answer) {
            None if case.path == CREATE && case.method == "POST" => {
                failures.extend(changed(case, &answer, &api).await);
            }
            wrong => failures.extend(wrong),
        }
    }
    assert_none(&failures, cases, count);
}

impl Rejecting {
    /// How many records are in the table and objects in the bucket.
    async fn stored(&self) -> (i32, usize) {
        let records = self.stack.dynamodb().scan().table_name(TABLE).send().await.unwrap().count;
        let objects = self.stack.s3().list_objects_v2().bucket(BUCKET).send().await.unwrap();
        (records, objects.contents().len())
    }

    /// The calls to a backend that the function makes for the case, which there is no reason for.
    async fn called(&self, case: &Case) -> Option<String> {
        let answer = match case.path.as_str() {
            CREATE if case.method == "POST" => {
                let table = self.proxy.table();
                let posters = self.proxy.posters();
                let create = events_create::Create::new(table, posters, Authentication::Open);
                function::send(create, case.event_of_lambda()).await
            }
            JOIN => {
                let table = self.proxy.table();
                let (hasher, common_passwords) = (sample::hasher(1), CommonPasswords::Allowed);
                let join = members_join::Join::new(table, hasher, common_passwords);
                function::send(join, case.event_of_lambda()).await
            }
            _ => return None,
        };
        let usage = self.proxy.take_usage();
        wrong(case, &answer)
            .or_else(|| (usage != Usage::default()).then(|| format!("{}: calls {usage:?}", case.name)))
    }
}

/// Tells what of an event does not come back as it was sent, or is served as something else.
async fn changed(case: &Case, created: &Response, api: &Api) -> Option<String> {
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
    let plan = api.get(&format!("/api/v1/events/{id}/seat-map.svg")).await;
    if (detail.status, plan.status) != (200, 200) || roxmltree::Document::parse(&plan.text()).is_err() {
        return Some(format!("{}: cannot be shown", case.name));
    }
    let (drawing, sent) = case.kept.as_ref()?;
    let is_same = detail.data()["totalMap"] == *drawing.as_str() && poster.body == *sent;
    (!is_same).then(|| format!("{}: comes back as something else", case.name))
}

/// How an answer differs from the one that a case has to get.
fn wrong(case: &Case, answer: &Response) -> Option<String> {
    let code = || {
        serde_json::from_slice::<serde_json::Value>(&answer.body).ok()?["code"].as_str().map(str::to_owned)
    };
    let got = (answer.status, code());
    let is_right = got == (case.status(), Some(case.code.to_owned()));
    (!is_right).then(|| format!("{}: {got:?} instead of {}: {:.300}", case.name, case.code, answer.text()))
}

/// How an answer tells more than there are limits for, however much was wrong.
fn unbounded(case: &Case, answer: &Response) -> Option<String> {
    if !["C_001", "C_003"].contains(&case.code) {
        return None;
    }
    let errors = answer.errors();
    let is_bounded =
        (1..=ERRORS).contains(&errors.len()) && errors.iter().all(|[_, value]| value.chars().count() <= ECHO);
    (!is_bounded).then(|| format!("{}: {} errors, or too long ones", case.name, errors.len()))
}

fn assert_none(failures: &[String], cases: &[Case], count: usize) {
    println!("{} cases", cases.len());
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), cases.len(), failures.join("\n"));
    let mut names: Vec<_> = cases.iter().map(|case| &case.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), cases.len(), "each case has a name of its own");
    assert_eq!(cases.len(), count, "cases");
}
