//! Changes that a service tells, and a receiver of them.

use std::{collections::VecDeque, future::pending, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, Uri},
    response::{IntoResponse as _, Response},
};
use local::{Settings, Stack};
use serde_json::Value;
use tokio::{
    net::TcpListener,
    sync::{Mutex, mpsc},
    time::timeout,
};

use crate::{Api, snapshot::named, stack::stack_with_changes};

/// Time limit of a wait for a request, so that a test fails instead of waiting forever.
const PATIENCE: Duration = Duration::from_mins(2);

/// Service of one test that tells its changes.
#[derive(Debug)]
pub struct Changes {
    /// The service.
    pub stack: Stack,
    /// Client of the service.
    pub api: Api,
    /// Id of the last change that was read.
    last: Option<Value>,
}

impl Changes {
    /// Starts the service.
    pub async fn start() -> Self {
        Self::start_with(Settings::default()).await
    }

    /// Starts the service with these settings.
    pub async fn start_with(settings: Settings) -> Self {
        let stack = stack_with_changes(settings).await;
        Self { api: Api::with_url(&stack.url()), stack, last: None }
    }

    /// Returns the changes since the last call, oldest first.
    pub async fn told(&mut self) -> Vec<Value> {
        let listed = self.api.get("/changes.json").await.json();
        let listed = listed.as_array().expect("array").iter();
        let mut new: Vec<_> = listed.take_while(|change| Some(&change["id"]) != self.last.as_ref()).cloned().collect();
        self.last = new.first().map(|newest| newest["id"].clone()).or(self.last.take());
        new.reverse();
        new
    }

    /// Returns the types of the changes since the last call.
    pub async fn types(&mut self) -> Vec<String> {
        let types = self.told().await;
        types.iter().map(|change| change["type"].as_str().expect("text").to_owned()).collect()
    }

    /// Returns type, subject and data of the changes since the last call, a line each, with names for the ids.
    pub async fn lines(&mut self) -> String {
        let line = |change: &Value| {
            let [kind, subject] = ["type", "subject"].map(|field| change[field].as_str().expect("text"));
            format!("{kind} {subject} {}", change["data"])
        };
        named(&self.told().await.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

/// Request to a receiver.
#[derive(Clone, Debug)]
pub struct Post {
    /// Method and path.
    pub target: String,
    /// Headers.
    pub headers: HeaderMap,
    /// The change.
    pub change: Value,
}

/// Response of a receiver.
#[derive(Clone, Copy, Debug)]
pub enum Reply {
    /// This status.
    Status(u16),
    /// Redirect to the path `/elsewhere`.
    Redirect,
    /// No response at all.
    None,
}

/// Receiver of changes.
#[derive(Debug)]
pub struct Receiver {
    /// Its address.
    pub url: String,
    posts: mpsc::UnboundedReceiver<Post>,
}

type Script = Arc<Mutex<(VecDeque<Reply>, mpsc::UnboundedSender<Post>)>>;

impl Receiver {
    /// Starts a receiver that sends these responses, and then 204.
    pub async fn start(replies: &[Reply]) -> Self {
        let (sender, posts) = mpsc::unbounded_channel();
        let script: Script = Arc::new(Mutex::new((replies.iter().copied().collect(), sender)));
        let router = Router::new().fallback(receive).with_state(script);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("free port");
        let url = format!("http://{}/changes?tenant=1", listener.local_addr().expect("address"));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, posts }
    }

    /// Returns the settings of a service that posts its changes here.
    #[must_use]
    pub fn settings(&self, key: Option<&str>) -> Settings {
        let url = local::Receiver::parse_url(&self.url).expect("URL");
        let key = key.map(|key| local::Receiver::parse_key(key).expect("key"));
        Settings { changes_to: Some(local::Receiver { url, key }), ..Settings::default() }
    }

    /// Waits for the next request.
    pub async fn next(&mut self) -> Post {
        timeout(PATIENCE, self.posts.recv()).await.expect("another request").expect("running receiver")
    }
}

async fn receive(State(script): State<Script>, method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let reply = {
        let (replies, sender) = &mut *script.lock().await;
        let change = serde_json::from_slice(&body).unwrap_or_default();
        let _ = sender.send(Post { target: format!("{method} {uri}"), headers, change });
        replies.pop_front()
    };
    match reply.unwrap_or(Reply::Status(204)) {
        Reply::Status(status) => axum::http::StatusCode::from_u16(status).expect("status").into_response(),
        Reply::Redirect => (axum::http::StatusCode::TEMPORARY_REDIRECT, [("location", "/elsewhere")]).into_response(),
        Reply::None => pending().await,
    }
}
