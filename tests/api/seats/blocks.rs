//! `GET /api/v1/events/{eventId}/dates/{showId}/blocks`, and labels of blocked seats

use local::layouts;
use tests::prelude::*;

/// Blocks seats with a label.
async fn block(api: &Api, sale: &Sale, seats: &[usize], label: &str) -> Response {
    api.post_as_manager(&sale.path("blocks"), &sample::with(sale.seats(seats), json!({"label": label}))).await
}

/// Frees all seats with a label.
async fn free(api: &Api, sale: &Sale, label: &str) -> Response {
    api.post_as_manager(&sale.path("blocks/removal"), &json!({"label": label})).await
}

async fn list(api: &Api, sale: &Sale) -> Response {
    api.get_as_manager(&sale.path("blocks")).await
}

/// Returns the number of seats of each label.
async fn counts(api: &Api, sale: &Sale) -> Vec<(String, u64)> {
    let listed = list(api, sale).await.expect(200, "0").data();
    let blocks = listed["blocks"].as_array().unwrap().iter();
    let counts: Vec<_> = blocks
        .map(|block| (block["label"].as_str().unwrap_or_default().to_owned(), block["seats"].as_u64().unwrap()))
        .collect();
    assert_eq!(listed["seats"], counts.iter().map(|(_, seats)| seats).sum::<u64>());
    counts
}

#[tokio::test]
async fn blocked_seats_are_listed_by_label() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    assert_eq!(counts(&api, &sale).await, []);
    block(&api, &sale, &[0, 1, 130], "후원사").await.check(200, "0");
    block(&api, &sale, &[2], " Press").await.check(200, "0");
    sale.block(&api, &[3, 129]).await.check(200, "0");
    assert_snapshot!(list(&api, &sale).await, @r#"
    200
    {
      "message": "막아 둔 좌석을 조회했습니다.", "code": "0",
      "data": {
        "seats": 6,
        "blocks": [
          {"seats": 2, "areas": [{"id": "[id1]", "seats": 2, "blocked": "EAAAAAAAAAAAAAAAAAAAAEA="}]},
          {
            "label": " Press", "seats": 1,
            "areas": [{"id": "[id1]", "seats": 1, "blocked": "IAAAAAAAAAAAAAAAAAAAAAA="}]
          },
          {
            "label": "후원사", "seats": 3,
            "areas": [
              {"id": "[id1]", "seats": 2, "blocked": "wAAAAAAAAAAAAAAAAAAAAAA="},
              {"id": "[id2]", "seats": 1, "blocked": "gA=="}
            ]
          }
        ]
      }
    }
    "#);
    // Labels are for the owner only.
    assert!(!sale.availability(&api).await.text().contains("후원사"));
}

#[tokio::test]
async fn seats_keep_or_change_their_label() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    block(&api, &sale, &[0, 1, 2], "press").await.check(200, "0");
    assert_eq!(sale.block(&api, &[2, 3]).await.expect(200, "0").data()["blocked"], 2);
    let counted =
        |counts: &[(&str, u64)]| counts.iter().map(|(label, seats)| ((*label).to_owned(), *seats)).collect::<Vec<_>>();
    assert_eq!(counts(&api, &sale).await, counted(&[("", 1), ("press", 3)]));
    block(&api, &sale, &[1, 3], "sound").await.check(200, "0");
    assert_eq!(counts(&api, &sale).await, counted(&[("press", 2), ("sound", 2)]));
    // A blocked seat that the box office sells is sold; cancelled, it is free, without its label.
    let sold = sale.sell(&api, "order-1", &[0]).await.expect(201, "0").id();
    assert_eq!(counts(&api, &sale).await, counted(&[("press", 1), ("sound", 2)]));
    sale.cancel(&api, &sold, "order-1").await.check(200, "0");
    assert_eq!(sale.taken(&api).await, 3);
    assert_eq!(free(&api, &sale, "press").await.expect(200, "0").data()["free"], 1);
    assert_eq!(free(&api, &sale, "nobody").await.expect(200, "0").data()["free"], 0);
    assert_eq!(counts(&api, &sale).await, counted(&[("sound", 2)]));
}

#[tokio::test]
async fn removal_takes_seats_or_a_label() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    block(&api, &sale, &[0], "press").await.check(200, "0");
    let bodies = [
        json!({}),
        json!({"label": null}),
        json!({"label": " "}),
        json!({"label": 1}),
        sample::with(sale.seats(&[0]), json!({"label": "press"})),
        json!({"seatIds": null, "label": "가".repeat(51)}),
    ];
    let path = sale.path("blocks/removal");
    assert_snapshot!(outcomes(&bodies, |body| api.post_as_manager(&path, body)).await, @r#"
    0: 400 C_001 | seatIds ‘’ 필수 입력값입니다.
    1: 400 C_001 | seatIds ‘’ 필수 입력값입니다.
    2: 400 C_001 | seatIds ‘’ 필수 입력값입니다.
    3: 400 C_001 | label ‘1’ 문자열이어야 합니다.
    4: 400 C_001 | seatIds ‘["[id1]"]’ seatIds와 label은 함께 보낼 수 없습니다.
    5: 400 C_001 | label ‘가가가가가가가가가가… (51)’ 50자 이하여야 합니다.
    "#);
    let with_null = sample::with(sale.seats(&[0]), json!({"label": null}));
    assert_eq!(api.post_as_manager(&path, &with_null).await.expect(200, "0").data()["free"], 1);
}

