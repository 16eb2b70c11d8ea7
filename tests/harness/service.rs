//! Service whose calls to `DynamoDB` and S3 are visible and can fail.

use std::{
    collections::BTreeSet,
    fmt,
    time::{Duration, SystemTime},
};

use auth::{access_token::AccessKey, signing_key::SigningKey};
use aws_sdk_dynamodb::types::{AttributeValue, DeleteRequest, PutRequest, WriteRequest};
use domain::{clock::Clock, event_change::REPLACED_POSTER_RETENTION, mail::EmailVerification};
use local::{BUCKET, Settings, Stack, TABLE};
use storage::members::public_keys::Rotation;
use storage::{
    events::{poster_expiry::ORPHAN_LIFETIME, poster_store::PREFIX},
    keys::{self, LISTING_SORT},
    table::Item,
};
use tokio::sync::oneshot;
use uuid::{NoContext, Timestamp, Uuid};

use crate::{
    Api, Proxy, Response, Usage,
    contents::{Contents, now, set},
    fault::{Extent, Fault, Gate, Rule, TRANSACTION},
    snapshot::{layout, named},
    stack::start_stack,
};

/// Service of one test, with its own table and bucket, which end with the test.
#[derive(Debug)]
pub struct Service {
    /// The storage, and the same functions without the proxy.
    pub stack: Stack,
    /// Client of the functions behind the proxy.
    pub api: Api,
    /// Client of the functions without the proxy.
    pub other: Api,
    /// Proxy between the functions and their storage.
    pub proxy: Proxy,
}

/// Response to a request, with the calls it took and the items it changed.
#[derive(Debug)]
pub struct Effect {
    /// The response.
    pub response: Response,
    /// Calls and capacity units.
    pub usage: Usage,
    /// Lines such as `+ EVENT#… EVENT {…}`, `~` for a changed and `-` for a removed item; `null` is a removed
    /// attribute.
    pub changes: Vec<String>,
}

impl Service {
    /// Starts a service with an empty table.
    pub async fn start() -> Self {
        Self::start_with(Settings::default()).await
    }

    /// Starts a service with an empty table, and a clock that the test moves.
    pub async fn with_clock() -> (Self, Clock) {
        let clock = Clock::default();
        (Self::start_with(Settings { clock: clock.clone(), ..Settings::default() }).await, clock)
    }

    /// Starts a service where only members with a verified address hold seats.
    pub async fn with_required_verification() -> Self {
        let email_verification = EmailVerification::Required;
        Self::start_with(Settings { email_verification, ..Settings::default() }).await
    }

    /// Starts a service with these settings, but hashes that take microseconds.
    pub async fn start_with(settings: Settings) -> Self {
        let stack = start_stack(settings).await;
        let proxy = Proxy::start(&stack, []).await;
        let url = stack
            .serve_with(proxy.dynamodb().clone(), proxy.s3().clone(), proxy.ses().clone())
            .await
            .expect("free port");
        proxy.forget_permissions();
        let (api, other) = (Api::with_url(&url), Api::with_url(&stack.url()));
        Self { stack, api, other, proxy }
    }

    /// Starts the functions behind the proxy again; only then do the permissions contain those of their start.
    #[must_use]
    pub async fn restarted(mut self) -> Self {
        let url = self
            .stack
            .serve_with(self.proxy.dynamodb().clone(), self.proxy.s3().clone(), self.proxy.ses().clone())
            .await
            .expect("free port");
        self.api = Api::with_url(&url);
        self
    }

    /// Returns the key that signs members' access tokens.
    #[must_use]
    pub fn signing_key(&self) -> AccessKey {
        let secret = self.stack.session_secret().expect("secret");
        AccessKey::derive(&secret.parse().expect("secret"), Rotation(1))
    }

    /// Returns the key that signs tickets.
    #[must_use]
    pub fn ticket_key(&self) -> SigningKey {
        SigningKey::derive(&self.stack.ticket_secret().expect("secret").parse().expect("secret"), "tickets")
    }

    /// Returns all items and posters.
    pub async fn contents(&self) -> Contents {
        Contents::read(&self.stack).await
    }

    /// Carries out a request, and observes its effect.
    pub async fn effect(&self, request: impl Future<Output = Response>) -> Effect {
        let (before, started) = (self.contents().await, now());
        self.proxy.set_rules([]);
        let response = request.await;
        let usage = self.proxy.take_usage();
        Effect { response, usage, changes: before.changes(&self.contents().await, started) }
    }

    /// Lets the claims on idempotency keys expire that have no event yet.
    pub async fn expire_claims(&self, contents: &Contents) {
        for claim in
            contents.of_kind("IDEMPOTENCY").filter(|claim| !claim.contains_key("event") && !claim.contains_key("made"))
        {
            let (partition, past) = (claim["pk"].as_s().expect("text"), AttributeValue::N("1".into()));
            set(&self.stack.dynamodb(), partition, "IDEMPOTENCY", "expiresAt", past).await;
        }
    }

