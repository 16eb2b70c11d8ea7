//! Each function gets exactly the environment variables that it reads.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem::take,
    sync::Mutex,
};

use domain::{
    clock::Clock,
    hold_limits::{HoldLifetime, HoldLimits, SeatLimit},
};
use functions::{
    changes::tell, environment::Environment, lambda::VARIABLES, managers::authorize::Authorize,
    notices::send::SendNotices, posters::cleanup::Cleanup,
};
use local::LocalEnvironment;
use tests::environment;

use crate::{
    names::operations_of,
    template::{keys, logical_id, properties, slugs, template, text},
};

const LIBC_VARIABLE: &str = "GLIBC_TUNABLES";

/// Environment that remembers which variables were read.
struct Recorder {
    environment: LocalEnvironment,
    read: Mutex<BTreeSet<&'static str>>,
}

impl Recorder {
    /// Returns the variables that were read since the last call.
    fn take(&self) -> BTreeSet<String> {
        take(&mut *self.read.lock().unwrap()).into_iter().map(str::to_owned).collect()
    }
}

impl Environment for Recorder {
    fn variable(&self, name: &'static str) -> Option<String> {
        self.read.lock().unwrap().insert(name);
        self.environment.variable(name)
    }

    async fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        self.environment.dynamodb().await
    }

    async fn s3(&self, bucket: &str) -> aws_sdk_s3::Client {
        self.environment.s3(bucket).await
    }

    async fn ses(&self) -> aws_sdk_sesv2::Client {
        self.environment.ses().await
    }

    fn clock(&self) -> Clock {
        self.environment.clock()
    }
}

/// Returns the variables that each function reads.
async fn variables() -> BTreeMap<String, BTreeSet<String>> {
    let options = [
        // Then a registration sends a mail, and reads its settings.
        ("EMAIL_VERIFICATION", "required"),
        ("MANAGER_ISSUER", "https://127.0.0.1:1"),
        ("MANAGER_AUDIENCE", "a"),
        ("MANAGER_ROLE_CLAIM", "b"),
        ("MANAGER_ROLE", "c"),
    ];
    let environment = options.into_iter().fold(environment(), |all, (name, value)| all.with(name, value));
    let recorder = Recorder { environment, read: Mutex::default() };
    let mut variables = BTreeMap::new();
    for function in slugs() {
        match &*function {
            "managers-authorize" => drop(Authorize::new(&recorder).await.unwrap()),
            "changes" => drop(recorder.text(tell::SOURCE)),
            "notices-send" => drop(SendNotices::new(&recorder).await.unwrap()),
            "posters-cleanup" => drop(Cleanup::new(&recorder).await.unwrap()),
            _ => {
                for operation in operations_of(&function) {
                    drop(functions::operation_service(&operation, &recorder).await.unwrap());
                }
                recorder.read.lock().unwrap().extend(VARIABLES);
            }
        }
        variables.insert(function, recorder.take());
    }
    variables
}

/// All functions get the variables of `Globals`; they need not read each of them.
#[tokio::test]
async fn functions_get_their_variables() {
    let everywhere = keys(&template()["Globals"]["Function"]["Environment"]["Variables"]);
    for (slug, read) in variables().await {
        let own = &properties(&logical_id(&slug))["Environment"]["Variables"];
        let mut given: BTreeSet<_> = everywhere.union(&keys(own)).cloned().collect();
        assert!(given.remove(LIBC_VARIABLE), "{slug}");
        given.retain(|variable| read.contains(variable) || !everywhere.contains(variable));
        assert_eq!(given, read, "{slug}");
    }
}

#[test]
fn limits_of_holds_match_functions() {
    let parameter = |name: &str, key: &str| template()["Parameters"][name][key].as_u64().unwrap();
    let lifetime = |seconds: u64| HoldLifetime::from_seconds(seconds);
    let seats = |number: u64| SeatLimit::new(usize::try_from(number).unwrap());
    let [shortest, longest, usual] = ["MinValue", "MaxValue", "Default"].map(|key| parameter("HoldSeconds", key));
    let [fewest, most, few] = ["MinValue", "MaxValue", "Default"].map(|key| parameter("MaxSeats", key));
    let defaults = HoldLimits::default();
    assert_eq!((lifetime(usual), seats(few)), (Ok(defaults.lifetime), Ok(defaults.max_seats)));
    assert!(lifetime(shortest).is_ok() && lifetime(longest).is_ok() && lifetime(longest + 1).is_err());
    assert!(seats(fewest).is_ok() && seats(most).is_ok() && seats(most + 1).is_err());
    let variables = &properties("HoldsCreate")["Environment"]["Variables"];
    assert_eq!(["HOLD_SECONDS", "MAX_SEATS"].map(|name| text(&variables[name])), ["HoldSeconds", "MaxSeats"]);
}
