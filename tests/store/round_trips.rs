//! Calls and capacity units of each operation; docs/table.md lists them.

use domain::{manager::Authentication, member::Member, password::Password};
use events_create::Create;
use events_delete::Delete;
use events_detail::Detail;
use events_edit::Edit;
use events_get::Get;
use events_list::List;
use events_restore::Restore;
use events_seat_map::SeatMap;
use events_thumbnail::ReplaceThumbnail;
use local::layouts::{self, Area, Layout};
use managers_events::OwnEvents;
use members_edit::Edit as EditMember;
use members_join::Join;
use members_login::Login;
use members_withdraw::Withdraw;
use posters_cleanup::Cleanup;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use tests::{
    Api, Proxy, Usage,
    form::Form,
    function::{
        self, call, edit_request, event_request, list_request, member_request, post, post_form, thumbnail_request,
    },
    new_stack, sample, stack,
};

use uuid::Uuid;

use crate::items::{items_of, size, write_units};

/// Maximum write units of creating an event with ten thousand seats.
const ARENA_WRITE_UNITS: f64 = 60.0;

/// Maximum write units of creating an event with the maximum number of seats.
const LARGEST_WRITE_UNITS: f64 = 300.0;

/// Write units of creating an event of 2 KB with two shows.
const CONCERT_WRITE_UNITS: f64 = 16.0;

const UNKNOWN: &str = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11";

fn usage(calls: &[&str], read_units: f64, write_units: f64) -> Usage {
    Usage { calls: calls.iter().map(ToString::to_string).collect(), read_units, write_units }
}

fn join(meter: &Proxy) -> Join {
    Join::new(meter.table(), sample::hasher(1), Password::parse)
}

fn login(meter: &Proxy, passes: u32) -> Login {
    Login::new(meter.table(), sample::hasher(passes))
}

fn edit(meter: &Proxy) -> EditMember {
    EditMember::new(meter.table(), sample::hasher(1), Password::parse)
}

fn withdraw(meter: &Proxy) -> Withdraw {
    Withdraw::new(meter.table(), sample::hasher(1))
}

fn create(meter: &Proxy) -> Create {
    Create::new(meter.table(), meter.posters(), Authentication::Open)
}

fn list(meter: &Proxy) -> List {
    List::new(meter.table(), "0123456789abcdef".parse().unwrap())
}

fn get(meter: &Proxy) -> Get {
    Get::new(meter.table())
}

fn detail(meter: &Proxy) -> Detail {
    Detail::new(meter.table())
}

fn seat_map(meter: &Proxy) -> SeatMap {
    SeatMap::new(meter.table())
}

fn delete(meter: &Proxy) -> Delete {
    Delete::new(meter.table(), Authentication::Open)
}

/// Builds an event with two shows and a description of this many Korean syllables.
fn event(syllables: usize) -> Value {
    let mut event = sample::event();
    event["description"] = "봄밤의야외콘서트입니다".chars().cycle().take(syllables).collect::<String>().into();
    event
}

/// Builds a typical event: with 470 syllables of description, its item and its copies in two indexes have 1.8 KB.
fn concert() -> Value {
    event(470)
}

/// Registers an event, and returns its id and the path of its poster in the bucket.
async fn register(meter: &Proxy, event: &Value) -> (String, String) {
    let response = call(create(meter), post_form(&sample::form(event)), 201).await;
    let data = function::json(&response)["data"].take();
    let text = |name: &str| data[name].as_str().unwrap().to_owned();
    (text("id"), format!("/posters/upload/{}", text("thumbnail")))
}

#[tokio::test]
async fn join_is_one_transaction() {
    let meter = Proxy::start(stack(), None).await;
    let member = sample::member();
    call(join(&meter), post(&member), 201).await;
    assert_eq!(meter.take_usage(), usage(&["TransactWriteItems"], 0.0, 6.0));
    call(join(&meter), post(&member), 409).await;
    assert_eq!(meter.take_usage().calls, ["TransactWriteItems"], "taken e-mail address");
    let mut namesake = sample::member();
    namesake["nickname"] = member["nickname"].clone();
    call(join(&meter), post(&namesake), 409).await;
    assert_eq!(meter.take_usage().calls, ["TransactWriteItems"], "taken nickname");
}

