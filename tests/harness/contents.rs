//! Everything that a service stores.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::{SystemTime, UNIX_EPOCH},
};

use aws_sdk_dynamodb::{Client, types::AttributeValue};
use aws_sdk_s3::operation::list_objects_v2::ListObjectsV2Output;
use domain::{
    event::id_from_thumbnail, hold::Taken, instant::Instant, member::Nickname, seats::admission::MAX_REMEMBERED,
};
use local::{BUCKET, Stack, TABLE};
use serde_json::{Map, Value, json};
use storage::{
    events::{
        poster_store::PREFIX,
        show_locks::{COUNT, lock_item},
    },
    keys,
    table::Item,
};

use crate::snapshot::{self, attribute, named, object};

/// Items of the table by their keys, and file names of the posters in the bucket.
#[derive(Debug)]
pub struct Contents {
    /// Items by partition and sort key.
    pub items: BTreeMap<[String; 2], Item>,
    /// Posters.
    pub posters: BTreeSet<String>,
}

/// Returns the seconds since 1970.
#[must_use]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("time after 1970").as_secs()
}

fn text<'a>(item: &'a Item, attribute: &str) -> &'a str {
    item[attribute].as_s().expect("text")
}

impl Contents {
    /// Reads the table and the bucket of a stack.
    pub async fn read(stack: &Stack) -> Self {
        let pages = stack.s3().list_objects_v2().bucket(BUCKET).into_paginator().send();
        let pages = pages.collect::<Result<Vec<_>, _>>().await.expect("bucket");
        let keys = pages.iter().flat_map(ListObjectsV2Output::contents).filter_map(|object| object.key());
        let posters = keys.map(|key| key.strip_prefix(PREFIX).expect("poster").to_owned());
        Self { posters: posters.collect(), ..Self::read_table(stack).await }
    }

    /// Reads the table of a stack, without the bucket: a list of thousands of posters takes longer than a call may.
    pub async fn read_table(stack: &Stack) -> Self {
        let scan = stack.dynamodb().scan().table_name(TABLE).consistent_read(true).into_paginator().items().send();
        let items = scan.collect::<Result<Vec<_>, _>>().await.expect("table");
        // The functions store the public keys of access tokens when they start, and that of tickets before the first
        // one.
        let items = items.into_iter().filter(|item| !["SIGNING_KEY", "TICKET_KEY"].contains(&text(item, "sk")));
        let items = items.map(|item| (["pk", "sk"].map(|name| text(&item, name).to_owned()), item));
        Self { items: items.collect(), posters: BTreeSet::new() }
    }

