//! Simultaneous clients of the seats of a show, and the history of their operations.

use std::{
    mem,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use auth::ticket_code::TicketKey;
use base64_simd::STANDARD;
use domain::{clock::Clock, instant::Instant, show::ShowStatus, ticket::Ticket};
use fastrand::Rng;
use serde_json::{Value, json};
use tests::{Api, Response, Sale, Service};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    client::outcome,
    linearizability::Call,
    plan::Plan,
    seats::{BEGUN, Entry, Freed, Kinds, LABELS, Operation, SEATS, Seats, TIMES, mark_overlaps},
};

/// Number of clients of one show. The check takes time and memory for each set of simultaneous operations.
pub const CLIENTS_OF_SHOW: u8 = 4;
/// Operations in a round. It is short, because a show with sold seats can be neither removed nor deleted.
const ROUND: usize = 40;
/// Seats that clients use, in three items. The last six are the second area.
const NUMBERS: [usize; SEATS] = [0, 1, 2, 62, 63, 64, 65, 127, 128, 129, 130, 131, 132, 133, 134, 135];
/// Number of the first seat of the second area.
const FIRST_OF_SECOND: usize = 130;
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
    api: Api,
    clock: Clock,
    sale: Sale,
    /// Time of the clock at the begin.
    started: Duration,
    /// Times that the show can have; at the last one it has begun.
    times: [String; TIMES],
    /// Tokens of the members.
    members: Vec<Value>,
    gate: Value,
    ticket_key: TicketKey,
    /// Id of the second area.
    second_area: Value,
    time: AtomicU64,
    next: AtomicUsize,
    seed: u64,
    is_quiet: bool,
    /// Most operations are holds of the best seats.
    is_rush: bool,
    /// Most operations scan few tickets.
    is_at_door: bool,
    holds: Mutex<Vec<KnownHold>>,
    calls: Mutex<Vec<Call<Operation>>>,
}

/// Carries out a plan, one round after another, and returns the history of each one.
pub async fn run(service: &Service, clock: &Clock, plan: Plan) -> Vec<Vec<Call<Operation>>> {
    let mut histories = Vec::new();
    for first in (0..plan.operations).step_by(ROUND) {
        let round = Arc::new(Round::start(service, clock, plan.seed.wrapping_add(first as u64)).await);
        let clients: JoinSet<()> = (0..CLIENTS_OF_SHOW)
            .map(|_| {
                let round = Arc::clone(&round);
                async move { round.run_client().await }
            })
            .collect();
        clients.join_all().await;
        let mut calls = mem::take(&mut *round.calls.lock().expect("calls"));
        mark_overlaps(&mut calls);
        histories.push(calls);
    }
    histories
}

impl Round {
    async fn start(service: &Service, clock: &Clock, seed: u64) -> Self {
        let api = service.api.clone();
        let created = api.create(&event()).await;
        let (sale, second_area) = (Sale::of(&created), created.data()["areas"][1]["id"].clone());
        let ticket_key = TicketKey::derive(&service.stack.ticket_secret().expect("secret").parse().expect("secret"));
        let gate = sale.gate(&api, "gate").await;
        // The first list of tickets stores the public key.
        let sold = sale.sold(&api, &[3]).await;
        sale.tickets(&api, &sold).await.check(200, "0");
        sale.cancel(&api, &sold, "box-1").await.check(200, "0");
        let mut members = Vec::new();
        for _ in 0..MEMBERS {
            members.push(api.joined_with_session().await.1);
        }
        let started = clock.now();
        let begun = Instant::from_nanos(started.as_nanos()).expect("an instant");
        let times = ["2100-01-01T10:00:00Z".to_owned(), "2100-02-01T10:00:00Z".to_owned(), begun.to_string()];
        Self {
            api,
            clock: clock.clone(),
            sale,
            started,
            times,
            members,
            gate,
            ticket_key,
            second_area,
            time: AtomicU64::default(),
            next: AtomicUsize::default(),
            seed,
            is_quiet: (seed / ROUND as u64).is_multiple_of(2),
            is_rush: (seed / ROUND as u64).is_multiple_of(3),
            is_at_door: seed / ROUND as u64 % 4 == 1,
            holds: Mutex::default(),
            calls: Mutex::default(),
        }
    }

