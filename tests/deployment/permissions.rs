//! Each function has exactly the permissions that it needs.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex},
};

use aws_sdk_dynamodb::{
    config::{ConfigBag, Intercept, interceptors::BeforeSerializationInterceptorContextRef},
    error::BoxError,
    operation::{
        batch_get_item::BatchGetItemInput, delete_item::DeleteItemInput, get_item::GetItemInput,
        put_item::PutItemInput, query::QueryInput, transact_write_items::TransactWriteItemsInput,
        update_item::UpdateItemInput,
    },
    types::AttributeValue,
};
use aws_sdk_s3::operation::{delete_object::DeleteObjectInput, put_object::PutObjectInput};
use domain::{manager::Authentication, password::Password};
use events_thumbnail::ReplaceThumbnail;
use lambda_http::Request;
use local::{BUCKET, TABLE as TABLE_NAME};
use reqwest::header::HeaderValue;
use serde_json::json;
use serde_yaml_ng::Value;
use storage::{keys::PARTITION, poster::Posters, table::Table};
use tests::{
    Api,
    fault::Rule,
    function::{
        call, edit_request, event_request, list_request, member_request, own_list_request, post, post_form,
        thumbnail_request,
    },
    sample, stack, table_with_rule,
};

use crate::template::{keys, logical_id, read, slugs, template, text};

/// IAM action and its resource; for the table, with the prefix of partition keys.
type Permission = (String, String);

const TABLE: &str = "Table.Arn";
const OBJECTS: &str = "${Posters.Arn}/upload/*";

/// Interceptor that records the permission that each call needs.
#[derive(Clone, Debug, Default)]
struct Recorder(Arc<Mutex<BTreeSet<Permission>>>);

impl Recorder {
    fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        let config = stack().dynamodb().config().to_builder().interceptor(self.clone()).build();
        aws_sdk_dynamodb::Client::from_conf(config)
    }

    fn table(&self) -> Table {
        Table::new(self.dynamodb(), TABLE_NAME.to_owned())
    }

    fn posters(&self) -> Posters {
        let config = stack().s3().config().to_builder().interceptor(self.clone()).build();
        Posters::new(aws_sdk_s3::Client::from_conf(config), BUCKET.to_owned())
    }

    fn permissions(&self) -> BTreeSet<Permission> {
        self.0.lock().unwrap().clone()
    }
}

impl Intercept for Recorder {
    fn name(&self) -> &'static str {
        "Recorder"
    }

    fn read_before_execution(
        &self,
        context: &BeforeSerializationInterceptorContextRef<'_>,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let input = context.input();
        let mut permissions = self.0.lock().unwrap();
        let mut needs = |action: &str, resource: String| permissions.insert((action.to_owned(), resource));
        if let Some(get) = input.downcast_ref::<GetItemInput>() {
            needs("dynamodb:GetItem", item_resource(get.key()));
        } else if let Some(get) = input.downcast_ref::<BatchGetItemInput>() {
            for key in get.request_items().unwrap()[TABLE_NAME].keys() {
                needs("dynamodb:BatchGetItem", item_resource(Some(key)));
            }
        } else if let Some(update) = input.downcast_ref::<UpdateItemInput>() {
            needs("dynamodb:UpdateItem", item_resource(update.key()));
        } else if let Some(put) = input.downcast_ref::<PutItemInput>() {
            needs("dynamodb:PutItem", item_resource(put.item()));
        } else if let Some(delete) = input.downcast_ref::<DeleteItemInput>() {
            needs("dynamodb:DeleteItem", item_resource(delete.key()));
        } else if let Some(query) = input.downcast_ref::<QueryInput>() {
            let partition = || &query.expression_attribute_values().unwrap()[":event"];
            let index = query.index_name().map(|index| format!("${{Table.Arn}}/index/{index}"));
            needs("dynamodb:Query", index.unwrap_or_else(|| key_resource(partition())));
        } else if let Some(transaction) = input.downcast_ref::<TransactWriteItemsInput>() {
            // A transaction needs only the permissions of its writes.
            for item in transaction.transact_items() {
                if let Some(put) = item.put() {
                    needs("dynamodb:PutItem", item_resource(Some(put.item())));
                } else if let Some(update) = item.update() {
                    needs("dynamodb:UpdateItem", item_resource(Some(update.key())));
                } else if let Some(delete) = item.delete() {
                    needs("dynamodb:DeleteItem", item_resource(Some(delete.key())));
                } else {
                    needs("unknown write", String::new());
                }
            }
        } else if input.downcast_ref::<PutObjectInput>().is_some() {
            needs("s3:PutObject", OBJECTS.to_owned());
        } else if input.downcast_ref::<DeleteObjectInput>().is_some() {
            needs("s3:DeleteObject", OBJECTS.to_owned());
        } else {
            needs("unknown call", String::new());
        }
        Ok(())
    }
}

