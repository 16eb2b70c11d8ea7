//! Measured requests.
//!
//! By default, a function is measured with its sample event, `events/<slug>.json`, sent to a service with a member and
//! 100 events. So a new function is measured without a change here, if that request succeeds. [`requests`] has the
//! functions that need something else.

use std::{collections::BTreeSet, fs};

use domain::error::Cause;
use local::layouts::{self, Layout};
use serde_json::{Value, json};

use crate::root;

/// Argon2id parameters of a deployment by default.
pub const DEFAULT_HASH: &str = "m=19456,t=2,p=1";
/// Cheapest Argon2id parameters. Counted requests use them, because the default hash would hide all changes of the
/// rest.
const CHEAP_HASH: &str = "m=64,t=1,p=1";

/// Name of the first request of a function.
pub const REQUEST: &str = "request";

/// Functions that the peers in other languages implement. They stand for the other functions.
const FUNCTIONS_OF_PEERS: [&str; 5] = ["events-create", "events-detail", "events-get", "events-list", "members-login"];

/// Measured request of a function.
#[derive(Clone, Debug)]
pub struct Job {
    /// Name of the function, as in `functions/src/bin`.
    pub slug: String,
    /// Name of the request among those of its function.
    pub name: &'static str,
    /// Name of the sample event.
    pub sample: String,
    /// Data of the service before each request.
    pub data: Data,
    /// Hall of the event that the request creates or reads, instead of that of the sample.
    pub hall: Option<fn() -> Layout>,
    /// Argon2id parameters of counted requests.
    pub counted_hash: &'static str,
    /// Number of counted requests, and of timed requests in each process.
    pub requests: usize,
    /// False if the request is only counted.
    pub is_timed: bool,
    /// Change of the sample event, with the `Authorization` of a verified manager.
    pub change: fn(&mut Value, &str),
    /// Returns true if the response of the function is the expected one.
    pub accepts: fn(&Value) -> bool,
}

impl Job {
    /// Returns true if the request is also sent to the peers in other languages.
    pub fn has_peers(&self) -> bool {
        self.is_timed && FUNCTIONS_OF_PEERS.contains(&&*self.slug)
    }
}

/// Data of the service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Data {
    /// No data.
    None,
    /// A member, and this number of events.
    Events(u16),
    /// A member, and a deleted event.
    DeletedEvent,
    /// A member, and an event on sale.
    Sale,
    /// A member, an event on sale, and a hold of the member.
    Hold,
    /// A member, an event on sale, and an order of the member.
    Order,
    /// An order, a gate, and a ticket of the order; and whether the ticket is admitted.
    Gate { admitted: bool },
}

/// Returns the requests of the functions with these slugs, or of all functions if there are no slugs.
///
/// # Errors
///
/// Returns an error if no function has one of the slugs.
pub fn jobs(only: &[String]) -> Result<Vec<Job>, Cause> {
    let files = fs::read_dir(root().join("functions/src/bin"))?;
    let slugs = files.map(|file| Ok(file?.file_name().to_string_lossy().trim_end_matches(".rs").to_owned()));
    let mut slugs = slugs.collect::<Result<BTreeSet<_>, Cause>>()?;
    if let Some(unknown) = only.iter().find(|slug| !slugs.contains(*slug)) {
        return Err(format!("no function has the name {unknown}").into());
    }
    slugs.retain(|slug| only.is_empty() || only.contains(slug));
    Ok(slugs.into_iter().flat_map(requests).collect())
}

