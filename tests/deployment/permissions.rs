//! Each function may call what it calls, and nothing else.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use aws_sdk_dynamodb::{
    config::{ConfigBag, Intercept, interceptors::BeforeSerializationInterceptorContextRef},
    error::BoxError,
    operation::{
        get_item::GetItemInput, query::QueryInput, transact_write_items::TransactWriteItemsInput,
        update_item::UpdateItemInput,
    },
};
use aws_sdk_s3::operation::{delete_object::DeleteObjectInput, put_object::PutObjectInput};
use lambda_http::{Body, Request, RequestExt as _, Service as _};
use local::{BUCKET, TABLE as TABLE_NAME};
use serde_json::json;
use serde_yaml_ng::Value;
use shared::{
    config::Origins,
    domain::{member::Member, password::Hasher},
    http::serve::{self, Handler},
    store::{event::Events, member::Members, poster::Posters, table::Table},
};
use tests::{Api, sample, stack};
use uuid::Uuid;

use crate::template::{logical_id, slugs, template, text};

/// An action of IAM and what it is done to.
type Permission = (String, String);

const TABLE: &str = "Table.Arn";
const INDEX: &str = "${Table.Arn}/index/listing";
const OBJECTS: &str = "${Posters.Arn}/upload/*";

/// Writes down the permission that each call needs.
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

    fn seen(&self) -> BTreeSet<Permission> {
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
        let mut seen = self.0.lock().unwrap();
        let mut needs = |action: &str, resource: &str| seen.insert((action.to_owned(), resource.to_owned()));
        if input.downcast_ref::<GetItemInput>().is_some() {
            needs("dynamodb:GetItem", TABLE);
        } else if input.downcast_ref::<UpdateItemInput>().is_some() {
            needs("dynamodb:UpdateItem", TABLE);
        } else if let Some(query) = input.downcast_ref::<QueryInput>() {
            needs("dynamodb:Query", if query.index_name() == Some("listing") { INDEX } else { TABLE });
        } else if let Some(transaction) = input.downcast_ref::<TransactWriteItemsInput>() {
            // A transaction needs no permission of its own but those of its writes.
            for item in transaction.transact_items() {
                for (action, is_there) in [
                    ("dynamodb:PutItem", item.put().is_some()),
                    ("dynamodb:UpdateItem", item.update().is_some()),
                    ("dynamodb:DeleteItem", item.delete().is_some()),
                    ("dynamodb:ConditionCheckItem", item.condition_check().is_some()),
                ] {
                    if is_there {
                        needs(action, TABLE);
                    }
                }
            }
        } else if input.downcast_ref::<PutObjectInput>().is_some() {
            needs("s3:PutObject", OBJECTS);
        } else if input.downcast_ref::<DeleteObjectInput>().is_some() {
            needs("s3:DeleteObject", OBJECTS);
        } else {
            needs("a call that the recorder does not know", "");
        }
        Ok(())
    }
}

async fn call(handler: impl Handler, requests: Vec<(Request, u16)>) {
    let mut service = serve::service(handler, &Origins::Any);
    for (request, status) in requests {
        let Ok(reply) = service.call(request).await;
        assert_eq!(reply.status(), status, "{:?}", reply.body());
    }
}

fn post(json: &serde_json::Value) -> Request {
    let request = lambda_http::http::Request::post("/").header("Content-Type", "application/json");
    request.body(Body::from(json.to_string())).unwrap()
}

fn of_event(id: &str) -> Request {
    let parameters = std::collections::HashMap::from([("eventId".to_owned(), id.to_owned())]);
    Request::new(Body::Empty).with_path_parameters(parameters)
}

/// Takes a function through all that it does, and gives the permissions that it needed.
async fn needed(slug: &str) -> BTreeSet<Permission> {
    let recorder = Recorder::default();
    let members = Members::new(recorder.table());
    let events = Events::new(recorder.table());
    let hasher = |params: &str| Hasher::new(params.parse().unwrap()).unwrap();
    let registered =
        async || Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    match slug {
        "members-join" => {
            let member = post(&sample::member());
            let again = post(&serde_json::from_slice(member.body()).unwrap());
            let join = members_join::Join { members, hasher: hasher("m=64,t=1,p=1") };
            call(join, vec![(member, 201), (again, 409)]).await;
        }
        "members-login" => {
            let registration = sample::registration();
            let hash = hasher("m=64,t=1,p=1").hash(&registration.password).unwrap();
            let member = Member::new(Uuid::new_v4(), registration);
            Members::new(tests::table()).add(&member, &hash).await.unwrap();
            let email = member.email.as_str();
            let right = post(&json!({"email": email, "password": sample::PASSWORD}));
            let wrong = post(&json!({"email": email, "password": "x"}));
            let login = members_login::Login { members, hasher: hasher("m=64,t=2,p=1") };
            call(login, vec![(right, 200), (wrong, 401)]).await;
        }
        "events-create" => {
            let form = sample::form(&sample::event());
            let request = || {
                let request = lambda_http::http::Request::post("/")
                    .header("x-api-managerId", sample::MANAGER)
                    .header("Content-Type", form.content_type());
                request.body(Body::from(form.body())).unwrap()
            };
            let create = events_create::Create { events, posters: recorder.posters() };
            call(create, vec![(request(), 201), (request(), 409)]).await;
        }
        "events-list" => {
            let cursors = "0123456789abcdef".parse().unwrap();
            call(events_list::List { events, cursors }, vec![(Request::new(Body::Empty), 200)]).await;
        }
        "events-get" => {
            call(events_get::Get { events }, vec![(of_event(&registered().await), 200)]).await;
        }
        "events-delete" => {
            let id = registered().await;
            call(events_delete::Delete { events }, vec![(of_event(&id), 204), (of_event(&id), 404)]).await;
        }
        other => panic!("say here what {other} does"),
    }
    recorder.seen()
}

/// The permissions that a function's role has, but for those of logs and traces.
fn granted(template: &Value, slug: &str) -> BTreeSet<Permission> {
    let role = text(&template["Resources"][logical_id(slug).as_str()]["Properties"]["Role"]);
    let role = role.strip_suffix(".Arn").unwrap();
    let policies = template["Resources"][role]["Properties"]["Policies"].as_sequence().unwrap();
    let mut granted = BTreeSet::new();
    for policy in policies.iter().filter(|policy| policy["PolicyName"] != "logs-and-traces") {
        for statement in policy["PolicyDocument"]["Statement"].as_sequence().unwrap() {
            assert_eq!(statement["Effect"], "Allow");
            for action in statement["Action"].as_sequence().unwrap() {
                granted.insert((text(action).to_owned(), text(&statement["Resource"]).to_owned()));
            }
        }
    }
    granted
}

#[tokio::test]
async fn a_function_may_do_what_it_does_and_nothing_else() {
    let template = template();
    for slug in slugs() {
        assert_eq!(granted(&template, &slug), needed(&slug).await, "{slug}");
    }
}
