//! Edits and withdrawals of members.

use domain::{member::Member, password::Password, throttling::MAX_FROM_ONE_CLIENT};
use serde_json::{Value, json};
use storage::keys;
use tests::{Backends, Response, function, sample};
use uuid::Uuid;

use crate::{
    exercise::{Operation, Outcome, Tally, exercise},
    stored::Stored,
};

const NEW_PASSWORD: &str = "새비밀번호5678!";

/// Edit or withdrawal of a member.
struct Change {
    member: Member,
    /// Id in the path.
    id: Uuid,
    kind: Kind,
    body: Value,
    expected: (u16, &'static str),
    /// Updates that count the attempt; another one takes it back.
    counting: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Edit,
    Withdrawal,
}

impl Change {
    async fn new(stored: &Stored, kind: Kind, mut body: Value, expected: (u16, &'static str)) -> Self {
        let member = tests::add_member_to(stored.backends.table.clone(), &sample::hasher(1)).await;
        if body["password"].is_null() {
            body["password"] = json!(sample::PASSWORD);
        }
        Self { id: member.id, member, kind, body, expected, counting: 1 }
    }

    async fn of_everything(stored: &Stored) -> Self {
        let body = json!({"name": "이영희", "nickname": sample::unique(), "newPassword": NEW_PASSWORD});
        Self::new(stored, Kind::Edit, body, (200, "0")).await
    }

    async fn of_nothing(stored: &Stored) -> Self {
        Self::new(stored, Kind::Edit, json!({}), (200, "0")).await
    }

    async fn to_taken_nickname(stored: &Stored) -> Self {
        let other = tests::add_member_to(stored.backends.table.clone(), &sample::hasher(1)).await;
        let body = json!({"name": "이영희", "nickname": other.nickname.as_str()});
        Self::new(stored, Kind::Edit, body, (409, "AJ_002")).await
    }

    async fn with_wrong_password(stored: &Stored) -> Self {
        let body = json!({"password": "wrong", "name": "이영희"});
        Self::new(stored, Kind::Edit, body, (401, "AL_001")).await
    }

    async fn of_unknown_id(stored: &Stored) -> Self {
        let change = Self::new(stored, Kind::Edit, json!({"name": "이영희"}), (401, "AL_001")).await;
        Self { id: Uuid::new_v4(), ..change }
    }

    async fn withdrawal(stored: &Stored) -> Self {
        Self::new(stored, Kind::Withdrawal, json!({}), (204, "0")).await
    }

    async fn withdrawal_after_failure(stored: &Stored) -> Self {
        let withdrawal = Self::withdrawal(stored).await;
        withdrawal.fail(1, stored).await;
        Self { counting: 2, ..withdrawal }
    }

    async fn withdrawal_with_wrong_password(stored: &Stored) -> Self {
        Self::new(stored, Kind::Withdrawal, json!({"password": "wrong"}), (401, "AL_001")).await
    }

    async fn barred_withdrawal(stored: &Stored) -> Self {
        let withdrawal = Self::withdrawal(stored).await;
        withdrawal.fail(MAX_FROM_ONE_CLIENT, stored).await;
        Self { expected: (429, "AL_002"), counting: 2, ..withdrawal }
    }

    /// Sends withdrawals with a wrong password.
    async fn fail(&self, times: u32, stored: &Stored) {
        for _ in 0..times {
            let response = self.send_body(&json!({"password": "wrong"}), &stored.backends).await;
            response.check(401, "AL_001");
        }
    }

    async fn send_body(&self, body: &Value, backends: &Backends) -> Response {
        let (table, hasher) = (backends.table.clone(), sample::hasher(1));
        let request = function::member_request(&self.id.to_string(), body);
        match self.kind {
            Kind::Edit => {
                let edit = members_edit::Edit::new(table, hasher, Password::parse);
                function::send(edit, request).await
            }
            Kind::Withdrawal => function::send(members_withdraw::Withdraw::new(table, hasher), request).await,
        }
    }

    /// Logs in, and returns the member without faults; none if the password is wrong.
    async fn login(&self, password: &str, stored: &Stored) -> Option<Value> {
        let login = members_login::Login::new(stored.backends.table.clone(), sample::hasher(1));
        let credentials = json!({"email": self.member.email.as_str(), "password": password});
        // Another client, so that failures of this one do not matter.
        let response = function::send(login, function::post_from_address("192.0.2.1", &credentials)).await;
        (response.status == 200).then(|| response.data())
    }

    /// Returns the name and nickname that a completed edit stores.
    fn changed(&self) -> [Value; 2] {
        let new = |field: &str, old: &str| self.body.get(field).cloned().unwrap_or_else(|| old.into());
        [new("name", self.member.name.as_str()), new("nickname", self.member.nickname.as_str())]
    }
}

impl Operation for Change {
    const STORED_KIND: Option<&'static str> = None;

