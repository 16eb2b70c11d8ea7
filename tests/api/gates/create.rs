//! `POST /api/v1/events/{eventId}/dates/{showId}/gates`, and the list of gates

use futures_util::future::join_all;
use tests::prelude::*;

async fn create(api: &Api, sale: &Sale, body: &Value) -> Response {
    api.post_as_manager(&sale.path("gates"), body).await
}

#[tokio::test]
async fn gate_has_a_token_once() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let before = now();
    let created = create(&api, &sale, &json!({"name": "남문"})).await.expect(201, "0");
    assert_eq!(created.header("Location"), sale.path(&format!("gates/{}", created.id())));
    assert_eq!(created.header("Cache-Control"), "no-store");
    let gate = created.data();
    let names: Vec<_> = gate.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["createdAt", "id", "name", "token"]);
    let token = gate["token"].as_str().unwrap();
    assert!(token.len() <= 300 && token.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.".contains(&c)), "{token}");
    let made = domain::instant::Instant::from_text(gate["createdAt"].as_str().unwrap()).unwrap().since_epoch();
    assert!((before..=now()).contains(&made.as_secs()));
    let listed = sale.gates(&api).await;
    assert_eq!(listed.header("Cache-Control"), "no-store");
    let expected = json!([{"id": gate["id"], "name": "남문", "createdAt": gate["createdAt"], "admitted": 0}]);
    assert_eq!(listed.expect(200, "0").data(), expected);
}

#[tokio::test]
async fn name_has_1_to_50_characters() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let bodies = [
        json!({}),
        json!({"name": null}),
        json!({"name": 1}),
        json!({"name": ""}),
        json!({"name": " "}),
        json!({"name": "문".repeat(51)}),
        json!({"name": "a\nb"}),
        json!({"name": "문".repeat(50)}),
        json!({"name": "a"}),
        json!({"name": "a"}),
    ];
    assert_snapshot!(outcomes(&bodies, |body| create(&api, &sale, body)).await, @r"
    0: 400 C_001 | name ‘’ 필수 입력값입니다.
    1: 400 C_001 | name ‘’ 필수 입력값입니다.
    2: 400 C_001 | name ‘1’ 문자열이어야 합니다.
    3: 400 C_001 | name ‘’ 필수 입력값입니다.
    4: 400 C_001 | name ‘ ’ 필수 입력값입니다.
    5: 400 C_001 | name ‘문문문문문문문문문문… (51)’ 50자 이하여야 합니다.
    6: 400 C_001 | name ‘a\nb’ 제어 문자를 포함할 수 없습니다.
    7: 201
    8: 201
    9: 201
    ");
}

#[tokio::test]
async fn show_has_at_most_50_gates() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let mut gates = Vec::new();
    for number in 0..50 {
        gates.push(sale.gate(&api, &number.to_string()).await["id"].as_str().unwrap().to_owned());
    }
    assert_snapshot!(create(&api, &sale, &json!({"name": "51"})).await, @r#"
    409
    {"message": "게이트는 한 회차에 50개까지 만들 수 있습니다. 쓰지 않는 게이트를 삭제해 주세요.", "code": "G_002"}
    "#);
    sale.remove_gate(&api, &gates[7]).await.check(204, "0");
    gates.remove(7);
    gates.push(create(&api, &sale, &json!({"name": "51"})).await.expect(201, "0").id());
    create(&api, &sale, &json!({"name": "52"})).await.check(409, "G_002");
    let listed = sale.gates(&api).await.data();
    let ids: Vec<_> = listed.as_array().unwrap().iter().map(|gate| gate["id"].as_str().unwrap()).collect();
    assert_eq!(ids, gates, "in the order of creation");
    let other =
        Sale { show: api.event(&sale.event).await.data()["eventDatetimes"][1]["id"].as_str().unwrap().into(), ..sale };
    create(&api, &other, &json!({"name": "1"})).await.check(201, "0");
}

