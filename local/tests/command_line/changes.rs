//! Changes are told although the service is killed again and again, and the receiver fails a tenth of the time.
//!
//! One client makes random requests, and reads the state after one that was not answered. So it knows each committed
//! change. `LOCAL_CHANGES` sets the number of requests, and `LOCAL_KILLS` how often the service is killed.

use std::{
    collections::{BTreeMap, HashSet},
    env,
    sync::Arc,
    thread,
    time::Duration,
};

use axum::{Router, body::Bytes, extract::State, http::StatusCode};
use fastrand::Rng;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    net::TcpListener,
    sync::{Mutex, mpsc},
};

use crate::{process::Local, start_error};

const CHANGES: usize = 60;
const KILLS: usize = 2;
const MANAGER: &str = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
/// First of the shows that edits add, in seconds since 1970.
const FIRST_SHOW: u64 = 4_102_444_800;

/// Changes that a receiver took, in the order of arrival.
type Taken = mpsc::UnboundedReceiver<Value>;

type ReceiverState = Arc<Mutex<(Rng, mpsc::UnboundedSender<Value>)>>;

/// Client that knows which changes it made.
struct Driver {
    client: Client,
    url: String,
    rng: Rng,
    /// Event with sales.
    event: String,
    show: String,
    seats: Vec<String>,
    /// Event without sales, which is published and hidden.
    other: String,
    is_published: bool,
    /// Number of shows of the other event.
    shows: usize,
    /// Orders that have seats, with their holds.
    orders: Vec<(String, String)>,
    members: Vec<(String, String)>,
    /// Number of requests, from which unique values are made.
    count: usize,
    /// Type and subject of each committed change; of a sale, its order.
    told: Vec<(String, String)>,
}

/// Request, as it is repeated.
enum Step {
    Sell(usize, usize),
    Cancel(usize),
    Artist,
    Publish,
    AddShow,
    Notice,
    Join,
    Rename(usize),
    Withdraw(usize),
}

/// Starts a receiver that fails a tenth of the time; returns its URL.
async fn receiver() -> (String, Taken) {
    let (sender, taken) = mpsc::unbounded_channel();
    let state = ReceiverState::new(Mutex::new((Rng::with_seed(1), sender)));
    let receive = async |State(state): State<ReceiverState>, body: Bytes| {
        let (rng, sender) = &mut *state.lock().await;
        if rng.u8(..10) == 0 {
            return StatusCode::SERVICE_UNAVAILABLE;
        }
        sender.send(serde_json::from_slice(&body).unwrap()).unwrap();
        StatusCode::NO_CONTENT
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().fallback(receive).with_state(state);
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, taken)
}

/// Returns the identity of a change in the list of the driver.
fn identity(change: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let subject = if change["data"]["orderId"].is_string() { &change["data"]["orderId"] } else { &change["subject"] };
    (text(&change["type"]), text(subject))
}