/// Returns the usage with the calls in alphabetical order, because some of them are simultaneous.
fn sorted(mut usage: Usage) -> Usage {
    usage.calls.sort();
    usage
}

#[tokio::test]
async fn login_is_one_read_and_two_updates() {
    let meter = Proxy::start(stack(), None).await;
    let member = tests::add_member(&sample::hasher(1)).await;
    let credentials = post(&json!({"email": member.email.as_str(), "password": sample::PASSWORD}));
    call(login(&meter, 1), credentials, 200).await;
    assert_eq!(sorted(meter.take_usage()), usage(&["GetItem", "UpdateItem", "UpdateItem"], 1.0, 2.0));
}

#[tokio::test]
async fn failed_login_is_one_read_and_update() {
    let meter = Proxy::start(stack(), None).await;
    let member = tests::add_member(&sample::hasher(1)).await;
    let wrong = json!({"email": member.email.as_str(), "password": "wrong"});
    let nobody = json!({"email": sample::member()["email"], "password": sample::PASSWORD});
    for credentials in [wrong, nobody] {
        call(login(&meter, 1), post(&credentials), 401).await;
        assert_eq!(sorted(meter.take_usage()), usage(&["GetItem", "UpdateItem"], 1.0, 1.0), "first failure");
        // Responses to rejected updates name no units.
        let in_window = ["GetItem", "UpdateItem", "UpdateItem"];
        for _ in 1..10 {
            call(login(&meter, 1), post(&credentials), 401).await;
            assert_eq!(sorted(meter.take_usage()), usage(&in_window, 1.0, 1.0), "further failure");
        }
        call(login(&meter, 1), post(&credentials), 429).await;
        assert_eq!(sorted(meter.take_usage()), usage(&in_window, 1.0, 0.0), "barred");
    }
}

#[tokio::test]
async fn rehash_is_one_update() {
    let meter = Proxy::start(stack(), None).await;
    let member = tests::add_member(&sample::hasher(1)).await;
    let credentials = json!({"email": member.email.as_str(), "password": sample::PASSWORD});
    call(login(&meter, 2), post(&credentials), 200).await;
    let calls = ["GetItem", "UpdateItem", "UpdateItem", "UpdateItem"];
    assert_eq!(sorted(meter.take_usage()), usage(&calls, 1.0, 3.0));
}

#[tokio::test]
async fn edit_is_a_login_and_one_transaction() {
    const LOGIN: [&str; 4] = ["GetItem", "GetItem", "UpdateItem", "UpdateItem"];
    const EDIT: [&str; 5] = ["GetItem", "GetItem", "TransactWriteItems", "UpdateItem", "UpdateItem"];
    let meter = Proxy::start(stack(), None).await;
    let edit = async |member: &Member, field: &str, value: &str, status| {
        let request = member_request(&member.id.to_string(), &json!({"password": sample::PASSWORD, field: value}));
        call(edit(&meter), request, status).await;
        sorted(meter.take_usage())
    };
    let joined = async || tests::add_member(&sample::hasher(1)).await;
    let member = joined().await;
    assert_eq!(edit(&member, "name", member.name.as_str(), 200).await, usage(&LOGIN, 2.0, 2.0), "same name");
    let member = joined().await;
    assert_eq!(edit(&member, "name", "이영희", 200).await, usage(&EDIT, 2.0, 4.0), "name");
    let member = joined().await;
    assert_eq!(edit(&member, "newPassword", sample::PASSWORD, 200).await, usage(&EDIT, 2.0, 4.0), "password");
    let member = joined().await;
    let upper = member.nickname.as_str().to_uppercase();
    assert_eq!(edit(&member, "nickname", &upper, 200).await, usage(&EDIT, 2.0, 4.0), "own nickname");
    let member = joined().await;
    assert_eq!(edit(&member, "nickname", &sample::unique(), 200).await, usage(&EDIT, 2.0, 8.0), "new nickname");
    let (member, other) = (joined().await, joined().await);
    assert_eq!(edit(&member, "nickname", other.nickname.as_str(), 409).await.calls, EDIT, "taken nickname");
}

