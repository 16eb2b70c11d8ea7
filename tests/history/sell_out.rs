//! A sell-out: simultaneous buyers who want neighbouring seats in front, until every seat is sold.
//!
//! They click on seats, or ask for the best ones of an area. Some give up, and some pay after their hold has expired.
//! `SELL_OUT_BUYERS` sets the number of buyers in the arena of 10,106 seats; otherwise there are few in a small hall.

#![expect(clippy::cast_precision_loss, reason = "numbers of seats and prices are small")]

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use base64_simd::STANDARD;
use domain::{clock::Clock, hold_limits::HoldLimits};
use fastrand::Rng;
use local::{
    Settings,
    layouts::{self, Layout},
};
use serde_json::{Value, json};
use tests::{Api, Contents, Response, Sale, new_stack_with};
use tokio::{sync::Mutex, task::JoinSet, time::sleep};

use crate::plan::variable;

/// Number of buyers in the small hall, of this number of seats.
const BUYERS: usize = 40;
const SEATS: usize = 200;
/// Maximum number of seats of a buyer.
const MAX_SEATS: usize = 10;
/// Seconds for which a hold lasts. Each hold moves the clock by a second.
const LIFETIME: u64 = 60;
/// Time after which buyers read the free seats again.
const VIEW: Duration = Duration::from_millis(100);
/// Time after which a buyer who found no free seat looks again, and a request that was not answered is repeated.
const PAUSE: Duration = Duration::from_millis(500);
/// Numbers of seats that people want, as often as they want them.
const GROUPS: [usize; 6] = [1, 2, 2, 2, 3, 4];
/// Number of the best groups of free seats among which a buyer chooses.
const CHOICES: usize = 400;

/// Ways in which buyers get seats.
#[derive(Clone, Copy, Debug)]
enum Way {
    Click,
    BestSeats,
}

