//! Notices to the buyers of a show.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{Api, Response, Sale};

/// Time between two looks at a sending.
const INTERVAL: Duration = Duration::from_millis(20);

/// Time after which a sending of some mails will never end, also on a busy machine.
const LIMIT: Duration = Duration::from_mins(5);

impl Sale {
    /// Sells seats to a new member, and returns the member and the id of the hold.
    pub async fn sold_to_member(&self, api: &Api, seats: &[usize]) -> (Value, String) {
        let (member, tokens) = api.joined_with_session().await;
        let hold = self.buy(api, &tokens, seats).await;
        (member, hold)
    }

    /// Sells seats to a member, for the order `order-1`, and returns the id of the hold.
    pub async fn buy(&self, api: &Api, tokens: &Value, seats: &[usize]) -> String {
        let created = self.hold(api, tokens, seats).await.expect(201, "0");
        let amount = created.data()["amount"].as_f64().expect("amount");
        self.confirm(api, &created.id(), "order-1", amount).await.check(200, "0");
        created.id()
    }

    /// Sends a message to the buyers.
    pub async fn tell(&self, api: &Api, text: &str) -> Response {
        self.tell_with(api, &json!({ "text": text })).await
    }

    /// Sends a message to the buyers, with any body.
    pub async fn tell_with(&self, api: &Api, body: &Value) -> Response {
        api.post_as_manager(&self.path("notices"), body).await
    }

    /// Sends a message to the buyers with an idempotency key.
    pub async fn tell_with_key(&self, api: &Api, key: &str, body: &Value) -> Response {
        let request = api.manager_request(Method::POST, &self.path("notices")).header("Idempotency-Key", key);
        Api::send(request.json(body)).await
    }

    /// Changes the show.
    pub async fn change(&self, api: &Api, change: &Value) -> Response {
        api.edit_show(&self.event, &self.show, change).await
    }

    /// Lists the notices.
    pub async fn notices(&self, api: &Api) -> Response {
        api.get_as_manager(&self.path("notices")).await
    }

    /// Returns the notices once none of them is being sent.
    pub async fn sent_notices(&self, api: &Api) -> Vec<Value> {
        let ended = async {
            loop {
                let notices = self.notices(api).await.expect(200, "0").data();
                let notices = notices.as_array().expect("notices");
                if notices.iter().all(|notice| notice["status"] != "SENDING") {
                    return notices.clone();
                }
                sleep(INTERVAL).await;
            }
        };
        timeout(LIMIT, ended).await.expect("the sending ends")
    }
}

/// Returns the numbers of a notice: buyers, sent and failed.
#[must_use]
pub fn counts(notice: &Value) -> [u64; 3] {
    ["buyers", "sent", "failed"].map(|name| notice[name].as_u64().expect("number"))
}