#[tokio::test]
async fn simultaneous_gates_are_all_made() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let names: Vec<_> = (0..8).map(|number| json!({"name": number.to_string()})).collect();
    let made = join_all(names.iter().map(|name| create(&api, &sale, name))).await;
    assert!(made.iter().all(|response| response.status == 201));
    assert_eq!(sale.gates(&api).await.data().as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn only_manager_sees_gates_of_a_draft() {
    let api = Api::new();
    let sale = Sale::open_with(&api, json!({"published": false})).await;
    let other = api.by(OTHER_MANAGER);
    let gate = sale.gate(&api, "남문").await;
    create(&other, &sale, &json!({"name": "북문"})).await.check(404, "E_002");
    sale.gates(&other).await.check(404, "E_002");
    sale.remove_gate(&other, gate["id"].as_str().unwrap()).await.check(404, "E_002");
    let codes = sale.codes(&api, &[0]).await;
    assert_eq!(sale.scanned(&api, &gate, &codes[0]).await, "ADMITTED");
    // In an open deployment, any manager may for a published event.
    api.edit(&sale.event, &json!({"published": true})).await.check(200, "0");
    create(&other, &sale, &json!({"name": "북문"})).await.check(201, "0");
    assert_eq!(sale.gates(&other).await.data().as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn admissions_are_counted_by_gate() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let [south, north] = [sale.gate(&api, "남문").await, sale.gate(&api, "남문").await];
    let hold = sale.sold(&api, &[0, 1, 2, 3]).await;
    let tickets = sale.tickets(&api, &hold).await.data();
    for (gate, seat) in [(&south, 0), (&south, 1), (&north, 2), (&north, 3)] {
        assert_eq!(sale.scanned(&api, gate, tickets[seat]["code"].as_str().unwrap()).await, "ADMITTED");
    }
    sale.remove_admission(&api, &south, 3).await.check(200, "0");
    let admitted = async || {
        let gates = sale.gates(&api).await.data();
        gates.as_array().unwrap().iter().map(|gate| gate["admitted"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(admitted().await, [2, 1]);
    sale.cancel(&api, &hold, "box-1").await.check(200, "0");
    assert_eq!(admitted().await, [0, 0]);
}

mod in_process {
    use tests::fault::{Extent, Fault, Rule, TRANSACTION};

    use super::*;

    #[tokio::test]
    async fn only_owner_makes_gates() {
        let verified = VerifiedService::start().await;
        let owner = verified.by(MANAGER);
        let sale = Sale::open(&owner).await;
        let gate = sale.gate(&owner, "남문").await;
        let order_service = verified.with_roles("order-service-1", &["order"]);
        create(&verified.by(OTHER_MANAGER), &sale, &json!({"name": ""})).await.check(400, "C_001");
        for other in [verified.by(OTHER_MANAGER), order_service] {
            create(&other, &sale, &json!({"name": "북문"})).await.check(403, "AM_002");
            sale.gates(&other).await.check(403, "AM_002");
            for id in [gate["id"].as_str().unwrap(), "x"] {
                sale.remove_gate(&other, id).await.check(403, "AM_002");
            }
        }
        sale.gates(&verified.api.with_token("a.b.c")).await.check(401, "AM_001");
        assert_eq!(sale.gates(&owner).await.expect(200, "0").data().as_array().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn creation_is_a_read_and_a_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let made = service.effect(create(&service.api, &sale, &json!({"name": "남문"}))).await;
        assert_snapshot!(made, @r#"
        201
        BatchGetItem, TransactWriteItems: 6 read, 2 write units
        + GATES#[id1] GATES#[id2] {"gates": [{"created": "[now]", "name": "남문", "secret": "[hash]"}], "version": 1}
        "#);
        let token = made.response.data()["token"].as_str().unwrap().to_owned();
        let secret = token.split_once('.').unwrap().1;
        assert!(!format!("{:?}", service.contents().await.items).contains(secret), "the secret is stored");
        service.check_permissions("gates-create");
    }

    #[tokio::test]
    async fn list_is_a_read_and_a_query() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        sale.gate(&service.other, "남문").await;
        assert_snapshot!(service.effect(sale.gates(&service.api)).await.usage, @"BatchGetItem, Query: 7 read, 0 write units");
        service.check_permissions("gates-list");
    }

    #[tokio::test]
    async fn removal_is_a_read_and_a_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let id = sale.gate(&service.other, "남문").await["id"].as_str().unwrap().to_owned();
        assert_snapshot!(service.effect(sale.remove_gate(&service.api, &id)).await, @r#"
        204
        BatchGetItem, TransactWriteItems: 6 read, 2 write units
        ~ GATES#[id1] GATES#[id2] {"gates": [{"created": "[now]", "name": "남문"}], "version": 2}
        "#);
        assert_snapshot!(service.effect(sale.remove_gate(&service.api, &id)).await, @"
        404 G_003 해당 게이트를 찾을 수 없습니다.
        BatchGetItem: 2 read, 0 write units
        ");
        service.check_permissions("gates-remove");
    }

    #[tokio::test]
    async fn repeated_call_makes_one_gate() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        for (fault, count) in [(Fault::ConnectionError, 1), (Fault::LostResponse, 2)] {
            let rule = Rule::new(TRANSACTION, Extent::Tries(1), fault);
            let gate = json!({"name": "남문"});
            service.with_rule(rule, create(&service.api, &sale, &gate)).await.check(201, "0");
            assert_eq!(sale.gates(&service.other).await.data().as_array().unwrap().len(), count);
        }
    }

    #[tokio::test]
    async fn faults_remove_or_leave_gate() {
        let prepare = async |service: &Service| {
            let sale = Sale::open(&service.other).await;
            let gate = sale.gate(&service.other, "남문").await["id"].as_str().unwrap().to_owned();
            (sale, gate)
        };
        let remove = async |api: &Api, (sale, gate): &(Sale, String)| sale.remove_gate(api, gate).await;
        assert_snapshot!(faults(prepare, remove).await, @"
                            once  lost  fails  unknown     ends   ends after
        BatchGetItem        204   204   S_003  S_003       S_003  S_003
        TransactWriteItems  204   204   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
