//! Simultaneous clients of a few events, and the history of their operations.

use std::{
    mem,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use domain::{event::Status, show::ShowStatus};
use fastrand::Rng;
use local::Stack;
use tests::Api;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    client::{Client, List, Outcome, Version},
    events::{Change, Content, Key, Operation, Registration, SHOWS, ShowChange},
    linearizability::Call,
    plan::{CLIENTS, Plan},
};

/// Operations in a round. Each round has its own title and few shows.
const ROUND: usize = 200;
/// Number of idempotency keys in a round.
const KEYS: usize = 8;
/// Numbers of places and performers of the events in a round.
const PLACES: usize = 2;
const ARTISTS: usize = 3;
const PAGES: [usize; 3] = [1, 4, 16];
/// Number of newest events that clients use.
const NEWEST: usize = 4;

/// Objects of one round that clients know from responses.
#[derive(Debug, Default)]
struct KnownObjects {
    events: Vec<Uuid>,
    /// Shows with their events, in the order of the responses; some were removed.
    shows: Vec<(Uuid, Uuid)>,
    /// Entity tags of events, from all responses.
    etags: Vec<(Uuid, u64, String)>,
}

/// State that all clients share.
struct Run {
    api: Api,
    plan: Plan,
    next: AtomicUsize,
    clock: AtomicU64,
    known: Vec<Mutex<KnownObjects>>,
    /// Operations of each round.
    calls: Vec<Mutex<Vec<Call<Operation>>>>,
}

/// Carries out a plan, deletes all events, and returns the history of each round.
pub async fn run(stack: &Stack, plan: Plan) -> Vec<Vec<Call<Operation>>> {
    let rounds = plan.operations.div_ceil(ROUND);
    let run = Arc::new(Run {
        api: Api::with_url(&stack.url()),
        plan,
        next: AtomicUsize::default(),
        clock: AtomicU64::default(),
        known: (0..rounds).map(|_| Mutex::default()).collect(),
        calls: (0..rounds).map(|_| Mutex::default()).collect(),
    });
    let clients: JoinSet<()> = (0..CLIENTS)
        .map(|_| {
            let run = Arc::clone(&run);
            async move { run.run_client().await }
        })
        .collect();
    clients.join_all().await;
    for round in 0..rounds {
        run.delete_all(round).await;
    }
    (0..rounds).map(|round| mem::take(&mut *run.calls(round))).collect()
}

impl Run {
    async fn run_client(&self) {
        loop {
            let operation = self.next.fetch_add(1, Ordering::Relaxed);
            if operation >= self.plan.operations {
                return;
            }
            let round = operation / ROUND;
            let client = self.client(round);
            let mut rng = Rng::with_seed(self.plan.seed.wrapping_add(operation as u64));
            let choice = rng.u8(..68);
            let event = if choice < 17 { None } else { self.newest(round, &mut rng) };
            match (choice, event) {
                (..6, _) => self.list(&client, round, &mut rng).await,
                (..17, _) | (_, None) => self.create(&client, round, &mut rng).await,
                (..27, Some(id)) => self.edit_event(&client, round, id, &mut rng).await,
                (..35, Some(id)) => self.delete(&client, round, id).await,
                (..41, Some(id)) => self.restore(&client, round, id).await,
                (..48, Some(id)) => self.get_event(&client, round, id, rng.bool()).await,
                (..57, Some(id)) => self.change_show(&client, round, id, &mut rng).await,
                (..60, Some(id)) => self.cancel_event(&client, round, id).await,
                (..64, Some(id)) => self.copy(&client, round, id, &mut rng).await,
                (_, Some(id)) => self.get_own(&client, round, id).await,
            }
        }
    }