#[test]
fn receiver_needs_embedded_dynamodb() {
    let data = TempDir::new().unwrap();
    let to = ["--changes-to", "http://127.0.0.1:1"];
    let message = start_error(data.path(), &[&to[..], &["--dynamodb-endpoint", "http://127.0.0.1:1"]].concat());
    assert!(message.contains("--changes-to") && message.contains("--dynamodb-endpoint"), "{message}");
    for arguments in
        [&["--changes-to", "orders.example"][..], &["--changes-key", "k"], &[to[0], to[1], "--changes-key", " "]]
    {
        let message = start_error(data.path(), arguments);
        assert!(message.contains("--changes-"), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_survive_kills_and_failures() {
    let number = |name: &str, usual| env::var(name).map_or(usual, |number| number.parse().unwrap());
    let (changes, kills) = (number("LOCAL_CHANGES", CHANGES), number("LOCAL_KILLS", KILLS));
    let data = TempDir::new().unwrap();
    let (url, mut taken) = receiver().await;
    let start = || Local::start(data.path(), &["--changes-to", &url, "--base-url", "http://localhost"]);
    let mut local = start();
    let mut driver = Driver::start(format!("http://{}", local.address)).await;
    let every = changes / (kills + 1);
    while driver.count < changes {
        if driver.count % every != every - 1 || driver.count / every >= kills {
            let (step, status) = driver.try_step().await;
            driver.learn(&step, status.expect("an answer")).await;
            continue;
        }
        let (mut running, delay) = (local, Duration::from_micros(driver.rng.u64(..20_000)));
        let killer = thread::spawn(move || {
            thread::sleep(delay);
            running.process.kill().unwrap();
            running.process.wait().unwrap();
        });
        let (step, status) = driver.try_step().await;
        killer.join().unwrap();
        local = start();
        driver.url = format!("http://{}", local.address);
        match status {
            Some(status) => driver.learn(&step, status).await,
            None => driver.resolve(&step).await,
        }
    }
    let expected = driver.told.clone();
    let (mut ids, mut received) = (HashSet::new(), Vec::new());
    while received.len() < expected.len() {
        let change = taken.recv().await.unwrap();
        assert_eq!(change["source"], "/local");
        if ids.insert(change["id"].as_str().unwrap().to_owned()) {
            received.push(change);
        }
    }
    assert_eq!(received.iter().map(identity).collect::<Vec<_>>(), expected);
    let sequences: Vec<_> = received.iter().map(|change| change["sequence"].as_str().unwrap()).collect();
    assert!(sequences.is_sorted());
    let newest = &driver.get("/changes.json").await[0]["id"];
    assert_eq!(*newest, received.last().unwrap()["id"], "more was told than was committed");
    driver.check_sales(&received).await;
}

impl Driver {
    async fn start(url: String) -> Self {
        let mut driver = Self {
            client: Client::new(),
            url,
            rng: Rng::with_seed(0),
            event: String::new(),
            show: String::new(),
            seats: Vec::new(),
            other: String::new(),
            is_published: true,
            shows: 1,
            orders: Vec::new(),
            members: Vec::new(),
            count: 0,
            told: Vec::new(),
        };
        for title in ["판매하는 공연", "판매하지 않는 공연"] {
            let created = driver.register(title).await;
            let id = created["id"].as_str().unwrap().to_owned();
            driver.tell("event.published", &format!("events/{id}"));
            if driver.event.is_empty() {
                created["eventDatetimes"][0]["id"].as_str().unwrap().clone_into(&mut driver.show);
                driver.event = id;
            } else {
                driver.other = id;
            }
        }
        let seats = driver.get(&driver.path("seat-reservation/detail")).await["data"].take();
        driver.seats = seats.as_array().unwrap().iter().map(|seat| seat["id"].as_str().unwrap().to_owned()).collect();
        driver
    }

    async fn register(&self, title: &str) -> Value {
        let seat = |number: u32| json!({"cx": number, "cy": 10, "row": 1, "number": number});
        let event = json!({
            "title": title, "description": "설명", "place": "장소", "artist": "0", "eventOpenTime": 0,
            "ticketingOpenTime": 0, "eventDatetimes": [FIRST_SHOW], "totalMap": "/map.svg",
            "areas": [{"label": "A", "price": 10.5, "areaMap": "/map.svg", "seats": (1..=200).map(seat).collect::<Vec<_>>()}],
        });
        let poster = include_bytes!("../../../tests/corpus/images/accepted/rgb8.png");
        let poster =
            reqwest::multipart::Part::bytes(poster.as_slice()).file_name("a.png").mime_str("image/png").unwrap();
        let event = reqwest::multipart::Part::text(event.to_string()).mime_str("application/json").unwrap();
        let form = reqwest::multipart::Form::new().part("thumbnail", poster).part("request", event);
        let response = self.request(Method::POST, "/api/v1/events").multipart(form).send().await.unwrap();
        assert_eq!(response.status(), 201);
        response.json::<Value>().await.unwrap()["data"].take()
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url)).header("x-api-managerId", MANAGER)
    }

    async fn get(&self, path: &str) -> Value {
        self.request(Method::GET, path).send().await.unwrap().json().await.unwrap()
    }

    fn path(&self, end: &str) -> String {
        format!("/api/v1/events/{}/dates/{}/{end}", self.event, self.show)
    }

    fn tell(&mut self, kind: &str, subject: &str) {
        self.told.push((kind.to_owned(), subject.to_owned()));
    }

    fn plan(&mut self) -> Step {
        let (orders, members) = (self.orders.len(), self.members.len());
        match self.rng.u8(..16) {
            0..4 if orders > 0 => Step::Cancel(self.rng.usize(..orders)),
            0..10 => Step::Sell(self.rng.usize(..198), self.rng.usize(1..=3)),
            10 => Step::Artist,
            11 => Step::Publish,
            12 if self.is_published && self.shows < 60 => Step::AddShow,
            13 if members < 20 => Step::Join,
            14 if members > 0 => Step::Rename(self.rng.usize(..members)),
            15 if members > 0 => Step::Withdraw(self.rng.usize(..members)),
            _ => Step::Notice,
        }
    }

    /// Sends a request, and returns it with the status of the response, if there is one.
    async fn try_step(&mut self) -> (Step, Option<u16>) {
        self.count += 1;
        let step = self.plan();
        let status = self.send(&step).await;
        (step, status)
    }

    async fn learn(&mut self, step: &Step, status: u16) {
        match (step, status) {
            (Step::Sell(..), 409) => {}
            (_, 200 | 201 | 204) => self.committed(step).await,
            _ => panic!("status {status}"),
        }
    }

    async fn send(&self, step: &Step) -> Option<u16> {
        let event = |id: &str| self.request(Method::PATCH, &format!("/api/v1/events/{id}"));
        let member = |index: usize, method, end| {
            self.request(method, &format!("/api/v1/members/{}{end}", self.members[index].0))
        };
        let shows = |number: usize| (0..number as u64).map(|hours| FIRST_SHOW + 3_600 * hours).collect::<Vec<_>>();
        let request = match step {
            Step::Sell(first, count) => {
                let body = json!({"orderId": self.order(), "seatIds": self.seats[*first..first + count]});
                self.request(Method::POST, &self.path("sales")).json(&body)
            }
            Step::Cancel(index) => {
                let (order, hold) = &self.orders[*index];
                let path = self.path(&format!("holds/{hold}/cancellation"));
                self.request(Method::POST, &path).json(&json!({ "orderId": order }))
            }
            Step::Artist => event(&self.event).json(&json!({"artist": self.count.to_string()})),
            Step::Publish => event(&self.other).json(&json!({"published": !self.is_published})),
            Step::AddShow => event(&self.other).json(&json!({"eventDatetimes": shows(self.shows + 1)})),
            Step::Notice => {
                let path = self.path("");
                self.request(Method::PATCH, path.trim_end_matches('/')).json(&json!({"notice": self.count.to_string()}))
            }
            Step::Join => self.request(Method::POST, "/api/v1/members/join").json(&self.member()),
            Step::Rename(index) => member(*index, Method::PATCH, "")
                .json(&json!({"password": "correct-horse", "name": self.count.to_string()})),
            Step::Withdraw(index) => {
                member(*index, Method::POST, "/withdrawal").json(&json!({"password": "correct-horse"}))
            }
        };
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        response.bytes().await.ok()?;
        Some(status)
    }

    fn order(&self) -> String {
        format!("order-{}", self.count)
    }

    fn member(&self) -> Value {
        let name = format!("kim{}", self.count);
        json!({"email": format!("{name}@example.com"), "name": "0", "nickname": name, "password": "correct-horse"})
    }

    async fn login(&self, email: &Value) -> Option<Value> {
        let login = json!({"email": email, "password": "correct-horse"});
        let response = self.request(Method::POST, "/api/v1/members/login").json(&login).send().await.unwrap();
        let is_member = response.status() == 200;
        let mut body: Value = response.json().await.unwrap();
        is_member.then(|| body["data"].take())
    }

    /// Adds the changes of a request that was committed.
    async fn committed(&mut self, step: &Step) {
        let show = self.path("").trim_start_matches("/api/v1/").trim_end_matches('/').to_owned();
        match step {
            Step::Sell(..) => {
                let (order, sales) = (self.order(), self.sales().await);
                self.orders.push((order.clone(), sales[&order]["id"].as_str().unwrap().to_owned()));
                self.tell("sale.confirmed", &order);
            }
            Step::Cancel(index) => {
                let (order, _) = self.orders.swap_remove(*index);
                self.tell("sale.cancelled", &order);
            }
            Step::Artist => self.tell("event.changed", &format!("events/{}", self.event)),
            Step::Publish => {
                let kind = if self.is_published { "event.hidden" } else { "event.published" };
                self.is_published = !self.is_published;
                self.tell(kind, &format!("events/{}", self.other));
            }
            Step::AddShow => {
                self.shows += 1;
                let event = self.get(&format!("/api/v1/events/{}", self.other)).await["data"].take();
                let added = event["eventDatetimes"][self.shows - 1]["id"].as_str().unwrap();
                self.tell("show.added", &format!("events/{}/dates/{added}", self.other));
            }
            Step::Notice => self.tell("show.changed", &show),
            Step::Join => {
                let email = self.member()["email"].take();
                let id = self.login(&email).await.unwrap()["id"].as_str().unwrap().to_owned();
                self.tell("member.joined", &format!("members/{id}"));
                self.members.push((id, email.as_str().unwrap().to_owned()));
            }
            Step::Rename(index) => self.tell("member.changed", &format!("members/{}", self.members[*index].0)),
            Step::Withdraw(index) => {
                let (id, _) = self.members.swap_remove(*index);
                self.tell("member.withdrawn", &format!("members/{id}"));
            }
        }
    }

    /// Reads whether a request was committed that was not answered.
    async fn resolve(&mut self, step: &Step) {
        let artist = json!(self.count.to_string());
        let managed = async |id: &str| self.get(&format!("/api/v1/managers/me/events/{id}")).await["data"].take();
        let is_committed = match step {
            Step::Sell(..) => self.sales().await.contains_key(&self.order()),
            Step::Cancel(index) => !self.sales().await.contains_key(&self.orders[*index].0),
            Step::Artist => managed(&self.event).await["artist"] == artist,
            Step::Publish => (managed(&self.other).await["status"] == "LIVE") != self.is_published,
            Step::AddShow => managed(&self.other).await["eventDatetimes"].as_array().unwrap().len() > self.shows,
            Step::Notice => managed(&self.event).await["eventDatetimes"][0]["notice"] == artist,
            Step::Join => self.login(&self.member()["email"]).await.is_some(),
            Step::Rename(index) => self.login(&json!(self.members[*index].1)).await.unwrap()["name"] == artist,
            Step::Withdraw(index) => self.login(&json!(self.members[*index].1)).await.is_none(),
        };
        if is_committed {
            self.committed(step).await;
        }
    }

    /// Returns the sales by their orders.
    async fn sales(&self) -> BTreeMap<String, Value> {
        let (mut sales, mut cursor) = (BTreeMap::new(), String::new());
        loop {
            let page = self.request(Method::GET, &self.path(&format!("sales?limit=100{cursor}"))).send().await.unwrap();
            let next = page.headers().get("link").map(|link| link.to_str().unwrap().to_owned());
            let page = page.json::<Value>().await.unwrap()["data"].take();
            let order = |sale: &Value| sale["orderId"].as_str().unwrap().to_owned();
            sales.extend(page.as_array().unwrap().iter().map(|sale| (order(sale), sale.clone())));
            let Some(next) = next else { return sales };
            let next = next.split_once("cursor=").unwrap().1;
            cursor = format!("&cursor={}", next.split(['>', '&']).next().unwrap());
        }
    }

    /// Compares the sales that the changes tell with those of the service.
    async fn check_sales(&self, received: &[Value]) {
        let mut told = BTreeMap::new();
        for change in received {
            let data = &change["data"];
            match change["type"].as_str().unwrap() {
                "sale.confirmed" => drop(told.insert(data["holdId"].to_string(), data.clone())),
                "sale.cancelled" => drop(told.remove(&data["holdId"].to_string())),
                _ => {}
            }
        }
        let parts = |id: &Value, sale: &Value, seats: u64| {
            (id.to_string(), [sale["orderId"].to_string(), sale["amount"].to_string()], seats)
        };
        let told: HashSet<_> =
            told.values().map(|sale| parts(&sale["holdId"], sale, sale["seats"].as_u64().unwrap())).collect();
        let listed: HashSet<_> = self
            .sales()
            .await
            .values()
            .map(|sale| parts(&sale["id"], sale, sale["seats"].as_array().unwrap().len() as u64))
            .collect();
        assert_eq!(told, listed);
        let summary = self.get(&self.path("summary")).await["data"].take();
        assert_eq!(summary["sold"].as_u64(), Some(told.iter().map(|(.., seats)| seats).sum()), "{summary}");
    }
}
