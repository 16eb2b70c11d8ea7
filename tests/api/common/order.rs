//! Order in which all routes below a show check a request: the caller, the fields, the member, the show, the hold or
//! gate.

use tests::prelude::*;

/// Fields that are invalid in every request which has them.
const INVALID: &[u8] = br#"{"seatIds": 1, "seatId": 1, "orderId": 1, "status": 1, "name": 1, "scans": 1, "text": 1}"#;

#[tokio::test]
async fn first_fault_below_a_show_is_returned() {
    let api = Api::new();
    let (sale, other) = (Sale::open(&api).await, Sale::open(&api).await);
    let (_, tokens) = api.joined_with_session().await;
    let (left, ended) = api.joined_with_session().await;
    api.withdraw(&left, &json!({"password": PASSWORD})).await.check(204, "0");
    let [member, withdrawn] = [tokens, ended].map(|tokens| api.with_token(tokens["accessToken"].as_str().unwrap()));
    let (manager, invalid_token) = (api.by(MANAGER), api.with_token("a.b.c"));
    let gate = api.with_token(sale.gate(&api, "남문").await["token"].as_str().unwrap());
    for operation in Operation::all().into_iter().filter(|operation| operation.path.contains("{showId}")) {
        let (media_type, valid) = operation.valid_body(&sale.event);
        let send = async |api: &Api, show: &str, hold: &str, body: &[u8]| {
            let ids = [("eventId", &*sale.event), ("showId", show), ("holdId", hold), ("gateId", hold)];
            let request = api.request(operation.method.clone(), &sample::path(&operation.path, &ids, ""));
            Api::send(request.header("Content-Type", &media_type).body(body.to_vec())).await
        };
        let caller = if operation.is_for_members {
            for no_member in [&api, &invalid_token] {
                send(no_member, "x", "x", INVALID).await.check(401, "AS_002");
            }
            send(&withdrawn, sample::UNKNOWN_EVENT, "x", &valid).await.check(401, "AS_002");
            &member
        } else if operation.is_for_gates {
            for no_gate in [&api, &invalid_token, &member, &manager] {
                send(no_gate, &sale.show, "x", INVALID).await.check(401, "G_001");
            }
            for show in ["x", sample::UNKNOWN_EVENT, &other.show, &sale.event] {
                send(&gate, show, "x", INVALID).await.check(401, "G_001");
            }
            if operation.media_type.is_some() {
                send(&gate, &sale.show, "x", INVALID).await.check(400, "C_001");
            }
            continue;
        } else {
            if operation.has("x-api-managerId") {
                send(&api, "x", "x", INVALID).await.check(401, "AM_001");
            }
            &manager
        };
        if operation.media_type.is_some() {
            send(caller, "x", "x", INVALID).await.check(400, "C_001");
        }
        for show in ["x", sample::UNKNOWN_EVENT, &other.show, &sale.event] {
            send(caller, show, "x", &valid).await.check(404, "E_002");
        }
        for (parameter, code) in [("{holdId}", "H_005"), ("{gateId}", "G_003")] {
            if operation.path.contains(parameter) {
                for id in ["x", sample::UNKNOWN_EVENT] {
                    send(caller, &sale.show, id, &valid).await.check(404, code);
                }
            }
        }
    }
    assert_eq!(sale.taken(&api).await, 0);
}
