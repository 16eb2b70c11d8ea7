//! Connections to AWS, and failures that the routes have in common.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tests::prelude::*;

use aws::config::Config;
use aws_sdk_dynamodb::config::Credentials;
use domain::clock::Clock;
use functions::{
    events::{delete::Delete, list::List, restore::Restore},
    holds::confirm::Confirm,
    managers::events::OwnEvents,
    seats::block::Block,
};
use lambda_http::{Body, Request};
use local::TABLE;
use storage::{events::event_store::Events, table::Table};
use tests::{
    Proxy, dynamodb_at, environment,
    fault::{Extent, Fault, Rule},
    function, stack,
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};

/// Starts a proxy of DynamoDB that closes the first `lost` connections without a response; counts connections.
async fn unreliable_proxy(lost: usize) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    let dynamodb = stack().dynamodb_url().strip_prefix("http://").unwrap().to_owned();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            if count.fetch_add(1, Ordering::Relaxed) >= lost {
                let mut server = TcpStream::connect(&dynamodb).await.unwrap();
                tokio::spawn(async move { copy_bidirectional(&mut client, &mut server).await });
            }
        }
    });
    (url, connections)
}

#[tokio::test]
async fn connection_is_reused_and_opened_again() {
    for (lost, expected) in [(0, 1), (2, 3)] {
        let (url, connections) = unreliable_proxy(lost).await;
        let events = Events::new(Table::new(dynamodb_at(&url), TABLE.to_owned()), Clock::default());
        for _ in 0..3 {
            assert!(events.list(1, None).await.is_ok());
        }
        assert_eq!(connections.load(Ordering::Relaxed), expected);
    }
}

#[tokio::test]
async fn any_fault_of_a_connection_is_retried() {
    for fault in [Fault::InternalError, Fault::CutResponse, Fault::Throttled, Fault::NoResponse] {
        for (extent, succeeds) in [(Extent::Tries(1), true), (Extent::Call, false)] {
            let proxy = Proxy::start(stack(), [Rule::new("Query", extent, fault.clone())]).await;
            let listed = Events::new(proxy.table(), Clock::default()).list(1, None).await;
            let is_expected =
                if succeeds { listed.is_ok() } else { matches!(listed, Err(domain::error::Error::Database(_))) };
            assert!(is_expected, "{fault:?}: {listed:?}");
        }
    }
    for fault in [Fault::InternalError, Fault::Throttled] {
        let proxy = Proxy::start(stack(), [Rule::new("DELETE", Extent::Call, fault)]).await;
        let removed = proxy.posters().remove("x.png").await;
        assert!(matches!(removed, Err(domain::error::Error::PosterStorage(_))), "{removed:?}");
    }
}

fn config_with_proxy(name: &str) -> Option<String> {
    match name {
        "AWS_REGION" => Some("ap-northeast-2".to_owned()),
        "AWS_ENDPOINT_URL_DYNAMODB" => PROXY_URL.get().cloned(),
        _ => None,
    }
}
static PROXY_URL: OnceLock<String> = OnceLock::new();

#[tokio::test]
async fn client_connects_in_advance() {
    let (url, connections) = unreliable_proxy(0).await;
    PROXY_URL.set(url).unwrap();
    let client = aws::connect(Config::new(config_with_proxy)).unwrap().dynamodb().await;
    assert_eq!(connections.load(Ordering::Relaxed), 1);
    let credentials = Credentials::new("a", "b", None, None, "test");
    let config = client.config().to_builder().credentials_provider(credentials).build();
    aws_sdk_dynamodb::Client::from_conf(config).list_tables().send().await.unwrap();
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

/// Waits of retries are limited by the time that a call may take.
#[tokio::test]
async fn retries_end_at_timeout() {
    use aws_sdk_dynamodb::{Client, config::timeout::TimeoutConfig};
    use domain::{error::Error, member::Member};
    use storage::members::member_store::Members;
    let registration = sample::registration();
    let hash = sample::hasher(1).hash(&registration.password).unwrap();
    let member = Member::new(uuid::Uuid::new_v4(), registration);
    let proxy = Proxy::start(stack(), [Rule::new("TransactWriteItems", Extent::Call, Fault::Conflict(0))]).await;
    let timeouts = TimeoutConfig::builder().operation_timeout(Duration::from_millis(300)).build();
    let client = Client::from_conf(proxy.dynamodb().config().to_builder().timeout_config(timeouts).build());
    let added = Members::new(Table::new(client, TABLE.to_owned())).add(&member, &hash).await;
    assert!(matches!(added, Err(Error::Database(_))));
}

#[tokio::test]
async fn unreachable_storage_is_503() {
    let environment = environment().with_clients(dynamodb_at("http://127.0.0.1:1"), stack().s3());
    assert_snapshot!(function::send::<List>(&environment, Request::new(Body::Empty)).await, @r#"
    503
    retry-after: 2
    {"message": "지금은 데이터베이스를 사용할 수 없습니다. 잠시 후 다시 시도해 주세요.", "code": "S_003"}
    "#);
}

/// HTTP hides this body.
#[tokio::test]
async fn deletion_has_documented_body() {
    let request = function::event_request_by(&json!("anyone"), &Api::new().created().await);
    assert_snapshot!(function::send::<Delete>(&environment(), request).await, @r#"
    204
    {"message": "공연이 삭제되었습니다.", "code": "0"}
    "#);
}

#[tokio::test]
async fn manager_requires_authorizer() {
    let (id, environment) = (Api::new().created().await, environment());
    for principal in [json!(null), json!(""), json!("Anyone"), json!(1)] {
        let request = || {
            let mut request = function::event_request_by(&principal, &id);
            request.headers_mut().insert("x-api-managerId", sample::MANAGER.parse().unwrap());
            request
        };
        function::send::<Delete>(&environment, request()).await.check(401, "AM_001");
        function::send::<Restore>(&environment, request()).await.check(401, "AM_001");
        function::send::<Block>(&environment, request()).await.check(401, "AM_001");
        function::send::<Confirm>(&environment, request()).await.check(401, "AM_001");
        function::send::<OwnEvents>(&environment, request()).await.check(401, "AM_001");
    }
    let request = function::event_request_by(&json!(sample::MANAGER), &id);
    assert_eq!(function::send::<Delete>(&environment, request).await.status, 204);
}
