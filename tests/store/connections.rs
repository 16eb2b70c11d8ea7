//! Connections to AWS: opened at the start of a function, and lost while Lambda freezes it.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicUsize, Ordering},
};

use aws_sdk_dynamodb::config::Credentials;
use local::TABLE;
use runtime::config::Config;
use storage::{event::Events, table::Table};
use tests::{dynamodb_at, stack};
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
async fn lost_connection_is_retried() {
    let (url, connections) = unreliable_proxy(2).await;
    let events = Events::new(Table::new(dynamodb_at(&url), TABLE.to_owned()));
    assert!(events.list(1, None).await.is_ok());
    assert_eq!(connections.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn unreachable_database_fails() {
    let (url, connections) = unreliable_proxy(usize::MAX).await;
    let events = Events::new(Table::new(dynamodb_at(&url), TABLE.to_owned()));
    let error = events.list(1, None).await.unwrap_err();
    assert!(matches!(error, domain::error::Error::Database(_)), "{error:?}");
    assert_eq!(connections.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn connection_is_reused() {
    let (url, connections) = unreliable_proxy(0).await;
    let events = Events::new(Table::new(dynamodb_at(&url), TABLE.to_owned()));
    for _ in 0..3 {
        assert!(events.list(1, None).await.is_ok());
    }
    assert_eq!(connections.load(Ordering::Relaxed), 1);
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
