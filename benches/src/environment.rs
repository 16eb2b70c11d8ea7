//! Service with the data that a request needs, in this process.
//!
//! The data comes from the sample events themselves: `members-join.json` adds the member, `events-create.json` the
//! event. The other sample events have fixed ids, which are replaced by those that the service assigned.

use std::{collections::HashMap, env, ffi::OsString, fs, io::Write as _, time::UNIX_EPOCH};

use auth::mail_token::{MailKey, MailToken};
use aws_sdk_dynamodb::{Client, primitives::Blob, types, types::AttributeValue};
use axum::{body, http::Request, response::Response};
use base64_simd::STANDARD;
use bytes::Bytes;
use domain::{error::Cause, mail::MailKind};
use flate2::{Compression, write::ZlibEncoder};
use local::{Addresses, BUCKET, Settings, Stack, TABLE, issuer};
use serde_json::{Value, json};

use crate::{
    job::{Data, Job},
    root,
};

/// Id of the event in the sample events.
const SAMPLE_EVENT: &str = "019b0a7c-3c80-7d3e-9f51-6a2b8c4d0e17";
/// Id of the member in the sample events.
const SAMPLE_MEMBER: &str = "3b1f8a52-7c9d-4e06-8f41-2a6d5c0e9b73";
/// Beginning of the ids of shows and seats in the sample events.
const SAMPLE_PARTS: &str = "019b0a7c-3c80-8d3e-9f51-6a2b";
/// Id of the hold in the sample events.
const SAMPLE_HOLD: &str = "7d0c4a1e-52b9-4c38-9e6f-8a1b2c3d4e5f";
/// Id of the gate in the sample events.
const SAMPLE_GATE: &str = "c2a9e0d4-1b7f-4e35-8d60-5f3a9b1c7e28";
/// Token of this gate.
const SAMPLE_GATE_TOKEN: &str = "c2a9e0d4-1b7f-4e35-8d60-5f3a9b1c7e28.f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
/// Code of a ticket in the sample events.
const SAMPLE_CODE: &str = "AQGWaxxLEHw-nVJvCo57TCEBlmscSxCMPp1SbwqAAAAAfQxKHlK5TDieb4obLD1OXwGWaxxLEIw-nVJvCkAAAAE7sS7a\
                           PCmNtd4lWX9U2STy4X54omrYlT7YIY7mgvC7vpAh4vMAnRUskRvx8l7Gg6kCcUFmdnr72OW9D7ASTsuK";
/// Access token in the sample events.
const SAMPLE_ACCESS_TOKEN: &str = "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIzYjFmOGE1MiJ9.c2lnbmF0dXJl";
/// Refresh token in the sample events.
const SAMPLE_REFRESH_TOKEN: &str = "Ox-KUnycTgaPQSptXA6bcwAAAADbM2T3lYx0nQ1Zb7m5dXkqUe3cO8pV6sR9wGtHyJfLZA";
/// Token of a mail in the sample events.
const SAMPLE_MAIL_TOKEN: &str =
    "AVf_cp6xRwuLtZ1o0m0aXQkAAAAAAAAAAAAAAABpKGqkQ2sVb0dJc3ZxN2J5YUt1V1lQd0hGb2l4RXJUbWdMOTN";

/// Address of the service in the sample events.
const BASE_URL: &str = "https://tickets.example";

/// Maximum number of items of `BatchWriteItem`.
const BATCH_SIZE: u16 = 25;

/// Item of the table, or its key.
pub type Item = HashMap<String, AttributeValue>;

/// Service whose data is deleted when dropped.
#[derive(Debug)]
pub struct Environment {
    /// Stack with the emulators of DynamoDB, S3 and SES.
    pub stack: Stack,
    /// Client of the emulated DynamoDB.
    pub dynamodb: Client,
    /// Value of the header `Authorization` of the manager.
    pub authorization: String,
    /// Tokens of a session of the member.
    session: Value,
    /// Token of a mail to the member, of the kind that the function takes.
    mail_token: String,
    job: Job,
    hash: &'static str,
    event: String,
    member: String,
    hold: String,
    gate: Value,
    code: String,
}

