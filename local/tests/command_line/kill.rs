//! A rush for seats in which the service is killed again and again.
//!
//! Buyers hold seats, and confirm, cancel or release them, and a gate admits their tickets. They repeat the request
//! that was not answered. Meanwhile the manager changes the event. `LOCAL_KILLS` sets how often the service is killed.

use std::{collections::HashSet, env, ops::Range, sync::Arc, time::Duration};

use fastrand::Rng;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{sync::Semaphore, task::JoinSet, time::sleep};

use crate::process::Local;

const KILLS: usize = 3;
/// Answers after which the service is killed.
const ANSWERS: Range<u32> = 10..100;
const BUYERS: usize = 8;
/// Number of seats that buyers want.
const SEATS: usize = 24;
/// Maximum number of holds that a buyer has at the same time.
const MAX_HOLDS: usize = 2;
/// Time between two changes of the event.
const BETWEEN_CHANGES: Duration = Duration::from_millis(20);
const MANAGER: &str = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

/// Member who holds seats, with the part of the order service.
struct Buyer {
    client: Client,
    token: String,
    rng: Rng,
    holds: Vec<Hold>,
    /// Request that was not answered.
    pending: Option<Step>,
    /// The member may hold no more seats within the hour.
    is_limited: bool,
}

/// Manager who changes the minutes before each show at which ticketing closes.
///
/// No request for seats fails because of that, but those that are being written must notice the change.
struct Manager {
    client: Client,
    event: String,
    /// Minutes that the service acknowledged.
    minutes: u64,
}

/// Hold that the service acknowledged, with its last acknowledged status and the times at which its tickets are
/// admitted.
#[derive(Clone)]
struct Hold {
    id: String,
    order: String,
    seats: Vec<String>,
    amount: u64,
    status: &'static str,
    admitted: Vec<Option<String>>,
}

/// Request of a buyer: to hold seats with an idempotency key, or about the hold with a number. Scans of its tickets
/// have the same ids each time.
#[derive(Clone)]
enum Step {
    Take(Vec<String>, String),
    Confirm(usize),
    Admit(usize),
    Cancel(usize),
    Release(usize),
}