/// Returns the resource of an item or key: the table with the prefix of its partition key.
fn item_resource(item: Option<&HashMap<String, AttributeValue>>) -> String {
    key_resource(&item.unwrap()[PARTITION])
}

/// Returns the resource of a partition key: the table with the prefix up to `#`.
fn key_resource(partition: &AttributeValue) -> String {
    let (kind, _) = partition.as_s().unwrap().split_once('#').unwrap();
    format!("{TABLE} {kind}#*")
}

/// Makes a function do everything it can, and returns the permissions that it needed.
async fn needed(slug: &str) -> BTreeSet<Permission> {
    let recorder = Recorder::default();
    let registered = async || Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    match slug {
        "members-join" => {
            let member = sample::member();
            for status in [201, 409] {
                let join = members_join::Join::new(recorder.table(), sample::hasher(1), Password::parse);
                call(join, post(&member), status).await;
            }
        }
        "members-login" => {
            let member = tests::add_member(&sample::hasher(1)).await;
            for (password, status) in [(sample::PASSWORD, 200), ("x", 401), (sample::PASSWORD, 200)] {
                let login = members_login::Login::new(recorder.table(), sample::hasher(2));
                let credentials = json!({"email": member.email.as_str(), "password": password});
                call(login, post(&credentials), status).await;
            }
        }
        "members-edit" => {
            let id = tests::add_member(&sample::hasher(1)).await.id.to_string();
            for (password, status) in [("x", 401), (sample::PASSWORD, 200)] {
                let edit = members_edit::Edit::new(recorder.table(), sample::hasher(1), Password::parse);
                let body = json!({"password": password, "nickname": sample::unique()});
                call(edit, member_request(&id, &body), status).await;
            }
            let edit = members_edit::Edit::new(recorder.table(), sample::hasher(1), Password::parse);
            call(edit, member_request("x", &json!({"password": "x"})), 401).await;
        }
        "members-withdraw" => {
            let id = tests::add_member(&sample::hasher(1)).await.id.to_string();
            for (id, password, status) in [("x", "x", 401), (&id, "x", 401), (&id, sample::PASSWORD, 204)] {
                let withdraw = members_withdraw::Withdraw::new(recorder.table(), sample::hasher(1));
                call(withdraw, member_request(id, &json!({"password": password})), status).await;
            }
        }
        "events-create" => create(&recorder).await,
        "events-list" => {
            registered().await;
            list(&recorder).await;
        }
        "events-get" => {
            call(events_get::Get::new(recorder.table()), event_request(&registered().await), 200).await;
        }
        "events-detail" => {
            for request in unconditional_and_conditional(&registered().await) {
                call(events_detail::Detail::new(recorder.table()), request, 200).await;
            }
        }
        "events-seat-map" => {
            for request in unconditional_and_conditional(&registered().await) {
                call(events_seat_map::SeatMap::new(recorder.table()), request, 200).await;
            }
        }
        "events-edit" => {
            let id = registered().await;
            for (change, status) in [(json!({"title": sample::unique()}), 200), (json!({}), 200), (json!([]), 400)] {
                let edit = events_edit::Edit::new(recorder.table(), Authentication::Open);
                call(edit, edit_request(&id, &change), status).await;
            }
        }
        "events-thumbnail" => replace_thumbnail(&recorder, &registered().await).await,
        "events-delete" => {
            let id = registered().await;
            for status in [204, 404] {
                call(events_delete::Delete::new(recorder.table(), Authentication::Open), event_request(&id), status)
                    .await;
            }
        }
        "events-restore" => {
            let id = registered().await;
            assert_eq!(Api::new().delete(&id).await.status, 204);
            for _ in 0..2 {
                let restore = events_restore::Restore::new(recorder.table(), Authentication::Open);
                call(restore, event_request(&id), 200).await;
            }
        }
        "managers-events" => {
            let own_events = || {
                let cursors = "0123456789abcdef".parse().unwrap();
                managers_events::OwnEvents::new(recorder.table(), Authentication::Open, cursors)
            };
            for status in ["live", "deleted", "all"] {
                let request = own_list_request(sample::MANAGER, &format!("status={status}"));
                call(own_events(), request, 200).await;
            }
        }
        "posters-cleanup" => {
            let expired = serde_json::from_str(&read("events/posters-cleanup.json")).unwrap();
            let cleanup = posters_cleanup::Cleanup::new(recorder.table(), recorder.posters());
            assert_eq!(cleanup.handle(expired).await.batch_item_failures, []);
        }
        // It makes no calls to AWS.
        "managers-authorize" => {}
        other => panic!("add the operations of {other} here"),
    }
    recorder.permissions()
}

