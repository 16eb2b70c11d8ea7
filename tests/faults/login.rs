//! Logging in.

use serde_json::{Value, json};
use shared::store::member::Members;
use tests::{Answer, fault::Backends, function, sample};

use crate::exercise::{End, Operation};

pub struct Login {
    credentials: Value,
    passes: u32,
    answer: (u16, &'static str),
}

impl Login {
    pub async fn right() -> Self {
        Self { credentials: credentials(sample::PASSWORD).await, passes: 1, answer: (200, "0") }
    }

    pub async fn wrong() -> Self {
        Self { credentials: credentials("wrong").await, passes: 1, answer: (401, "AL_001") }
    }

    pub async fn nobody() -> Self {
        let credentials = json!({"email": sample::member()["email"], "password": sample::PASSWORD});
        Self { credentials, passes: 1, answer: (401, "AL_001") }
    }

    pub async fn with_old_hash() -> Self {
        Self { credentials: credentials(sample::PASSWORD).await, passes: 2, answer: (200, "0") }
    }

    async fn send_with(&self, passes: u32, backends: &Backends) -> Answer {
        let members = Members::new(backends.table.clone());
        let login = members_login::Login { members, hasher: sample::hasher(passes) };
        function::answer(login, function::post(&self.credentials)).await
    }
}

/// The credentials of a new member, with this password.
async fn credentials(password: &str) -> Value {
    let member = tests::add_member(&sample::hasher(1)).await;
    json!({"email": member.email.as_str(), "password": password})
}

impl Operation for Login {
    fn answer(&self) -> (u16, &'static str) {
        self.answer
    }

    async fn send(&self, backends: &Backends) -> Answer {
        self.send_with(self.passes, backends).await
    }

    async fn check(&self, _: &End, backends: &Backends) {
        let (status, code) = self.answer;
        // Whichever of the two hashes is stored now, it is one of this password.
        for passes in [self.passes, 1] {
            self.send_with(passes, backends).await.check(status, code);
        }
    }
}