impl Environment {
    /// Starts a service with the data of a job, which hashes passwords with these Argon2id parameters.
    ///
    /// # Errors
    ///
    /// Returns an error if the service does not start, or rejects a sample event.
    pub async fn start(job: &Job, hash: &'static str) -> Result<Self, Cause> {
        let managers = issuer::ManagerAuthentication::LocalIssuer;
        let base_url = Some(BASE_URL.to_owned());
        let settings = Settings { managers, argon2_params: hash, base_url, ..Settings::default() };
        let stack = Stack::start_with(Addresses::default(), local::Data::temporary()?, settings).await?;
        let create = sample("events-create")?;
        let manager = &create["multiValueHeaders"]["x-api-managerId"][0];
        let manager = manager.as_str().ok_or("the sample event has no manager")?;
        let authorization = format!("Bearer {}", stack.issuer().ok_or("no issuer")?.token(manager.parse()?)?);
        let (dynamodb, job) = (stack.dynamodb(), job.clone());
        let [event, member, hold] = [SAMPLE_EVENT, SAMPLE_MEMBER, SAMPLE_HOLD].map(str::to_owned);
        let (session, mail_token) = (Value::Null, SAMPLE_MAIL_TOKEN.to_owned());
        let (gate, code) = (json!({"id": SAMPLE_GATE, "token": SAMPLE_GATE_TOKEN}), SAMPLE_CODE.to_owned());
        let mut environment =
            Self { stack, dynamodb, authorization, session, mail_token, job, hash, event, member, hold, gate, code };
        if environment.job.data != Data::None {
            environment.add_data(create).await?;
        }
        Ok(environment)
    }

    /// Returns the request of the job as a Lambda event.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no sample event.
    pub fn event(&self) -> Result<Bytes, Cause> {
        let mut event = sample(&self.job.sample)?;
        if self.job.slug == "events-create" {
            self.set_event(&mut event, "다른 공연")?;
        }
        (self.job.change)(&mut event, &self.authorization);
        Ok(self.replace_ids(&event).into())
    }

