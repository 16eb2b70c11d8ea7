//! Registration of a member.

use api::account::JoinRequest;
use domain::{member::Registration, password::Password};
use serde_json::{Value, json};
use storage::keys;
use tests::{Backends, Response, function, sample};
use uuid::Uuid;

use crate::{
    exercise::{Operation, Outcome, Tally, exercise},
    stored::{self, Stored},
};

struct Join {
    member: Value,
    expected: (u16, &'static str),
}

impl Join {
    async fn new(_: &Stored) -> Self {
        Self { member: sample::member(), expected: (201, "0") }
    }

    async fn with_taken_email(stored: &Stored) -> Self {
        Self { member: member_with_taken("email", stored).await, expected: (409, "AJ_001") }
    }

    async fn with_taken_nickname(stored: &Stored) -> Self {
        Self { member: member_with_taken("nickname", stored).await, expected: (409, "AJ_002") }
    }

    /// Returns the ids of the members with the e-mail address and with the nickname.
    async fn owners(&self, stored: &Stored) -> [Option<Uuid>; 2] {
        let body = self.member.to_string();
        let request: JoinRequest = serde_json::from_str(&body).unwrap();
        let Registration { email, nickname, .. } = request.registration(Password::parse).unwrap();
        let login = stored.item(&keys::login(&email)).await;
        let lock = stored.item(&keys::nickname(&nickname)).await;
        [login.map(|login| stored::id(&login, "id")), lock.map(|lock| stored::id(&lock, "member"))]
    }
}

/// Returns a registration with the e-mail address or nickname of another member.
async fn member_with_taken(attribute: &str, stored: &Stored) -> Value {
    let member = tests::add_member_to(stored.backends.table.clone(), &sample::hasher(1)).await;
    let mut other = sample::member();
    other[attribute] = match attribute {
        "email" => member.email.as_str().into(),
        _ => member.nickname.as_str().into(),
    };
    other
}

impl Operation for Join {
    const STORED_KIND: Option<&'static str> = Some("MEMBER");

    fn expected_response(&self) -> (u16, &'static str) {
        self.expected
    }

    async fn send(&self, backends: &Backends) -> Response {
        let table = backends.table.clone();
        let join = members_join::Join::new(table, sample::hasher(1), Password::parse);
        function::send(join, function::post(&self.member)).await
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let backends = &stored.backends;
        let [login, nickname] = self.owners(stored).await;
        let repeated = self.send(backends).await;
        if self.expected.0 != 201 {
            assert_ne!(login.is_some(), nickname.is_some(), "a rejected registration stored a lock item");
            repeated.check(self.expected.0, self.expected.1);
            return assert_eq!(self.owners(stored).await, [login, nickname]);
        }
        assert_eq!(login, nickname, "a registration is partly stored");
        if let Some(joined) = outcome.success() {
            assert_eq!(login, Some(joined.data()["id"].as_str().unwrap().parse().unwrap()));
        }
        if let Some(id) = login {
            assert!(stored.item(&keys::member(id)).await.is_some(), "no record of {id}");
            repeated.check(409, "AJ_001");
        } else {
            repeated.check(201, "0");
        }
        let login = members_login::Login::new(backends.table.clone(), sample::hasher(1));
        let credentials = json!({"email": self.member["email"], "password": sample::PASSWORD});
        function::send(login, function::post(&credentials)).await.check(200, "0");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn join_survives_faults() {
    exercise(Join::new, Tally { calls: 1, combinations: 23 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn taken_email_survives_faults() {
    exercise(Join::with_taken_email, Tally { calls: 1, combinations: 23 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn taken_nickname_survives_faults() {
    exercise(Join::with_taken_nickname, Tally { calls: 1, combinations: 23 }).await;
}
