//! `POST /api/v1/events/{eventId}/dates/{showId}/admissions`: valid and invalid requests, calls and faults

use tests::prelude::*;

#[tokio::test]
async fn invalid_fields_are_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let gate = sale.gate(&api, "남문").await;
    let code = sale.codes(&api, &[0]).await.remove(0);
    let scans = |scan: Value| json!({ "scans": [scan] });
    let bodies = [
        json!({}),
        json!({"scans": null}),
        json!({"scans": {}}),
        json!({"scans": []}),
        json!({"scans": vec![json!({"code": code}); 51]}),
        json!({"scans": [1, null, "a"]}),
        scans(json!({})),
        scans(json!({"code": null})),
        scans(json!({"code": 1})),
        scans(json!({"code": ["x"]})),
        json!({"scans": [{"code": code}, {"code": 2, "scanId": "", "scannedAt": "x"}]}),
        scans(json!({"code": code, "scanId": "a".repeat(65)})),
        scans(json!({"code": code, "scanId": "a b"})),
        scans(json!({"code": code, "scanId": "스캔"})),
        scans(json!({"code": code, "scanId": 1})),
        scans(json!({"code": code, "scannedAt": "2026-01-01"})),
        scans(json!({"code": code, "scannedAt": true})),
        scans(json!({"code": code, "scannedAt": -1})),
    ];
    assert_snapshot!(outcomes(&bodies, |body| sale.scan_with(&api, &gate, body)).await, @r#"
    0: 400 C_001 | scans ‘’ 필수 입력값입니다.
    1: 400 C_001 | scans ‘’ 필수 입력값입니다.
    2: 400 C_001 | scans ‘{}’ 배열이어야 합니다.
    3: 400 C_001 | scans ‘’ 필수 입력값입니다.
    4: 400 C_001 | scans ‘[{"code":"… (1000)’ 50개까지 입력할 수 있습니다.
    5: 400 C_001 | scans[0] ‘1’ 객체여야 합니다. | scans[1] ‘’ 필수 입력값입니다. | scans[2] ‘a’ 객체여야 합니다.
    6: 400 C_001 | scans[0].code ‘’ 필수 입력값입니다.
    7: 400 C_001 | scans[0].code ‘’ 필수 입력값입니다.
    8: 400 C_001 | scans[0].code ‘1’ 문자열이어야 합니다.
    9: 400 C_001 | scans[0].code ‘["x"]’ 문자열이어야 합니다.
    10: 400 C_001 | scans[1].code ‘2’ 문자열이어야 합니다. | scans[1].scanId ‘’ 필수 입력값입니다. | scans[1].scannedAt ‘x’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.
    11: 400 C_001 | scans[0].scanId ‘aaaaaaaaaa… (65)’ 스캔 ID는 공백이 없는 영문, 숫자, 기호 64자 이하여야 합니다.
    12: 400 C_001 | scans[0].scanId ‘a b’ 스캔 ID는 공백이 없는 영문, 숫자, 기호 64자 이하여야 합니다.
    13: 400 C_001 | scans[0].scanId ‘스캔’ 스캔 ID는 공백이 없는 영문, 숫자, 기호 64자 이하여야 합니다.
    14: 400 C_001 | scans[0].scanId ‘1’ 문자열이어야 합니다.
    15: 400 C_001 | scans[0].scannedAt ‘2026-01-01’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.
    16: 400 C_001 | scans[0].scannedAt ‘true’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.
    17: 400 C_001 | scans[0].scannedAt ‘-1’ 1970년부터 9999년까지의 시각이어야 합니다. 유닉스 시간은 밀리초가 아닌 초 단위로 입력해 주세요.
    "#);
    assert_eq!(sale.admissions(&api).await.data()["admitted"], 0);
    let valid = [
        scans(json!({"code": ""})),
        scans(json!({"code": code, "scanId": null, "scannedAt": null})),
        scans(json!({"code": code, "scanId": "!~".repeat(32), "scannedAt": 1_700_000_000})),
        json!({"scans": vec![json!({"code": code}); 50]}),
    ];
    for body in &valid {
        let results = sale.scan_with(&api, &gate, body).await.expect(200, "0").data();
        assert_eq!(results.as_array().unwrap().len(), body["scans"].as_array().unwrap().len());
    }
}

#[tokio::test]
async fn unreadable_body_is_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let gate = sale.gate(&api, "남문").await;
    for path in ["admissions", "admissions/removal"] {
        let send = async |media_type: &str, body: Vec<u8>| {
            let request = api.request(Method::POST, &sale.path(path)).bearer_auth(gate["token"].as_str().unwrap());
            Api::send(request.header("Content-Type", media_type).body(body)).await
        };
        send("application/json", b"[]".to_vec()).await.check(400, "C_002");
        send("text/plain", b"{}".to_vec()).await.check(415, "C_004");
        send("application/json", vec![b' '; 4_700_001]).await.check(413, "C_005");
    }
}

mod in_process {
    use tests::fault::{Extent, Fault, Rule};

    use super::*;

    #[tokio::test]
    async fn scan_is_two_reads_and_an_update() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let gate = sale.gate(&service.other, "남문").await;
        let codes = sale.codes(&service.other, &[0, 63]).await;
        assert_snapshot!(service.effect(sale.scan(&service.api, &gate, &codes[0])).await, @r#"
        200
        BatchGetItem, BatchGetItem, UpdateItem SEATS: 8 read, 1 write units
        ~ SEATS#[id1]#00 SEATS#0000 {"0": "sold", "event": "[16 bytes]"}
        "#);
        assert_snapshot!(service.effect(sale.scan(&service.api, &gate, &codes[0])).await, @"
        200
        BatchGetItem, BatchGetItem: 3 read, 0 write units
        ");
        assert_snapshot!(service.effect(sale.scan(&service.api, &gate, &codes[1])).await.usage, @"BatchGetItem, BatchGetItem, UpdateItem SEATS: 3 read, 1 write units");
        assert_snapshot!(service.effect(sale.scan(&service.api, &gate, "x")).await.usage, @"BatchGetItem: 2 read, 0 write units");
        service.check_permissions("admissions-create");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn removal_is_two_reads_and_a_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let gate = sale.gate(&service.other, "남문").await;
        let codes = sale.codes(&service.other, &[0]).await;
        sale.scan(&service.other, &gate, &codes[0]).await.check(200, "0");
        assert_snapshot!(service.effect(sale.remove_admission(&service.api, &gate, 0)).await, @r#"
        200
        BatchGetItem, BatchGetItem, TransactWriteItems: 8 read, 2 write units
        ~ SEATS#[id1]#00 SEATS#0000 {"0": "sold"}
        "#);
        assert_snapshot!(service.effect(sale.remove_admission(&service.api, &gate, 0)).await, @"
        200
        BatchGetItem, BatchGetItem: 3 read, 0 write units
        ");
        service.check_permissions("admissions-remove");
    }

    /// Sale with 3,200 seats in a gate's reach, and a gate.
    async fn large_sale(api: &Api) -> (Sale, Value) {
        let mut event = Sale::on_sale();
        let seat = |seat: u32| {
            let (row, number) = (seat / 100 + 1, seat % 100 + 1);
            json!({"cx": number, "cy": row, "row": row, "number": number})
        };
        event["areas"][0]["seats"] = (0..3_200).map(seat).collect();
        let sale = Sale::of(&api.create(&event).await);
        let gate = sale.gate(api, "남문").await;
        (sale, gate)
    }

    fn scans(codes: &[String], id: &str) -> Value {
        let scan = |code: &String| json!({"code": code, "scanId": id});
        json!({"scans": codes.iter().map(scan).collect::<Vec<_>>()})
    }

    #[tokio::test]
    async fn scattered_scans_are_an_update_each() {
        let service = Service::start().await;
        let (sale, gate) = large_sale(&service.other).await;
        let scattered: Vec<_> = (0..50).map(|item| item * 64).collect();
        let codes = sale.codes(&service.other, &scattered).await;
        let usage = service.effect(sale.scan_with(&service.api, &gate, &scans(&codes, "1"))).await.usage;
        let calls = usage.calls.len();
        assert_snapshot!(format!("{calls} calls: {} read, {} write units", usage.read_units, usage.write_units), @"101 calls: 57 read, 50 write units");
        assert_eq!(sale.admissions(&service.other).await.data()["admitted"], 50);
    }

    /// An item is largest if all of its seats are sold and the last three admissions of each are remembered.
    #[tokio::test]
    async fn scan_in_the_largest_item_costs_five_units() {
        let service = Service::start().await;
        let (sale, gate) = large_sale(&service.other).await;
        let seats: Vec<_> = (0..63).collect();
        let codes = sale.codes(&service.other, &seats).await;
        let sell_last = async || {
            let sold = sale.sell(&service.api, "last", &[63]).await;
            sale.cancel(&service.other, &sold.id(), "last").await.check(200, "0");
            sold
        };
        assert_snapshot!(service.effect(sell_last()).await.usage, @"BatchGetItem, BatchGetItem, TransactWriteItems: 6 read, 8 write units");
        for id in ["1", "2", "3"] {
            for codes in codes.chunks(50) {
                let results = sale.scan_with(&service.other, &gate, &scans(codes, id)).await.expect(200, "0").data();
                assert!(results.as_array().unwrap().iter().all(|result| result["result"] == "ADMITTED"));
            }
            if id == "1" {
                assert_snapshot!(service.effect(sell_last()).await.usage, @"BatchGetItem, BatchGetItem, TransactWriteItems: 2 read, 10 write units");
            }
            for seat in &seats {
                sale.remove_admission(&service.other, &gate, *seat).await.check(200, "0");
            }
        }
        let scan = async |codes| sale.scan_with(&service.api, &gate, &scans(codes, "4")).await.expect(200, "0");
        assert_snapshot!(service.effect(scan(&codes[..1])).await.usage, @"BatchGetItem, BatchGetItem, UpdateItem SEATS: 9 read, 5 write units");
        assert_snapshot!(service.effect(scan(&codes[1..51])).await.usage, @"BatchGetItem, BatchGetItem, UpdateItem SEATS: 4 read, 5 write units");
        assert_snapshot!(service.effect(sell_last()).await.usage, @"BatchGetItem, BatchGetItem, TransactWriteItems: 3 read, 14 write units");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn faults_admit_or_do_not() {
        let prepare = async |service: &Service| {
            let sale = Sale::open(&service.other).await;
            let gate = sale.gate(&service.other, "남문").await;
            let codes = sale.codes(&service.other, &[0]).await;
            (sale, gate, codes)
        };
        let scan = async |api: &Api, (sale, gate, codes): &(Sale, Value, Vec<String>)| {
            let response = sale.scan_with(api, gate, &json!({"scans": [{"code": codes[0], "scanId": "1"}]})).await;
            assert!(response.status != 200 || response.data()[0]["result"] == "ADMITTED", "{response}");
            response
        };
        assert_snapshot!(faults(prepare, scan).await, @"
                          once  lost  fails  unknown     ends   ends after
        BatchGetItem      200   200   S_003  S_003       S_003  S_003
        UpdateItem SEATS  200   200   S_003  S_003 done  S_003  S_003 done
        ");
        let admitted = async |service: &Service| {
            let (sale, gate, codes) = prepare(service).await;
            sale.scan(&service.other, &gate, &codes[0]).await.check(200, "0");
            (sale, gate, codes)
        };
        let remove =
            async |api: &Api, (sale, gate, _): &(Sale, Value, Vec<String>)| sale.remove_admission(api, gate, 0).await;
        assert_snapshot!(faults(admitted, remove).await, @"
                            once  lost  fails  unknown     ends   ends after
        BatchGetItem        200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }

    #[tokio::test]
    async fn lost_response_of_the_database_sends_nobody_away() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let gate = sale.gate(&service.other, "남문").await;
        let code = sale.codes(&service.other, &[0]).await.remove(0);
        let lost = |call: &str| Rule::new(call, Extent::Tries(1), Fault::LostResponse);
        let scanned = service.with_rule(lost("UpdateItem SEATS"), sale.scanned(&service.api, &gate, &code)).await;
        assert_eq!(scanned, "ADMITTED");
        assert_eq!(sale.scanned(&service.api, &gate, &code).await, "ALREADY_ADMITTED");
        let remove = sale.remove_admission(&service.api, &gate, 0);
        let removed = service.with_rule(lost("TransactWriteItems"), remove).await.data();
        assert_eq!(removed, json!({"removed": true}));
    }
}
