//! Logging in.

use domain::{email::Email, throttling::MAX_FROM_ONE_CLIENT};
use serde_json::{Value, json};
use storage::keys;
use tests::{Answer, fault::Backends, function, sample, stack};

use crate::{
    exercise::{End, Operation},
    stored,
};

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

    /// With the right password, after wrong ones.
    pub async fn forgiven() -> Self {
        let login = Self::right().await;
        login.fail(1).await;
        login
    }

    pub async fn too_often() -> Self {
        let login = Self::right().await;
        login.fail(MAX_FROM_ONE_CLIENT).await;
        Self { answer: (429, "AL_002"), ..login }
    }

    /// Sends wrong passwords.
    async fn fail(&self, times: u32) {
        let mut credentials = self.credentials.clone();
        credentials["password"] = "wrong".into();
        let wrong = Self { credentials, passes: 1, answer: (401, "AL_001") };
        for _ in 0..times {
            wrong.send(&Backends::of(stack())).await.check(401, "AL_001");
        }
    }

    /// How many failures are counted, from anywhere.
    async fn failures(&self) -> u32 {
        let email = Email::parse(self.credentials["email"].as_str().unwrap()).unwrap();
        let counter = stored::item(&keys::failures(&email.folded())).await;
        counter.map_or(0, |counter| counter["failures"].as_n().unwrap().parse().unwrap())
    }

    async fn send_with(&self, passes: u32, backends: &Backends) -> Answer {
        let table = backends.table.clone();
        let login = members_login::Login::new(table, sample::hasher(passes), None);
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

    /// The update of a hash and that of a counter can be made next time; a failure has to count.
    fn is_best_effort(&self, kind: &str) -> bool {
        self.answer.0 == 200 && kind == "UpdateItem"
    }

    async fn check(&self, end: &End, backends: &Backends) {
        if let (401, Some(401)) = (self.answer.0, end.answer.as_ref().map(|answer| answer.status)) {
            assert_ne!(self.failures().await, 0, "a failure that is told counts");
        }
        let (status, code) = self.answer;
        // Whichever of the two hashes is stored now, it is one of this password.
        for passes in [self.passes, 1] {
            self.send_with(passes, backends).await.check(status, code);
        }
    }
}
