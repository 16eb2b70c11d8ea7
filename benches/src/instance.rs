//! Process of a function, run as Lambda runs it.
//!
//! One server receives all its requests: those to the Lambda Runtime API, and those to AWS, which it forwards to the
//! emulators and records. After each event it restores the items that the function wrote, so that the next event finds
//! the same data.

use std::{collections::HashMap, ffi::OsString, fs, mem, process::Stdio, time::Duration, time::UNIX_EPOCH};

use axum::{Router, body::Body, extract::DefaultBodyLimit, http::request::Parts, response::Response};
use bytes::Bytes;
use domain::error::Cause;
use local::TABLE;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::{net::TcpListener, process::Child, sync::mpsc, sync::oneshot, task::JoinSet, time};

use crate::environment::{Environment, Item, key};

/// Time after which a process that sends no request fails the run; callgrind slows a process down.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Path of the Runtime API (<https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html>).
const RUNTIME_API: &str = "/2018-06-01/runtime/";

/// Path of SES (<https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html>).
const SEND_EMAIL: &str = "/v2/email/outbound-emails";

type Reply = oneshot::Sender<Response>;

/// Process that waits for an event.
#[derive(Debug)]
pub struct Instance<'a> {
    environment: &'a Environment,
    process: Child,
    requests: mpsc::UnboundedReceiver<(Parts, Bytes, Reply)>,
    /// Receiver of the next event.
    next: Option<Reply>,
    client: reqwest::Client,
    calls: Vec<Value>,
    /// Items before the function wrote them, by partition and sort key.
    items: HashMap<[String; 2], Option<Item>>,
    _server: JoinSet<()>,
}

impl<'a> Instance<'a> {
    /// Starts a process and waits until it asks for an event.
    ///
    /// # Errors
    ///
    /// Returns an error if the process cannot be started, ends or reports a failure.
    pub async fn start(command: &[OsString], environment: &'a Environment) -> Result<Self, Cause> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let endpoint = listener.local_addr()?.to_string();
        let (sender, requests) = mpsc::unbounded_channel();
        let handler = async move |parts: Parts, body: Bytes| {
            let (reply, response) = oneshot::channel();
            // Nobody receives it after the last event.
            drop(sender.send((parts, body, reply)));
            response.await.unwrap_or_default()
        };
        let router = Router::new().fallback(handler).layer(DefaultBodyLimit::disable());
        let mut server = JoinSet::new();
        server.spawn(async move { drop(axum::serve(listener, router).await) });
        let (program, arguments) = command.split_first().ok_or("no command")?;
        let mut process = tokio::process::Command::new(program);
        process.args(arguments).env_clear().envs(environment.variables(&endpoint)?).kill_on_drop(true);
        let process = process.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        let process = process.map_err(|error| format!("{}: {error}", program.display()))?;
        let (client, calls, items) = (reqwest::Client::new(), Vec::new(), HashMap::new());
        let mut instance = Self { environment, process, requests, next: None, client, calls, items, _server: server };
        instance.until_next().await?;
        Ok(instance)
    }

    /// Sends an event, and returns the response of the function and its calls to AWS.
    ///
    /// # Errors
    ///
    /// Returns an error if the process fails.
    pub async fn invoke(&mut self, event: Bytes) -> Result<(Value, Vec<Value>), Cause> {
        let deadline = UNIX_EPOCH.elapsed()? + TIMEOUT;
        let function = "arn:aws:lambda:ap-northeast-2:123456789012:function:measured:live";
        let event = Response::builder()
            .header("Content-Type", "application/json")
            .header("Lambda-Runtime-Aws-Request-Id", "8f0c2f6e-8d0b-4b7a-9a43-2f5d1c7e9b10")
            .header("Lambda-Runtime-Deadline-Ms", deadline.as_millis().to_string())
            .header("Lambda-Runtime-Invoked-Function-Arn", function)
            .header("Lambda-Runtime-Trace-Id", "Root=1-692cdb00-0a1b2c3d4e5f60718293a4b5;Sampled=0")
            .body(Body::from(event))?;
        let next = self.next.take().ok_or("the process does not wait for an event")?;
        next.send(event).map_err(|_| "the process has ended")?;
        let response = self.until_next().await?.ok_or("the process asked for another event without a response")?;
        let dynamodb = &self.environment.dynamodb;
        for ([partition, sort], item) in mem::take(&mut self.items) {
            if item.is_some() {
                dynamodb.put_item().table_name(TABLE).set_item(item).send().await?;
            } else {
                dynamodb.delete_item().table_name(TABLE).set_key(Some(key(&partition, &sort))).send().await?;
            }
        }
        Ok((serde_json::from_slice(&response)?, mem::take(&mut self.calls)))
    }

