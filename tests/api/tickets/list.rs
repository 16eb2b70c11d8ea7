//! `GET /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/tickets`, and `…/sales/{holdId}/tickets`

use base64_simd::URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use tests::prelude::*;
use uuid::Uuid;

/// Lists the tickets of a hold as its member.
async fn own(api: &Api, sale: &Sale, tokens: &Value, hold: &str) -> Response {
    api.send_as_member(Method::GET, &sale.path(&format!("holds/{hold}/tickets")), tokens, None).await
}

/// Holds seats and confirms them, and returns the tokens of the member and the id of the hold.
async fn bought(api: &Api, sale: &Sale, seats: &[usize], amount: f64) -> (Value, String) {
    let (tokens, hold) = sale.held(api, seats).await;
    sale.confirm(api, &hold, "order-1", amount).await.check(200, "0");
    (tokens, hold)
}

fn entries(response: &Response) -> Vec<Value> {
    response.data().as_array().unwrap().clone()
}

/// Verifies a code with the published key, without the service, and returns what it signs.
async fn verified(api: &Api, code: &str) -> Option<Vec<u8>> {
    let keys = api.get("/.well-known/jwks.json").await.json()["keys"].take();
    let is_of_tickets = |key: &&Value| key["kid"].as_str().unwrap().starts_with("ticket-");
    let [key] = keys.as_array().unwrap().iter().filter(is_of_tickets).collect::<Vec<_>>()[..] else { panic!("{keys}") };
    let [x, y] = ["x", "y"].map(|name| URL_SAFE_NO_PAD.decode_to_vec(key[name].as_str().unwrap()).unwrap());
    let point = [vec![4], x, y].concat();
    let bytes = URL_SAFE_NO_PAD.decode_to_vec(code).ok()?;
    let (payload, signature) = bytes.split_at_checked(65)?;
    let is_valid = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(payload, signature).is_ok();
    is_valid.then(|| payload.to_vec())
}

fn payload(sale: &Sale, hold: &str, seat: usize) -> Vec<u8> {
    let ids = [&sale.event, &sale.show, hold, &sale.seat(seat)].map(|id| id.parse::<Uuid>().unwrap().into_bytes());
    [vec![1], ids.concat()].concat()
}

#[tokio::test]
async fn each_seat_of_a_hold_has_a_ticket() {
    let api = Api::new();
    let mut event = Sale::on_sale();
    event["areas"][1]["seats"][0]["kind"] = json!("WHEELCHAIR");
    let sale = Sale::of(&api.create(&event).await);
    let (tokens, hold) = bought(&api, &sale, &[130, 2], 149_000.5).await;
    let response = own(&api, &sale, &tokens, &hold).await;
    assert_eq!(response.header("Cache-Control"), "no-store");
    let tickets = entries(&response);
    for (ticket, seat) in tickets.iter().zip([130, 2]) {
        let code = ticket["code"].as_str().unwrap();
        assert!(code.len() <= 200 && code.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_".contains(&c)), "{code}");
        assert_eq!(verified(&api, code).await, Some(payload(&sale, &hold, seat)));
        let other = format!("{}{}", if code.starts_with('A') { "B" } else { "A" }, &code[1..]);
        assert_eq!(verified(&api, &other).await, None);
    }
    let mut shown = response.json();
    for ticket in shown["data"].as_array_mut().unwrap() {
        ticket["code"].take();
        ticket["qr"].take();
    }
    assert_snapshot!(serde_json::to_string_pretty(&named(&shown.to_string()).parse::<Value>().unwrap()).unwrap(), @r#"
    {
      "code": "0",
      "data": [
        {
          "areaId": "[id1]",
          "areaLabel": "2층 B",
          "code": null,
          "kind": "WHEELCHAIR",
          "number": 1,
          "price": 99000.5,
          "qr": null,
          "row": 1,
          "seatId": "[id2]"
        },
        {
          "areaId": "[id3]",
          "areaLabel": "1층 A",
          "code": null,
          "number": 3,
          "price": 50000,
          "qr": null,
          "row": 1,
          "seatId": "[id4]"
        }
      ],
      "message": "티켓을 조회했습니다."
    }
    "#);
}

#[tokio::test]
async fn picture_is_inert_svg() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let hold = sale.sold(&api, &[0]).await;
    let tickets = entries(&sale.tickets(&api, &hold).await.expect(200, "0"));
    let qr = tickets[0]["qr"].as_str().unwrap();
    assert!(qr.len() <= 8 * 1024, "{}", qr.len());
    let document = roxmltree::Document::parse(qr).unwrap();
    let names: Vec<_> =
        document.descendants().filter(roxmltree::Node::is_element).map(|node| node.tag_name().name()).collect();
    assert_eq!(names, ["svg", "path", "path"]);
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        assert!(["viewBox", "shape-rendering", "fill", "d", "stroke"].contains(&attribute.name()), "{attribute:?}");
        assert!(!attribute.value().contains([':', '(']), "{attribute:?}");
    }
}

