//! `GET /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}`

use tests::prelude::*;

#[tokio::test]
async fn member_reads_own_hold() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    assert_eq!(sale.get(&api, &tokens, &hold).await.expect(200, "0").data()["status"], "HELD");
    let upper = Sale { event: sale.event.to_uppercase(), show: sale.show.to_uppercase() };
    upper.get(&api, &tokens, &hold.to_uppercase()).await.check(200, "0");
}

#[tokio::test]
async fn other_holds_are_unknown() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    let second = api.event(&sale.event).await.data()["eventDatetimes"][1]["id"].as_str().unwrap().to_owned();
    let (_, other) = api.joined_with_session().await;
    let expected = "404 H_005 해당 좌석 선점을 찾을 수 없습니다.";
    assert_eq!(sale.get(&api, &other, &hold).await.summary(), expected);
    for id in [sample::UNKNOWN_EVENT, "1", "00000000-0000-0000-0000-000000000000"] {
        assert_eq!(sale.get(&api, &tokens, id).await.summary(), expected, "{id}");
    }
    assert_eq!(Sale { show: second, ..sale.clone() }.get(&api, &tokens, &hold).await.summary(), expected);
    let another = Sale::open(&api).await;
    assert_eq!(another.get(&api, &tokens, &hold).await.summary(), expected);
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn get_is_one_read() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (tokens, hold) = sale.held(&service.other, &[0]).await;
        assert_snapshot!(service.effect(sale.get(&service.api, &tokens, &hold)).await, @"
        200
        GetItem SIGNING_KEY, BatchGetItem: 8 read, 0 write units
        ");
        assert_snapshot!(service.effect(sale.get(&service.api, &tokens, &hold)).await, @"
        200
        BatchGetItem: 3 read, 0 write units
        ");
        service.check_permissions("holds-get");
    }

    #[tokio::test]
    async fn expired_hold_is_readable_for_30_days() {
        let (service, clock) = Service::with_clock().await;
        let (api, sale) = (&service.api, Sale::open(&service.other).await);
        let (tokens, hold) = sale.held(api, &[0]).await;
        clock.advance(30 * 24 * 60 * 60 + 540);
        assert_eq!(sale.get(api, &tokens, &hold).await.data()["status"], "EXPIRED");
        clock.advance(120);
        sale.get(api, &tokens, &hold).await.check(404, "H_005");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let prepare = async |service: &Service| {
            let sale = Sale::open(&service.other).await;
            let (tokens, hold) = sale.held(&service.other, &[0]).await;
            (sale, tokens, hold)
        };
        let get = async |api: &Api, (sale, tokens, hold): &(Sale, Value, String)| sale.get(api, tokens, hold).await;
        assert_snapshot!(faults(prepare, get).await, @"
                             once  lost  fails  unknown  ends   ends after
        GetItem SIGNING_KEY  200   200   200    200      S_003  S_003
        BatchGetItem         200   200   S_003  S_003    S_003  S_003
        ");
    }
}