#[tokio::test]
async fn withdrawal_is_a_login_and_one_transaction() {
    let meter = Proxy::start(stack(), None).await;
    let id = tests::add_member(&sample::hasher(1)).await.id.to_string();
    let password = json!({"password": sample::PASSWORD});
    call(withdraw(&meter), member_request(&id, &password), 204).await;
    let calls = ["GetItem", "GetItem", "TransactWriteItems", "UpdateItem", "UpdateItem"];
    assert_eq!(sorted(meter.take_usage()), usage(&calls, 2.0, 8.0));
}

#[tokio::test]
async fn edit_with_unknown_id_is_one_read() {
    let meter = Proxy::start(stack(), None).await;
    for id in [uuid::Uuid::new_v4().to_string(), sample::unique()] {
        call(edit(&meter), member_request(&id, &json!({"password": "wrong", "name": "이영희"})), 401).await;
        assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0));
    }
}

#[tokio::test]
async fn creation_is_three_calls() {
    let meter = Proxy::start(stack(), None).await;
    let (_, poster) = register(&meter, &concert()).await;
    // Double cost in the transaction: the event of 2 KB, its chunk, its lock item and the expiry record.
    // Single cost: the expiry record before it and the copies in the three indexes.
    let expected = usage(&["PutItem", &format!("PUT {poster}"), "TransactWriteItems"], 0.0, CONCERT_WRITE_UNITS);
    assert_eq!(meter.take_usage(), expected);
}

#[tokio::test]
async fn idempotency_key_costs_one_call() {
    let meter = Proxy::start(stack(), None).await;
    let form = sample::form(&concert());
    let with_key = |key: &'static str| {
        let mut request = post_form(&form);
        request.headers_mut().insert("Idempotency-Key", HeaderValue::from_static(key));
        request
    };
    call(create(&meter), with_key("one"), 201).await;
    let used = meter.take_usage();
    let put = used.calls[2].clone();
    assert!(put.starts_with("PUT "), "{put}");
    // One unit to claim the key, and two to complete the claim in the transaction.
    assert_eq!(used, usage(&["PutItem", "PutItem", &put, "TransactWriteItems"], 0.0, CONCERT_WRITE_UNITS + 3.0));

    call(create(&meter), with_key("one"), 201).await;
    assert_eq!(meter.take_usage().calls, ["PutItem", "PutItem", "Query"], "repeated request");
    call(create(&meter), with_key("two"), 409).await;
    let calls = meter.take_usage().calls;
    assert_eq!(calls[..2], ["PutItem", "PutItem"]);
    assert_eq!([&*calls[3], &*calls[5]], ["TransactWriteItems", "DeleteItem"]);
    assert_eq!(calls.len(), 6, "poster stored and removed, and key released: {calls:?}");
}

#[tokio::test]
async fn duplicate_event_costs_one_call() {
    let meter = Proxy::start(stack(), None).await;
    let concert = concert();
    let _ = register(&meter, &concert).await;
    let _ = meter.take_usage();
    call(create(&meter), post_form(&sample::form(&concert)), 409).await;
    let calls = meter.take_usage().calls;
    let poster = calls[1].strip_prefix("PUT ").unwrap();
    let (put, delete) = (format!("PUT {poster}"), format!("DELETE {poster}"));
    assert_eq!(calls, ["PutItem", &put, "TransactWriteItems", &delete]);
}

#[tokio::test]
async fn largest_poster_is_one_upload() {
    let meter = Proxy::start(stack(), None).await;
    let mut poster = sample::POSTER.to_vec();
    poster.resize(4 * 1024 * 1024, 0);
    let form = Form::new().part(sample::REQUEST, concert().to_string()).part(sample::THUMBNAIL, poster);
    call(create(&meter), post_form(&form), 201).await;
    assert_eq!(meter.take_usage().calls.len(), 3);
}

