//! Logging in.

use domain::{email::Email, throttling::MAX_FROM_ONE_CLIENT};
use serde_json::{Value, json};
use storage::keys;
use tests::{Backends, Response, function, sample};

use crate::{
    exercise::{End, Operation, Tally, exercise},
    stored::Stored,
};

struct Login {
    credentials: Value,
    passes: u32,
    answer: (u16, &'static str),
}

impl Login {
    async fn right(stored: &Stored) -> Self {
        Self { credentials: credentials(sample::PASSWORD, stored).await, passes: 1, answer: (200, "0") }
    }

    async fn wrong(stored: &Stored) -> Self {
        Self { credentials: credentials("wrong", stored).await, passes: 1, answer: (401, "AL_001") }
    }

    async fn nobody(_: &Stored) -> Self {
        let credentials = json!({"email": sample::member()["email"], "password": sample::PASSWORD});
        Self { credentials, passes: 1, answer: (401, "AL_001") }
    }

    async fn with_old_hash(stored: &Stored) -> Self {
        Self { credentials: credentials(sample::PASSWORD, stored).await, passes: 2, answer: (200, "0") }
    }

    /// With the right password, after wrong ones.
    async fn forgiven(stored: &Stored) -> Self {
        let login = Self::right(stored).await;
        login.fail(1, stored).await;
        login
    }

    async fn too_often(stored: &Stored) -> Self {
        let login = Self::right(stored).await;
        login.fail(MAX_FROM_ONE_CLIENT, stored).await;
        Self { answer: (429, "AL_002"), ..login }
    }

    /// Sends wrong passwords.
    async fn fail(&self, times: u32, stored: &Stored) {
        let mut credentials = self.credentials.clone();
        credentials["password"] = "wrong".into();
        let wrong = Self { credentials, passes: 1, answer: (401, "AL_001") };
        for _ in 0..times {
            wrong.send(&stored.backends).await.check(401, "AL_001");
        }
    }

    /// How many failures are counted, from anywhere.
    async fn failures(&self, stored: &Stored) -> u32 {
        let email = Email::parse(self.credentials["email"].as_str().unwrap()).unwrap();
        let counter = stored.item(&keys::login_failures(&email.folded())).await;
        counter.map_or(0, |counter| counter["failures"].as_n().unwrap().parse().unwrap())
    }

    async fn send_with(&self, passes: u32, backends: &Backends) -> Response {
        let table = backends.table.clone();
        let login = members_login::Login::new(table, sample::hasher(passes), None);
        function::send(login, function::post(&self.credentials)).await
    }
}

/// The credentials of a new member, with this password.
async fn credentials(password: &str, stored: &Stored) -> Value {
    let member = tests::add_member_to(stored.backends.table.clone(), &sample::hasher(1)).await;
    json!({"email": member.email.as_str(), "password": password})
}

impl Operation for Login {
    const LEAVES: Option<&'static str> = None;

    fn answer(&self) -> (u16, &'static str) {
        self.answer
    }

    async fn send(&self, backends: &Backends) -> Response {
        self.send_with(self.passes, backends).await
    }

    /// The update of a hash and that of a counter can be made next time; a failure has to count.
    fn is_best_effort(&self, kind: &str) -> bool {
        self.answer.0 == 200 && kind == "UpdateItem"
    }

    async fn check(&self, end: &End, stored: &Stored) {
        if let (401, Some(401)) = (self.answer.0, end.answer.as_ref().map(|answer| answer.status)) {
            assert_ne!(self.failures(stored).await, 0, "a failure that is told counts");
        }
        let (status, code) = self.answer;
        // Whichever of the two hashes is stored now, it is one of this password.
        for passes in [self.passes, 1] {
            self.send_with(passes, &stored.backends).await.check(status, code);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn login_survives_faults() {
    exercise(Login::right, Tally { calls: 1, combinations: 23 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn login_with_wrong_password_survives_faults() {
    exercise(Login::wrong, Tally { calls: 3, combinations: 63 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn login_of_unknown_email_survives_faults() {
    exercise(Login::nobody, Tally { calls: 3, combinations: 63 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn login_with_old_hash_survives_faults() {
    exercise(Login::with_old_hash, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn login_after_failure_survives_faults() {
    exercise(Login::forgiven, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn throttled_login_survives_faults() {
    exercise(Login::too_often, Tally { calls: 1, combinations: 23 }).await;
}