    /// Returns the time for which processors have run the living threads of the process.
    ///
    /// # Errors
    ///
    /// Returns an error if the process has ended.
    pub fn processor_time(&self) -> Result<Duration, Cause> {
        let times = self.threads("schedstat")?.into_iter();
        let nanoseconds = times.map(|times| Ok(times.split(' ').next().ok_or("no processor time")?.parse::<u64>()?));
        Ok(Duration::from_nanos(nanoseconds.sum::<Result<_, Cause>>()?))
    }

    /// Waits until all threads of the process sleep, and stops it so that callgrind writes its results.
    ///
    /// # Errors
    ///
    /// Returns an error if the process has ended already.
    pub async fn stop(mut self) -> Result<(), Cause> {
        while !self.threads("stat")?.iter().all(|stat| stat.contains(") S ")) {
            time::sleep(Duration::from_millis(1)).await;
        }
        kill_process(Pid::from_raw(self.id()?.try_into()?).ok_or("no process has this id")?, Signal::TERM)?;
        self.process.wait().await?;
        Ok(())
    }

    fn id(&self) -> Result<u32, Cause> {
        Ok(self.process.id().ok_or("the process has ended")?)
    }

    /// Reads a file of each thread in `/proc`.
    fn threads(&self, file: &str) -> Result<Vec<String>, Cause> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.id()?))?;
        threads.map(|thread| Ok(fs::read_to_string(thread?.path().join(file))?)).collect()
    }

    /// Responds to requests until the process asks for an event, and returns its response to the last one.
    async fn until_next(&mut self) -> Result<Option<Bytes>, Cause> {
        let mut result = None;
        loop {
            let (parts, body, reply) = tokio::select! {
                request = time::timeout(TIMEOUT, self.requests.recv()) => request?.ok_or("the server has stopped")?,
                status = self.process.wait() => return Err(format!("the process ended: {}", status?).into()),
            };
            let response = match parts.uri.path().strip_prefix(RUNTIME_API) {
                Some("invocation/next") => {
                    self.next = Some(reply);
                    return Ok(result);
                }
                Some(path) if path.ends_with("/response") => {
                    result = Some(body);
                    Response::builder().status(202).body(Body::from(r#"{"status":"OK"}"#))?
                }
                Some(_) => return Err(String::from_utf8_lossy(&body).into()),
                None => self.forward(parts, body).await?,
            };
            // A process that has ended does not receive it; then the next turn returns the error.
            drop(reply.send(response));
        }
    }

    /// Forwards a request to AWS, and records the call.
    async fn forward(&mut self, parts: Parts, body: Bytes) -> Result<Response, Cause> {
        let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let (endpoint, operation, input) = if let Some(target) = header("x-amz-target") {
            (self.environment.stack.dynamodb_url(), target.rsplit('.').next(), serde_json::from_slice(&body)?)
        } else if parts.uri.path() == SEND_EMAIL {
            (self.environment.stack.ses_url(), Some("SendEmail"), serde_json::from_slice(&body)?)
        } else {
            let (bucket, object) = parts.uri.path().trim_start_matches('/').split_once('/').unwrap_or_default();
            let length = header("x-amz-decoded-content-length").map(str::parse).transpose()?.unwrap_or(body.len());
            let (content_type, cache_control) = (header("content-type"), header("cache-control"));
            let input = json!({
                "Bucket": bucket, "Object": object, "Length": length,
                "ContentType": content_type, "CacheControl": cache_control,
            });
            // A request without an object only opens the connection.
            let operation = (!object.is_empty()).then(|| parts.method.as_str());
            (self.environment.stack.s3_url(), operation, input)
        };
        self.keep_items(&input).await?;
        let mut call = operation.map(|operation| json!({"operation": operation, "input": input}));
        let url = format!("{endpoint}{}", parts.uri);
        // With the header `Host`, because it is signed.
        let received = self.client.request(parts.method, url).headers(parts.headers).body(body).send().await?;
        if let Some(call) = &mut call {
            call["is_rejected"] = json!(!received.status().is_success());
        }
        self.calls.extend(call);
        Ok(Response::from(received).map(Body::new))
    }

    /// Keeps the items in the input of a call as they are before the first write.
    async fn keep_items(&mut self, input: &Value) -> Result<(), Cause> {
        let writes = input["TransactItems"].as_array().into_iter().flatten();
        let writes = writes.filter_map(Value::as_object).flat_map(|write| write.values());
        for item in writes.chain([input]).filter_map(|write| write.get("Key").or(write.get("Item"))) {
            let [partition, sort] = ["pk", "sk"].map(|name| item[name]["S"].as_str().unwrap_or_default().to_owned());
            let before = self.environment.read(key(&partition, &sort)).await?;
            self.items.entry([partition, sort]).or_insert(before);
        }
        Ok(())
    }
}