#[tokio::test]
async fn replacement_reads_twice_and_writes_twice() {
    let meter = Proxy::start(stack(), None).await;
    let (id, _) = register(&meter, &concert()).await;
    let _ = meter.take_usage();
    let replace = || ReplaceThumbnail::new(meter.table(), meter.posters(), Authentication::Open);
    let response = call(replace(), thumbnail_request(&id), 200).await;
    let thumbnail = function::json(&response)["data"]["thumbnail"].take();
    let put = format!("PUT /posters/upload/{}", thumbnail.as_str().unwrap());
    // Double cost in the transaction: the event of 2 KB and two expiry records. Single cost: the first expiry record
    // and the copies of the event in the indexes of lists.
    let expected = usage(&["GetItem", "PutItem", &put, "GetItem", "TransactWriteItems"], 2.0, 2.0 * 4.0 + 1.0 + 4.0);
    assert_eq!(meter.take_usage(), expected);
    call(replace(), thumbnail_request(UNKNOWN), 404).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0));
}

#[tokio::test]
async fn arena_fits_60_write_units() {
    let meter = Proxy::start(stack(), None).await;
    let arena = layouts::arena();
    assert!(arena.seats() >= 10_000);
    let (id, poster) = register(&meter, &sample::with_hall(concert(), &arena)).await;
    let created = meter.take_usage();
    assert_eq!(created.calls, ["PutItem", &format!("PUT {poster}"), "TransactWriteItems"]);
    assert!(created.write_units <= ARENA_WRITE_UNITS, "{created:?}");
    // The emulator's figure must follow from the items: those that are stored, and the expiry record,
    // which is put alone and deleted in the transaction.
    let items = items_of(id.parse().unwrap()).await;
    let stored = u32::try_from(write_units(&items)).map(f64::from).unwrap();
    assert_eq!(created.write_units.to_bits(), (stored + 1.0 + 2.0).to_bits());

    call(delete(&meter), event_request(&id), 204).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem", "TransactWriteItems"], 1.0, stored + 2.0));
}

/// Joins the sample halls to one of 100,000 seats.
fn largest_hall() -> Layout {
    let mut hall = layouts::main_stadium();
    for other in [layouts::stadium(), layouts::arena()] {
        let relabelled =
            other.areas.into_iter().map(|area| Area { label: format!("{} {}", other.name, area.label), ..area });
        hall.areas.extend(relabelled);
    }
    for index in (0..hall.areas.len()).cycle().take(hall.seats() - 100_000) {
        hall.areas[index].seats.pop();
    }
    hall
}

#[tokio::test]
async fn largest_hall_fits_300_write_units() {
    let meter = Proxy::start(stack(), None).await;
    let with_gzip = |mut request: lambda_http::Request| {
        request.headers_mut().insert("Accept-Encoding", HeaderValue::from_static("gzip"));
        request
    };
    for hall in [largest_hall(), layouts::grid(100_000)] {
        assert_eq!(hall.seats(), 100_000);
        let form = sample::gzip_form(&sample::with_hall(concert(), &hall));
        let _ = meter.take_usage();
        let response = call(create(&meter), with_gzip(post_form(&form)), 201).await;
        let location = response.headers()["Location"].to_str().unwrap();
        let id = location.rsplit('/').next().unwrap().to_owned();
        let used = meter.take_usage();
        assert_eq!([&*used.calls[0], &*used.calls[2]], ["PutItem", "TransactWriteItems"]);
        assert!(used.calls.len() == 3 && used.write_units <= LARGEST_WRITE_UNITS, "{}: {used:?}", hall.name);

        for _ in 0..2 {
            call(detail(&meter), with_gzip(event_request(&id)), 200).await;
            assert_eq!(meter.take_usage().calls, ["Query"], "{}", hall.name);
        }
    }
}

