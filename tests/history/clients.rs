//! Simultaneous clients, and the history of what they did and were told.

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
    hall::{self, Creation, Key, SHOWS},
    linearizability::Call,
    members::{self, EMAILS, Joining, LoggingIn, NICKNAMES},
    service::Service,
};

/// How many clients there are.
pub const CLIENTS: u8 = 32;
/// How many operations use the same few addresses, nicknames and shows, before others come.
pub const ROUND: usize = 200;
/// How many passwords there are.
const PASSWORDS: usize = 4;
/// How many idempotency keys a round has.
const KEYS: usize = 8;
/// How many logins with one address each client lets fail: neither one nor all are throttled for it.
const FAILURES: usize = 3;
/// How long pages are.
const PAGES: [usize; 3] = [1, 4, 16];
/// How many of the newest events are opened and deleted.
const RECENT: usize = 4;

/// What was done with the objects of one round.
#[derive(Debug, Default)]
pub struct Round {
    /// What was done with its addresses and nicknames.
    pub members: Vec<Call<members::Operation>>,
    /// What was done with its title and place.
    pub hall: Vec<Call<hall::Operation>>,
}

/// What clients tell each other of one round, once they are told it.
#[derive(Debug, Default)]
struct Board {
    passwords: [Option<usize>; EMAILS],
    events: Vec<Uuid>,
}

/// What clients do.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What the choices follow from, as far as the clients do not follow each other.
    pub seed: u64,
    /// How many operations there are.
    pub operations: usize,
    /// Whether some registrations have an idempotency key.
    pub with_keys: bool,
}

/// What all clients share.
struct World {
    stack: Stack,
    plan: Plan,
    /// The number of the next operation.
    next: AtomicUsize,
    /// The logical time.
    clock: AtomicU64,
    boards: Vec<Mutex<Board>>,
    rounds: Vec<Mutex<Round>>,
}

/// Lets clients carry out a plan on a service, and gives the history of each round.
pub async fn history(stack: Stack, plan: Plan) -> Vec<Round> {
    let rounds = plan.operations.div_ceil(ROUND);
    let world = Arc::new(World {
        stack,
        plan,
        next: AtomicUsize::default(),
        clock: AtomicU64::default(),
        boards: (0..rounds).map(|_| Mutex::default()).collect(),
        rounds: (0..rounds).map(|_| Mutex::default()).collect(),
    });
    let clients: JoinSet<()> = (0..CLIENTS)
        .map(|client| {
            let world = Arc::clone(&world);
            async move { world.be_client(client).await }
        })
        .collect();
    clients.join_all().await;
    world.rounds.iter().map(|round| std::mem::take(&mut *round.lock().expect("a round"))).collect()
}

