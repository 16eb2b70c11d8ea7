//! Resets of passwords while the service is killed again and again. `LOCAL_KILLS` sets how often.

use std::{env, fs, ops::Range, path::Path, sync::Arc, time::SystemTime};

use auth::mail_token::{MailKey, MailToken};
use domain::mail::MailKind;
use fastrand::Rng;
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{sync::Semaphore, task::JoinSet};
use uuid::Uuid;

use crate::process::Local;

const KILLS: usize = 3;
/// New passwords after which the service is killed.
const RESETS: Range<u32> = 1..10;
const MEMBERS: usize = 4;

/// Member who sets one new password after another.
struct Member {
    client: Client,
    key: MailKey,
    id: Uuid,
    email: String,
    /// Number of acknowledged new passwords; the password is made from it.
    passwords: u64,
    /// Refresh token of the session that began after the last kill, and the number of new passwords then.
    session: (Value, u64),
}

#[tokio::test(flavor = "multi_thread")]
async fn resets_survive_kills() {
    let kills = env::var("LOCAL_KILLS").map_or(KILLS, |number| number.parse().unwrap());
    let data = TempDir::new().unwrap();
    let start = || {
        let local = Local::start(data.path(), &[]);
        let url = format!("http://{}", local.address);
        (local, url)
    };
    let (mut local, mut url) = start();
    let mut members = Vec::new();
    for number in 0..MEMBERS {
        members.push(Member::join(&url, data.path(), number).await);
    }
    let mut rng = Rng::with_seed(0);
    for _ in 0..kills {
        let answered = Arc::new(Semaphore::new(0));
        let resets: JoinSet<_> = members
            .into_iter()
            .map(|mut member| {
                let (url, answered) = (url.clone(), Arc::clone(&answered));
                async move {
                    while member.reset(&url, member.passwords).await == Some(204) {
                        member.passwords += 1;
                        answered.add_permits(1);
                    }
                    member
                }
            })
            .collect();
        answered.acquire_many(rng.u32(RESETS)).await.unwrap().forget();
        local.process.kill().unwrap();
        local.process.wait().unwrap();
        members = resets.join_all().await;

        (local, url) = start();
        for member in &mut members {
            member.check(&url).await;
        }
    }
}

impl Member {
    async fn join(url: &str, data: &Path, number: usize) -> Self {
        let secret = fs::read_to_string(data.join("session-secret")).unwrap();
        let mut member = Self {
            client: Client::new(),
            key: MailKey::derive(&secret.parse().unwrap()),
            id: Uuid::nil(),
            email: format!("member{number}@example.com"),
            passwords: 0,
            session: (Value::Null, 0),
        };
        let body = json!({
            "email": member.email,
            "name": "회원",
            "nickname": format!("member{number}"),
            "password": password(0),
        });
        let (status, data) = member.post(url, "members/join", &body).await.unwrap();
        assert_eq!(status, 201, "{data}");
        member.id = data["id"].as_str().unwrap().parse().unwrap();
        member.session.0 = member.log_in(url, 0).await.1["refreshToken"].take();
        member
    }

    /// Sets the next password with the token of a mail that was sent after a number of new passwords.
    async fn reset(&self, url: &str, epoch: u64) -> Option<u16> {
        let (kind, now) = (MailKind::PasswordReset, SystemTime::UNIX_EPOCH.elapsed().unwrap());
        let end = (now + kind.lifetime()).as_secs();
        let token = self.key.sign(&MailToken { kind, member: self.id, epoch, end });
        let body = json!({"token": token, "newPassword": password(epoch + 1)});
        Some(self.post(url, "auth/password-reset/confirmation", &body).await?.0)
    }

    async fn log_in(&self, url: &str, passwords: u64) -> (u16, Value) {
        let body = json!({"email": self.email, "password": password(passwords)});
        self.post(url, "auth/login", &body).await.unwrap()
    }

    /// Checks that the acknowledged password holds, or the one whose reset was not answered, and no earlier one.
    async fn check(&mut self, url: &str) {
        if self.log_in(url, self.passwords + 1).await.0 == 200 {
            self.passwords += 1;
        }
        let (status, mut data) = self.log_in(url, self.passwords).await;
        assert_eq!(status, 200, "reset {} is lost", self.passwords);
        if self.passwords > 0 {
            assert_eq!(self.log_in(url, self.passwords - 1).await.0, 401, "earlier password");
            assert_eq!(self.reset(url, self.passwords - 1).await, Some(401), "used token");
        }
        let (refresh_token, at_login) = &self.session;
        let expected = if self.passwords == *at_login { 200 } else { 401 };
        let refresh = json!({"refreshToken": refresh_token});
        assert_eq!(self.post(url, "auth/refresh", &refresh).await.unwrap().0, expected, "refresh");
        self.session = (data["refreshToken"].take(), self.passwords);
    }

    /// Sends a request; none if it is not answered.
    async fn post(&self, url: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let response = self.client.post(format!("{url}/api/v1/{path}")).json(body).send().await.ok()?;
        let (status, body) = (response.status().as_u16(), response.bytes().await.ok()?);
        Some((status, serde_json::from_slice::<Value>(&body).map_or(Value::Null, |mut body| body["data"].take())))
    }
}

fn password(number: u64) -> String {
    format!("password-{number}")
}