    fn client(&self, round: usize) -> Client<'_> {
        Client { api: &self.api, round: format!("round-{round}") }
    }

    async fn create(&self, client: &Client<'_>, round: usize, rng: &mut Rng) {
        let key = rng.bool().then(|| rng.usize(..KEYS));
        // Most requests with the same key are identical.
        let choice = key.filter(|_| rng.u8(..10) > 0).unwrap_or_else(|| rng.usize(..SHOWS * SHOWS));
        let registration = Registration { shows: choose_shows(choice), is_draft: rng.u8(..5) == 0 };
        let created = self.timed(client.create(registration, key)).await;
        self.learn_event(round, &created.operation);
        let key = key.map(|number| Key { number, ..Key::default() });
        let operation = |response| Operation::Create { registration, key, response };
        self.calls(round).push(created.map(operation));
    }

    async fn copy(&self, client: &Client<'_>, round: usize, id: Uuid, rng: &mut Rng) {
        let registration = Registration { shows: choose_shows(rng.usize(..SHOWS * SHOWS)), is_draft: rng.bool() };
        let copied = self.timed(client.copy(id, registration)).await;
        self.learn_event(round, &copied.operation);
        let operation = |response| Operation::Copy { id, registration, response };
        self.calls(round).push(copied.map(operation));
    }

    fn learn_event(&self, round: usize, response: &Outcome<(Uuid, Content)>) {
        if let Ok((id, content)) = response {
            let mut known = self.known(round);
            known.events.push(*id);
            known.learn_shows(*id, content);
        }
    }

    async fn delete(&self, client: &Client<'_>, round: usize, id: Uuid) {
        let deleted = self.timed(client.delete(id)).await;
        self.calls(round).push(deleted.map(|response| Operation::Delete { id, response }));
    }

    async fn restore(&self, client: &Client<'_>, round: usize, id: Uuid) {
        let restored = self.timed(client.restore(id)).await;
        self.calls(round).push(restored.map(|response| Operation::Restore { id, response }));
    }

    async fn get_event(&self, client: &Client<'_>, round: usize, id: Uuid, with_seats: bool) {
        let got = self.timed(client.get_event(id, with_seats)).await;
        if let Ok(version) = &got.operation
            && !with_seats
        {
            self.known(round).learn_version(id, version);
        }
        let operation =
            |version: Outcome<Version>| Operation::Get { id, response: version.map(|version| version.content) };
        self.calls(round).push(got.map(operation));
    }

    async fn edit_event(&self, client: &Client<'_>, round: usize, id: Uuid, rng: &mut Rng) {
        let change = Change {
            place: (rng.u8(..3) == 0).then(|| rng.usize(..PLACES)),
            artist: rng.bool().then(|| rng.usize(..ARTISTS)),
            shows: rng.bool().then(|| choose_shows(rng.usize(..SHOWS * SHOWS))),
            is_draft: (rng.u8(..3) == 0).then(|| rng.u8(..3) == 0),
        };
        let (if_match, etag) = self.choose_version(client, round, id, rng).await.unzip();
        let edited = self.timed(client.edit_event(id, change, etag.as_deref())).await;
        let operation = |response| Operation::Edit { id, if_match, change, response };
        self.push_changed(round, id, edited, operation);
    }

    async fn change_show(&self, client: &Client<'_>, round: usize, id: Uuid, rng: &mut Rng) {
        let shows: Vec<_> = {
            let shows = &self.known(round).shows;
            let of_event = shows.iter().rev().filter(|(event, _)| *event == id).take(SHOWS);
            // The last one is usually of another event.
            of_event.chain(shows.last()).map(|(_, show)| *show).collect()
        };
        let Some(show) = rng.choice(shows) else { return };
        let statuses = [ShowStatus::Scheduled, ShowStatus::Postponed, ShowStatus::Cancelled];
        let change = ShowChange {
            status: rng.bool().then(|| statuses[rng.usize(..statuses.len())]),
            time: rng.bool().then(|| rng.usize(..SHOWS)),
        };
        let (if_match, etag) = self.choose_version(client, round, id, rng).await.unzip();
        let changed = self.timed(client.change_show((id, show), change, etag.as_deref())).await;
        let operation = |response| Operation::ChangeShow { id, show, if_match, change, response };
        self.push_changed(round, id, changed, operation);
    }

    async fn cancel_event(&self, client: &Client<'_>, round: usize, id: Uuid) {
        let cancelled = self.timed(client.cancel_event(id)).await;
        self.push_changed(round, id, cancelled, |response| Operation::Cancel { id, response });
    }

    fn push_changed(
        &self,
        round: usize,
        id: Uuid,
        changed: Call<Outcome<Version>>,
        operation: impl FnOnce(Outcome<Content>) -> Operation,
    ) {
        if let Ok(version) = &changed.operation {
            self.known(round).learn_version(id, version);
        }
        let content = |version: Outcome<Version>| version.map(|version| version.content);
        self.calls(round).push(changed.map(|version| operation(content(version))));
    }

    /// Reads the event and chooses one of its entity tags, which may be old, for half of the changes.
    async fn choose_version(
        &self,
        client: &Client<'_>,
        round: usize,
        id: Uuid,
        rng: &mut Rng,
    ) -> Option<(u64, String)> {
        if rng.bool() {
            return None;
        }
        self.get_own(client, round, id).await;
        let etags = self.known(round).etags.clone();
        let seen: Vec<_> = etags.into_iter().filter(|(event, ..)| *event == id).collect();
        rng.choice(seen).map(|(_, version, etag)| (version, etag))
    }

    async fn get_own(&self, client: &Client<'_>, round: usize, id: Uuid) {
        let got = self.timed(client.get_own(id)).await;
        if let Ok((_, version)) = &got.operation {
            self.known(round).learn_version(id, version);
        }
        let operation = |response: Outcome<(Status, Version)>| {
            let response = response.map(|(status, version)| (status, version.content));
            Operation::GetOwn { id, response }
        };
        self.calls(round).push(got.map(operation));
    }

    /// Deletes all events of a round.
    async fn delete_all(&self, round: usize) {
        let events = self.known(round).events.clone();
        for id in events {
            self.delete(&self.client(round), round, id).await;
        }
    }

    async fn list(&self, client: &Client<'_>, round: usize, rng: &mut Rng) {
        let list = [List::All, List::OwnLive, List::OwnDrafts, List::OwnDeleted][rng.usize(..4)];
        let listed = self.timed(client.list(list, PAGES[rng.usize(..PAGES.len())])).await;
        if let Ok((events, _)) = &listed.operation {
            // A listed event may be used although the response to its registration may still be under way.
            let mut known = self.known(round);
            let unknown: Vec<_> = events.keys().filter(|id| !known.events.contains(id)).copied().collect();
            known.events.extend(unknown);
        }
        let status = match list {
            List::All | List::OwnLive => Status::Live,
            List::OwnDrafts => Status::Draft,
            List::OwnDeleted => Status::Deleted,
        };
        self.calls(round).push(listed.map(|response| Operation::List { status, response }));
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

    fn calls(&self, round: usize) -> MutexGuard<'_, Vec<Call<Operation>>> {
        self.calls[round].lock().expect("calls")
    }
}

impl KnownObjects {
    fn learn_shows(&mut self, event: Uuid, content: &Content) {
        for show in content.shows.iter().flatten() {
            if !self.shows.contains(&(event, show.id)) {
                self.shows.push((event, show.id));
            }
        }
    }

    fn learn_version(&mut self, event: Uuid, version: &Version) {
        self.learn_shows(event, &version.content);
        self.etags.push((event, version.number, version.etag.clone()));
    }
}

/// Chooses one show or two.
fn choose_shows(choice: usize) -> u8 {
    1 << (choice % SHOWS) | 1 << (choice / SHOWS % SHOWS)
}

impl<O> Call<O> {
    fn map<P>(self, to: impl FnOnce(O) -> P) -> Call<P> {
        Call { operation: to(self.operation), invoked: self.invoked, completed: self.completed }
    }
}