impl World {
    async fn be_client(&self, client: u8) {
        let address = Ipv4Addr::new(198, 51, 100, client);
        let mut failures = BTreeMap::<(usize, usize), usize>::new();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.plan.operations {
                return;
            }
            let round = number / ROUND;
            let service = Service {
                stack: &self.stack,
                client: SocketAddr::from((address, 443)),
                round: format!("round-{round}"),
            };
            let mut rng = Rng::with_seed(self.plan.seed.wrapping_add(number as u64));
            match rng.u8(..100) {
                0..25 => self.join(&service, round, &mut rng).await,
                25..42 => {
                    let email = rng.usize(..EMAILS);
                    let failed = failures.entry((round, email)).or_default();
                    self.log_in(&service, round, email, failed, &mut rng).await;
                }
                42..67 => self.create(&service, round, &mut rng).await,
                67..82 => self.delete(&service, round, &mut rng).await,
                82..93 => self.show(&service, round, &mut rng).await,
                _ => self.list(&service, round, &mut rng).await,
            }
        }
    }

    async fn join(&self, service: &Service<'_>, round: usize, rng: &mut Rng) {
        let (email, nickname, password) =
            (rng.usize(..EMAILS), rng.usize(..NICKNAMES), rng.usize(..PASSWORDS));
        let joined = self.timed(service.join(email, nickname, password)).await;
        if let Ok(Joining::Joined(_)) = joined.operation {
            self.board(round).passwords[email] = Some(password);
        }
        let told = |told| members::Operation::Join { email, nickname, password, told };
        self.round(round).members.push(joined.map(told));
    }

    async fn log_in(
        &self,
        service: &Service<'_>,
        round: usize,
        email: usize,
        failed: &mut usize,
        rng: &mut Rng,
    ) {
        let right = self.board(round).passwords[email];
        let password = match right {
            Some(right) if *failed >= FAILURES || rng.bool() => right,
            _ if *failed < FAILURES => rng.usize(..PASSWORDS),
            _ => return self.join(service, round, rng).await,
        };
        let logged_in = self.timed(service.login(email, password)).await;
        if let Ok(LoggingIn::WrongCredentials) = logged_in.operation {
            *failed += 1;
        }
        let told = |told| members::Operation::Login { email, password, told };
        self.round(round).members.push(logged_in.map(told));
    }

    async fn create(&self, service: &Service<'_>, round: usize, rng: &mut Rng) {
        let name = (self.plan.with_keys && rng.bool()).then(|| rng.usize(..KEYS));
        // Most requests with a key are the same.
        let which = name.filter(|_| rng.u8(..10) > 0).unwrap_or_else(|| rng.usize(..SHOWS * SHOWS));
        let shows = 1 << (which % SHOWS) | 1 << (which / SHOWS % SHOWS);
        let created = self.timed(service.create(shows, name)).await;
        if let Ok(Creation::Created(id)) = created.operation {
            self.board(round).events.push(id);
        }
        let key = name.map(|name| Key { name, ..Key::default() });
        self.round(round).hall.push(created.map(|told| hall::Operation::Create { shows, key, told }));
    }

    async fn delete(&self, service: &Service<'_>, round: usize, rng: &mut Rng) {
        let Some(id) = self.recent(round, rng) else { return self.create(service, round, rng).await };
        let deleted = self.timed(service.delete(id)).await;
        self.round(round).hall.push(deleted.map(|told| hall::Operation::Delete { id, told }));
    }

    async fn show(&self, service: &Service<'_>, round: usize, rng: &mut Rng) {
        let Some(id) = self.recent(round, rng) else { return self.create(service, round, rng).await };
        let shown = self.timed(service.show(id, rng.bool())).await;
        self.round(round).hall.push(shown.map(|told| hall::Operation::Show { id, told }));
    }

    async fn list(&self, service: &Service<'_>, round: usize, rng: &mut Rng) {
        let listed = self.timed(service.list(PAGES[rng.usize(..PAGES.len())])).await;
        if let Ok((events, _)) = &listed.operation {
            // Whoever sees an event may use it, though who registers it is not told yet.
            let mut board = self.board(round);
            let unheard: Vec<_> = events.keys().filter(|id| !board.events.contains(id)).copied().collect();
            board.events.extend(unheard);
        }
        self.round(round).hall.push(listed.map(|told| hall::Operation::List { told }));
    }

    /// One of the newest events of a round, live or deleted.
    fn recent(&self, round: usize, rng: &mut Rng) -> Option<Uuid> {
        let board = self.board(round);
        rng.choice(board.events.iter().rev().take(RECENT)).copied()
    }

    async fn timed<O>(&self, operation: impl Future<Output = O>) -> Call<O> {
        let invoked = self.clock.fetch_add(1, Ordering::SeqCst);
        let operation = operation.await;
        Call { operation, invoked, answered: self.clock.fetch_add(1, Ordering::SeqCst) }
    }

    fn board(&self, round: usize) -> MutexGuard<'_, Board> {
        self.boards[round].lock().expect("a board")
    }

    fn round(&self, round: usize) -> MutexGuard<'_, Round> {
        self.rounds[round].lock().expect("a round")
    }
}

impl<O> Call<O> {
    fn map<P>(self, to: impl FnOnce(O) -> P) -> Call<P> {
        Call { operation: to(self.operation), invoked: self.invoked, answered: self.answered }
    }
}
