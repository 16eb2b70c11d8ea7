//! Simultaneous scans, removals and cancellations.

use std::time::Duration;

use futures_util::future::{join, join_all};
use tests::prelude::*;

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_scans_admit_once() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    let gates = join_all(["1", "2", "3", "4"].map(|name| sale.gate(&service.other, name))).await;
    for (seat, with_id) in [(0, false), (1, true), (2, false)] {
        let code = sale.codes(&service.other, &[seat]).await.remove(0);
        let scan = |number: usize| {
            let api = if number.is_multiple_of(3) { &service.api } else { &service.other };
            let (gate, id) = (&gates[number % 4], with_id.then(|| number.to_string()));
            let body = json!({"scans": [{"code": code, "scanId": id}]});
            let sale = &sale;
            async move { result(&sale.scan_with(api, gate, &body).await.expect(200, "0")) }
        };
        let mut results = join_all((0..64).map(scan)).await;
        results.sort();
        assert_eq!(results.iter().filter(|result| *result == "ADMITTED").count(), 1);
        assert_eq!(results.iter().filter(|result| *result == "ALREADY_ADMITTED").count(), 63);
    }
    assert_eq!(sale.admissions(&service.other).await.data()["admitted"], 3);
    service.contents().await.check();
}

fn result(response: &Response) -> String {
    response.data()[0]["result"].as_str().unwrap().to_owned()
}

/// A seat is sold anew as soon as its order is cancelled, while old and new tickets are scanned.
#[tokio::test(flavor = "multi_thread")]
async fn old_ticket_never_counts_for_a_new_sale() {
    let service = Service::start().await;
    let api = &service.other;
    let sale = Sale::open(api).await;
    let gate = sale.gate(api, "남문").await;
    service.proxy.set_transaction_time(Duration::from_millis(5));
    for seat in 0..12 {
        let hold = sale.sold(api, &[seat]).await;
        let old = sale.tickets(api, &hold).await.data()[0]["code"].as_str().unwrap().to_owned();
        let cancelled = async {
            sale.cancel(&service.api, &hold, "box-1").await.check(200, "0");
            sale.codes(&service.api, &[seat]).await.remove(0)
        };
        let scans = join_all((0..8).map(|number| {
            let (api, sale, gate, old) = (&service.api, &sale, &gate, &old);
            async move {
                tokio::time::sleep(Duration::from_millis(number * 3)).await;
                sale.scanned(api, gate, old).await
            }
        }));
        let (new, scans) = join(cancelled, scans).await;
        assert!(scans.iter().filter(|result| *result == "ADMITTED").count() <= 1, "{scans:?}");
        assert!(scans.iter().all(|result| ["ADMITTED", "ALREADY_ADMITTED", "NOT_SOLD"].contains(&&**result)));
        assert_eq!(sale.scanned(api, &gate, &old).await, "NOT_SOLD");
        let admitted = sale.admissions(api).await.data()["admitted"].as_u64();
        assert_eq!(admitted, Some(seat as u64), "only the new tickets before this one");
        assert_eq!(sale.scanned(api, &gate, &new).await, "ADMITTED");
    }
    service.contents().await.check();
}

#[tokio::test]
async fn cancellation_in_between_comes_first() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    let gate = sale.gate(&service.other, "남문").await;
    let hold = sale.sold(&service.other, &[0]).await;
    let code = sale.tickets(&service.other, &hold).await.data()[0]["code"].as_str().unwrap().to_owned();
    let cancel = async {
        sale.cancel(&service.other, &hold, "box-1").await.check(200, "0");
        sale.sold(&service.other, &[0]).await;
    };
    let scan = sale.scanned(&service.api, &gate, &code);
    assert_eq!(service.interrupted_at("UpdateItem SEATS", 0, scan, cancel).await, "NOT_SOLD");
    assert_eq!(sale.admissions(&service.other).await.data()["admitted"], 0);
}

#[tokio::test]
async fn admission_in_between_does_not_stop_cancellation() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    let gate = sale.gate(&service.other, "남문").await;
    let hold = sale.sold(&service.other, &[0]).await;
    let code = sale.tickets(&service.other, &hold).await.data()[0]["code"].as_str().unwrap().to_owned();
    let admit = async { assert_eq!(sale.scanned(&service.other, &gate, &code).await, "ADMITTED") };
    service.interrupted(sale.cancel(&service.api, &hold, "box-1"), admit).await.check(200, "0");
    assert_eq!(sale.taken(&service.other).await, 0);
    service.contents().await.check();
}

#[tokio::test]
async fn scan_in_between_comes_first() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    let [gate, other] = [sale.gate(&service.other, "남문").await, sale.gate(&service.other, "북문").await];
    let codes = sale.codes(&service.other, &[0, 1, 2]).await;
    for (ticket, in_between, expected) in [(0, 0, "ALREADY_ADMITTED"), (2, 1, "ADMITTED")] {
        let scanned = async { assert_eq!(sale.scanned(&service.other, &other, &codes[in_between]).await, "ADMITTED") };
        let scan = sale.scanned(&service.api, &gate, &codes[ticket]);
        assert_eq!(service.interrupted_at("UpdateItem SEATS", 0, scan, scanned).await, expected);
    }
}