    fn expected_response(&self) -> (u16, &'static str) {
        self.expected
    }

    async fn send(&self, backends: &Backends) -> Response {
        self.send_body(&self.body, backends).await
    }

    /// A counter can be updated after the password is checked. The second read, of a barred client's member, does not
    /// matter.
    fn is_best_effort(&self, kind: &str, nth: usize) -> bool {
        match kind {
            "UpdateItem" => nth >= self.counting,
            "GetItem" => nth == 1 && self.expected.0 == 429,
            _ => false,
        }
    }

    /// The attempt is counted while the member is read, and taken back before the transaction.
    fn is_concurrent(&self, kind: &str) -> bool {
        ["GetItem", "UpdateItem"].contains(&kind)
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let [account, lock] =
            [stored.item(&keys::login(&self.member.email)).await, stored.item(&keys::member(self.member.id)).await];
        assert_eq!(account.is_some(), lock.is_some(), "half a member");
        if let (401, Some(401)) = (self.expected.0, outcome.response.as_ref().map(|response| response.status)) {
            let counter = stored.item(&keys::login_failures(&self.member.email)).await;
            assert_eq!(counter.is_some(), self.id == self.member.id, "failures of members are counted");
        }
        if self.kind == Kind::Withdrawal {
            let is_removed = self.login(sample::PASSWORD, stored).await.is_none();
            assert_eq!(is_removed, account.is_none());
            assert!(self.expected.0 == 204 || !is_removed, "a rejected withdrawal removed a member");
            assert!(outcome.success().is_none() || is_removed, "a withdrawal is lost");
            if self.expected.0 == 204 {
                let repeated = self.send(&stored.backends).await;
                assert_eq!(repeated.status, if is_removed { 401 } else { 204 });
            }
            return;
        }
        let new_password = self.body["newPassword"].as_str();
        let [old, new] = [Some(sample::PASSWORD), new_password].map(async |password| match password {
            Some(password) => self.login(password, stored).await,
            None => None,
        });
        let (old, new) = (old.await, new.await);
        assert!(new_password.is_none() || old.is_some() != new.is_some(), "two passwords, or none");
        let data = old.or(new).expect("a member who can log in");
        let current = [data["name"].clone(), data["nickname"].clone()];
        let unchanged = [self.member.name.as_str(), self.member.nickname.as_str()].map(Value::from);
        let is_changed = current == self.changed();
        assert!(is_changed || current == unchanged, "half an edit: {data}");
        if self.expected.0 == 200 {
            if let Some(response) = outcome.success() {
                assert!(is_changed, "an edit is lost");
                assert_eq!(response.data(), data);
            }
            let mut repeated = self.body.clone();
            if is_changed && let Some(password) = new_password {
                repeated["password"] = password.into();
            }
            self.send_body(&repeated, &stored.backends).await.check(200, "0");
        } else {
            assert_eq!(current, unchanged, "a rejected edit changed a member");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn edit_survives_faults() {
    exercise(Change::of_everything, Tally { calls: 5, combinations: 103 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_edit_survives_faults() {
    exercise(Change::of_nothing, Tally { calls: 4, combinations: 80 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn taken_nickname_survives_faults() {
    exercise(Change::to_taken_nickname, Tally { calls: 5, combinations: 103 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_password_survives_faults() {
    exercise(Change::with_wrong_password, Tally { calls: 3, combinations: 60 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_id_survives_faults() {
    exercise(Change::of_unknown_id, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn withdrawal_survives_faults() {
    exercise(Change::withdrawal, Tally { calls: 5, combinations: 103 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn withdrawal_after_failure_survives_faults() {
    exercise(Change::withdrawal_after_failure, Tally { calls: 6, combinations: 123 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_withdrawal_survives_faults() {
    exercise(Change::withdrawal_with_wrong_password, Tally { calls: 3, combinations: 60 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn barred_withdrawal_survives_faults() {
    exercise(Change::barred_withdrawal, Tally { calls: 4, combinations: 80 }).await;
}
