//! Simultaneous clients, and the history of their operations.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use fastrand::Rng;
use local::Stack;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    client::Client,
    events::{self, CreateResponse, Key, SHOWS},
    linearizability::Call,
    members::{self, EMAILS, JoinResponse, LoginResponse, NICKNAMES},
};

pub const CLIENTS: u8 = 32;
/// Operations in a round. Each round has its own few addresses, nicknames and shows.
pub const ROUND: usize = 200;
const PASSWORDS: usize = 4;
/// Number of idempotency keys in a round.
const KEYS: usize = 8;
/// Failed logins of a client with one address. With this number, neither one client nor all together are barred.
const FAILURES: usize = 3;
const PAGES: [usize; 3] = [1, 4, 16];
/// Number of newest events that clients use.
const NEWEST: usize = 4;

/// Operations on the objects of one round.
#[derive(Debug, Default)]
pub struct Round {
    /// Operations on its addresses and nicknames.
    pub members: Vec<Call<members::Operation>>,
    /// Operations on events of its title and place.
    pub events: Vec<Call<events::Operation>>,
}

/// Objects of one round that clients know from responses.
#[derive(Debug, Default)]
struct KnownObjects {
    passwords: [Option<usize>; EMAILS],
    events: Vec<Uuid>,
}

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Seed of the random choices. They also depend on the order in which clients run.
    pub seed: u64,
    pub operations: usize,
    /// True if some registrations have an idempotency key.
    pub with_keys: bool,
}

/// State that all clients share.
struct Run {
    stack: Stack,
    plan: Plan,
    next: AtomicUsize,
    clock: AtomicU64,
    known: Vec<Mutex<KnownObjects>>,
    rounds: Vec<Mutex<Round>>,
}

/// Runs clients that carry out a plan, and returns the history of each round.
pub async fn history(stack: Stack, plan: Plan) -> Vec<Round> {
    let rounds = plan.operations.div_ceil(ROUND);
    let run = Arc::new(Run {
        stack,
        plan,
        next: AtomicUsize::default(),
        clock: AtomicU64::default(),
        known: (0..rounds).map(|_| Mutex::default()).collect(),
        rounds: (0..rounds).map(|_| Mutex::default()).collect(),
    });
    let clients: JoinSet<()> = (0..CLIENTS)
        .map(|number| {
            let run = Arc::clone(&run);
            async move { run.run_client(number).await }
        })
        .collect();
    clients.join_all().await;
    run.rounds.iter().map(|round| std::mem::take(&mut *round.lock().expect("a round"))).collect()
}

impl Run {
    async fn run_client(&self, number: u8) {
        let address = Ipv4Addr::new(198, 51, 100, number);
        let mut failures = BTreeMap::<(usize, usize), usize>::new();
        loop {
            let operation = self.next.fetch_add(1, Ordering::Relaxed);
            if operation >= self.plan.operations {
                return;
            }
            let round = operation / ROUND;
            let client = Client {
                stack: &self.stack,
                address: SocketAddr::from((address, 443)),
                round: format!("round-{round}"),
            };
            let mut rng = Rng::with_seed(self.plan.seed.wrapping_add(operation as u64));
            match rng.u8(..100) {
                0..25 => self.join(&client, round, &mut rng).await,
                25..42 => {
                    let email = rng.usize(..EMAILS);
                    let failed = failures.entry((round, email)).or_default();
                    self.log_in(&client, round, email, failed, &mut rng).await;
                }
                42..67 => self.create(&client, round, &mut rng).await,
                67..82 => self.delete(&client, round, &mut rng).await,
                82..93 => self.get(&client, round, &mut rng).await,
                _ => self.list(&client, round, &mut rng).await,
            }
        }
    }

    async fn join(&self, client: &Client<'_>, round: usize, rng: &mut Rng) {
        let (email, nickname, password) = (rng.usize(..EMAILS), rng.usize(..NICKNAMES), rng.usize(..PASSWORDS));
        let joined = self.timed(client.join(email, nickname, password)).await;
        if let Ok(JoinResponse::Joined(_)) = joined.operation {
            self.known(round).passwords[email] = Some(password);
        }
        let response = |response| members::Operation::Join { email, nickname, password, response };
        self.round(round).members.push(joined.map(response));
    }

