//! The table's stream, which invokes `posters-cleanup`, and from which a pipe tells changes.

use functions::changes::tell;
use serde_json::Value as Json;
use serde_yaml_ng::Value;
use storage::keys::{EVENT_PREFIX, EVENT_SORT, HOLD_SORT, LOGIN_SORT, POSTER_PREFIX, SEATS_PREFIX};
use tests::permissions::allowed;

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
            None if allowed["exists"] == true => !record.is_null(),
            None => record == allowed,
        }),
        other => panic!("not a filter: {other}"),
    }
}

/// Returns the patterns of criteria.
fn patterns(criteria: &Value) -> Vec<Json> {
    let filters = criteria["Filters"].as_sequence().unwrap();
    filters.iter().map(|filter| serde_json::from_str(text(&filter["Pattern"])).unwrap()).collect()
}

#[test]
fn filters_select_expired_posters_and_events() {
    let filters = patterns(&mapping()["FilterCriteria"]);
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
}

#[test]
fn pipe_selects_what_can_tell_changes() {
    let pipe = properties("ChangesPipe");
    let filters = patterns(&pipe["SourceParameters"]["FilterCriteria"]);
    let is_selected = |record: &Json| filters.iter().any(|filter| matches(record, filter));
    let sample: Json = serde_json::from_str(&read("events/changes.json")).unwrap();
    let confirmed = &sample[0];
    let record = |name: &str, sort: &str, old: &str, new: &str| {
        let mut record = confirmed.clone();
        record["eventName"] = name.into();
        record["dynamodb"]["Keys"]["sk"]["S"] = sort.into();
        record["dynamodb"]["OldImage"]["state"]["S"] = old.into();
        record["dynamodb"]["NewImage"]["state"]["S"] = new.into();
        record
    };
    let mut admitted = record("MODIFY", &format!("{SEATS_PREFIX}0001"), "", "");
    admitted["dynamodb"]["NewImage"]["event"] = serde_json::json!({"B": "AZsKfDyAfT6fUWorjE0OFw=="});
    for told in [
        confirmed.clone(),
        record("INSERT", HOLD_SORT, "", "CONFIRMED"),
        record("MODIFY", HOLD_SORT, "CONFIRMED", "RELEASED"),
        record("INSERT", EVENT_SORT, "", ""),
        record("MODIFY", EVENT_SORT, "", ""),
        record("INSERT", LOGIN_SORT, "", ""),
        record("MODIFY", LOGIN_SORT, "", ""),
        record("REMOVE", LOGIN_SORT, "", ""),
        admitted.clone(),
    ] {
        assert!(is_selected(&told), "{told}");
    }
    for other in [
        record("INSERT", HOLD_SORT, "", "HELD"),
        record("MODIFY", HOLD_SORT, "HELD", "RELEASED"),
        record("REMOVE", HOLD_SORT, "RELEASED", ""),
        record("REMOVE", EVENT_SORT, "", ""),
        record("INSERT", "MAP#000", "", ""),
        record("MODIFY", "FAILURES", "", ""),
        record("MODIFY", &format!("{SEATS_PREFIX}0001"), "", ""),
    ] {
        assert!(!is_selected(&other), "{other}");
    }
    let records = serde_json::from_value(sample.clone()).unwrap();
    let events = serde_json::to_value(tell::of_records("/tickets", records).unwrap()).unwrap();
    assert_eq!((&events[0]["type"], &events[0]["source"]), (&"sale.confirmed".into(), &"/tickets".into()));
    assert_eq!(events.as_array().unwrap().len(), 1);
}

#[test]
fn new_notice_starts_its_sending() {
    let [event, notice] = ["0196a1b2-0000-7123-8456-789aabcdef01", "01966b20-7c40-7a51-8c2d-3e4f5a6b7c8d"];
    let key = serde_json::json!({"pk": {"S": format!("NOTICES#{event}")}, "sk": {"S": format!("NOTICE#{notice}")}});
    let record = |name: &str, image: &str| {
        let mut record: Json = serde_json::from_str(&read("events/changes.json")).unwrap();
        let mut record = record[0].take();
        record["eventName"] = name.into();
        let images = record["dynamodb"].as_object_mut().unwrap();
        images.retain(|name, _| !name.ends_with("Image"));
        images.insert("Keys".to_owned(), key.clone());
        images.insert(image.to_owned(), key.clone());
        record
    };
    let filters = patterns(&properties("ChangesPipe")["SourceParameters"]["FilterCriteria"]);
    let [new, removed] = [record("INSERT", "NewImage"), record("REMOVE", "OldImage")];
    let is_selected = |record: &Json| filters.iter().any(|filter| matches(record, filter));
    assert!(is_selected(&new) && !is_selected(&removed));
    let entries = tell::of_records("/tickets", serde_json::from_value(serde_json::json!([new])).unwrap()).unwrap();
    let expected = serde_json::json!(
        [{"source": "/tickets/notices", "type": "notice.created", "eventId": event, "noticeId": notice}]);
    assert_eq!(serde_json::to_value(entries).unwrap(), expected);
    let rule = properties("NoticeRule");
    assert_eq!(text(&rule["EventPattern"]["source"][0]), "/${AWS::StackName}/notices");
    assert_eq!(text(&rule["EventPattern"]["detail-type"][0]), "notice.created");
    assert_eq!(text(&rule["Targets"][0]["Arn"]), "NoticeSending");
}

/// The limit of a pipe for entries of a bus is ten, so it does not put them there itself.
#[test]
fn pipe_and_its_parts_may_only_call_each_other() {
    let allowed = |role: &str| {
        let statements = &properties(role)["Policies"][0]["PolicyDocument"]["Statement"];
        let mut allowed: Vec<_> = allowed(statements).into_iter().collect();
        allowed.sort();
        allowed.into_iter().map(|(action, resource)| format!("{action} {resource}")).collect::<Vec<_>>()
    };
    assert_eq!(
        allowed("ChangesPipeRole"),
        [
            "dynamodb:DescribeStream Table.StreamArn",
            "dynamodb:GetRecords Table.StreamArn",
            "dynamodb:GetShardIterator Table.StreamArn",
            "dynamodb:ListStreams *",
            "lambda:InvokeFunction Changes.Alias",
            "sqs:SendMessage ChangesLeft.Arn",
            "states:StartSyncExecution ChangesPublisher",
        ]
    );
    assert_eq!(
        allowed("ChangesPublisherRole"),
        ["events:PutEvents ChangesBus.Arn", "xray:PutTelemetryRecords *", "xray:PutTraceSegments *"]
    );
    assert_eq!(allowed("ChangesReceiverRole"), ["events:InvokeApiDestination ChangesReceiver.Arn"]);
    assert!(properties("Changes")["Policies"].is_null());
    let pipe = properties("ChangesPipe");
    assert_eq!(text(&pipe["Source"]), "Table.StreamArn");
    assert_eq!(properties("Table")["StreamSpecification"]["StreamViewType"], "NEW_AND_OLD_IMAGES");
    assert_eq!(
        text(&pipe["TargetParameters"]["StepFunctionStateMachineParameters"]["InvocationType"]),
        "REQUEST_RESPONSE"
    );
}