    /// Returns the items of a kind, such as `EVENT`, `MAP` or `SHOW`.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Item> {
        let is_of_kind = move |sort: &str| sort.split('#').next() == Some(kind);
        self.items.iter().filter(move |([_, sort], _)| is_of_kind(sort)).map(|(_, item)| item)
    }

    /// Returns the item with this key.
    #[must_use]
    pub fn item(&self, partition: &str, sort: &str) -> Option<&Item> {
        self.items.get(&[partition.to_owned(), sort.to_owned()])
    }

    /// Lists the changes to later contents, in an order that does not depend on ids. `now` is the time of the changes.
    #[must_use]
    pub fn changes(&self, later: &Self, now: u64) -> Vec<String> {
        let mut changes = Vec::new();
        let keys: BTreeSet<_> = self.items.keys().chain(later.items.keys()).collect();
        for key @ [partition, sort] in keys {
            let (sign, content) = match (self.items.get(key), later.items.get(key)) {
                (None, Some(new)) => ('+', object(&without_key(new), now)),
                (Some(_), None) => ('-', Value::Null),
                (Some(old), Some(new)) if old != new => ('~', difference(old, new, now)),
                _ => continue,
            };
            // Two holds have the same fence by chance.
            let is_use = |(name, _): (&String, &Value)| name.starts_with("used ");
            let (sign, content) = if sort == "FENCE" && content.as_object().is_some_and(|item| item.iter().any(is_use))
            {
                ('~', json!({"used": "[n]"}))
            } else {
                (sign, content)
            };
            let partition = match partition.split_once('#') {
                Some(("SHOW", _)) => "SHOW#[hash]".to_owned(),
                Some(("HOLDER", _)) => "HOLDER#[hash]".to_owned(),
                // A hold changes any of them, and an edit or deletion all.
                Some(("FENCE", _)) => partition.rsplit_once('#').map_or("", |(event, _)| event).to_owned(),
                _ => partition.clone(),
            };
            let content = if content.is_null() { String::new() } else { format!(" {content}") };
            changes.push(format!("{sign} {partition} {sort}{content}"));
        }
        for (sign, posters) in
            [('+', later.posters.difference(&self.posters)), ('-', self.posters.difference(&later.posters))]
        {
            changes.extend(posters.map(|poster| format!("{sign} poster {poster}")));
        }
        changes.sort_by_key(|change| (change.split(' ').nth(2).map(str::to_owned), named(change)));
        changes.dedup_by(|change, before| change == before && change.contains(" FENCE#"));
        changes
    }

    /// Checks that every member, event, lock and poster is complete.
    ///
    /// # Panics
    ///
    /// Panics if a part is missing or has no owner.
    pub fn check(&self) {
        let events: HashMap<_, _> = self.of_kind("EVENT").map(|item| (text(item, "id"), item)).collect();
        let mut locked = Vec::new();
        for (id, item) in &events {
            let expiry = item.get("expiresAt");
            let is_public = expiry.is_none() && !item.contains_key("draft");
            assert_eq!(item.contains_key("listing"), is_public, "listed, although it is deleted or a draft: {item:?}");
            let thumbnail = text(item, "thumbnail");
            let poster = self.item(&format!("POSTER#{thumbnail}"), "POSTER");
            assert_eq!(
                poster.map(|poster| &poster["expiresAt"]),
                expiry,
                "its poster expires at another time: {item:?}"
            );
            assert!(self.posters.contains(thumbnail), "no poster of {item:?}");
            let chunks: Vec<_> =
                self.of_kind("MAP").filter(|chunk| text(chunk, "pk") == format!("EVENT#{id}")).collect();
            assert_eq!(item["chunks"].as_n().expect("number"), &chunks.len().to_string(), "an incomplete seat map");
            assert!(
                chunks.iter().all(|chunk| chunk.get("expiresAt") == expiry),
                "its seat map expires at another time"
            );
            let shows = item["showTimes"].as_l().expect("list").iter().filter(|_| expiry.is_none());
            locked.extend(shows.map(|show| (instant(show).to_string(), (*id).to_owned())));
        }
        for chunk in self.of_kind("MAP") {
            assert!(events.contains_key(&text(chunk, "pk")["EVENT#".len()..]), "a seat map without its event");
        }
        let locks = self.of_kind("SHOW").flat_map(|lock| {
            let mut shows = without_key(lock);
            let count = shows.remove(COUNT).expect("count");
            assert_eq!(count.as_n().expect("number"), &shows.len().to_string(), "{lock:?}");
            assert!(!shows.is_empty(), "an empty lock item: {lock:?}");
            shows.into_iter().map(|(show, owner)| {
                let number = lock_item(Instant::from_text(&show).expect("instant"));
                assert_eq!(text(lock, "sk"), format!("SHOW#{number:02}"));
                (show, owner.as_s().expect("id").clone())
            })
        });
        let mut locks: Vec<_> = locks.collect();
        locks.sort();
        locked.sort();
        assert_eq!(locks, locked, "locked shows (left) and shows of events (right)");
        for poster in &self.posters {
            let id = id_from_thumbnail(poster).expect("id").to_string();
            let is_of_event = events.get(&*id).is_some_and(|event| text(event, "thumbnail") == poster);
            let expires = self.item(&format!("POSTER#{poster}"), "POSTER").is_some();
            assert!(is_of_event || expires, "an orphan that does not expire: {poster}");
        }
        for claim in self.of_kind("IDEMPOTENCY").filter(|claim| claim.contains_key("event")) {
            assert!(events.contains_key(text(claim, "event")), "a key without its event: {claim:?}");
        }
        self.check_members();
        self.check_seats(now());
    }

    /// Checks that each taken seat has its hold, each hold its seats, and each holder the number of their seats, at a
    /// time in seconds since 1970.
    ///
    /// # Panics
    ///
    /// Panics if one of them does not match.
    pub fn check_seats(&self, now: u64) {
        let mut states = BTreeMap::new();
        for item in self.of_kind("SEATS") {
            let show = text(item, "pk").split('#').nth(1).expect("show").to_owned();
            for (seat, state) in storage::seats::seat_states::read(item).expect("states") {
                states.insert((show.clone(), u64::from(seat)), state);
            }
        }
        let number = |item: &Item, name: &str| item[name].as_n().expect("number").parse::<u64>().expect("number");
        let mut taken = BTreeMap::new();
        for item in self.of_kind("HOLD") {
            let (id, show) = (text(item, "pk")["HOLD#".len()..].parse().expect("id"), text(item, "show"));
            let state = match text(item, "state") {
                "HELD" => Taken::Held { hold: id, until: number(item, "until") },
                "CONFIRMED" => Taken::Sold { hold: id },
                _ => continue,
            };
            let seats = item["seats"].as_l().expect("list");
            for seat in seats {
                let key = (show.to_owned(), seat.as_n().expect("number").parse().expect("number"));
                // Another hold may have replaced one that expired.
                if matches!(state, Taken::Sold { .. }) || states.get(&key) == Some(&state) {
                    assert_eq!(taken.insert(key, state), None, "a seat of two holds: {item:?}");
                } else {
                    assert!(number(item, "until") <= now, "a held seat that is not: {item:?}");
                }
            }
            // The box office sells to no member.
            if !item.contains_key("member") {
                continue;
            }
            let key = keys::holder(show.parse().expect("id"), text(item, "member").parse().expect("id")).attributes();
            let is_holder = |item: &&Item| item["pk"] == key["pk"] && item["sk"] == key["sk"];
            let holder = self.items.values().find(is_holder).expect("holder");
            let held = holder.get(&id.to_string()).map(|held| held.as_b().expect("bytes").as_ref()[0]);
            let is_expired = matches!(state, Taken::Held { until, .. } if until <= now);
            assert!(held == u8::try_from(seats.len()).ok() || held.is_none() && is_expired, "{holder:?}: {item:?}");
        }
        states.retain(|_, state| !matches!(state, Taken::Blocked { .. }));
        assert_eq!(states, taken, "states of seats (left) and seats of holds");
        self.check_admissions(&states);
        self.check_expiry_of_seats();
    }

    /// Checks that each sold seat has readable admissions, by gates of its show, and that no other seat has any.
    fn check_admissions(&self, states: &BTreeMap<(String, u64), Taken>) {
        let mut sold = BTreeMap::new();
        for item in self.of_kind("SEATS") {
            let show = text(item, "pk").split('#').nth(1).expect("show");
            let gates = self.of_kind("GATES").find(|gates| text(gates, "sk") == format!("GATES#{show}"));
            let gates = gates.map_or(0, |gates| gates["gates"].as_l().expect("list").len());
            for (seat, state) in storage::seats::seat_states::read_sold(item).expect("states") {
                assert!(state.admissions.len() <= MAX_REMEMBERED, "{state:?}");
                assert!(state.admissions.iter().all(|admission| usize::from(admission.gate) < gates), "{state:?}");
                sold.insert((show.to_owned(), u64::from(seat)), Taken::Sold { hold: state.hold });
            }
        }
        let is_sold = |(_, state): &(_, &Taken)| matches!(state, Taken::Sold { .. });
        let expected = states.iter().filter(is_sold).map(|(seat, state)| (seat.clone(), *state));
        assert_eq!(sold, expected.collect(), "seats with admissions (left) and sold seats");
    }

    /// Checks that what belongs to sold seats does not expire, and that all other holds and holders do.
    fn check_expiry_of_seats(&self) {
        let expires = |item: &Item| item.contains_key("expiresAt");
        for item in self.of_kind("SEATS").chain(self.of_kind("FENCE")) {
            assert!(!expires(item), "{item:?}");
        }
        for item in self.of_kind("HOLD") {
            assert_eq!(expires(item), text(item, "state") != "CONFIRMED", "{item:?}");
        }
        for item in self.of_kind("HOLDER") {
            // The number of seats, and the end: zeros if they are sold.
            let is_sold = |value: &AttributeValue| value.as_b().is_ok_and(|bytes| bytes.as_ref()[1..] == [0; 4]);
            assert_eq!(expires(item), !item.values().any(is_sold), "{item:?}");
        }
    }

    /// Checks that each member has a login item, a member item and the lock item of their nickname, and nobody else
    /// has.
    fn check_members(&self) {
        let epoch = |item: &Item| item.get("epoch").map(|epoch| epoch.as_n().expect("number").clone());
        let logins = self.of_kind("EMAIL").map(|item| (text(item, "id"), text(item, "email"), epoch(item)));
        let logins: BTreeSet<_> = logins.collect();
        let members = self.of_kind("MEMBER");
        let members = members.map(|item| (&text(item, "pk")["MEMBER#".len()..], text(item, "email"), epoch(item)));
        assert_eq!(logins, members.collect(), "login items (left) and member items (right)");
        let locks = self.of_kind("NICKNAME").map(|item| (text(item, "member"), text(item, "pk").to_owned()));
        let nicknames = self.of_kind("EMAIL").map(|item| {
            let nickname = Nickname::from_stored(text(item, "nickname").to_owned());
            (text(item, "id"), format!("NICKNAME#{}", nickname.canonical()))
        });
        assert_eq!(locks.collect::<BTreeSet<_>>(), nicknames.collect(), "locked nicknames (left) and those of members");
    }
}