    async fn run_client(&self) {
        loop {
            let operation = self.next.fetch_add(1, Ordering::Relaxed);
            if operation >= ROUND {
                return;
            }
            let mut rng = Rng::with_seed(self.seed.wrapping_add(operation as u64));
            let choice = match rng.u8(..144) {
                // Nothing is confirmed or blocked in some rounds, so that deletions succeed.
                43..55 if self.is_quiet => 75,
                76..79 if self.is_quiet => 86,
                14..43 | 71..126 if self.is_at_door && rng.u8(..8) > 0 => 126,
                14..71 if self.is_rush && rng.bool() => 6,
                choice => choice,
            };
            // A deletion, a removal and a draft usually need a show without held seats.
            if matches!(choice, 93..98 | 100..104) && rng.bool() {
                self.record(async { self.expire() }).await;
            }
            self.record(self.carry_out(choice, &mut rng)).await;
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

    async fn carry_out(&self, choice: u8, rng: &mut Rng) -> Operation {
        let newest = {
            let holds = self.holds.lock().expect("holds");
            let newest = if self.is_at_door { 2 } else { NEWEST };
            let newest = &holds[holds.len().saturating_sub(newest)..];
            rng.choice(newest).copied()
        };
        match (choice, newest) {
            (30..76, Some(hold)) => self.use_hold(choice, hold, rng).await,
            (126..140, Some(hold)) => self.scan(hold, rng).await,
            (126.., _) => self.remove_admission(rng).await,
            (..6, _) if !self.is_quiet => self.sell(rng).await,
            (6..14, _) => self.hold_best(rng).await,
            (..76, _) => self.hold(rng).await,
            (76..79, _) => self.block(rng).await,
            (79..86, _) => self.unblock(rng).await,
            (86, _) => {
                let response = self.api.get_as_manager(&self.sale.path("blocks")).await;
                Operation::Blocks { response: outcome(&response, |data| self.blocks(data)) }
            }
            (87..89, _) => {
                Operation::Availability { response: outcome(&self.sale.availability(&self.api).await, taken) }
            }
            (89..93, _) => self.expire(),
            _ => self.change_event(choice, rng).await,
        }
    }

    async fn block(&self, rng: &mut Rng) -> Operation {
        let (seats, label) = (some_seats(rng, 4), rng.bool().then(|| rng.usize(..LABELS)));
        let mut body = self.sale.seats(&numbers(seats));
        body["label"] = label.map(label_text).into();
        let response = self.api.post_as_manager(&self.sale.path("blocks"), &body).await;
        Operation::Block { seats, label, response: outcome(&response, |_| Some(())) }
    }

    async fn unblock(&self, rng: &mut Rng) -> Operation {
        let freed = if rng.bool() { Freed::Seats(some_seats(rng, 6)) } else { Freed::Label(rng.usize(..LABELS)) };
        let body = match freed {
            Freed::Seats(seats) => self.sale.seats(&numbers(seats)),
            Freed::Label(label) => json!({"label": label_text(label)}),
        };
        let response = self.api.post_as_manager(&self.sale.path("blocks/removal"), &body).await;
        Operation::Unblock { freed, response: outcome(&response, |data| u32::try_from(data["free"].as_u64()?).ok()) }
    }

    /// Reads the blocked seats without a label, and with each one.
    fn blocks(&self, data: &Value) -> Option<[Seats; 1 + LABELS]> {
        let mut blocks = [0; 1 + LABELS];
        for block in data["blocks"].as_array()? {
            let place = match block.get("label") {
                None => 0,
                Some(text) => 1 + (0..LABELS).find(|label| *text == label_text(*label))?,
            };
            for area in block["areas"].as_array()? {
                let bits = STANDARD.decode_to_vec(area["blocked"].as_str()?).ok()?;
                let is_second = area["id"] == self.second_area;
                let used = (0..SEATS).filter(|place| (NUMBERS[*place] >= FIRST_OF_SECOND) == is_second);
                let number = |place: usize| NUMBERS[place] - if is_second { FIRST_OF_SECOND } else { 0 };
                blocks[place] |=
                    used.filter(|place| bit(&bits, number(*place))).fold(0, |seats, place| seats | 1 << place);
            }
        }
        Some(blocks)
    }

    async fn change_event(&self, choice: u8, rng: &mut Rng) -> Operation {
        use ShowStatus::{Cancelled, Postponed, Scheduled};

        let Self { api, sale: Sale { event, show }, .. } = self;
        let edit = async |change: Value| api.edit(event, &change).await;
        let done = |response: &Response| outcome(response, |_| Some(()));
        match choice {
            93..96 => Operation::Delete { response: done(&api.delete(event).await) },
            96..98 => {
                let second = json!({"eventDatetimes": ["2100-01-02T10:00:00Z"]});
                Operation::Remove { response: done(&edit(second).await) }
            }
            98..100 => Operation::Restore { response: done(&api.restore(event).await) },
            100..104 => Operation::Hide { response: done(&edit(json!({"published": false})).await) },
            104..109 => Operation::Publish { response: done(&edit(json!({"published": true})).await) },
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
                let response = api.edit_show(event, show, &change).await;
                Operation::Change { status, time, response: outcome(&response, |data| Some(self.entry(data))) }
            }
            121.. => {
                let is_closed = choice < 123;
                let time = if is_closed { "2099-01-01T00:00:00Z" } else { "2025-01-01T00:00:00Z" };
                Operation::Open { is_closed, response: done(&edit(json!({"ticketingOpenTime": time})).await) }
            }
            _ => {
                let response = api.cancel(event, &json!({})).await;
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

    async fn hold(&self, rng: &mut Rng) -> Operation {
        let (member, seats) = (rng.usize(..MEMBERS), some_seats(rng, 4));
        let response = self.sale.hold(&self.api, &self.members[member], &numbers(seats)).await;
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

    async fn hold_best(&self, rng: &mut Rng) -> Operation {
        let (member, count) = (rng.usize(..MEMBERS), rng.u32(1..=3));
        let kinds = [Kinds::Ordinary, Kinds::Ordinary, Kinds::Wheelchair, Kinds::WheelchairAndCompanion];
        let kinds = kinds[rng.usize(..kinds.len())];
        let names = match kinds {
            Kinds::Ordinary => json!(null),
            Kinds::Wheelchair => json!(["WHEELCHAIR"]),
            Kinds::WheelchairAndCompanion => json!(["WHEELCHAIR", "COMPANION"]),
        };
        let body = json!({"count": count, "areaIds": [self.second_area], "adjacent": false, "kinds": names});
        let response = self.sale.hold_with(&self.api, &self.members[member], &body).await;
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
        Operation::HoldBest { member, count, kinds, response }
    }

    async fn sell(&self, rng: &mut Rng) -> Operation {
        let (order, seats) = (rng.usize(..ORDERS), some_seats(rng, 3));
        let response = self.sale.sell(&self.api, &format!("order-{order}"), &numbers(seats)).await;
        let response = outcome(&response, |data| data["id"].as_str()?.parse().ok());
        if let Ok(id) = response {
            self.holds.lock().expect("holds").push(KnownHold { id, member: None, seats });
        }
        Operation::Sell { seats, order, response }
    }

    /// Scans a ticket of one of the seats of a hold.
    async fn scan(&self, KnownHold { id: hold, seats, .. }: KnownHold, rng: &mut Rng) -> Operation {
        let places: Vec<_> = (0..SEATS).filter(|place| seats & 1 << place != 0).collect();
        let place = places[rng.usize(..places.len())];
        let [event, show, seat] =
            [&self.sale.event, &self.sale.show, &self.sale.seat(NUMBERS[place])].map(|id| id.parse().expect("id"));
        let code = self.ticket_key.code(Ticket { event, show, hold, seat });
        let result = |data: &Value| Some(data[0]["result"].as_str()?.to_owned());
        let response = outcome(&self.sale.scan(&self.api, &self.gate, &code).await, result);
        Operation::Scan { hold, seats: 1 << place, is_during_change: false, response }
    }

    async fn remove_admission(&self, rng: &mut Rng) -> Operation {
        let place = rng.usize(..SEATS);
        let response = self.sale.remove_admission(&self.api, &self.gate, NUMBERS[place]).await;
        let response = outcome(&response, |data| data["removed"].as_bool());
        Operation::RemoveAdmission { seats: 1 << place, is_during_change: false, response }
    }

    async fn use_hold(&self, choice: u8, hold: KnownHold, rng: &mut Rng) -> Operation {
        let KnownHold { id: hold, member, seats } = hold;
        // The box office only cancels.
        let (choice, member) = member.map_or((55, 0), |member| (choice, member));
        let (Self { api, sale, .. }, tokens) = (self, &self.members[member]);
        let (order, id) = (rng.usize(..ORDERS), hold.to_string());
        let order_id = format!("order-{order}");
        let done = |response: &Response| outcome(response, |_| Some(()));
        match choice {
            30..43 => {
                let response = done(&sale.release(api, tokens, &id).await);
                Operation::Release { hold, is_during_expiry: false, response }
            }
            43..55 => {
                let response = done(&sale.confirm(api, &id, &order_id, amount(seats)).await);
                Operation::Confirm { hold, order, response }
            }
            55..71 => Operation::Cancel { hold, order, response: done(&sale.cancel(api, &id, &order_id).await) },
            _ => {
                let status = |data: &Value| Some(data["status"].as_str()?.to_owned());
                Operation::Get { hold, response: outcome(&sale.get(api, tokens, &id).await, status) }
            }
        }
    }
}

/// Returns the numbers of seats in the hall.
fn numbers(seats: Seats) -> Vec<usize> {
    (0..SEATS).filter(|place| seats & 1 << place != 0).map(|place| NUMBERS[place]).collect()
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

/// Returns an event on sale with the seats of the model.
fn event() -> Value {
    let mut event = Sale::on_sale();
    let seats = event["areas"][1]["seats"].as_array_mut().expect("seats");
    for (number, kind) in (4..).zip(["WHEELCHAIR", "WHEELCHAIR", "COMPANION"]) {
        seats.push(json!({"cx": 10 * number, "cy": 0, "row": 1, "number": number, "kind": kind}));
    }
    event
}

fn label_text(label: usize) -> String {
    format!("label {label}")
}

/// Returns the bit of a seat.
fn bit(bits: &[u8], seat: usize) -> bool {
    bits[seat / 8] >> (7 - seat % 8) & 1 == 1
}

/// Reads which of the used seats are taken.
fn taken(data: &Value) -> Option<Seats> {
    let area = |index: usize| STANDARD.decode_to_vec(data["areas"][index]["taken"].as_str()?).ok();
    let areas = [area(0)?, area(1)?];
    let is_taken = |seat: usize| match seat.checked_sub(FIRST_OF_SECOND) {
        Some(seat) => bit(&areas[1], seat),
        None => bit(&areas[0], seat),
    };
    Some((0..SEATS).filter(|place| is_taken(NUMBERS[*place])).fold(0, |taken, place| taken | 1 << place))
}
