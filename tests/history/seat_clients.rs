//! Simultaneous clients of the seats of a show, and the history of their operations.

use std::{
    mem,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::http::Method;
use base64_simd::STANDARD;
use domain::{clock::Clock, instant::Instant, show::ShowStatus};
use fastrand::Rng;
use local::Stack;
use serde_json::{Value, json};
use tests::{Api, Response, Sale, sample};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    client::{Client, outcome},
    linearizability::Call,
    plan::Plan,
    seats::{BEGUN, Entry, Operation, SEATS, Seats, TIMES, mark_releases},
};

/// Number of clients of one show. The check takes time and memory for each set of simultaneous operations.
pub const CLIENTS_OF_SHOW: u8 = 4;
/// Operations in a round. It is short, because a show with sold seats can be neither removed nor deleted.
const ROUND: usize = 40;
/// Seats that clients use, in three items. The last three are the second area.
const NUMBERS: [usize; SEATS] = [0, 1, 2, 62, 63, 64, 65, 127, 128, 129, 130, 131, 132];
const MEMBERS: usize = 6;
const ORDERS: usize = 2;
/// Number of newest holds that clients use.
const NEWEST: usize = 6;
/// Seconds by which the clock moves; all holds expire then, and no show begins.
const LIFETIME: u64 = 1_000;

#[derive(Clone, Copy)]
struct KnownHold {
    id: Uuid,
    /// None if the box office sold the seats.
    member: Option<usize>,
    seats: Seats,
}

/// Price of each seat of the first and of the second area.
const PRICES: [f64; 2] = [50_000.0, 99_000.5];

/// Round with its own event.
struct Round {
    stack: Arc<Stack>,
    clock: Clock,
    sale: Sale,
    /// Time of the clock at the begin.
    started: Duration,
    /// Times that the show can have; at the last one it has begun.
    times: [String; TIMES],
    /// Tokens of the members.
    members: Vec<Value>,
    /// Id of the second area.
    second_area: Value,
    time: AtomicU64,
    next: AtomicUsize,
    seed: u64,
    is_quiet: bool,
    holds: Mutex<Vec<KnownHold>>,
    calls: Mutex<Vec<Call<Operation>>>,
}

/// Carries out a plan, one round after another, and returns the history of each one.
pub async fn run(stack: &Arc<Stack>, clock: &Clock, plan: Plan) -> Vec<Vec<Call<Operation>>> {
    let mut histories = Vec::new();
    for first in (0..plan.operations).step_by(ROUND) {
        let round = Arc::new(Round::start(stack, clock, plan.seed.wrapping_add(first as u64)).await);
        let clients: JoinSet<()> = (0..CLIENTS_OF_SHOW)
            .map(|number| {
                let round = Arc::clone(&round);
                async move { round.run_client(number).await }
            })
            .collect();
        clients.join_all().await;
        let mut calls = mem::take(&mut *round.calls.lock().expect("calls"));
        mark_releases(&mut calls);
        histories.push(calls);
    }
    histories
}

impl Round {
    async fn start(stack: &Arc<Stack>, clock: &Clock, seed: u64) -> Self {
        let api = Api::with_url(&stack.url());
        let created = api.create(&Sale::on_sale()).await;
        let (sale, second_area) = (Sale::of(&created), created.data()["areas"][1]["id"].clone());
        let mut members = Vec::new();
        for _ in 0..MEMBERS {
            members.push(api.joined_with_session().await.1);
        }
        let started = clock.now();
        let begun = Instant::from_nanos(started.as_nanos()).expect("an instant");
        let times = ["2100-01-01T10:00:00Z".to_owned(), "2100-02-01T10:00:00Z".to_owned(), begun.to_string()];
        Self {
            stack: Arc::clone(stack),
            clock: clock.clone(),
            sale,
            started,
            times,
            members,
            second_area,
            time: AtomicU64::default(),
            next: AtomicUsize::default(),
            seed,
            is_quiet: (seed / ROUND as u64).is_multiple_of(2),
            holds: Mutex::default(),
            calls: Mutex::default(),
        }
    }

