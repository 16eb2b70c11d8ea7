//! The table's stream, which invokes `posters-cleanup`.

use serde_json::Value as Json;
use serde_yaml_ng::Value;
use storage::keys::{EVENT_PREFIX, EVENT_SORT, POSTER_PREFIX};

use crate::template::{properties, read, text};

/// Returns the event source mapping of the stream.
fn mapping() -> &'static Value {
    &properties("PostersCleanup")["Events"]["Expiry"]["Properties"]
}

/// Returns true if a record matches a filter: each list of the filter has its value, or a prefix of it.
fn matches(record: &Json, filter: &Json) -> bool {
    match filter {
        Json::Object(fields) => fields.iter().all(|(name, filter)| matches(&record[name], filter)),
        Json::Array(allowed) => allowed.iter().any(|allowed| match allowed["prefix"].as_str() {
            Some(prefix) => record.as_str().is_some_and(|value| value.starts_with(prefix)),
            None => record == allowed,
        }),
        other => panic!("not a filter: {other}"),
    }
}

#[test]
fn filters_select_expired_posters_and_events() {
    let filters = mapping()["FilterCriteria"]["Filters"].as_sequence().unwrap();
    let filters: Vec<Json> =
        filters.iter().map(|filter| serde_json::from_str(text(&filter["Pattern"])).unwrap()).collect();
    let matches = |record: &Json| filters.iter().any(|filter| matches(record, filter));

    let sample: Json = serde_json::from_str(&read("events/posters-cleanup.json")).unwrap();
    let record = &sample["Records"][0];
    assert!(matches(record));
    assert_eq!(record["dynamodb"]["Keys"]["pk"]["S"].as_str().unwrap().find(POSTER_PREFIX), Some(0));
    let with = |record: &Json, path: &str, value: &str| {
        let mut other = record.clone();
        *other.pointer_mut(path).unwrap() = value.into();
        other
    };
    let event = with(record, "/dynamodb/Keys/pk/S", &format!("{EVENT_PREFIX}019b0a7c-3c80-7d3e-9f51-6a2b8c4d0e17"));
    let event = with(&event, "/dynamodb/Keys/sk/S", EVENT_SORT);
    assert!(matches(&event));
    for record in [record, &event] {
        for other in [
            with(record, "/eventName", "MODIFY"),
            with(record, "/userIdentity", ""),
            with(record, "/userIdentity/principalId", "AIDAEXAMPLE"),
            with(record, "/dynamodb/Keys/pk/S", "HOLD#019b0a7c-3c80-7d3e-9f51-6a2b8c4d0e17"),
        ] {
            assert!(!matches(&other), "{other}");
        }
    }
    assert!(!matches(&with(&event, "/dynamodb/Keys/sk/S", "MAP#000")));
}

#[test]
fn failed_records_reach_queue() {
    let mapping = mapping();
    assert_eq!(text(&mapping["Stream"]), "Table.StreamArn");
    assert_eq!(mapping["FunctionResponseTypes"].as_sequence().unwrap().as_slice(), ["ReportBatchItemFailures"]);
    assert!(mapping["MaximumRecordAgeInSeconds"].as_u64().unwrap() < 24 * 60 * 60);
    let queue = text(&mapping["DestinationConfig"]["OnFailure"]["Destination"]);
    let alarm = properties("PostersLeftAlarm");
    let watched = text(&alarm["Dimensions"][0]["Value"]).strip_suffix(".QueueName").unwrap();
    assert_eq!(queue, format!("{watched}.Arn"));
    // The function reads only the key of a record, which names the poster.
    let table = properties("Table");
    assert_eq!(table["StreamSpecification"]["StreamViewType"], "KEYS_ONLY");
}