#[tokio::test]
async fn other_requests_are_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    own(&api, &sale, &tokens, &hold).await.check(409, "H_004");
    sale.tickets(&api, &hold).await.check(409, "H_004");
    sale.confirm(&api, &hold, "order-1", 50_000.0).await.check(200, "0");
    let (_, other) = api.joined_with_session().await;
    own(&api, &sale, &other, &hold).await.check(404, "H_005");
    own(&api, &sale, &json!({"accessToken": "a.b.c"}), &hold).await.check(401, "AS_002");
    let elsewhere = Sale::open(&api).await;
    own(&api, &elsewhere, &tokens, &hold).await.check(404, "H_005");
    elsewhere.tickets(&api, &hold).await.check(404, "H_005");
    // The box office sells to no member.
    let sold = sale.sold(&api, &[1]).await;
    own(&api, &sale, &tokens, &sold).await.check(404, "H_005");
    sale.tickets(&api, &sold).await.check(200, "0");
    sale.cancel(&api, &hold, "order-1").await.check(200, "0");
    own(&api, &sale, &tokens, &hold).await.check(409, "H_004");
    sale.tickets(&api, &hold).await.check(409, "H_004");
}

#[tokio::test]
async fn draft_has_tickets_for_its_manager_only() {
    let api = Api::new();
    let sale = Sale::open_with(&api, json!({"published": false})).await;
    let hold = sale.sold(&api, &[0]).await;
    sale.tickets(&api, &hold).await.check(200, "0");
    sale.tickets(&api.by(OTHER_MANAGER), &hold).await.check(404, "E_002");
}

#[tokio::test]
async fn tickets_of_a_show_that_is_off_are_listed() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = bought(&api, &sale, &[0], 50_000.0).await;
    for status in ["POSTPONED", "CANCELLED"] {
        api.edit_show(&sale.event, &sale.show, &json!({ "status": status })).await.check(200, "0");
        own(&api, &sale, &tokens, &hold).await.check(200, "0");
        sale.tickets(&api, &hold).await.check(200, "0");
    }
}

#[tokio::test]
async fn admitted_ticket_has_its_time() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = bought(&api, &sale, &[1, 0], 100_000.0).await;
    let tickets = entries(&own(&api, &sale, &tokens, &hold).await);
    let gate = sale.gate(&api, "남문").await;
    let result = sale.scan(&api, &gate, tickets[1]["code"].as_str().unwrap()).await.data();
    for response in [own(&api, &sale, &tokens, &hold).await, sale.tickets(&api, &hold).await] {
        let tickets = entries(&response);
        assert_eq!((tickets[0].get("admittedAt"), &tickets[1]["admittedAt"]), (None, &result[0]["admittedAt"]));
    }
    sale.remove_admission(&api, &gate, 0).await.check(200, "0");
    assert_eq!(entries(&own(&api, &sale, &tokens, &hold).await)[1].get("admittedAt"), None);
}

