//! `GET /api/v1/events/{eventId}/dates/{showId}/gates/{gateId}`, and the tokens of gates

use tests::prelude::*;

#[tokio::test]
async fn gate_sees_its_show() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let gate = sale.gate(&api, "남문").await;
    let codes = sale.codes(&api, &[0, 1]).await;
    sale.held(&api, &[2]).await;
    sale.block(&api, &[3]).await.check(200, "0");
    let other = sale.gate(&api, "북문").await;
    assert_eq!(sale.scanned(&api, &other, &codes[0]).await, "ADMITTED");
    let response = sale.gate_of_show(&api, &gate).await;
    assert_eq!(response.header("Cache-Control"), "no-store");
    assert_snapshot!(response, @r#"
    200
    {
      "message": "게이트를 조회했습니다.", "code": "0",
      "data": {
        "id": "[id1]", "name": "남문", "title": "봄 콘서트 [text1]", "place": "올림픽공원 올림픽홀",
        "datetime": "2100-01-01T10:00:00Z", "sold": 2, "admitted": 1
      }
    }
    "#);
    let off = json!({"status": "POSTPONED", "notice": "비로 연기되었습니다."});
    api.edit_show(&sale.event, &sale.show, &off).await.check(200, "0");
    let data = sale.gate_of_show(&api, &gate).await.expect(200, "0").data();
    assert_eq!([&data["status"], &data["notice"]], ["POSTPONED", "비로 연기되었습니다."]);
}

/// Sends all requests of gates with a token, and returns the responses, which are equal.
async fn rejection(api: &Api, sale: &Sale, gate: &str, token: Option<&str>) -> String {
    let mut rejected = Vec::new();
    for (method, path) in [
        (Method::GET, format!("gates/{gate}")),
        (Method::POST, "admissions".to_owned()),
        (Method::POST, "admissions/removal".to_owned()),
    ] {
        let request = api.request(method.clone(), &sale.path(&path));
        let request = token.into_iter().fold(request, |request, token| request.header("Authorization", token));
        let request = if method == Method::POST { request.json(&json!({})) } else { request };
        rejected.push(Api::send(request).await.to_string());
    }
    rejected.dedup();
    assert_eq!(rejected.len(), 1, "{rejected:?}");
    rejected.remove(0)
}

#[tokio::test]
async fn unusable_tokens_look_alike() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let [gate, other, removed] = [sale.gate(&api, "1").await, sale.gate(&api, "2").await, sale.gate(&api, "3").await];
    let text = |gate: &Value, name: &str| gate[name].as_str().unwrap().to_owned();
    let (id, token) = (text(&gate, "id"), text(&gate, "token"));
    sale.remove_gate(&api, &text(&removed, "id")).await.check(204, "0");
    let second = api.event(&sale.event).await.data()["eventDatetimes"][1]["id"].as_str().unwrap().to_owned();
    let second = Sale { show: second, ..sale.clone() };
    let elsewhere = Sale::open(&api).await;
    let of_second = text(&second.gate(&api, "1").await, "token");
    let (_, member) = api.joined_with_session().await;
    let bearer = |token: &str| Some(format!("Bearer {token}"));
    let secret = token.split_once('.').unwrap().1;
    let mut changed = token.clone();
    changed.replace_range(40..41, if &token[40..41] == "A" { "B" } else { "A" });
    let mut bodies = Vec::new();
    for token in [
        None,
        Some(String::new()),
        Some(token.clone()),
        bearer(""),
        bearer(&changed),
        bearer(&token[1..]),
        bearer(&format!("{token}.")),
        bearer(&format!("{}.{secret}", text(&other, "id"))),
        bearer(&format!("{}.{secret}", sample::UNKNOWN_EVENT)),
        bearer(&text(&removed, "token")),
        bearer(&of_second),
        bearer(member["accessToken"].as_str().unwrap()),
        bearer(&"a".repeat(5_000)),
    ] {
        bodies.push(rejection(&api, &sale, &id, token.as_deref()).await);
    }
    let valid = bearer(&token);
    for sale in [&second, &elsewhere, &Sale { show: "x".to_owned(), ..sale.clone() }] {
        bodies.push(rejection(&api, sale, &id, valid.as_deref()).await);
    }
    for gate in [&text(&other, "id"), "x", sample::UNKNOWN_EVENT] {
        let request = api.request(Method::GET, &sale.path(&format!("gates/{gate}"))).bearer_auth(&token);
        bodies.push(Api::send(request).await.to_string());
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:#?}");
    assert_snapshot!(bodies[0], @r#"
    401
    www-authenticate: Bearer
    {"message": "사용할 수 없는 게이트입니다. 관리자에게 새 게이트를 요청해 주세요.", "code": "G_001"}
    "#);
    sale.gate_of_show(&api, &gate).await.check(200, "0");
}

#[tokio::test]
async fn token_admits_and_nothing_else() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let hold = sale.sold(&api, &[0]).await;
    let gate = sale.gate(&api, "남문").await;
    let at_gate = api.with_token(gate["token"].as_str().unwrap());
    for end in ["gates", "admissions", "sales", "summary", &format!("sales/{hold}/tickets")] {
        let response = at_gate.get(&sale.path(end)).await;
        assert_eq!(response.status, 401, "{end}: {response}");
    }
}