    /// Returns the variables that Lambda and template.yaml set, with one endpoint for AWS and the Runtime API.
    ///
    /// # Errors
    ///
    /// Returns an error if template.yaml does not configure the C library.
    pub fn variables(&self, endpoint: &str) -> Result<HashMap<&'static str, OsString>, Cause> {
        let template = fs::read_to_string(root().join("template.yaml"))?;
        let tunables = template.lines().find_map(|line| line.trim().strip_prefix("GLIBC_TUNABLES: "));
        let variables = [
            ("AWS_LAMBDA_FUNCTION_NAME", self.job.slug.as_str()),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024"),
            ("AWS_LAMBDA_FUNCTION_VERSION", "1"),
            ("AWS_LAMBDA_RUNTIME_API", endpoint),
            ("AWS_ENDPOINT_URL", &format!("http://{endpoint}")),
            ("AWS_REGION", "ap-northeast-2"),
            ("AWS_DEFAULT_REGION", "ap-northeast-2"),
            ("AWS_ACCESS_KEY_ID", "local"),
            ("AWS_SECRET_ACCESS_KEY", "local"),
            ("GLIBC_TUNABLES", tunables.ok_or("template.yaml has no GLIBC_TUNABLES")?),
            ("NODE_NO_WARNINGS", "1"),
            ("TABLE_NAME", TABLE),
            ("BUCKET_NAME", BUCKET),
            ("ALLOWED_ORIGINS", "*"),
            ("METRICS_NAMESPACE", "tickets"),
            ("ARGON2_PARAMS", self.hash),
            ("COMMON_PASSWORDS", "allowed"),
            ("CURSOR_KEY", "no-secret-on-this-machine"),
            ("SESSION_SECRET", &self.stack.session_secret()?),
            ("TICKET_SECRET", &self.stack.ticket_secret()?),
            ("SIGNING_KEY_ROTATION", "1"),
            ("MEMBER_AUDIENCE", "members"),
            ("ACCESS_TOKEN_SECONDS", "3600"),
            ("EMAIL_VERIFICATION", "optional"),
            ("MAIL_FROM", "tickets@tickets.example"),
            ("PASSWORD_RESET_URL", &format!("{BASE_URL}/reset-password")),
            ("EMAIL_VERIFICATION_URL", &format!("{BASE_URL}/verify-email")),
            ("TICKETS_URL", &format!("{BASE_URL}/tickets")),
            ("NOTICE_RATE", "100"),
            ("CHANGES_SOURCE", "/tickets"),
            ("HOLD_SECONDS", "600"),
            ("MAX_SEATS", "10"),
            ("MANAGER_ISSUER", self.stack.issuer().map_or("", |issuer| issuer.url())),
            ("MANAGER_AUDIENCE", issuer::AUDIENCE),
            ("MANAGER_ROLE_CLAIM", issuer::ROLE_CLAIM),
            ("MANAGER_ROLE", issuer::ROLE),
        ];
        let variables = variables.map(|(name, value)| (name, value.into()));
        Ok(variables.into_iter().chain(env::var_os("PATH").map(|path| ("PATH", path))).collect())
    }

    /// Reads an item.
    ///
    /// # Errors
    ///
    /// Returns an error if DynamoDB fails.
    pub async fn read(&self, key: Item) -> Result<Option<Item>, Cause> {
        Ok(self.dynamodb.get_item().table_name(TABLE).set_key(Some(key)).send().await?.item)
    }

    async fn add_data(&mut self, mut create: Value) -> Result<(), Cause> {
        self.member = self.send(&sample("members-join")?.to_string()).await?;
        self.session = self.log_in().await?;
        self.mail_token = self.sign_mail_token()?;
        let fields = self.set_event(&mut create, "아이유 콘서트")?;
        self.event = self.send(&create.to_string()).await?;
        let event = self.read(key(&format!("EVENT#{}", self.event), "EVENT")).await?.ok_or("no event")?;
        if self.job.has_peers() {
            self.add_peers_hall(event.clone(), &fields).await?;
        }
        match self.job.data {
            Data::None | Data::Sale => {}
            Data::Events(count) => self.add_copies(&event, count).await?,
            Data::DeletedEvent => drop(self.send_sample("events-delete").await?),
            Data::Hold => self.hold = self.send_sample("holds-create").await?,
            Data::Order => self.add_order().await?,
            Data::Gate { admitted } => {
                self.add_order().await?;
                self.gate = self.data_of("gates-create").await?;
                let tickets = self.data_of("tickets-list").await?;
                // The sample of a removal names the second seat.
                tickets[1]["code"].as_str().ok_or("no ticket")?.clone_into(&mut self.code);
                if admitted {
                    self.data_of("admissions-create").await?;
                }
            }
        }
        Ok(())
    }

    /// Adds a hold of the member, and confirms it.
    async fn add_order(&mut self) -> Result<(), Cause> {
        self.hold = self.send_sample("holds-create").await?;
        self.send_sample("holds-confirm").await.map(drop)
    }

    /// Sends the request of a sample event with the ids of the service, and returns the data of the response.
    async fn data_of(&self, name: &str) -> Result<Value, Cause> {
        let response = self.response(&serde_json::from_str(&self.replace_ids(&sample(name)?))?).await?;
        let body = body::to_bytes(response.into_body(), usize::MAX).await?;
        Ok(serde_json::from_slice::<Value>(&body)?["data"].take())
    }

    /// Sends the request of a sample event with the ids of the service.
    async fn send_sample(&self, name: &str) -> Result<String, Cause> {
        self.send(&self.replace_ids(&sample(name)?)).await
    }

    async fn log_in(&self) -> Result<Value, Cause> {
        let event = sample("auth-login")?;
        let response = self.response(&event).await?;
        // The counted attempt is no part of the data.
        let email = serde_json::from_slice::<Value>(&body_of(&event)?)?["email"].take();
        let attempts = key(&format!("EMAIL#{}", email.as_str().ok_or("no address")?), "FAILURES");
        self.dynamodb.delete_item().table_name(TABLE).set_key(Some(attempts)).send().await?;
        let body = body::to_bytes(response.into_body(), usize::MAX).await?;
        Ok(serde_json::from_slice::<Value>(&body)?["data"].take())
    }

    fn sign_mail_token(&self) -> Result<String, Cause> {
        let kind = if self.job.slug == "auth-verify" { MailKind::EmailVerification } else { MailKind::PasswordReset };
        let end = (UNIX_EPOCH.elapsed()? + kind.lifetime()).as_secs();
        let token = MailToken { kind, member: self.member.parse()?, epoch: 0, end };
        Ok(MailKey::derive(&self.stack.session_secret()?.parse()?).sign(&token))
    }

    /// Replaces the ids and the tokens of the sample events by those of the service.
    fn replace_ids(&self, event: &Value) -> String {
        let token = |name: &str, sample| self.session[name].as_str().unwrap_or(sample).to_owned();
        let gate = |name: &str| self.gate[name].as_str().unwrap_or_default();
        let part =
            self.event.parse().map_or_else(|_| SAMPLE_PARTS.to_owned(), |id| domain::id::seat(id, 0).to_string());
        event
            .to_string()
            .replace(SAMPLE_PARTS, &part[..SAMPLE_PARTS.len()])
            .replace(SAMPLE_EVENT, &self.event)
            .replace(SAMPLE_HOLD, &self.hold)
            .replace(SAMPLE_GATE_TOKEN, gate("token"))
            .replace(SAMPLE_GATE, gate("id"))
            .replace(SAMPLE_CODE, &self.code)
            .replace(SAMPLE_MEMBER, &self.member)
            .replace(SAMPLE_ACCESS_TOKEN, &token("accessToken", SAMPLE_ACCESS_TOKEN))
            .replace(SAMPLE_REFRESH_TOKEN, &token("refreshToken", SAMPLE_REFRESH_TOKEN))
            .replace(SAMPLE_MAIL_TOKEN, &self.mail_token)
    }

    /// Changes title and times in `events-create.json`, and the hall if the job has one. Returns the fields of the
    /// event.
    fn set_event(&self, create: &mut Value, title: &str) -> Result<Value, Cause> {
        let form = body_of(create)?;
        let start = form.iter().position(|byte| *byte == b'{').ok_or("the form has no JSON")?;
        let mut json = serde_json::Deserializer::from_slice(&form[start..]).into_iter::<Value>();
        let mut fields = json.next().ok_or("the form has no JSON")??;
        let end = start + json.byte_offset();
        fields["title"] = json!(title);
        // In 2100, so that searches for events before their ticketing find it.
        fields["ticketingOpenTime"] = json!(4_102_444_800_u64);
        if matches!(self.job.data, Data::Sale | Data::Hold | Data::Order | Data::Gate { .. }) {
            fields["ticketingOpenTime"] = json!(0);
            fields["eventDatetimes"] = json!(["2100-01-01T10:00:00Z"]);
        }
        if let Some(hall) = self.job.hall {
            let hall = json!(hall());
            fields["totalMap"] = hall["totalMap"].clone();
            fields["areas"] = hall["areas"].clone();
        }
        let form = [&form[..start], fields.to_string().as_bytes(), &form[end..]].concat();
        create["body"] = json!(STANDARD.encode_to_string(form));
        Ok(fields)
    }

    /// Sends the request of a sample event to the service, and returns the id in the header `Location`, if any.
    async fn send(&self, event: &str) -> Result<String, Cause> {
        let response = self.response(&serde_json::from_str(event)?).await?;
        let location = response.headers().get("location");
        let location = location.and_then(|location| location.to_str().ok()?.rsplit('/').next());
        Ok(location.unwrap_or_default().to_owned())
    }

    /// Sends the request of a sample event to the service.
    async fn response(&self, event: &Value) -> Result<Response, Cause> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        // A large hall is returned only in gzip.
        let request = Request::builder().header("Accept-Encoding", "gzip");
        let mut request = request.method(&*text(&event["httpMethod"])).uri(text(&event["path"]));
        let headers = &event["multiValueHeaders"];
        if headers["Authorization"].is_null() {
            request = request.header("Authorization", &self.authorization);
        }
        for (name, values) in headers.as_object().into_iter().flatten() {
            request = request.header(name, text(&values[0]));
        }
        let response = self.stack.call(request.body(body_of(event)?.into())?).await;
        if !response.status().is_success() {
            let failure = body::to_bytes(response.into_body(), usize::MAX).await?;
            return Err(format!("{}: {}", event["path"], String::from_utf8_lossy(&failure)).into());
        }
        Ok(response)
    }

    /// Fills the lists with copies of the event that are older than it, up to a number of events.
    async fn add_copies(&self, event: &Item, events: u16) -> Result<(), Cause> {
        let copy = |number: u16| {
            let (mut item, id) = (event.clone(), format!("00000000-{number:04x}-7000-8000-000000000000"));
            for value in item.values_mut() {
                if let AttributeValue::S(text) = value {
                    *text = text.replace(&self.event, &id);
                }
            }
            let put = types::PutRequest::builder().set_item(Some(item)).build()?;
            Ok(types::WriteRequest::builder().put_request(put).build())
        };
        for first in (1..events).step_by(BATCH_SIZE.into()) {
            let copies = (first..events.min(first + BATCH_SIZE)).map(copy).collect::<Result<_, Cause>>()?;
            let written = self.dynamodb.batch_write_item().request_items(TABLE, copies).send().await?;
            if written.unprocessed_items.is_some_and(|items| !items.is_empty()) {
                return Err("some copies were not written".into());
            }
        }
        Ok(())
    }

    /// Stores an event with its hall again, as the peers store it: as compressed JSON.
    async fn add_peers_hall(&self, mut event: Item, fields: &Value) -> Result<(), Cause> {
        let partition = format!("PEER#{}", self.event);
        event.extend(key(&partition, "EVENT"));
        let hall = json!({"totalMap": fields["totalMap"], "areas": fields["areas"]}).to_string();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(hall.as_bytes())?;
        let mut chunk = key(&partition, "MAP#000");
        chunk.insert("data".to_owned(), AttributeValue::B(Blob::new(encoder.finish()?)));
        for item in [event, chunk] {
            self.dynamodb.put_item().table_name(TABLE).set_item(Some(item)).send().await?;
        }
        Ok(())
    }
}

/// Builds a key of the table.
pub fn key(partition: &str, sort: &str) -> Item {
    [("pk", partition), ("sk", sort)].map(|(name, value)| (name.to_owned(), AttributeValue::S(value.to_owned()))).into()
}

fn sample(name: &str) -> Result<Value, Cause> {
    let file = root().join("events").join(name).with_extension("json");
    let text = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(serde_json::from_slice(&text)?)
}

fn body_of(event: &Value) -> Result<Vec<u8>, Cause> {
    let text = event["body"].as_str().unwrap_or_default();
    Ok(if event["isBase64Encoded"] == true { STANDARD.decode_to_vec(text)? } else { text.into() })
}