    async fn log_in(&self, client: &Client<'_>, round: usize, email: usize, failed: &mut usize, rng: &mut Rng) {
        let right = self.known(round).passwords[email];
        let password = match right {
            Some(right) if *failed >= FAILURES || rng.bool() => right,
            _ if *failed < FAILURES => rng.usize(..PASSWORDS),
            _ => return self.join(client, round, rng).await,
        };
        let logged_in = self.timed(client.login(email, password)).await;
        if let Ok(LoginResponse::WrongCredentials) = logged_in.operation {
            *failed += 1;
        }
        let response = |response| members::Operation::Login { email, password, response };
        self.round(round).members.push(logged_in.map(response));
    }

    async fn create(&self, client: &Client<'_>, round: usize, rng: &mut Rng) {
        let key = (self.plan.with_keys && rng.bool()).then(|| rng.usize(..KEYS));
        // Most requests with the same key are identical.
        let choice = key.filter(|_| rng.u8(..10) > 0).unwrap_or_else(|| rng.usize(..SHOWS * SHOWS));
        let shows = 1 << (choice % SHOWS) | 1 << (choice / SHOWS % SHOWS);
        let created = self.timed(client.create(shows, key)).await;
        if let Ok(CreateResponse::Created(id)) = created.operation {
            self.known(round).events.push(id);
        }
        let key = key.map(|number| Key { number, ..Key::default() });
        self.round(round).events.push(created.map(|response| events::Operation::Create { shows, key, response }));
    }

    async fn delete(&self, client: &Client<'_>, round: usize, rng: &mut Rng) {
        let Some(id) = self.newest(round, rng) else { return self.create(client, round, rng).await };
        let deleted = self.timed(client.delete(id)).await;
        self.round(round).events.push(deleted.map(|response| events::Operation::Delete { id, response }));
    }

    async fn get(&self, client: &Client<'_>, round: usize, rng: &mut Rng) {
        let Some(id) = self.newest(round, rng) else { return self.create(client, round, rng).await };
        let got = self.timed(client.get_event(id, rng.bool())).await;
        self.round(round).events.push(got.map(|response| events::Operation::Get { id, response }));
    }

    async fn list(&self, client: &Client<'_>, round: usize, rng: &mut Rng) {
        let listed = self.timed(client.list(PAGES[rng.usize(..PAGES.len())])).await;
        if let Ok((events, _)) = &listed.operation {
            // A listed event may be used although the response to its registration may still be under way.
            let mut known = self.known(round);
            let unknown: Vec<_> = events.keys().filter(|id| !known.events.contains(id)).copied().collect();
            known.events.extend(unknown);
        }
        self.round(round).events.push(listed.map(|response| events::Operation::List { response }));
    }

    /// Chooses one of the newest events of a round, live or deleted.
    fn newest(&self, round: usize, rng: &mut Rng) -> Option<Uuid> {
        let known = self.known(round);
        rng.choice(known.events.iter().rev().take(NEWEST)).copied()
    }

    async fn timed<O>(&self, operation: impl Future<Output = O>) -> Call<O> {
        let invoked = self.clock.fetch_add(1, Ordering::SeqCst);
        let operation = operation.await;
        Call { operation, invoked, completed: self.clock.fetch_add(1, Ordering::SeqCst) }
    }

    fn known(&self, round: usize) -> MutexGuard<'_, KnownObjects> {
        self.known[round].lock().expect("known objects")
    }

    fn round(&self, round: usize) -> MutexGuard<'_, Round> {
        self.rounds[round].lock().expect("a round")
    }
}

impl<O> Call<O> {
    fn map<P>(self, to: impl FnOnce(O) -> P) -> Call<P> {
        Call { operation: to(self.operation), invoked: self.invoked, completed: self.completed }
    }
}