struct Show {
    way: Way,
    api: Api,
    sale: Sale,
    clock: Clock,
    /// For each seat, the number of seats that follow in its row, and its price.
    seats: Vec<(usize, u64)>,
    /// Seats from the best to the worst.
    best: Vec<usize>,
    /// Numbers of the seats by their ids, and the ids of the areas.
    ids: HashMap<String, usize>,
    areas: Vec<Value>,
    /// First seats of the best groups of each size, and when they were read.
    view: Mutex<(Vec<Vec<usize>>, Instant)>,
    sold: AtomicUsize,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_seat_is_sold_once() {
    sell_out(Way::Click).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_seat_is_sold_once_to_buyers_of_the_best() {
    sell_out(Way::BestSeats).await;
}

async fn sell_out(way: Way) {
    let (hall, buyers) = match variable("SELL_OUT_BUYERS") {
        Some(buyers) => (layouts::arena(), buyers),
        None => (layouts::grid(SEATS), BUYERS),
    };
    let clock = Clock::default();
    let holds = HoldLimits {
        lifetime: LIFETIME.to_string().parse().unwrap(),
        max_seats: MAX_SEATS.to_string().parse().unwrap(),
    };
    let settings = Settings { clock: clock.clone(), holds, argon2_params: "m=64,t=1,p=1", ..Settings::default() };
    let stack = Arc::new(new_stack_with(settings).await);
    let api = Api::with_url(&stack.url());
    let mut sessions = Vec::new();
    for _ in 0..buyers {
        sessions.push(api.joined_with_session().await.1);
    }
    let show = Arc::new(Show::open(way, api, clock.clone(), &hall).await);
    let buyers: JoinSet<_> = (0..)
        .zip(sessions)
        .map(|(number, session)| {
            let show = Arc::clone(&show);
            async move { show.buy(&session, Rng::with_seed(number)).await }
        })
        .collect();
    let orders: Vec<_> = buyers.join_all().await.into_iter().flatten().flatten().collect();
    assert_eq!((orders.len(), orders.iter().collect::<HashSet<_>>().len()), (hall.seats(), hall.seats()));
    assert_eq!(show.sale.taken(&show.api).await, hall.seats() as u64);
    Contents::read_table(&stack).await.check_seats(clock.now().as_secs());
}

impl Show {
    async fn open(way: Way, api: Api, clock: Clock, hall: &Layout) -> Self {
        let sale = Sale::open_in(&api, hall).await;
        let all: Vec<_> = hall.areas.iter().flat_map(|area| area.seats.iter().map(move |seat| (area, seat))).collect();
        let mut seats = vec![(0, 0); all.len()];
        for (index, (area, seat)) in all.iter().enumerate().rev() {
            let next = all.get(index + 1).filter(|(other, next)| {
                (&area.label, seat.row, seat.number + 1) == (&other.label, next.row, next.number)
            });
            seats[index] = (next.map_or(0, |_| seats[index + 1].0 + 1), area.price);
        }
        let middle = all.iter().map(|(_, seat)| seat.cx).sum::<f64>() / all.len() as f64;
        let mut best: Vec<_> = (0..all.len()).collect();
        best.sort_by(|one, other| {
            let distance = |seat: &usize| (all[*seat].1.cx - middle).hypot(all[*seat].1.cy);
            distance(one).total_cmp(&distance(other))
        });
        let ids = (0..all.len()).map(|seat| (sale.seat(seat), seat)).collect();
        let availability = sale.availability(&api).await.data();
        let areas = availability["areas"].as_array().unwrap().iter().map(|area| area["id"].clone()).collect();
        let view = Mutex::new((Vec::new(), Instant::now()));
        let show = Self { way, api, sale, clock, seats, best, ids, areas, view, sold: AtomicUsize::default() };
        *show.view.lock().await = (show.groups().await, Instant::now());
        show
    }

    /// Buys until all seats are sold, or this buyer has as many as they may; returns the seats of each order.
    async fn buy(&self, session: &Value, mut rng: Rng) -> Vec<Vec<usize>> {
        let (mut orders, mut own) = (Vec::new(), 0);
        // Buyers who find no seats together sit apart.
        let mut together = MAX_SEATS;
        while self.sold.load(Ordering::SeqCst) < self.seats.len() && own < MAX_SEATS {
            let Some(wish) = self.wish(&mut rng, together.min(MAX_SEATS - own)).await else {
                self.wait().await;
                continue;
            };
            self.clock.advance(1);
            let key = rng.u64(..).to_string();
            let hold = answer(|| self.sale.hold_with_key(&self.api, session, &key, &wish)).await;
            if hold.code() == "H_006" {
                if together == 1 {
                    self.wait().await;
                }
                together = 1;
                continue;
            }
            together = MAX_SEATS;
            if hold.status != 201 {
                hold.check(409, "H_001");
                continue;
            }
            let (id, seats) = (hold.id(), self.held(&hold));
            let choice = rng.u8(..10);
            if choice == 0 {
                answer(|| self.sale.release(&self.api, session, &id)).await.check(204, "0");
                continue;
            }
            // Some pay late.
            if choice == 1 {
                let expired = self.clock.now() + Duration::from_secs(LIFETIME);
                while self.clock.now() < expired && self.sold.load(Ordering::SeqCst) < self.seats.len() * 9 / 10 {
                    sleep(VIEW).await;
                }
            }
            let amount = seats.iter().map(|seat| self.seats[*seat].1).sum::<u64>() as f64;
            let confirmed = answer(|| self.sale.confirm(&self.api, &id, &id, amount)).await;
            if confirmed.status == 200 {
                own += seats.len();
                self.sold.fetch_add(seats.len(), Ordering::SeqCst);
                orders.push(seats);
            } else {
                confirmed.check(409, "H_004");
            }
        }
        orders
    }

    /// Waits until somebody else may have given up.
    async fn wait(&self) {
        self.clock.advance(1);
        sleep(PAUSE).await;
    }

    /// Returns the seats of a hold, by their numbers in the hall.
    fn held(&self, hold: &Response) -> Vec<usize> {
        let hold = hold.data();
        hold["seats"].as_array().unwrap().iter().map(|seat| self.ids[seat["id"].as_str().unwrap()]).collect()
    }

    /// Returns the body of a hold for neighbouring seats, unless no seat is free.
    async fn wish(&self, rng: &mut Rng, max: usize) -> Option<Value> {
        match self.way {
            Way::Click => Some(self.sale.seats(&self.choose(rng, max).await?)),
            Way::BestSeats => {
                let first = rng.usize(..self.areas.len());
                let areas: Vec<_> = self.areas.iter().cycle().skip(first).take(self.areas.len().min(50)).collect();
                let count = GROUPS[rng.usize(..GROUPS.len())].min(max);
                Some(json!({"count": count, "areaIds": areas}))
            }
        }
    }

    /// Chooses neighbouring seats that were free a moment ago.
    async fn choose(&self, rng: &mut Rng, max: usize) -> Option<Vec<usize>> {
        let mut view = self.view.lock().await;
        if view.1.elapsed() > VIEW {
            *view = (self.groups().await, Instant::now());
        }
        let wanted = GROUPS[rng.usize(..GROUPS.len())].min(max);
        [wanted, 1].into_iter().find_map(|count| {
            let first = *rng.choice(&view.0[count - 1])?;
            Some((first..first + count).collect())
        })
    }

    /// Returns the first seats of the best free groups of 1 to 4 neighbouring seats.
    async fn groups(&self) -> Vec<Vec<usize>> {
        let areas = self.sale.availability(&self.api).await.expect(200, "0").data()["areas"].take();
        let areas = areas.as_array().unwrap().iter().flat_map(|area| {
            let bytes = STANDARD.decode_to_vec(area["taken"].as_str().unwrap()).unwrap();
            let count = usize::try_from(area["seats"].as_u64().unwrap()).unwrap();
            (0..count).map(move |seat| bytes[seat / 8] >> (7 - seat % 8) & 1 == 1)
        });
        let taken: Vec<_> = areas.collect();
        let is_free = |first: usize, count: usize| {
            self.seats[first].0 + 1 >= count && taken[first..first + count].iter().all(|taken| !taken)
        };
        let groups =
            |count| self.best.iter().copied().filter(move |first| is_free(*first, count)).take(CHOICES).collect();
        (1..=4).map(groups).collect()
    }
}

/// Sends a request again as long as the service has too much to do, and returns another answer.
async fn answer<F: Future<Output = Response>>(send: impl Fn() -> F) -> Response {
    loop {
        let response = send().await;
        if response.status != 503 {
            return response;
        }
        response.check(503, "S_003");
        sleep(PAUSE).await;
    }
}