    /// Lets everything expire that has no owner, checks that no orphan remains, and removes the rest.
    pub async fn clear(&self, contents: &Contents) {
        let late = SystemTime::now() + ORPHAN_LIFETIME.max(REPLACED_POSTER_RETENTION) + Duration::from_secs(1);
        self.stack.sweep(late).await.expect("storage");
        let kept: BTreeSet<_> =
            contents.of_kind("EVENT").filter_map(|event| event["thumbnail"].as_s().ok().cloned()).collect();
        let posters = self.contents().await.posters;
        assert!(posters.is_subset(&kept), "an orphan remains");
        for poster in &posters {
            let delete = self.stack.s3().delete_object().bucket(BUCKET).key(format!("{PREFIX}{poster}"));
            delete.send().await.expect("bucket");
        }
        let key = |item: &Item| {
            item.iter()
                .filter(|(name, _)| ["pk", "sk"].contains(&&***name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        let delete = |item| {
            WriteRequest::builder()
                .delete_request(DeleteRequest::builder().set_key(Some(key(item))).build().expect("key"))
                .build()
        };
        self.write(contents.items.values().map(delete).collect()).await;
    }

    async fn write(&self, writes: Vec<WriteRequest>) {
        for batch in writes.chunks(25) {
            let write = self.stack.dynamodb().batch_write_item().request_items(TABLE, batch.to_vec());
            write.send().await.expect("table");
        }
    }

    /// Adds copies of an event, with earlier ids.
    pub async fn copy_event(&self, id: &str, count: u64) {
        let contents = self.contents().await;
        let item = contents.item(&format!("EVENT#{id}"), "EVENT").expect("event");
        let put = |second| {
            let id = Uuid::new_v7(Timestamp::from_unix(NoContext, second, 0));
            let mut item = item.clone();
            item.extend(keys::event(id).attributes());
            item.insert(LISTING_SORT.to_owned(), AttributeValue::S(id.to_string()));
            let put = PutRequest::builder().set_item(Some(item)).build().expect("item");
            WriteRequest::builder().put_request(put).build()
        };
        self.write((1..=count).map(put).collect()).await;
    }

    /// Carries out a request, and an action just before its first transaction.
    pub async fn interrupted<T>(&self, request: impl Future<Output = T>, action: impl Future<Output = ()>) -> T {
        self.interrupted_at(TRANSACTION, 0, request, action).await
    }

    /// Carries out a request, and an action just before a call, after this number of such calls.
    pub async fn interrupted_at<T>(
        &self,
        call: &str,
        nth: usize,
        request: impl Future<Output = T>,
        action: impl Future<Output = ()>,
    ) -> T {
        let ((reached, is_reached), (open, opened)) = (oneshot::channel(), oneshot::channel());
        let rule = Rule { nth, ..Rule::new(call, Extent::Tries(1), Fault::Gated(Gate::new(reached, opened))) };
        let action = async {
            is_reached.await.expect("the request makes the call");
            action.await;
            let _ = open.send(());
        };
        tokio::join!(self.with_rule(rule, request), action).0
    }

    /// Carries out a request with a fault.
    pub async fn with_rule<T>(&self, rule: Rule, request: impl Future<Output = T>) -> T {
        self.proxy.set_rules([rule]);
        let result = request.await;
        self.proxy.remove_rules();
        result
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { response, usage, changes } = self;
        write!(f, "{}\n{usage}", response.summary())?;
        for change in named(&changes.join("\n")).lines() {
            let (item, changed) = change.split_at(change.find('{').unwrap_or(change.len()));
            write!(f, "\n{item}{}", layout(changed))?;
        }
        Ok(())
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut calls = self.calls.clone();
        in_order(&mut calls);
        let calls = if calls.is_empty() { "no calls".to_owned() } else { calls.join(", ") };
        write!(f, "{calls}: {} read, {} write units", self.read_units, self.write_units)
    }
}

/// Pairs of calls that functions make at the same time, in the order in which they are shown.
const SIMULTANEOUS: [[&str; 2]; 2] =
    [["GetItem EMAIL", "UpdateItem FAILURES"], ["PutItem IDEMPOTENCY", "PutItem POSTER"]];

/// Brings simultaneous calls into a fixed order.
pub(crate) fn in_order(calls: &mut [String]) {
    for _ in 0..calls.len() {
        for index in 1..calls.len() {
            if SIMULTANEOUS.iter().any(|[first, second]| [&*calls[index], &*calls[index - 1]] == [*first, *second]) {
                calls.swap(index - 1, index);
            }
        }
    }
}