#[tokio::test]
async fn get_is_one_read() {
    let meter = Proxy::start(stack(), None).await;
    let (id, _) = register(&meter, &concert()).await;
    let _ = meter.take_usage();
    call(get(&meter), event_request(&id), 200).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0));
    call(get(&meter), event_request(UNKNOWN), 404).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0), "unknown event");
}

#[tokio::test]
async fn detail_is_one_query() {
    let meter = Proxy::start(stack(), None).await;
    let arena = layouts::arena();
    let (id, _) = register(&meter, &sample::with_hall(concert(), &arena)).await;
    let _ = meter.take_usage();
    call(detail(&meter), event_request(&id), 200).await;
    let used = meter.take_usage();
    assert_eq!(used.calls, ["Query"]);
    let bytes: usize = items_of(id.parse().unwrap())
        .await
        .iter()
        .filter(|item| !item["sk"].as_s().unwrap().starts_with("SHOW"))
        .map(size)
        .sum();
    assert_eq!(Some(used.read_units), u32::try_from(bytes.div_ceil(4096)).ok().map(f64::from));
    // One item for each seat would take one unit for each, since each is read by its key.
    let seats = u32::try_from(arena.seats()).map(f64::from).unwrap();
    assert!(used.read_units * 100.0 <= seats, "{used:?}");

    call(detail(&meter), event_request(UNKNOWN), 404).await;
    assert_eq!(meter.take_usage(), usage(&["Query"], 1.0, 0.0), "unknown event");
}

#[tokio::test]
async fn seat_map_is_one_query() {
    let meter = Proxy::start(stack(), None).await;
    let (id, _) = register(&meter, &concert()).await;
    let _ = meter.take_usage();
    call(seat_map(&meter), event_request(&id), 200).await;
    assert_eq!(meter.take_usage(), usage(&["Query"], 1.0, 0.0));
}

#[tokio::test]
async fn not_modified_takes_one_read() {
    let meter = Proxy::start(stack(), None).await;
    let (id, _) = register(&meter, &sample::with_hall(concert(), &layouts::arena())).await;
    let detail_etag = call(detail(&meter), event_request(&id), 200).await.headers()["ETag"].clone();
    let map_etag = call(seat_map(&meter), event_request(&id), 200).await.headers()["ETag"].clone();
    assert_ne!(detail_etag, map_etag);
    let with_etag = |etag: &HeaderValue| {
        let mut request = event_request(&id);
        request.headers_mut().insert("If-None-Match", etag.clone());
        request
    };
    let _ = meter.take_usage();
    call(detail(&meter), with_etag(&detail_etag), 304).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0));
    call(seat_map(&meter), with_etag(&map_etag), 304).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0));

    call(detail(&meter), with_etag(&map_etag), 200).await;
    assert_eq!(meter.take_usage().calls, ["GetItem", "Query"], "another entity tag");
    call(seat_map(&meter), with_etag(&detail_etag), 200).await;
    assert_eq!(meter.take_usage().calls, ["GetItem", "Query"], "another entity tag");
}

#[tokio::test]
async fn deletion_is_two_calls() {
    let meter = Proxy::start(stack(), None).await;
    let (id, _) = register(&meter, &concert()).await;
    let _ = meter.take_usage();
    call(delete(&meter), event_request(&id), 204).await;
    // The cost of its creation, without the first write.
    assert_eq!(meter.take_usage(), usage(&["GetItem", "TransactWriteItems"], 1.0, CONCERT_WRITE_UNITS - 1.0));
    call(delete(&meter), event_request(&id), 404).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0), "deleted event");
    call(delete(&meter), event_request(UNKNOWN), 404).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0), "unknown event");
}