    async fn run_client(&self, number: u8) {
        let address = SocketAddr::from((Ipv4Addr::new(198, 51, 100, number), 443));
        let client = Client { stack: &self.stack, address, round: String::new() };
        loop {
            let operation = self.next.fetch_add(1, Ordering::Relaxed);
            if operation >= ROUND {
                return;
            }
            let mut rng = Rng::with_seed(self.seed.wrapping_add(operation as u64));
            let choice = match rng.u8(..126) {
                // Nothing is confirmed or blocked in some rounds, so that deletions succeed.
                43..55 if self.is_quiet => 75,
                76..79 if self.is_quiet => 86,
                choice => choice,
            };
            // A deletion, a removal and a draft usually need a show without held seats.
            if matches!(choice, 93..98 | 100..104) && rng.bool() {
                self.record(async { self.expire() }).await;
            }
            self.record(self.carry_out(&client, choice, &mut rng)).await;
        }
    }

    async fn record(&self, operation: impl Future<Output = Operation>) {
        let invoked = self.time.fetch_add(1, Ordering::SeqCst);
        let operation = operation.await;
        let completed = self.time.fetch_add(1, Ordering::SeqCst);
        self.calls.lock().expect("calls").push(Call { operation, invoked, completed });
    }

    fn expire(&self) -> Operation {
        self.clock.advance(LIFETIME);
        Operation::Expire { response: Ok(()) }
    }

    async fn carry_out(&self, client: &Client<'_>, choice: u8, rng: &mut Rng) -> Operation {
        let newest = {
            let holds = self.holds.lock().expect("holds");
            let newest = &holds[holds.len().saturating_sub(NEWEST)..];
            rng.choice(newest).copied()
        };
        match (choice, newest) {
            (30..76, Some(hold)) => self.use_hold(client, choice, hold, rng).await,
            (..6, _) if !self.is_quiet => self.sell(client, rng).await,
            (6..14, _) => self.hold_best(client, rng).await,
            (..76, _) => self.hold(client, rng).await,
            (76..79, _) => {
                let seats = some_seats(rng, 4);
                let response = client.post_as_manager(&self.sale.path("blocks"), &self.body(seats)).await;
                Operation::Block { seats, response: outcome(&response, |_| Some(())) }
            }
            (79..86, _) => {
                let seats = some_seats(rng, 6);
                let response = client.post_as_manager(&self.sale.path("blocks/removal"), &self.body(seats)).await;
                let freed = |data: &Value| u32::try_from(data["free"].as_u64()?).ok();
                Operation::Unblock { seats, response: outcome(&response, freed) }
            }
            (86..89, _) => {
                let response = client.send_as(Method::GET, &self.sale.path("availability"), None, None).await;
                Operation::Availability { response: outcome(&response, taken) }
            }
            (89..93, _) => self.expire(),
            _ => self.change_event(client, choice, rng).await,
        }
    }