#[tokio::test]
async fn removed_gate_keeps_its_admissions() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let [gate, other] = [sale.gate(&api, "남문").await, sale.gate(&api, "북문").await];
    let codes = sale.codes(&api, &[0, 1]).await;
    assert_eq!(sale.scanned(&api, &gate, &codes[0]).await, "ADMITTED");
    let id = gate["id"].as_str().unwrap();
    let removed = sale.remove_gate(&api, id).await;
    assert_eq!((removed.status, removed.body.is_empty(), removed.header("Cache-Control")), (204, true, "no-store"));
    sale.scan(&api, &gate, &codes[1]).await.check(401, "G_001");
    for id in [id, sample::UNKNOWN_EVENT, "x"] {
        sale.remove_gate(&api, id).await.check(404, "G_003");
    }
    let scanned = sale.scan(&api, &other, &codes[0]).await.data();
    assert_eq!([&scanned[0]["result"], &scanned[0]["gate"]], ["ALREADY_ADMITTED", "남문"]);
    assert_eq!(sale.admissions(&api).await.data()["admitted"], 1);
    // The numbers of the gates stay.
    let third = sale.gate(&api, "동문").await;
    assert_eq!(sale.scanned(&api, &third, &codes[1]).await, "ADMITTED");
    let gates = sale.gates(&api).await.data();
    let admitted: Vec<_> = gates.as_array().unwrap().iter().map(|gate| &gate["admitted"]).collect();
    assert_eq!(admitted, [0, 1]);
}

#[tokio::test]
async fn token_of_a_deleted_event_or_show_is_unusable() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let second = api.event(&sale.event).await.data()["eventDatetimes"][1]["id"].as_str().unwrap().to_owned();
    let second = Sale { show: second, ..sale.clone() };
    let [gate, of_second] = [sale.gate(&api, "1").await, second.gate(&api, "1").await];
    api.edit(&sale.event, &json!({"eventDatetimes": ["2100-01-01T10:00:00Z"]})).await.check(200, "0");
    second.gate_of_show(&api, &of_second).await.check(401, "G_001");
    sale.gate_of_show(&api, &gate).await.check(200, "0");
    api.delete(&sale.event).await.check(204, "0");
    sale.gate_of_show(&api, &gate).await.check(401, "G_001");
    api.restore(&sale.event).await.check(200, "0");
    sale.gate_of_show(&api, &gate).await.check(200, "0");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn token_ends_72_hours_after_the_show() {
        let (service, clock) = Service::with_clock().await;
        let api = &service.other;
        let start = clock.now().as_secs() + 3_600;
        let sale = Sale::open_with(api, json!({"eventDatetimes": [start]})).await;
        let code = sale.codes(api, &[0]).await.remove(0);
        let gate = sale.gate(api, "남문").await;
        let show = async |change: Value| api.edit_show(&sale.event, &sale.show, &change).await.check(200, "0");
        clock.advance(3_600 + 72 * 3_600 - 60);
        sale.gate_of_show(api, &gate).await.check(200, "0");
        clock.advance(61);
        sale.gate_of_show(api, &gate).await.check(401, "G_001");
        show(json!({"status": "CANCELLED"})).await;
        sale.gate_of_show(api, &gate).await.check(401, "G_001");
        show(json!({"status": "POSTPONED"})).await;
        sale.gate_of_show(api, &gate).await.check(200, "0");
        assert_eq!(sale.scanned(api, &gate, &code).await, "SHOW_OFF");
        show(json!({"status": "SCHEDULED"})).await;
        sale.gate_of_show(api, &gate).await.check(401, "G_001");
        // It is valid again, if the show is moved.
        show(json!({"datetime": clock.now().as_secs() - 71 * 3_600})).await;
        assert_eq!(sale.scanned(api, &gate, &code).await, "ADMITTED");
    }

    #[tokio::test]
    async fn gate_reads_the_sold_seats() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        sale.sold(&service.other, &[0]).await;
        let gate = sale.gate(&service.other, "남문").await;
        assert_snapshot!(service.effect(sale.gate_of_show(&service.api, &gate)).await, @"
        200
        BatchGetItem, Query: 8 read, 0 write units
        ");
        assert_snapshot!(service.effect(sale.gate_of_show(&service.api, &gate)).await, @"
        200
        BatchGetItem, Query: 4 read, 0 write units
        ");
        service.check_permissions("gates-get");
    }
}