#[tokio::test]
async fn codes_outlast_a_move_and_a_withdrawal() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (member, tokens) = api.joined_with_session().await;
    let hold = sale.hold(&api, &tokens, &[0]).await.id();
    sale.confirm(&api, &hold, "order-1", 50_000.0).await.check(200, "0");
    let code = |response: Response| response.data()[0]["code"].as_str().unwrap().to_owned();
    let codes = [code(own(&api, &sale, &tokens, &hold).await), code(sale.tickets(&api, &hold).await)];
    api.edit_show(&sale.event, &sale.show, &json!({"datetime": "2100-05-05T10:00:00Z"})).await.check(200, "0");
    api.withdraw(&member, &json!({"password": PASSWORD})).await.check(204, "0");
    let gate = sale.gate(&api, "남문").await;
    let mut results = Vec::new();
    for code in &codes {
        results.push(sale.scanned(&api, &gate, code).await);
    }
    assert_eq!(results, ["ADMITTED", "ALREADY_ADMITTED"]);
}

mod in_process {
    use tests::VerifiedService;

    use super::*;

    #[tokio::test]
    async fn only_sellers_list_tickets_of_a_sale() {
        let verified = VerifiedService::start().await;
        let (owner, order_service) = (verified.by(MANAGER), verified.with_roles("order-service-1", &["order"]));
        let sale = Sale::open(&owner).await;
        let hold = sale.sold(&owner, &[0]).await;
        sale.tickets(&owner, &hold).await.check(200, "0");
        sale.tickets(&order_service, &hold).await.check(200, "0");
        sale.tickets(&verified.by(OTHER_MANAGER), &hold).await.check(403, "AM_002");
        sale.tickets(&verified.api.with_token("a.b.c"), &hold).await.check(401, "AM_001");
    }

    /// The first request of a process stores the public key, too.
    #[tokio::test]
    async fn own_tickets_are_two_reads() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (tokens, hold) = bought(&service.other, &sale, &[63, 64], 100_000.0).await;
        assert_snapshot!(service.effect(own(&service.api, &sale, &tokens, &hold)).await.usage, @"GetItem SIGNING_KEY, BatchGetItem, BatchGetItem, PutItem TICKET_KEY: 10 read, 1 write units");
        assert_snapshot!(service.effect(own(&service.api, &sale, &tokens, &hold)).await, @"
        200
        BatchGetItem, BatchGetItem: 5 read, 0 write units
        ");
        service.check_permissions("tickets-list");
    }

    #[tokio::test]
    async fn tickets_of_a_sale_are_two_reads() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let hold = sale.sold(&service.other, &[63, 64]).await;
        assert_snapshot!(service.effect(sale.tickets(&service.api, &hold)).await.usage, @"BatchGetItem, BatchGetItem, PutItem TICKET_KEY: 8 read, 1 write units");
        assert_snapshot!(service.effect(sale.tickets(&service.api, &hold)).await, @"
        200
        BatchGetItem, BatchGetItem: 4 read, 0 write units
        ");
        service.check_permissions("tickets-of-sale");
    }

    #[tokio::test]
    async fn faults_are_retried() {
        let prepare = async |service: &Service| {
            let sale = Sale::open(&service.other).await;
            let hold = sale.sold(&service.other, &[0]).await;
            // A process stores the public key once.
            sale.tickets(&service.api, &hold).await.check(200, "0");
            (sale, hold)
        };
        let list = async |api: &Api, (sale, hold): &(Sale, String)| sale.tickets(api, hold).await;
        assert_snapshot!(faults(prepare, list).await, @"
                      once  lost  fails  unknown  ends   ends after
        BatchGetItem  200   200   S_003  S_003    S_003  S_003
        ");
    }
}