    async fn change_event(&self, client: &Client<'_>, choice: u8, rng: &mut Rng) -> Operation {
        use ShowStatus::{Cancelled, Postponed, Scheduled};

        let event = format!("/api/v1/events/{}", self.sale.event);
        let send = |method, path: &str, body: Option<Value>| {
            let path = format!("{event}{path}");
            async move { client.send_as(method, &path, None, body.as_ref()).await }
        };
        let done = |response: &Response| outcome(response, |_| Some(()));
        match choice {
            93..96 => Operation::Delete { response: done(&send(Method::DELETE, "", None).await) },
            96..98 => {
                let change = json!({"eventDatetimes": ["2100-01-02T10:00:00Z"]});
                Operation::Remove { response: done(&send(Method::PATCH, "", Some(change)).await) }
            }
            98..100 => Operation::Restore { response: done(&send(Method::POST, "/restore", None).await) },
            100..104 => {
                Operation::Hide { response: done(&send(Method::PATCH, "", Some(json!({"published": false}))).await) }
            }
            104..109 => {
                Operation::Publish { response: done(&send(Method::PATCH, "", Some(json!({"published": true}))).await) }
            }
            109..119 => {
                // Most changes bring the show back on sale.
                let statuses = [Scheduled, Scheduled, Scheduled, Postponed, Cancelled];
                let status = (rng.u8(..3) > 0).then(|| statuses[rng.usize(..statuses.len())]);
                let times = [0, 0, 1, 1, BEGUN];
                let time = (rng.u8(..3) == 0).then(|| times[rng.usize(..times.len())]);
                let mut change = json!({});
                if let Some(status) = status {
                    change["status"] = status.name().into();
                }
                if let Some(time) = time {
                    change["datetime"] = self.times[time].as_str().into();
                }
                let response = send(Method::PATCH, &format!("/dates/{}", self.sale.show), Some(change)).await;
                Operation::Change { status, time, response: outcome(&response, |data| Some(self.entry(data))) }
            }
            121.. => {
                let is_closed = choice < 123;
                let time = if is_closed { "2099-01-01T00:00:00Z" } else { "2025-01-01T00:00:00Z" };
                let response = send(Method::PATCH, "", Some(json!({"ticketingOpenTime": time}))).await;
                Operation::Open { is_closed, response: done(&response) }
            }
            _ => {
                let response = send(Method::POST, "/cancellation", None).await;
                Operation::CancelEvent { response: outcome(&response, |data| Some(self.entry(data))) }
            }
        }
    }

    /// Reads the entry of the show in its event, if the event still has it.
    fn entry(&self, event: &Value) -> Option<Entry> {
        let show = event["eventDatetimes"].as_array()?.iter().find(|show| show["id"] == *self.sale.show)?;
        let status = show["status"].as_str().map_or(Some(ShowStatus::Scheduled), ShowStatus::from_name)?;
        Some(Entry { status, time: self.times.iter().position(|time| show["datetime"] == **time)? })
    }

    async fn hold(&self, client: &Client<'_>, rng: &mut Rng) -> Operation {
        let (member, seats) = (rng.usize(..MEMBERS), some_seats(rng, 4));
        let token = self.token(member);
        let path = self.sale.path("holds");
        let response = client.send_as(Method::POST, &path, Some(token), Some(&self.body(seats))).await;
        let response = outcome(&response, |data| self.held(data));
        if let Ok((id, _)) = response {
            self.holds.lock().expect("holds").push(KnownHold { id, member: Some(member), seats });
        }
        Operation::Hold { member, seats, response }
    }

    /// Reads the id of a hold, and the number of times at which the clock had been moved.
    fn held(&self, data: &Value) -> Option<(Uuid, u32)> {
        let expires = Instant::from_text(data["expiresAt"].as_str()?).ok()?.since_epoch();
        // The clock moves by more than the lifetime of a hold, and a round takes less than the rest.
        let passed = expires.checked_sub(self.started)?.as_secs() / LIFETIME;
        Some((data["id"].as_str()?.parse().ok()?, u32::try_from(passed).ok()?))
    }

    async fn hold_best(&self, client: &Client<'_>, rng: &mut Rng) -> Operation {
        let (member, count) = (rng.usize(..MEMBERS), rng.u32(1..=3));
        let body = json!({"count": count, "areaIds": [self.second_area], "adjacent": false});
        let path = self.sale.path("holds");
        let response = client.send_as(Method::POST, &path, Some(self.token(member)), Some(&body)).await;
        let response = outcome(&response, |data| {
            let (id, epoch) = self.held(data)?;
            let bit = |seat: &Value| {
                (0..SEATS).find(|place| seat["id"] == self.sale.seat(NUMBERS[*place])).map(|place| 1 << place)
            };
            let bits: Option<Vec<Seats>> = data["seats"].as_array()?.iter().map(bit).collect();
            Some((id, epoch, bits?.into_iter().fold(0, |seats, bit| seats | bit)))
        });
        if let Ok((id, _, seats)) = response {
            self.holds.lock().expect("holds").push(KnownHold { id, member: Some(member), seats });
        }
        Operation::HoldBest { member, count, response }
    }