#[tokio::test]
async fn edit_is_two_calls() {
    let meter = Proxy::start(stack(), None).await;
    let (id, _) = register(&meter, &concert()).await;
    let edit = || Edit::new(meter.table(), Authentication::Open);
    let _ = meter.take_usage();
    // Double cost of the event of 2 KB in the transaction, and its copies in the indexes of lists.
    call(edit(), edit_request(&id, &json!({"eventOpenTime": 0})), 200).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem", "TransactWriteItems"], 1.0, 8.0));
    // In addition, its copy in the index of searches.
    call(edit(), edit_request(&id, &json!({"artist": "잔나비"})), 200).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem", "TransactWriteItems"], 1.0, 9.0));
    // In addition, the shows leave one lock item and enter another.
    call(edit(), edit_request(&id, &json!({"title": sample::unique()})), 200).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem", "TransactWriteItems"], 1.0, 13.0));
    for (change, status) in [(json!({}), 200), (json!({"artist": "잔나비"}), 200)] {
        call(edit(), edit_request(&id, &change), status).await;
        assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0), "{change}");
    }
    call(edit(), edit_request(UNKNOWN, &json!({})), 404).await;
    assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0), "unknown event");
}

#[tokio::test]
async fn move_of_60_shows_is_two_calls() {
    let months = |year: usize| -> Vec<_> {
        (0..60).map(|month| format!("{}-{:02}-01T00:00:00Z", year + month / 12, month % 12 + 1)).collect()
    };
    let meter = Proxy::start(stack(), None).await;
    let mut event = sample::event();
    event["eventDatetimes"] = json!(months(2027));
    let (id, _) = register(&meter, &event).await;
    let _ = meter.take_usage();
    let change = json!({"title": sample::unique(), "eventDatetimes": months(2040)});
    call(Edit::new(meter.table(), Authentication::Open), edit_request(&id, &change), 200).await;
    assert_eq!(meter.take_usage().calls, ["GetItem", "TransactWriteItems"]);
}

#[tokio::test]
async fn restoration_is_two_calls() {
    let meter = Proxy::start(stack(), None).await;
    let (id, _) = register(&meter, &concert()).await;
    let restore = || Restore::new(meter.table(), Authentication::Open);
    let _ = meter.take_usage();
    for (id, status) in [(&*id, 200), (UNKNOWN, 404)] {
        call(restore(), event_request(id), status).await;
        assert_eq!(meter.take_usage(), usage(&["GetItem"], 1.0, 0.0), "live or unknown event");
    }
    call(delete(&meter), event_request(&id), 204).await;
    let deleted = meter.take_usage();
    call(restore(), event_request(&id), 200).await;
    assert_eq!(meter.take_usage(), deleted, "cost of its deletion");
}

#[tokio::test]
async fn cleanup_is_two_calls() {
    let meter = Proxy::start(stack(), None).await;
    let event: Value = serde_json::from_str(include_str!("../../events/posters-cleanup.json")).unwrap();
    let cleanup = Cleanup::new(meter.table(), meter.posters());
    let thumbnail = event["Records"][0]["dynamodb"]["Keys"]["pk"]["S"].as_str().unwrap();
    let delete = format!("DELETE /posters/upload/{}", thumbnail.strip_prefix("POSTER#").unwrap());
    assert_eq!(cleanup.handle(serde_json::from_value(event).unwrap()).await.batch_item_failures, []);
    assert_eq!(meter.take_usage(), usage(&["GetItem", &delete], 1.0, 0.0));
}

#[tokio::test]
async fn page_is_one_query() {
    let stack = new_stack().await;
    let meter = Proxy::start(&stack, None).await;
    call(list(&meter), list_request(""), 200).await;
    assert_eq!(meter.take_usage(), usage(&["Query"], 0.5, 0.0), "empty list");
    for _ in 0..101 {
        let _ = register(&meter, &concert()).await;
    }
    let _ = meter.take_usage();
    let first = call(list(&meter), list_request(""), 200).await;
    // 101 events of 1,800 bytes are 45 times 4 KB; the last one shows that a page follows.
    assert_eq!(meter.take_usage(), usage(&["Query"], 22.5, 0.0));

    let link = first.headers()["Link"].to_str().unwrap();
    let (_, query) = link.split('>').next().unwrap().split_once('?').unwrap();
    call(list(&meter), list_request(query), 200).await;
    assert_eq!(meter.take_usage(), usage(&["Query"], 0.5, 0.0), "last page");
}

