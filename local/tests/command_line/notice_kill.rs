//! A notice to many buyers, whose sender is killed again and again.
//!
//! Nobody gets a second mail, and whoever gets none counts as failed. `LOCAL_KILLS` sets how often the service is
//! killed, `NOTICE_BUYERS` the number of buyers.

use std::{collections::HashMap, env, str::FromStr, time::Duration};

use fastrand::Rng;
use futures_util::{StreamExt as _, stream};
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::sleep;

use crate::process::Local;

const KILLS: usize = 3;
const BUYERS: usize = 60;
/// Simultaneous requests before the notice.
const REQUESTS: usize = 8;
const MANAGER: &str = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

/// Mails so far, oldest first. The service keeps only the newest 100, so they are read often.
#[derive(Default)]
struct Mails(Vec<(String, String)>);

impl Mails {
    /// Adds the mails that arrived since the last call.
    async fn read(&mut self, client: &Client, url: &str) {
        let Ok(response) = client.get(format!("{url}/mail.json")).send().await else { return };
        let Ok(kept) = response.json::<Vec<Value>>().await else { return };
        let mail = |mail: &Value| ["to", "at"].map(|name| mail[name].as_str().unwrap().to_owned()).into();
        let kept: Vec<(String, String)> = kept.iter().rev().map(mail).collect();
        let known = (0..=kept.len().min(self.0.len())).rev().find(|count| self.0.ends_with(&kept[..*count])).unwrap();
        assert!(known > 0 || self.0.is_empty(), "mails were dropped before they were read");
        self.0.extend_from_slice(&kept[known..]);
    }
}

fn setting<T: FromStr<Err: std::fmt::Debug>>(name: &str, default: T) -> T {
    env::var(name).map_or(default, |number| number.parse().unwrap())
}

/// Sends a request, and returns the data of its response.
async fn send(client: &Client, url: &str, body: &Value, token: Option<&str>) -> Value {
    let request = client.post(url).json(body);
    let request = match token {
        Some(token) => request.bearer_auth(token),
        None => request.header("x-api-managerId", MANAGER),
    };
    let response = request.send().await.unwrap();
    let (status, mut body) = (response.status(), response.json::<Value>().await.unwrap());
    assert!(status.is_success(), "{url}: {body}");
    body["data"].take()
}

/// Sells a seat to a new member, and returns the address.
async fn buy(client: &Client, url: &str, show: &str, seat: &Value, number: usize) -> String {
    let email = format!("buyer{number}@example.com");
    let member =
        json!({"email": email, "name": "구매자", "nickname": format!("buyer{number}"), "password": "correct-horse"});
    send(client, &format!("{url}/api/v1/auth/join"), &member, None).await;
    let session = send(client, &format!("{url}/api/v1/auth/login"), &member, None).await;
    let holds = format!("{url}{show}/holds");
    let hold = send(client, &holds, &json!({"seatIds": [seat]}), session["accessToken"].as_str()).await;
    let order = json!({"orderId": format!("order-{number}"), "amount": hold["amount"]});
    send(client, &format!("{holds}/{}/confirmation", hold["id"].as_str().unwrap()), &order, None).await;
    email
}

/// Returns the newest notice of a show, if the service responds.
async fn notice(client: &Client, url: &str, show: &str) -> Option<Value> {
    let request = client.get(format!("{url}{show}/notices")).header("x-api-managerId", MANAGER);
    Some(request.send().await.ok()?.json::<Value>().await.ok()?["data"][0].take())
}

#[tokio::test(flavor = "multi_thread")]
async fn notice_survives_kills() {
    let (kills, buyers) = (setting("LOCAL_KILLS", KILLS), setting("NOTICE_BUYERS", BUYERS));
    let data = TempDir::new().unwrap();
    let start = |sample: &[&str]| {
        let arguments = [&["--base-url", "http://localhost", "--notice-rate", "100"], sample].concat();
        let local = Local::start(data.path(), &arguments);
        let url = format!("http://{}", local.address);
        (local, url)
    };
    let (mut local, mut url) = start(&["--sample"]);
    let client = Client::new();
    let (show, seats) = arena(&client, &url).await;
    let sold = stream::iter(seats.iter().take(buyers).enumerate());
    let sold = sold.map(|(number, seat)| buy(&client, &url, &show, seat, number));
    let members: Vec<_> = sold.buffer_unordered(REQUESTS).collect().await;
    assert_eq!(members.len(), buyers);

    let mut mails = Mails::default();
    send(&client, &format!("{url}{show}/notices"), &json!({"text": "문은 6시에 열립니다."}), None).await;
    let (mut rng, mut killed) = (Rng::with_seed(0), 0);
    let mut until_next = |received: usize, left: usize| {
        let share = buyers.saturating_sub(received) / left.max(1);
        received + rng.usize(1..=share.max(1))
    };
    let mut next_kill = until_next(0, kills);
    let notice = loop {
        mails.read(&client, &url).await;
        if killed < kills && mails.0.len() >= next_kill {
            local.process.kill().unwrap();
            local.process.wait().unwrap();
            (local, url) = start(&[]);
            killed += 1;
            next_kill = until_next(mails.0.len(), kills - killed);
        }
        match notice(&client, &url, &show).await {
            Some(notice) if notice["status"] != "SENDING" => break notice,
            _ => sleep(Duration::from_millis(50)).await,
        }
    };
    mails.read(&client, &url).await;
    let mut received = HashMap::new();
    for (to, _) in &mails.0 {
        *received.entry(to.as_str()).or_insert(0) += 1;
    }
    assert!(received.values().all(|count| *count == 1), "a member got two mails");
    let without = members.iter().filter(|member| !received.contains_key(member.as_str())).count();
    let count = |name: &str| usize::try_from(notice[name].as_u64().unwrap()).unwrap();
    println!("{killed} kills, {} mails, {} sent, {} failed", received.len(), count("sent"), count("failed"));
    assert_eq!((count("buyers"), count("sent") + count("failed")), (buyers, buyers));
    assert!(without <= count("failed"), "{without} members were forgotten");
    assert!(count("sent") <= received.len());
}

/// Opens the sales of a large hall, and returns the path of its first show with the ids of its seats.
async fn arena(client: &Client, url: &str) -> (String, Vec<Value>) {
    let events = client.get(format!("{url}/api/v1/events")).send().await.unwrap().json::<Value>().await.unwrap();
    for event in events["data"].as_array().unwrap() {
        let path = format!("/api/v1/events/{}", event["id"].as_str().unwrap());
        let detail =
            client.get(format!("{url}{path}/detail")).header("Accept-Encoding", "identity").send().await.unwrap();
        let detail = detail.json::<Value>().await.unwrap();
        let areas = detail["data"]["areas"].as_array().into_iter().flatten();
        let seats: Vec<_> = areas.flat_map(|area| area["seats"].as_array().into_iter().flatten()).collect();
        if !(5_000..20_000).contains(&seats.len()) {
            continue;
        }
        let opened = json!({
            "eventOpenTime": 1, "ticketingOpenTime": 1, "eventDatetimes": ["2100-01-01T10:00:00Z"], "maxSeats": 10,
        });
        let opened = client.patch(format!("{url}{path}")).header("x-api-managerId", MANAGER).json(&opened);
        let mut opened = opened.send().await.unwrap().json::<Value>().await.unwrap();
        let show = opened["data"]["eventDatetimes"][0]["id"].take();
        let ids = seats.iter().map(|seat| seat["id"].clone()).collect();
        return (format!("{path}/dates/{}", show.as_str().expect("a show")), ids);
    }
    panic!("no event in an arena")
}