    async fn sell(&self, client: &Client<'_>, rng: &mut Rng) -> Operation {
        let (order, seats) = (rng.usize(..ORDERS), some_seats(rng, 3));
        let mut body = self.body(seats);
        body["orderId"] = format!("order-{order}").into();
        let response = client.post_as_manager(&self.sale.path("sales"), &body).await;
        let response = outcome(&response, |data| data["id"].as_str()?.parse().ok());
        if let Ok(id) = response {
            self.holds.lock().expect("holds").push(KnownHold { id, member: None, seats });
        }
        Operation::Sell { seats, order, response }
    }

    async fn use_hold(&self, client: &Client<'_>, choice: u8, hold: KnownHold, rng: &mut Rng) -> Operation {
        let KnownHold { id: hold, member, seats } = hold;
        // The box office only cancels.
        let (choice, member) = member.map_or((55, 0), |member| (choice, member));
        let path = |end: &str| self.sale.path(&format!("holds/{hold}{end}"));
        let order = rng.usize(..ORDERS);
        match choice {
            30..43 => {
                let response = client.send_as(Method::DELETE, &path(""), Some(self.token(member)), None).await;
                Operation::Release { hold, is_during_expiry: false, response: outcome(&response, |_| Some(())) }
            }
            43..55 => {
                let body = json!({"orderId": format!("order-{order}"), "amount": amount(seats)});
                let response = client.post_as_manager(&path("/confirmation"), &body).await;
                Operation::Confirm { hold, order, response: outcome(&response, |_| Some(())) }
            }
            55..71 => {
                let body = json!({"orderId": format!("order-{order}")});
                let response = client.post_as_manager(&path("/cancellation"), &body).await;
                Operation::Cancel { hold, order, response: outcome(&response, |_| Some(())) }
            }
            _ => {
                let response = client.send_as(Method::GET, &path(""), Some(self.token(member)), None).await;
                let status = |data: &Value| Some(data["status"].as_str()?.to_owned());
                Operation::Get { hold, response: outcome(&response, status) }
            }
        }
    }

    fn token(&self, member: usize) -> &str {
        self.members[member]["accessToken"].as_str().expect("token")
    }

    fn body(&self, seats: Seats) -> Value {
        let numbers: Vec<_> = (0..SEATS).filter(|place| seats & 1 << place != 0).map(|place| NUMBERS[place]).collect();
        self.sale.seats(&numbers)
    }
}

/// Returns the sum of the prices of seats.
fn amount(seats: Seats) -> f64 {
    let second = (seats >> 10).count_ones();
    f64::from(seats.count_ones() - second) * PRICES[0] + f64::from(second) * PRICES[1]
}

/// Chooses 1 to `max` different seats.
fn some_seats(rng: &mut Rng, max: usize) -> Seats {
    (0..rng.usize(1..=max)).fold(0, |seats, _| seats | 1 << rng.usize(..SEATS))
}

/// Reads which of the used seats are taken.
fn taken(data: &Value) -> Option<Seats> {
    let area = |index: usize| STANDARD.decode_to_vec(data["areas"][index]["taken"].as_str()?).ok();
    let areas = [area(0)?, area(1)?];
    let bit = |seat: usize| {
        let (area, seat) = if seat < 130 { (0, seat) } else { (1, seat - 130) };
        areas[area][seat / 8] >> (7 - seat % 8) & 1 == 1
    };
    Some((0..SEATS).filter(|place| bit(NUMBERS[*place])).fold(0, |taken, place| taken | 1 << place))
}

impl Client<'_> {
    async fn post_as_manager(&self, path: &str, body: &Value) -> Response {
        let request = self.request(Method::POST, path).header("x-api-managerId", sample::MANAGER);
        self.send(request.header("Content-Type", "application/json"), body.to_string()).await
    }

    async fn send_as(&self, method: Method, path: &str, token: Option<&str>, body: Option<&Value>) -> Response {
        let request = self.request(method, path);
        let request = token
            .into_iter()
            .fold(request, |request, token| request.header("Authorization", format!("Bearer {token}")));
        match body {
            Some(body) => self.send(request.header("Content-Type", "application/json"), body.to_string()).await,
            None => self.send(request, axum::body::Body::empty()).await,
        }
    }
}