/// Show whose seats are bought.
#[derive(Clone)]
struct Show {
    path: String,
    /// Seats that buyers want.
    seats: Vec<String>,
    /// Token of its gate.
    gate: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn rush_survives_kills() {
    let kills = env::var("LOCAL_KILLS").map_or(KILLS, |number| number.parse().unwrap());
    let data = TempDir::new().unwrap();
    let start = |sample: &[&str]| {
        // Tokens name this address, whatever the port is.
        let local = Local::start(data.path(), &[&["--base-url", "http://localhost"], sample].concat());
        let url = format!("http://{}", local.address);
        (local, url)
    };
    let (mut local, mut url) = start(&["--sample"]);
    let client = Client::new();
    let show = Show::first(&client, &url).await;
    let mut buyers = Vec::new();
    for number in 0..BUYERS {
        buyers.push(Buyer::join(&client, &url, number).await);
    }
    let event = show.path.split("/dates/").next().unwrap().to_owned();
    let mut manager = Manager { client: client.clone(), event, minutes: 0 };
    manager.change(&url).await.unwrap();
    let mut rng = Rng::with_seed(0);
    for kill in 1..=kills {
        let answered = Arc::new(Semaphore::new(0));
        let rush: JoinSet<_> = buyers
            .into_iter()
            .map(|mut buyer| {
                let (url, show, answered) = (url.clone(), show.clone(), Arc::clone(&answered));
                async move {
                    buyer.buy(&url, &show, &answered).await;
                    buyer
                }
            })
            .collect();
        let changes = {
            let url = url.clone();
            tokio::spawn(async move {
                while manager.change(&url).await.is_some() {
                    sleep(BETWEEN_CHANGES).await;
                }
                manager
            })
        };
        answered.acquire_many(rng.u32(ANSWERS)).await.unwrap().forget();
        local.process.kill().unwrap();
        local.process.wait().unwrap();
        buyers = rush.join_all().await;
        manager = changes.await.unwrap();

        (local, url) = start(&[]);
        manager.check(&url).await;
        let taken = show.taken(&client, &url).await;
        // Others take the places of members who may hold no more seats.
        for number in buyers.len()..BUYERS + buyers.iter().filter(|buyer| buyer.is_limited).count() {
            buyers.push(Buyer::join(&client, &url, number).await);
        }
        let mut had = HashSet::new();
        for buyer in &mut buyers {
            buyer.update(&url, &show).await;
            for seat in buyer.holds.iter().filter(|hold| hold.status != "RELEASED").flat_map(|hold| &hold.seats) {
                assert!(taken.contains(seat), "seat {seat} is lost by kill {kill}");
                assert!(had.insert(seat.clone()), "seat {seat} has two holds after kill {kill}");
            }
        }
    }
}

impl Show {
    /// Returns the first show of the newest event of the sample whose first show takes place.
    async fn first(client: &Client, url: &str) -> Self {
        let events = get(client, &format!("{url}/api/v1/events")).await;
        let takes_place = |event: &&Value| event["eventDatetimes"][0]["status"].is_null();
        let event = events.as_array().unwrap().iter().find(takes_place).unwrap();
        let (event, show) = (event["id"].as_str().unwrap(), event["eventDatetimes"][0]["id"].as_str().unwrap());
        let path = format!("/api/v1/events/{event}/dates/{show}");
        let seats = get(client, &format!("{url}{path}/seat-reservation/detail")).await;
        let free: Vec<_> = seats.as_array().unwrap().iter().filter(|seat| seat["reservationId"].is_null()).collect();
        let seats: Vec<_> = free.iter().take(SEATS).map(|seat| seat["id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(seats.len(), SEATS);
        let request = client.post(format!("{url}{path}/gates")).header("x-api-managerId", MANAGER);
        let made = request.json(&json!({"name": "정문"})).send().await.unwrap().json::<Value>().await.unwrap();
        Self { gate: made["data"]["token"].as_str().unwrap().to_owned(), path, seats }
    }

    /// Returns the ids of taken seats.
    async fn taken(&self, client: &Client, url: &str) -> HashSet<String> {
        let seats = get(client, &format!("{url}{}/seat-reservation/detail", self.path)).await;
        let taken = seats.as_array().unwrap().iter().filter(|seat| !seat["reservationId"].is_null());
        taken.map(|seat| seat["id"].as_str().unwrap().to_owned()).collect()
    }
}

/// Returns the data of a response.
async fn get(client: &Client, url: &str) -> Value {
    let response = client.get(url).send().await.unwrap();
    assert_eq!(response.status(), 200, "{url}");
    response.json::<Value>().await.unwrap()["data"].take()
}

/// Returns the time of an admission, if there is one.
fn time(value: &Value) -> Option<String> {
    value["admittedAt"].as_str().map(str::to_owned)
}

impl Manager {
    /// Returns the minutes after the next change: usually one more.
    fn next(&self) -> u64 {
        self.minutes % 100 + 1
    }

    /// Changes the event, and returns `None` if the request was not answered.
    async fn change(&mut self, url: &str) -> Option<()> {
        let request = self.client.patch(format!("{url}{}", self.event)).header("x-api-managerId", MANAGER);
        let response = request.json(&json!({"ticketingCloseMinutes": self.next()})).send().await.ok()?;
        let status = response.status().as_u16();
        response.bytes().await.ok()?;
        assert_eq!(status, 200, "change");
        self.minutes = self.next();
        Some(())
    }

    /// Checks that the event is as acknowledged, or as after the request that was not answered.
    async fn check(&mut self, url: &str) {
        let event = get(&self.client, &format!("{url}{}", self.event)).await;
        let minutes = event["ticketingCloseMinutes"].as_u64().unwrap();
        assert!(minutes == self.minutes || minutes == self.next(), "{minutes}, {} was acknowledged", self.minutes);
        self.minutes = minutes;
    }
}

impl Buyer {
    async fn join(client: &Client, url: &str, number: usize) -> Self {
        let member = json!({
            "email": format!("buyer{number}@example.com"),
            "name": "구매자",
            "nickname": format!("buyer{number}"),
            "password": "correct-horse",
        });
        let mut data = Value::Null;
        for path in ["join", "login"] {
            let response = client.post(format!("{url}/api/v1/auth/{path}")).json(&member).send().await.unwrap();
            let (status, mut body) = (response.status(), response.json::<Value>().await.unwrap());
            assert!(status.is_success(), "{body}");
            data = body["data"].take();
        }
        Self {
            client: client.clone(),
            token: data["accessToken"].as_str().unwrap().to_owned(),
            rng: Rng::with_seed(number as u64),
            holds: Vec::new(),
            pending: None,
            is_limited: false,
        }
    }

    /// Sends requests until one is not answered, or none is left to send. Each answer adds a permit.
    async fn buy(&mut self, url: &str, show: &Show, answered: &Semaphore) {
        loop {
            let Some(step) = self.pending.take().or_else(|| self.plan(show)) else { return };
            self.pending = Some(step.clone());
            let Some((status, data)) = self.send(url, show, &step).await else { return };
            self.pending = None;
            answered.add_permits(1);
            self.learn(step, status, &data);
        }
    }

    /// Returns the next request; none if the member may hold no more seats and has none.
    fn plan(&mut self, show: &Show) -> Option<Step> {
        let live: Vec<_> = (0..self.holds.len()).filter(|index| self.holds[*index].status != "RELEASED").collect();
        if !self.is_limited && (live.is_empty() || live.len() < MAX_HOLDS && self.rng.bool()) {
            let (first, count) = (self.rng.usize(..SEATS - 1), self.rng.usize(1..=2));
            return Some(Step::Take(show.seats[first..first + count].to_vec(), self.rng.u128(..).to_string()));
        }
        let hold = self.rng.choice(&live).copied()?;
        Some(match self.holds[hold].status {
            "CONFIRMED" if self.rng.bool() => Step::Admit(hold),
            "CONFIRMED" => Step::Cancel(hold),
            _ if self.rng.bool() => Step::Confirm(hold),
            _ => Step::Release(hold),
        })
    }

    /// Returns the status and the data of the response, if there is one.
    async fn send(&self, url: &str, show: &Show, step: &Step) -> Option<(u16, Value)> {
        let base = format!("{url}{}/holds", show.path);
        let order = |hold: &usize| self.holds[*hold].order.clone();
        let of = |hold: &usize, end: &str| format!("{base}/{}{end}", self.holds[*hold].id);
        let as_order_service = |path| {
            let request = self.client.request(Method::POST, path);
            request.header("x-api-managerId", MANAGER)
        };
        let request = match step {
            Step::Take(seats, key) => {
                let request = self.client.post(&base).bearer_auth(&self.token).header("Idempotency-Key", key);
                request.json(&json!({ "seatIds": seats }))
            }
            Step::Confirm(hold) => {
                let amount = self.holds[*hold].amount;
                as_order_service(of(hold, "/confirmation")).json(&json!({"orderId": order(hold), "amount": amount}))
            }
            Step::Admit(hold) => {
                let scan = |(index, ticket): (usize, &Value)| json!({"code": ticket["code"], "scanId": format!("{}-{index}", self.holds[*hold].id)});
                let tickets = self.tickets(url, show, *hold).await?;
                let scans: Vec<_> = tickets.iter().enumerate().map(scan).collect();
                let request = self.client.post(format!("{url}{}/admissions", show.path)).bearer_auth(&show.gate);
                request.json(&json!({ "scans": scans }))
            }
            Step::Cancel(hold) => as_order_service(of(hold, "/cancellation")).json(&json!({"orderId": order(hold)})),
            Step::Release(hold) => self.client.delete(of(hold, "")).bearer_auth(&self.token),
        };
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        let body = response.bytes().await.ok()?;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        Some((status, body["data"].clone()))
    }

    /// Returns the tickets of a hold, if there is a response.
    async fn tickets(&self, url: &str, show: &Show, hold: usize) -> Option<Vec<Value>> {
        let path = format!("{url}{}/holds/{}/tickets", show.path, self.holds[hold].id);
        let response = self.client.get(path).bearer_auth(&self.token).send().await.ok()?;
        let status = response.status();
        let mut body: Value = serde_json::from_slice(&response.bytes().await.ok()?).unwrap_or_default();
        assert_eq!(status, 200, "{body}");
        serde_json::from_value(body["data"].take()).unwrap()
    }

    fn learn(&mut self, step: Step, status: u16, data: &Value) {
        match step {
            Step::Take(_, key) if status == 201 => {
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                let seats: Vec<_> = data["seats"].as_array().unwrap().iter().map(|seat| text(&seat["id"])).collect();
                self.holds.push(Hold {
                    id: text(&data["id"]),
                    order: format!("order-{key}"),
                    admitted: vec![None; seats.len()],
                    seats,
                    amount: data["amount"].as_u64().unwrap(),
                    status: "HELD",
                });
            }
            // The member made too many holds within an hour.
            Step::Take(..) if status == 429 => self.is_limited = true,
            Step::Take(..) => assert_eq!(status, 409, "hold"),
            Step::Confirm(hold) => {
                assert_eq!(status, 200, "confirmation");
                self.holds[hold].status = "CONFIRMED";
            }
            Step::Admit(hold) => {
                assert_eq!(status, 200, "admission");
                for (admitted, result) in self.holds[hold].admitted.iter_mut().zip(data.as_array().unwrap()) {
                    assert_eq!(result["result"], "ADMITTED", "{result}");
                    let at = time(result);
                    assert!(admitted.is_none() || *admitted == at, "{at:?}, {admitted:?} was the first result");
                    *admitted = at;
                }
            }
            Step::Cancel(hold) => {
                assert_eq!(status, 200, "cancellation");
                self.holds[hold].status = "RELEASED";
            }
            Step::Release(hold) => {
                assert_eq!(status, 204, "release");
                self.holds[hold].status = "RELEASED";
            }
        }
    }

    /// Checks that the holds have the acknowledged status, or the one of the request that was not answered.
    async fn update(&mut self, url: &str, show: &Show) {
        for (index, hold) in self.holds.iter_mut().enumerate().rev().take(10) {
            let request = self.client.get(format!("{url}{}/holds/{}", show.path, hold.id)).bearer_auth(&self.token);
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 200, "hold {} is lost", hold.id);
            let status = response.json::<Value>().await.unwrap()["data"]["status"].as_str().unwrap().to_owned();
            let next = match self.pending {
                Some(Step::Confirm(hold)) if hold == index => "CONFIRMED",
                Some(Step::Cancel(hold) | Step::Release(hold)) if hold == index => "RELEASED",
                _ => hold.status,
            };
            assert!(status == hold.status || status == next, "{status}, {} was acknowledged", hold.status);
            hold.status = if status == next { next } else { hold.status };
        }
        self.update_admissions(url, show).await;
    }

    /// Checks that the acknowledged admissions are there, and others only if their request was not answered.
    async fn update_admissions(&mut self, url: &str, show: &Show) {
        for index in (0..self.holds.len()).rev().take(10) {
            if self.holds[index].status != "CONFIRMED" {
                continue;
            }
            let tickets = self.tickets(url, show, index).await.unwrap();
            let is_pending = matches!(self.pending, Some(Step::Admit(hold)) if hold == index);
            for (admitted, ticket) in self.holds[index].admitted.iter_mut().zip(&tickets) {
                let at = time(ticket);
                let is_new = admitted.is_none() && is_pending;
                assert!(*admitted == at || is_new, "{at:?}, {admitted:?} was acknowledged");
                *admitted = at;
            }
        }
    }
}