/// Registers events, with and without idempotency keys, some of them twice.
async fn create(recorder: &Recorder) {
    let [form, other] = [sample::form(&sample::event()), sample::form(&sample::event())];
    for status in [201, 409] {
        let create = events_create::Create::new(recorder.table(), recorder.posters(), Authentication::Open);
        call(create, post_form(&form), status).await;
    }
    for (key, status) in [("one", 409), ("two", 201), ("two", 201)] {
        let event = if key == "one" { form.clone() } else { other.clone() };
        let mut request = post_form(&event);
        request.headers_mut().insert("Idempotency-Key", HeaderValue::from_static(key));
        let create = events_create::Create::new(recorder.table(), recorder.posters(), Authentication::Open);
        call(create, request, status).await;
    }
}

/// Lists and searches the events.
async fn list(recorder: &Recorder) {
    for query in ["", "sort=ticketing"] {
        let cursors = "0123456789abcdef".parse().unwrap();
        call(events_list::List::new(recorder.table(), cursors), list_request(query), 200).await;
    }
}

/// Replaces the poster of an event, which is deleted during the second replacement.
async fn replace_thumbnail(recorder: &Recorder, id: &str) {
    let replace = |table| ReplaceThumbnail::new(table, recorder.posters(), Authentication::Open);
    call(replace(recorder.table()), thumbnail_request(id), 200).await;
    let deleted = id.to_owned();
    let delete = Rule::interleaved(move || {
        let id = deleted.clone();
        async move { assert_eq!(Api::new().delete(&id).await.status, 204) }
    });
    // The new poster is removed.
    call(replace(table_with_rule(delete).await), thumbnail_request(id), 404).await;
}

/// Builds requests for an event, one without an entity tag and one with another entity tag.
fn unconditional_and_conditional(id: &str) -> [Request; 2] {
    let mut conditional = event_request(id);
    conditional.headers_mut().insert("If-None-Match", HeaderValue::from_static("\"x\""));
    [event_request(id), conditional]
}

