//! Simultaneous clients, and the history of their operations.

use std::{
    collections::BTreeMap,
    mem,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Instant,
};

use auth::mail_token::{MailKey, MailToken};
use domain::{event::Status, mail::MailKind, show::ShowStatus};
use fastrand::Rng;
use local::Stack;
use storage::session::REPETITION;
use tests::now;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    client::{Client, List, Outcome, Tokens, Version, token_number},
    events::{self, Content, Key, Registration, SHOWS, ShowChange},
    linearizability::Call,
    members::{self, Change, EMAILS, NICKNAMES, Token},
};

pub const CLIENTS: u8 = 32;
/// Maximum number of operations in one stack. With 12,500 on seats, requests ran out of their time.
const OPERATIONS_OF_STACK: usize = 2_500;
/// Operations in a round. Each round has its own few addresses, nicknames and shows.
pub const ROUND: usize = 200;
const PASSWORDS: usize = 4;
/// Number of idempotency keys in a round.
const KEYS: usize = 8;
/// Failed password checks of a client for one address. With this number, neither one client nor all together are barred.
const FAILURES: usize = 3;
/// Number of the client that withdraws all members at the end.
const LAST_CLIENT: u8 = CLIENTS;
/// Numbers of places and performers of the events in a round.
const PLACES: usize = 2;
const ARTISTS: usize = 3;
const PAGES: [usize; 3] = [1, 4, 16];
/// Number of newest events, members and sessions that clients use.
const NEWEST: usize = 4;

/// Operations on the objects of one round.
#[derive(Debug, Default)]
pub struct Round {
    /// Operations on its addresses, nicknames and sessions.
    pub members: Vec<Call<members::Operation>>,
    /// Operations on events of its title and place.
    pub events: Vec<Call<events::Operation>>,
}

/// Objects of one round that clients know from responses.
#[derive(Debug, Default)]
struct KnownObjects {
    /// Members in the order in which they joined; some withdrew, or have another password now.
    members: Vec<KnownMember>,
    /// Sessions in the order of their logins; some have ended.
    sessions: Vec<KnownSession>,
    events: Vec<Uuid>,
    /// Shows with their events, in the order of the responses; some were removed.
    shows: Vec<(Uuid, Uuid)>,
    /// Entity tags of events, from all responses.
    etags: Vec<(Uuid, u64, String)>,
}

#[derive(Clone, Copy, Debug)]
struct KnownMember {
    id: Uuid,
    email: usize,
    password: usize,
    /// Number of new passwords.
    epoch: u64,
}

#[derive(Clone, Debug)]
struct KnownSession {
    member: Uuid,
    /// Time of the response to the login.
    started: Instant,
    access: String,
    /// Refresh tokens in the order in which they were issued.
    refresh: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Seed of the random choices. They also depend on the order in which clients run.
    pub seed: u64,
    pub operations: usize,
}

impl Plan {
    /// Returns plans for stacks of their own, with the same operations in total.
    pub fn parts(self) -> impl Iterator<Item = Self> {
        (0..self.operations).step_by(OPERATIONS_OF_STACK).map(move |first| Self {
            seed: self.seed.wrapping_add(first as u64),
            operations: OPERATIONS_OF_STACK.min(self.operations - first),
        })
    }
}

/// State that all clients share.
pub struct Run {
    stack: Arc<Stack>,
    /// Key of the tokens in mails, of which only a few an hour are sent.
    mail_key: MailKey,
    plan: Plan,
    next: AtomicUsize,
    clock: AtomicU64,
    known: Vec<Mutex<KnownObjects>>,
    rounds: Vec<Mutex<Round>>,
}

