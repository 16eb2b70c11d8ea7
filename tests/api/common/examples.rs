//! Examples of `openapi.json`: each is sent to a new service, and the response is that of the example.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tests::{Api, Operation, Response, named, new_stack, sample};

/// Poster of the events, and the one that replaces it.
const POSTERS: [&[u8]; 2] = [sample::OTHER_POSTER, include_bytes!("../../corpus/images/accepted/realistic.webp")];

/// Fields whose values depend on the time of the test.
const TIMES: [&str; 6] = ["admittedAt", "createdAt", "datetime", "expiresAt", "registeredAt", "restorableUntil"];

/// Fields of tickets and gates whose values are signed or random.
const SECRETS: [&str; 3] = ["code", "qr", "token"];

/// Requests that lead to an example, in a service of their own.
struct Story {
    api: Api,
    operations: BTreeMap<String, Operation>,
    done: BTreeSet<&'static str>,
    /// Values of the parameters of paths, from responses.
    ids: BTreeMap<String, String>,
    tokens: Value,
    /// Token of a gate, and codes of tickets.
    gate: String,
    codes: Vec<Value>,
}

/// Returns the operations before another one, with the fields of their requests, unless these are those of the example.
fn before(operation: &Operation) -> Vec<(&'static str, Option<Value>)> {
    let with_times = |times: Value| ("events-edit", Some(json!({"eventDatetimes": times})));
    let own = match operation.slug.as_str() {
        "members-login" | "auth-login" => vec![("members-join", None)],
        "auth-refresh" => vec![("auth-login", None)],
        "events-list" => vec![("events-create", None)],
        "events-restore" => vec![("events-delete", None)],
        "events-cancel" => vec![with_times(json!([4_102_444_800_u64, 4_102_531_200_u64]))],
        "managers-event" => vec![("events-edit", Some(json!({"published": false})))],
        "managers-events" => vec![("events-create", None), ("events-delete", None)],
        "members-holds" => vec![("holds-create", None)],
        "sales-summary" | "sales-list" | "tickets-of-sale" => vec![("sales-create", None)],
        "gates-create" | "holds-create" | "sales-create" => vec![with_times(json!([4_102_444_800_u64]))],
        "seats-availability" | "seats-blocks" | "seats-list" | "seats-unblock" => vec![("seats-block", None)],
        "holds-cancel" | "notices-create" | "tickets-list" => vec![("holds-confirm", None)],
        "notices-list" => vec![("notices-create", None)],
        "admissions-create" => vec![("tickets-list", None)],
        "admissions-count" | "admissions-remove" | "gates-get" | "gates-list" => vec![("admissions-create", None)],
        _ => Vec::new(),
    };
    let derived = [
        (operation.has("memberId"), "members-join"),
        (operation.is_for_members, "auth-login"),
        (operation.has("eventId"), "events-create"),
        (operation.has("holdId") && operation.slug != "tickets-of-sale", "holds-create"),
        (operation.is_for_gates, "gates-create"),
    ];
    let derived = derived.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, slug)| (slug, None));
    derived.chain(own).collect()
}

impl Story {
    /// Carries out an operation after those before it.
    async fn tell(&mut self, slug: &str, fields: Option<&Value>) -> Response {
        let operation = self.operations[slug].clone();
        for (slug, fields) in before(&operation) {
            if self.done.insert(slug) {
                let response = Box::pin(self.tell(slug, fields.as_ref())).await;
                assert!(response.status < 300, "{slug}: {response}");
                self.learn(&response);
            }
        }
        let ids: Vec<_> = self.ids.iter().map(|(name, id)| (name.as_str(), id.as_str())).collect();
        let query = if slug == "managers-events" { "?status=deleted" } else { "" };
        let path = sample::path(&operation.path, &ids, "") + query;
        let request = self.api.request(operation.method.clone(), &path);
        let request = match self.tokens["accessToken"].as_str() {
            Some(token) if operation.is_for_members => request.bearer_auth(token),
            _ if operation.is_for_gates => request.bearer_auth(&self.gate),
            _ => request.header("x-api-managerId", sample::MANAGER),
        };
        let body = self.with_ids(fields.unwrap_or(&operation.example["request"]));
        Api::send(match operation.media_type.as_deref() {
            Some("multipart/form-data") => {
                let [first, second] = POSTERS;
                let form =
                    if body.is_null() { sample::thumbnail_form(second) } else { sample::form_with(&body, first) };
                request.header("Content-Type", form.content_type()).body(form.body())
            }
            Some(_) => request.json(&body),
            None => request,
        })
        .await
    }