/// Combines every action on the table with every key prefix. It is not known exactly how AWS authorizes
/// the writes of a transaction, so they cannot be separated.
fn with_all_keys(needed: BTreeSet<Permission>) -> BTreeSet<Permission> {
    let (on_table, others): (BTreeSet<_>, BTreeSet<_>) =
        needed.into_iter().partition(|(_, resource)| resource.starts_with(TABLE));
    let pairs = on_table
        .iter()
        .flat_map(|(action, _)| on_table.iter().map(move |(_, resource)| (action.clone(), resource.clone())));
    pairs.chain(others).collect()
}

/// Returns the actions of statements that allow them, each with its resource; for the table, with the prefixes of keys.
fn allowed(statements: &Value) -> BTreeSet<Permission> {
    let list = |value: &Value| value.as_sequence().cloned().unwrap_or_else(|| vec![value.clone()]);
    let mut allowed = BTreeSet::new();
    for statement in statements.as_sequence().into_iter().flatten() {
        assert_eq!(statement["Effect"], "Allow");
        let prefixes = &statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"];
        for resource in list(&statement["Resource"]) {
            let resources = match prefixes.as_sequence() {
                Some(keys) => keys.iter().map(|key| format!("{} {}", text(&resource), text(key))).collect(),
                None => vec![text(&resource).to_owned()],
            };
            for action in list(&statement["Action"]) {
                allowed.extend(resources.iter().map(|resource| (text(&action).to_owned(), resource.clone())));
            }
        }
    }
    allowed
}

#[tokio::test]
async fn functions_have_least_privilege() {
    let template = template();
    for slug in slugs() {
        let function = &template["Resources"][logical_id(&slug).as_str()]["Properties"];
        assert!(function.get("Role").is_none() && function.get("PermissionsBoundary").is_none(), "{slug}");
        let policies = &function["Policies"];
        assert!(policies.is_null() || keys(policies) == BTreeSet::from(["Statement".to_owned()]), "{slug}");
        let granted = allowed(&policies["Statement"]);
        assert_eq!(granted, with_all_keys(needed(&slug).await), "{slug}");
    }
}

/// SAM attaches policies of AWS to every role. Only the boundary limits their resources.
#[test]
fn boundary_limits_policies_of_aws() {
    let template = template();
    assert_eq!(text(&template["Globals"]["Function"]["PermissionsBoundary"]), "FunctionBoundary");
    let boundary = allowed(&template["Resources"]["FunctionBoundary"]["Properties"]["PolicyDocument"]["Statement"]);
    let without_resource = ["dynamodb:ListStreams", "xray:PutTelemetryRecords", "xray:PutTraceSegments"];
    let of_service = |name: &str| {
        let actions = boundary.iter().filter(|(action, _)| action.starts_with(name));
        actions.map(|(action, resource)| (action.as_str(), resource.as_str())).collect::<Vec<_>>()
    };
    let log = "FunctionLog.Arn";
    assert_eq!(of_service("logs:"), [("logs:CreateLogStream", log), ("logs:PutLogEvents", log)]);
    for (action, resource) in &boundary {
        assert!(resource != "*" || without_resource.contains(&action.as_str()), "{action}");
    }
    // The stream invokes posters-cleanup, and gets its failures.
    for (action, resource) in [("dynamodb:*", "${Table.Arn}/*"), ("sqs:SendMessage", "PostersLeft.Arn")] {
        assert!(boundary.contains(&(action.to_owned(), resource.to_owned())), "{action}");
    }
    for slug in slugs() {
        let function = &template["Resources"][logical_id(&slug).as_str()]["Properties"];
        for (action, resource) in allowed(&function["Policies"]["Statement"]) {
            let any = action.split(':').next().unwrap().to_owned() + ":*";
            let resource = resource.split(' ').next().unwrap();
            let is_covered = |limit: &str| {
                limit == resource || limit.strip_suffix('*').is_some_and(|start| resource.starts_with(start))
            };
            let mut limits = boundary.iter().filter(|(limit, _)| *limit == any);
            assert!(limits.any(|(_, limit)| is_covered(limit)), "{slug}: {action} {resource}");
        }
    }
}
