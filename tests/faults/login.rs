//! Login.

use domain::{email::Email, throttling::MAX_FROM_ONE_CLIENT};
use serde_json::{Value, json};
use storage::keys;
use tests::{Backends, Response, function, sample};

use crate::{
    exercise::{Operation, Outcome, Tally, exercise},
    stored::Stored,
};

struct Login {
    credentials: Value,
    passes: u32,
    expected: (u16, &'static str),
    /// Updates that count the attempt; the others come after the password is checked.
    counting: usize,
}

impl Login {
    async fn with_password(stored: &Stored) -> Self {
        Self { credentials: credentials(sample::PASSWORD, stored).await, passes: 1, expected: (200, "0"), counting: 1 }
    }

    async fn with_wrong_password(stored: &Stored) -> Self {
        Self { credentials: credentials("wrong", stored).await, passes: 1, expected: (401, "AL_001"), counting: 1 }
    }

    async fn with_unknown_email(_: &Stored) -> Self {
        let credentials = json!({"email": sample::member()["email"], "password": sample::PASSWORD});
        Self { credentials, passes: 1, expected: (401, "AL_001"), counting: 1 }
    }

    async fn with_old_hash(stored: &Stored) -> Self {
        Self { credentials: credentials(sample::PASSWORD, stored).await, passes: 2, expected: (200, "0"), counting: 1 }
    }

    /// Creates a login with the correct password, after a failure.
    async fn after_failure(stored: &Stored) -> Self {
        let login = Self::with_password(stored).await;
        login.fail(1, stored).await;
        Self { counting: 2, ..login }
    }

    async fn barred(stored: &Stored) -> Self {
        let login = Self::with_password(stored).await;
        login.fail(MAX_FROM_ONE_CLIENT, stored).await;
        Self { expected: (429, "AL_002"), counting: 2, ..login }
    }

    /// Sends logins with a wrong password.
    async fn fail(&self, times: u32, stored: &Stored) {
        let mut credentials = self.credentials.clone();
        credentials["password"] = "wrong".into();
        let wrong = Self { credentials, passes: 1, expected: (401, "AL_001"), counting: 1 };
        for _ in 0..times {
            wrong.send(&stored.backends).await.check(401, "AL_001");
        }
    }

    /// Returns the number of counted failures from all clients.
    async fn failures(&self, stored: &Stored) -> u32 {
        let email = Email::parse(self.credentials["email"].as_str().unwrap()).unwrap();
        let counter = stored.item(&keys::login_failures(&email)).await;
        counter.map_or(0, |counter| counter["failures"].as_n().unwrap().parse().unwrap())
    }

    async fn send_with(&self, passes: u32, backends: &Backends) -> Response {
        let table = backends.table.clone();
        let login = members_login::Login::new(table, sample::hasher(passes));
        function::send(login, function::post(&self.credentials)).await
    }
}

/// Adds a member and returns its e-mail address with this password.
async fn credentials(password: &str, stored: &Stored) -> Value {
    let member = tests::add_member_to(stored.backends.table.clone(), &sample::hasher(1)).await;
    json!({"email": member.email.as_str(), "password": password})
}

impl Operation for Login {
    const STORED_KIND: Option<&'static str> = None;

    fn expected_response(&self) -> (u16, &'static str) {
        self.expected
    }

    async fn send(&self, backends: &Backends) -> Response {
        self.send_with(self.passes, backends).await
    }

    /// A hash or counter can be updated later. The read of a barred client's member does not matter.
    fn is_best_effort(&self, kind: &str, nth: usize) -> bool {
        if kind == "UpdateItem" { nth >= self.counting } else { self.expected.0 == 429 }
    }

    /// The attempt is counted while the member is read.
    fn is_concurrent(&self, kind: &str) -> bool {
        kind == "GetItem"
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        if let (401, Some(401)) = (self.expected.0, outcome.response.as_ref().map(|response| response.status)) {
            assert_ne!(self.failures(stored).await, 0, "a reported failure is not counted");
        }
        let (status, code) = self.expected;
        // Either hash may be stored now; both are of this password.
        for passes in [self.passes, 1] {
            self.send_with(passes, &stored.backends).await.check(status, code);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn login_survives_faults() {
    exercise(Login::with_password, Tally { calls: 3, combinations: 60 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_password_survives_faults() {
    exercise(Login::with_wrong_password, Tally { calls: 2, combinations: 40 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_email_survives_faults() {
    exercise(Login::with_unknown_email, Tally { calls: 2, combinations: 40 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rehash_survives_faults() {
    exercise(Login::with_old_hash, Tally { calls: 4, combinations: 80 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn login_after_failure_survives_faults() {
    exercise(Login::after_failure, Tally { calls: 4, combinations: 80 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn barred_login_survives_faults() {
    exercise(Login::barred, Tally { calls: 3, combinations: 60 }).await;
}