#[tokio::test]
async fn show_has_at_most_100_labels() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    for seat in 0..100 {
        block(&api, &sale, &[seat], &format!("{seat:03}")).await.check(200, "0");
    }
    assert_snapshot!(block(&api, &sale, &[100], "100").await.summary(), @"400 C_001 | label ‘100’ 한 회차에서 막아 둔 좌석의 이름은 100개까지 쓸 수 있습니다.");
    block(&api, &sale, &[100], "099").await.check(200, "0");
    // As it would be after the request.
    block(&api, &sale, &[0], "100").await.check(200, "0");
    let counted = counts(&api, &sale).await;
    assert_eq!((counted.len(), &*counted[0].0, &*counted[99].0), (100, "001", "100"));
    // A seat of another member comes after the label.
    sale.held(&api, &[120]).await;
    block(&api, &sale, &[120], "another").await.check(400, "C_001");
    block(&api, &sale, &[120], "100").await.check(409, "H_001");
}

#[tokio::test]
async fn all_seats_with_a_label_become_free_in_parts() {
    let api = Api::new();
    let sale = Sale::open_in(&api, &layouts::arena()).await;
    let scattered: Vec<_> = (0..150).map(|item| item * 64).collect();
    for seats in scattered.chunks(98) {
        block(&api, &sale, seats, "press").await.check(200, "0");
    }
    sale.block(&api, &[1]).await.check(200, "0");
    assert_eq!(free(&api, &sale, "press").await.expect(200, "0").data()["free"], 150);
    assert_eq!(counts(&api, &sale).await, [(String::new(), 1)]);
}

#[tokio::test]
async fn simultaneous_labels_are_all_kept() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (a, b, c, d) = tokio::join!(
        block(&api, &sale, &[0], "a"),
        block(&api, &sale, &[1], "b"),
        block(&api, &sale, &[2], "c"),
        free(&api, &sale, "a"),
    );
    for response in [a, b, c, d] {
        response.check(200, "0");
    }
    let counted = counts(&api, &sale).await;
    let names: Vec<_> = counted.iter().map(|(label, _)| label.as_str()).collect();
    assert!(names == ["a", "b", "c"] || names == ["b", "c"], "{names:?}");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn label_takes_the_states_of_the_show() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        assert_snapshot!(service.effect(block(&service.api, &sale, &[63, 64], "press")).await, @r#"
        200
        BatchGetItem, Query, TransactWriteItems: 7 read, 8 write units
        ~ FENCE#[id1] FENCE {"used": "[n]"}
        + SEATS#[id2] LABELS {"labels": {"hold [id3]": "press"}, "version": 1}
        + SEATS#[id2]#00 SEATS#0000 {"63": "blocked"}
        + SEATS#[id2]#00 SEATS#0001 {"0": "blocked"}
        "#);
        assert_snapshot!(service.effect(free(&service.api, &sale, "press")).await, @r#"
        200
        BatchGetItem, Query, BatchGetItem, TransactWriteItems: 8 read, 4 write units
        ~ SEATS#[id1]#00 SEATS#0000 {"63": null}
        ~ SEATS#[id1]#00 SEATS#0001 {"0": null}
        "#);
        service.check_permissions("seats-block");
    }

    #[tokio::test]
    async fn list_reads_states_and_labels() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        block(&service.other, &sale, &[63, 64], "press").await.check(200, "0");
        assert_snapshot!(service.effect(list(&service.api, &sale)).await.usage, @"BatchGetItem, Query, BatchGetItem: 7 read, 0 write units");
        service.check_permissions("seats-blocks");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let prepare = async |service: &Service| {
            let sale = Sale::open(&service.other).await;
            block(&service.other, &sale, &[1], "press").await.check(200, "0");
            sale
        };
        let read = async |api: &Api, sale: &Sale| list(api, sale).await;
        assert_snapshot!(faults(prepare, read).await, @"
                      once  lost  fails  unknown  ends   ends after
        BatchGetItem  200   200   S_003  S_003    S_003  S_003
        Query         200   200   S_003  S_003    S_003  S_003
        ");
    }

    #[tokio::test]
    async fn faults_block_with_the_label_or_not_at_all() {
        let prepare = async |service: &Service| Sale::open(&service.other).await;
        let blocked = async |api: &Api, sale: &Sale| block(api, sale, &[63, 64], "press").await;
        assert_snapshot!(faults(prepare, blocked).await, @"
                            once  lost  fails  unknown     ends   ends after
        BatchGetItem        200   200   S_003  S_003       S_003  S_003
        Query               200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