/// Returns the requests of a function.
fn requests(slug: String) -> Vec<Job> {
    let request = Job {
        sample: slug.clone(),
        slug,
        name: REQUEST,
        data: Data::Events(100),
        hall: None,
        counted_hash: CHEAP_HASH,
        requests: 50,
        is_timed: true,
        change: |_, _| (),
        accepts: is_success,
    };
    let counted = Job { requests: 1, is_timed: false, ..request.clone() };
    match &*request.slug {
        "members-join" => vec![Job { data: Data::None, ..request }],
        "members-login" => {
            let (name, sample) = ("wrong-password", "members-login-wrong".to_owned());
            let wrong = Job { name, sample, accepts: |response| response["statusCode"] == 401, ..request.clone() };
            vec![request, wrong, Job { name: "default-hash", counted_hash: DEFAULT_HASH, ..counted }]
        }
        // The two edits change a field on which nothing else depends.
        "members-edit" => {
            let body =
                |event: &mut Value, _: &_| event["body"] = json!(r#"{"password": "correct horse", "name": "영희"}"#);
            vec![Job { change: body, ..request }]
        }
        "events-edit" => {
            vec![Job { change: |event, _| event["body"] = json!(r#"{"artist": "한빛 합창단"}"#), ..request }]
        }
        "events-areas" | "events-create" | "events-detail" | "events-seat-map" => {
            let arena = Job { name: "arena", hall: Some(layouts::arena), requests: 5, ..request.clone() };
            [request, arena].into_iter().chain(in_halls(&counted)).collect()
        }
        "events-list" => {
            // Matches all events.
            let (name, sample) = ("search", "events-list-search".to_owned());
            vec![request, Job { name, sample, data: Data::Events(10_000), ..counted }]
        }
        "events-restore" => vec![Job { data: Data::DeletedEvent, ..request }],
        "gates-create" | "holds-create" | "sales-create" | "seats-block" | "seats-blocks" | "shows-edit" => {
            vec![Job { data: Data::Sale, ..request }]
        }
        "holds-get" | "holds-release" | "holds-confirm" | "members-holds" => vec![Job { data: Data::Hold, ..request }],
        // Only the first copy takes the times.
        "events-copy" => vec![counted],
        "holds-cancel" | "notices-create" | "notices-list" | "sales-list" | "sales-summary" | "tickets-list"
        | "tickets-of-sale" => {
            vec![Job { data: Data::Order, ..request }]
        }
        "admissions-create" | "gates-remove" => vec![Job { data: Data::Gate { admitted: false }, ..request }],
        "admissions-count" | "admissions-remove" | "gates-get" | "gates-list" => {
            vec![Job { data: Data::Gate { admitted: true }, ..request }]
        }
        "seats-availability" | "seats-list" => {
            let (request, counted) = (Job { data: Data::Hold, ..request }, Job { data: Data::Hold, ..counted });
            [request].into_iter().chain(in_halls(&counted)).collect()
        }
        "changes" => {
            let accepts = |response: &Value| response[0]["type"] == "sale.confirmed";
            vec![Job { data: Data::None, accepts, ..request }]
        }
        "posters-cleanup" => {
            let accepts = |response: &Value| response["batchItemFailures"] == json!([]);
            vec![Job { data: Data::None, accepts, ..request }]
        }
        "notices-send" => {
            // There is no such notice.
            vec![Job { data: Data::None, accepts: |response| response["done"] == true, ..request }]
        }
        "managers-authorize" => vec![Job {
            change: |event, authorization| set_header(event, "Authorization", authorization),
            accepts: |response| response["policyDocument"]["Statement"][0]["Effect"] == "Allow",
            ..request
        }],
        _ => vec![request],
    }
}

/// Returns a request for each of three halls, from a client that accepts gzip, because other responses are limited to
/// 6 MB.
fn in_halls(job: &Job) -> [Job; 3] {
    let gzip = Job { change: |event, _| set_header(event, "Accept-Encoding", "gzip"), ..job.clone() };
    let halls: [(_, fn() -> _); 3] = [
        ("arena-gzip", layouts::arena),
        ("stadium-gzip", layouts::stadium),
        ("main-stadium-gzip", layouts::main_stadium),
    ];
    halls.map(|(name, hall)| Job { name, hall: Some(hall), ..gzip.clone() })
}

/// Returns true if the status of a response is a success.
pub fn is_success(response: &Value) -> bool {
    response["statusCode"].as_u64().is_some_and(|status| (200..300).contains(&status))
}

/// Sets a header of a Lambda event.
pub fn set_header(event: &mut Value, name: &str, value: &str) {
    event["multiValueHeaders"][name] = json!([value]);
}