    /// Replaces the ids and tokens of the examples by those of this service.
    fn with_ids(&self, body: &Value) -> Value {
        let event = |id: &str| format!("{}8{}", &id[..14], &id[15..28]);
        let example = &self.operations["events-create"].example["response"]["data"]["id"];
        let mut body = match self.ids.get("eventId") {
            Some(id) => body.to_string().replace(&event(example.as_str().unwrap()), &event(id)).parse().unwrap(),
            None => body.clone(),
        };
        if let Some(token) = body.get_mut("refreshToken") {
            *token = self.tokens["refreshToken"].clone();
        }
        if let Some(scanned) = body.pointer_mut("/scans/0/code") {
            *scanned = self.codes[1].clone();
        }
        body
    }

    /// Remembers ids, from the path in `Location`, and tokens.
    fn learn(&mut self, response: &Response) {
        if let Some(location) = response.headers.get("Location") {
            let parts: Vec<_> = location.to_str().unwrap().split('/').collect();
            let is_location = |path: &&String| {
                let names: Vec<_> = path.split('/').collect();
                names.len() == parts.len()
                    && names.iter().zip(&parts).all(|(name, part)| name.starts_with('{') || name == part)
            };
            let path = self.operations.values().map(|operation| &operation.path).find(is_location).unwrap();
            let ids = path.split('/').zip(parts).filter(|(name, _)| name.starts_with('{'));
            self.ids.extend(ids.map(|(name, id)| (name.trim_matches(['{', '}']).to_owned(), id.to_owned())));
        }
        let data = if response.body.is_empty() { Value::Null } else { response.data() };
        if let Some(show) = data["eventDatetimes"][0]["id"].as_str() {
            self.ids.insert("showId".to_owned(), show.to_owned());
        }
        if let Some(token) = data["token"].as_str() {
            token.clone_into(&mut self.gate);
        }
        if let Some(tickets) = data.as_array().filter(|tickets| tickets[0]["code"].is_string()) {
            self.codes = tickets.iter().map(|ticket| ticket["code"].clone()).collect();
        }
        if data["accessToken"].is_string() {
            self.tokens = data;
        }
    }
}

/// Replaces the values of all times and secrets; the code of a response stays.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_secret = SECRETS.contains(&name.as_str()) && *value != "0";
                if is_secret || TIMES.contains(&name.as_str()) { *value = json!("[any]") } else { without_times(value) }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn examples_are_real() {
        let operations: BTreeMap<_, _> =
            Operation::all().into_iter().map(|operation| (operation.slug.clone(), operation)).collect();
        for (slug, Operation { path, example, .. }) in &operations {
            let mut expected = example["response"].clone();
            // A response without a body has no example. Keys and the address depend on the deployment.
            if expected.is_null() || path.starts_with("/.well-known/") {
                continue;
            }
            let stack = new_stack().await;
            let mut story = Story {
                api: Api::with_url(&stack.url()),
                operations: operations.clone(),
                done: BTreeSet::new(),
                ids: BTreeMap::new(),
                tokens: Value::Null,
                gate: String::new(),
                codes: Vec::new(),
            };
            let mut response = story.tell(slug, None).await;
            // A notice is sent after the response that made it.
            while slug == "notices-list" && response.data()[0]["status"] == "SENDING" {
                tokio::task::yield_now().await;
                response = story.tell(slug, None).await;
            }
            let mut actual = serde_json::from_slice(&response.body).unwrap_or_else(|_| response.text().into());
            without_times(&mut actual);
            without_times(&mut expected);
            assert_eq!(named(&actual.to_string()), named(&expected.to_string()), "{slug}");
        }
    }
}