/// Runs clients that carry out a plan.
pub async fn run(stack: Arc<Stack>, plan: Plan) -> Arc<Run> {
    let rounds = plan.operations.div_ceil(ROUND);
    let secret = stack.session_secret().expect("a secret").parse().expect("a secret");
    let run = Arc::new(Run {
        stack,
        mail_key: MailKey::derive(&secret),
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
    run
}

impl Run {
    /// Refreshes all sessions, withdraws all members, refreshes all sessions again, and deletes all events.
    ///
    /// Returns the history of each round.
    pub async fn end(&self) -> Vec<Round> {
        for round in 0..self.rounds.len() {
            self.refresh_all(round).await;
            self.withdraw_all(round).await;
            self.refresh_all(round).await;
            self.delete_all(round).await;
        }
        self.rounds.iter().map(|round| mem::take(&mut *round.lock().expect("a round"))).collect()
    }

    async fn run_client(&self, number: u8) {
        let mut failures = BTreeMap::<(usize, usize), usize>::new();
        loop {
            let operation = self.next.fetch_add(1, Ordering::Relaxed);
            if operation >= self.plan.operations {
                return;
            }
            let round = operation / ROUND;
            let client = self.client(number, round);
            let mut rng = Rng::with_seed(self.plan.seed.wrapping_add(operation as u64));
            match rng.u8(..152) {
                0..20 => self.join(&client, round, &mut rng).await,
                20..32 => {
                    let email = rng.usize(..EMAILS);
                    let failed = failures.entry((round, email)).or_default();
                    self.log_in(&client, round, email, failed, &mut rng).await;
                }
                choice @ (32..52 | 100..106) => {
                    let Some(member) = self.newest_member(round, &mut rng) else {
                        self.join(&client, round, &mut rng).await;
                        continue;
                    };
                    let failed = failures.entry((round, member.email)).or_default();
                    if *failed >= FAILURES {
                        self.join(&client, round, &mut rng).await;
                    } else if choice >= 100 {
                        if !self.start_session(&client, round, member).await {
                            *failed += 1;
                        }
                    } else if choice < 44 {
                        self.edit(&client, round, member, failed, &mut rng).await;
                    } else if !self.withdraw(&client, round, member.id, member.password).await {
                        *failed += 1;
                    } else if rng.bool() {
                        // Otherwise some clients still use the id.
                        self.known(round).members.retain(|known| known.id != member.id);
                    }
                }
                52..63 => self.create(&client, round, &mut rng).await,
                choice @ (63..94 | 132..) => {
                    let Some(id) = self.newest(round, &mut rng) else {
                        self.create(&client, round, &mut rng).await;
                        continue;
                    };
                    match choice {
                        63..73 => self.edit_event(&client, round, id, &mut rng).await,
                        73..81 => self.delete(&client, round, id).await,
                        81..87 => self.restore(&client, round, id).await,
                        87..94 => self.get_event(&client, round, id, rng.bool()).await,
                        132..141 => self.change_show(&client, round, id, &mut rng).await,
                        141..144 => self.cancel_event(&client, round, id).await,
                        144..148 => self.copy(&client, round, id, &mut rng).await,
                        _ => self.get_own(&client, round, id).await,
                    }
                }
                94..100 => self.list(&client, round, &mut rng).await,
                130..132 => {
                    let Some(member) = self.newest_member(round, &mut rng) else {
                        self.join(&client, round, &mut rng).await;
                        continue;
                    };
                    self.reset(&client, round, member, &mut rng).await;
                }
                choice => {
                    let Some(session) = self.newest_session(round, &mut rng) else {
                        self.join(&client, round, &mut rng).await;
                        continue;
                    };
                    match choice {
                        ..118 => self.refresh(&client, round, session, &mut rng).await,
                        118..121 => self.log_out(&client, round, session, &mut rng).await,
                        121..125 => self.profile(&client, round, session).await,
                        _ => self.change_nickname(&client, round, session, &mut rng).await,
                    }
                }
            }
        }
    }

    fn client(&self, number: u8, round: usize) -> Client<'_> {
        let address = SocketAddr::from((Ipv4Addr::new(198, 51, 100, number), 443));
        Client { stack: &self.stack, address, round: format!("round-{round}") }
    }

    async fn join(&self, client: &Client<'_>, round: usize, rng: &mut Rng) {
        let (email, nickname, password) = (rng.usize(..EMAILS), rng.usize(..NICKNAMES), rng.usize(..PASSWORDS));
        let joined = self.timed(client.join(email, nickname, password)).await;
        if let Ok(id) = joined.operation {
            self.known(round).members.push(KnownMember { id, email, password, epoch: 0 });
        }
        let operation = |response| members::Operation::Join { email, nickname, password, response };
        self.round(round).members.push(joined.map(operation));
    }

    async fn log_in(&self, client: &Client<'_>, round: usize, email: usize, failed: &mut usize, rng: &mut Rng) {
        if *failed >= FAILURES {
            return self.join(client, round, rng).await;
        }
        let known = self.known(round).members.iter().rfind(|member| member.email == email).copied();
        let password = known.filter(|_| rng.bool()).map_or_else(|| rng.usize(..PASSWORDS), |member| member.password);
        if self.log_in_with(client, round, email, password).await.is_none() {
            *failed += 1;
        }
    }

    /// Returns the member with an address if this is their password.
    async fn log_in_with(&self, client: &Client<'_>, round: usize, email: usize, password: usize) -> Option<Uuid> {
        let logged_in = self.timed(client.login(email, password)).await;
        let member = logged_in.operation.as_ref().map(|(id, _)| *id).ok();
        let operation = |response| members::Operation::Login { email, password, response };
        self.round(round).members.push(logged_in.map(operation));
        member
    }

    async fn edit(&self, client: &Client<'_>, round: usize, member: KnownMember, failed: &mut usize, rng: &mut Rng) {
        let KnownMember { id, password, .. } = member;
        let change = Change {
            nickname: (rng.u8(..4) > 0).then(|| rng.usize(..NICKNAMES)),
            password: (rng.u8(..4) == 0).then(|| rng.usize(..PASSWORDS)),
        };
        let edited = self.timed(client.edit(id, password, change)).await;
        match (&edited.operation, change.password) {
            (Err(code), _) if code == "AL_001" => *failed += 1,
            (Ok(_), Some(password)) => {
                self.learn_password(round, id, password);
            }
            _ => {}
        }
        let operation = |response| members::Operation::Edit { id, password, change, response };
        self.round(round).members.push(edited.map(operation));
    }

    fn learn_password(&self, round: usize, id: Uuid, password: usize) {
        for member in self.known(round).members.iter_mut().filter(|member| member.id == id) {
            (member.password, member.epoch) = (password, member.epoch + 1);
        }
    }

    /// Sets a new password with the token of a mail, which may be used; sometimes twice at the same time.
    async fn reset(&self, client: &Client<'_>, round: usize, member: KnownMember, rng: &mut Rng) {
        let KnownMember { id, epoch, .. } = member;
        let epoch = if rng.u8(..4) == 0 { rng.u64(..=epoch) } else { epoch };
        let first = self.reset_with(client, round, (id, epoch), rng.usize(..PASSWORDS));
        if rng.bool() {
            tokio::join!(first, self.reset_with(client, round, (id, epoch), rng.usize(..PASSWORDS)));
        } else {
            first.await;
        }
    }

    async fn reset_with(&self, client: &Client<'_>, round: usize, (id, epoch): (Uuid, u64), password: usize) {
        let kind = MailKind::PasswordReset;
        let token = MailToken { kind, member: id, epoch, end: now() + kind.lifetime().as_secs() };
        let reset = self.timed(client.reset(&self.mail_key.sign(&token), password)).await;
        if reset.operation.is_ok() {
            self.learn_password(round, id, password);
        }
        let operation = |response| members::Operation::Reset { id, epoch, password, response };
        self.round(round).members.push(reset.map(operation));
    }

    /// Withdraws a member, and returns false if the credentials are wrong.
    async fn withdraw(&self, client: &Client<'_>, round: usize, id: Uuid, password: usize) -> bool {
        let withdrawn = self.timed(client.withdraw(id, password)).await;
        let is_withdrawn = withdrawn.operation.is_ok();
        let operation = |response| members::Operation::Withdraw { id, password, response };
        self.round(round).members.push(withdrawn.map(operation));
        is_withdrawn
    }

    /// Starts a session, and returns false if the credentials are wrong.
    async fn start_session(&self, client: &Client<'_>, round: usize, member: KnownMember) -> bool {
        let KnownMember { email, password, .. } = member;
        let started = self.timed(client.start_session(email, password)).await;
        let is_started = started.operation.is_ok();
        if let Ok(Tokens { member, access, refresh }) = started.operation.clone() {
            let session = KnownSession { member, started: Instant::now(), access, refresh: vec![refresh] };
            self.known(round).sessions.push(session);
        }
        let operation = |response: Outcome<Tokens>| {
            let response = response.map(|tokens| (tokens.member, token_number(&tokens.refresh)));
            members::Operation::StartSession { email, password, response }
        };
        self.round(round).members.push(started.map(operation));
        is_started
    }

    async fn refresh(&self, client: &Client<'_>, round: usize, number: usize, rng: &mut Rng) {
        let token = self.known(round).sessions[number].any_token(rng);
        self.refresh_with(client, round, number, &token).await;
        if rng.u8(..4) == 0 {
            // As if the response was lost.
            self.refresh_with(client, round, number, &token).await;
        }
    }

    async fn refresh_with(&self, client: &Client<'_>, round: usize, number: usize, token: &str) {
        let session = self.known(round).sessions[number].number();
        let refreshed = self.timed(client.refresh(token)).await;
        if let Ok(Tokens { access, refresh, .. }) = refreshed.operation.clone() {
            let session = &mut self.known(round).sessions[number];
            session.access = access;
            if !session.refresh.contains(&refresh) {
                session.refresh.push(refresh);
            }
        }
        let operation = |response: Outcome<Tokens>| {
            let response = response.map(|tokens| (tokens.member, token_number(&tokens.refresh)));
            members::Operation::Refresh { session, token: token_number(token), response }
        };
        self.round(round).members.push(refreshed.map(operation));
    }

    /// Refreshes all sessions of a round with their newest tokens, which nobody used.
    async fn refresh_all(&self, round: usize) {
        let sessions = self.known(round).sessions.clone();
        for (number, session) in sessions.iter().enumerate() {
            self.refresh_with(&self.client(LAST_CLIENT, round), round, number, session.newest_token()).await;
        }
    }

    async fn log_out(&self, client: &Client<'_>, round: usize, number: usize, rng: &mut Rng) {
        let known = self.known(round).sessions[number].clone();
        let token = known.any_token(rng);
        let logged_out = self.timed(client.log_out(&token)).await;
        let operation = |response| members::Operation::LogOut { session: known.number(), response };
        self.round(round).members.push(logged_out.map(operation));
    }

    async fn profile(&self, client: &Client<'_>, round: usize, number: usize) {
        let KnownSession { member: id, access, .. } = self.known(round).sessions[number].clone();
        let read = self.timed(client.profile(id, &access)).await;
        self.round(round).members.push(read.map(|response| members::Operation::Profile { id, response }));
    }

    async fn change_nickname(&self, client: &Client<'_>, round: usize, number: usize, rng: &mut Rng) {
        let KnownSession { member: id, access, .. } = self.known(round).sessions[number].clone();
        let nickname = rng.usize(..NICKNAMES);
        let changed = self.timed(client.change_nickname(id, &access, nickname)).await;
        let operation = |response| members::Operation::ChangeNickname { id, nickname, response };
        self.round(round).members.push(changed.map(operation));
    }

    /// Withdraws all members of a round, whose passwords are found by logins.
    async fn withdraw_all(&self, round: usize) {
        let client = self.client(LAST_CLIENT, round);
        for email in 0..EMAILS {
            for password in 0..PASSWORDS {
                if let Some(id) = self.log_in_with(&client, round, email, password).await {
                    self.withdraw(&client, round, id, password).await;
                    break;
                }
            }
        }
    }

    async fn create(&self, client: &Client<'_>, round: usize, rng: &mut Rng) {
        let key = rng.bool().then(|| rng.usize(..KEYS));
        // Most requests with the same key are identical.
        let choice = key.filter(|_| rng.u8(..10) > 0).unwrap_or_else(|| rng.usize(..SHOWS * SHOWS));
        let registration = Registration { shows: choose_shows(choice), is_draft: rng.u8(..5) == 0 };
        let created = self.timed(client.create(registration, key)).await;
        self.learn_event(round, &created.operation);
        let key = key.map(|number| Key { number, ..Key::default() });
        let operation = |response| events::Operation::Create { registration, key, response };
        self.round(round).events.push(created.map(operation));
    }

    async fn copy(&self, client: &Client<'_>, round: usize, id: Uuid, rng: &mut Rng) {
        let registration = Registration { shows: choose_shows(rng.usize(..SHOWS * SHOWS)), is_draft: rng.bool() };
        let copied = self.timed(client.copy(id, registration)).await;
        self.learn_event(round, &copied.operation);
        let operation = |response| events::Operation::Copy { id, registration, response };
        self.round(round).events.push(copied.map(operation));
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
        self.round(round).events.push(deleted.map(|response| events::Operation::Delete { id, response }));
    }

    async fn restore(&self, client: &Client<'_>, round: usize, id: Uuid) {
        let restored = self.timed(client.restore(id)).await;
        self.round(round).events.push(restored.map(|response| events::Operation::Restore { id, response }));
    }

    async fn get_event(&self, client: &Client<'_>, round: usize, id: Uuid, with_seats: bool) {
        let got = self.timed(client.get_event(id, with_seats)).await;
        if let Ok(version) = &got.operation
            && !with_seats
        {
            self.known(round).learn_version(id, version);
        }
        let operation =
            |version: Outcome<Version>| events::Operation::Get { id, response: version.map(|version| version.content) };
        self.round(round).events.push(got.map(operation));
    }

    async fn edit_event(&self, client: &Client<'_>, round: usize, id: Uuid, rng: &mut Rng) {
        let change = events::Change {
            place: (rng.u8(..3) == 0).then(|| rng.usize(..PLACES)),
            artist: rng.bool().then(|| rng.usize(..ARTISTS)),
            shows: rng.bool().then(|| choose_shows(rng.usize(..SHOWS * SHOWS))),
            is_draft: (rng.u8(..3) == 0).then(|| rng.u8(..3) == 0),
        };
        let (if_match, etag) = self.choose_version(client, round, id, rng).await.unzip();
        let edited = self.timed(client.edit_event(id, change, etag.as_deref())).await;
        let operation = |response| events::Operation::Edit { id, if_match, change, response };
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
        let operation = |response| events::Operation::ChangeShow { id, show, if_match, change, response };
        self.push_changed(round, id, changed, operation);
    }

    async fn cancel_event(&self, client: &Client<'_>, round: usize, id: Uuid) {
        let cancelled = self.timed(client.cancel_event(id)).await;
        self.push_changed(round, id, cancelled, |response| events::Operation::Cancel { id, response });
    }

    fn push_changed(
        &self,
        round: usize,
        id: Uuid,
        changed: Call<Outcome<Version>>,
        operation: impl FnOnce(Outcome<Content>) -> events::Operation,
    ) {
        if let Ok(version) = &changed.operation {
            self.known(round).learn_version(id, version);
        }
        let content = |version: Outcome<Version>| version.map(|version| version.content);
        self.round(round).events.push(changed.map(|version| operation(content(version))));
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
            events::Operation::GetOwn { id, response }
        };
        self.round(round).events.push(got.map(operation));
    }

    /// Deletes all events of a round.
    async fn delete_all(&self, round: usize) {
        let events = self.known(round).events.clone();
        for id in events {
            self.delete(&self.client(LAST_CLIENT, round), round, id).await;
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
        self.round(round).events.push(listed.map(|response| events::Operation::List { status, response }));
    }

    /// Chooses one of the newest members of a round, who may have withdrawn.
    fn newest_member(&self, round: usize, rng: &mut Rng) -> Option<KnownMember> {
        let known = self.known(round);
        rng.choice(known.members.iter().rev().take(NEWEST)).copied()
    }

    /// Chooses the number of one of the newest sessions of a round, which may have ended.
    fn newest_session(&self, round: usize, rng: &mut Rng) -> Option<usize> {
        let sessions = self.known(round).sessions.len();
        rng.choice(sessions.saturating_sub(NEWEST)..sessions)
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

impl KnownSession {
    /// Returns the number of the first refresh token.
    fn number(&self) -> Token {
        token_number(&self.refresh[0])
    }

    /// Returns the newest refresh token.
    fn newest_token(&self) -> &str {
        self.refresh.last().expect("the token of the login")
    }

    /// Chooses a refresh token, which may have been used.
    ///
    /// A session that may be too old for a repetition is continued with its newest token, since another one ends it.
    fn any_token(&self, rng: &mut Rng) -> String {
        let is_young = self.started.elapsed() < REPETITION / 2;
        // A session remembers 50 tokens.
        let last = &self.refresh[self.refresh.len().saturating_sub(25)..];
        rng.choice(last).filter(|_| is_young).map_or_else(|| self.newest_token().to_owned(), String::clone)
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