#[tokio::test]
async fn own_page_is_one_query() {
    let meter = Proxy::start(stack(), None).await;
    let api = Api::new();
    let manager = Uuid::new_v4().to_string();
    let own = async |query: &str| {
        let own_events = OwnEvents::new(meter.table(), Authentication::Open, "0123456789abcdef".parse().unwrap());
        let response = call(own_events, function::own_list_request(&manager, query), 200).await;
        let link = response.headers().get("Link").map(|link| link.to_str().unwrap().to_owned());
        (function::json(&response)["data"].as_array().unwrap().len(), link, meter.take_usage())
    };
    assert_eq!(own("").await, (0, None, usage(&["Query"], 0.5, 0.0)), "no events");
    let mut ids = Vec::new();
    for _ in 0..30 {
        let created = api.create_as(&manager, &concert()).await.expect(201, "0").data();
        ids.push(created["id"].as_str().unwrap().to_owned());
    }
    // Every second event is deleted.
    for id in ids.iter().step_by(2) {
        assert_eq!(api.delete(id).await.status, 204);
    }
    // Half a unit for each started 4 KB: a page of one status reads all 30 events of 1,800 bytes, and the next page
    // reads the 11 or 10 after the first one.
    for status in ["live", "deleted"] {
        let (length, link, used) = own(&format!("status={status}&limit=10")).await;
        assert_eq!((length, used), (10, usage(&["Query"], 7.0, 0.0)), "{status}");
        let (_, query) = link.as_deref().unwrap().split('>').next().unwrap().split_once('?').unwrap();
        let (length, link, used) = own(query).await;
        assert_eq!((length, link, used), (5, None, usage(&["Query"], 2.5, 0.0)), "last page of {status}");
    }
    // It reads 11 events.
    let (length, _, used) = own("status=all&limit=10").await;
    assert_eq!((length, used), (10, usage(&["Query"], 2.5, 0.0)), "of both statuses");
}

#[tokio::test]
async fn large_page_is_more_queries() {
    let stack = new_stack().await;
    let meter = Proxy::start(&stack, None).await;
    for _ in 0..101 {
        let _ = register(&meter, &event(5_000)).await;
    }
    let _ = meter.take_usage();
    call(list(&meter), list_request(""), 200).await;
    assert_eq!(meter.take_usage().calls, ["Query", "Query"], "101 events of 16 KB");
    call(list(&meter), list_request("limit=50"), 200).await;
    assert_eq!(meter.take_usage().calls, ["Query"]);
}

#[tokio::test]
async fn invalid_requests_make_no_calls() {
    let meter = Proxy::start(stack(), None).await;
    call(join(&meter), post(&json!({})), 400).await;
    call(login(&meter, 1), post(&json!({})), 400).await;
    call(edit(&meter), member_request(UNKNOWN, &json!({})), 400).await;
    call(withdraw(&meter), member_request(UNKNOWN, &json!({})), 400).await;
    call(create(&meter), post_form(&sample::form(&json!({}))), 400).await;
    let no_image = Form::new().part(sample::REQUEST, concert().to_string()).part(sample::THUMBNAIL, "x");
    call(create(&meter), post_form(&no_image), 400).await;
    call(list(&meter), list_request("cursor=x"), 400).await;
    call(list(&meter), list_request("q= "), 400).await;
    let own_events = || OwnEvents::new(meter.table(), Authentication::Open, "0123456789abcdef".parse().unwrap());
    call(own_events(), list_request(""), 401).await;
    call(own_events(), function::own_list_request(UNKNOWN, "status=x"), 400).await;
    call(get(&meter), event_request("x"), 404).await;
    call(detail(&meter), event_request("x"), 404).await;
    call(seat_map(&meter), event_request("x"), 404).await;
    call(delete(&meter), event_request("x"), 404).await;
    call(Restore::new(meter.table(), Authentication::Open), event_request("x"), 404).await;
    call(Edit::new(meter.table(), Authentication::Open), edit_request("x", &json!({})), 404).await;
    assert_eq!(meter.take_usage(), Usage::default());
}