fn instant(attribute: &AttributeValue) -> Instant {
    match attribute {
        AttributeValue::N(number) => Instant::from_number(number).expect("instant"),
        other => Instant::from_text(other.as_s().expect("text")).expect("instant"),
    }
}

fn without_key(item: &Item) -> Item {
    item.iter()
        .filter(|(name, _)| !["pk", "sk"].contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Returns the attributes that differ; a removed one is null.
fn difference(old: &HashMap<String, AttributeValue>, new: &Item, now: u64) -> Value {
    // An expiry that moved by less than a unit of its snapshot is the same.
    let shown =
        |item: &HashMap<String, AttributeValue>, name: &str| item.get(name).map(|value| attribute(name, value, now));
    let is_changed =
        |name: &str| old.get(name) != new.get(name) && (name != "expiresAt" || shown(old, name) != shown(new, name));
    let names: BTreeSet<_> = old.keys().chain(new.keys()).filter(|name| is_changed(name)).collect();
    let value = |name: &str| new.get(name).map_or(Value::Null, |value| attribute(name, value, now));
    names.into_iter().map(|name| (snapshot::shown(name), value(name))).collect::<Map<_, _>>().into()
}

/// Sets an attribute of an item.
pub async fn set(dynamodb: &Client, partition: &str, sort: &str, name: &str, value: AttributeValue) {
    let key = |text: &str| AttributeValue::S(text.to_owned());
    let update = dynamodb.update_item().table_name(TABLE).key("pk", key(partition)).key("sk", key(sort));
    let update = update.update_expression("SET #name = :value").expression_attribute_names("#name", name);
    update.expression_attribute_values(":value", value).send().await.expect("table");
}
