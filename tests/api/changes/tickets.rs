//! Changes of tickets.

use tests::{Changes, prelude::*};

#[tokio::test]
async fn admissions_are_told() {
    let mut changes = Changes::start().await;
    let api = changes.api.clone();
    let sale = Sale::open(&api).await;
    let codes = sale.codes(&api, &[0, 130]).await;
    let gate = sale.gate(&api, "남문").await;
    changes.types().await;
    let scans = json!({"scans": [{"code": codes[1]}, {"code": codes[0]}, {"code": codes[0]}, {"code": "x"}]});
    sale.scan_with(&api, &gate, &scans).await.check(200, "0");
    sale.remove_admission(&api, &gate, 0).await.check(200, "0");
    let told = changes.told().await;
    let ticket = |kind: &str, change: &Value, seat: usize| {
        assert_eq!(change["type"], kind);
        let path = format!("events/{}/dates/{}/seats/{}", sale.event, sale.show, sale.seat(seat));
        assert_eq!(change["subject"], path);
        let data = &change["data"];
        let hold = data["holdId"].as_str().unwrap().to_owned();
        let expected = json!({
            "eventId": sale.event, "showId": sale.show, "holdId": hold, "seatId": sale.seat(seat), "gate": gate["id"],
        });
        assert_eq!(data, &expected);
        hold
    };
    let [.., removed] = &told[..] else { panic!("{told:?}") };
    let hold = ticket("ticket.removed", removed, 0);
    let mut admitted: Vec<_> = told[..2].iter().collect();
    admitted.sort_by_key(|change| change["subject"].as_str());
    assert_eq!(ticket("ticket.admitted", admitted[0], 0), hold);
    assert_eq!(ticket("ticket.admitted", admitted[1], 130), hold);
    assert_eq!(told.len(), 3);
    sale.cancel(&api, &hold, "box-1").await.check(200, "0");
    assert_eq!(changes.types().await, ["sale.cancelled"]);
}

#[tokio::test]
async fn rejected_and_repeated_scans_are_not_told() {
    let mut changes = Changes::start().await;
    let api = changes.api.clone();
    let sale = Sale::open(&api).await;
    let codes = sale.codes(&api, &[0]).await;
    let gate = sale.gate(&api, "남문").await;
    let scan = json!({"scans": [{"code": codes[0], "scanId": "1"}]});
    sale.scan_with(&api, &gate, &scan).await.check(200, "0");
    changes.types().await;
    sale.scan_with(&api, &gate, &scan).await.check(200, "0");
    assert_eq!(sale.scanned(&api, &gate, &codes[0]).await, "ALREADY_ADMITTED");
    sale.remove_gate(&api, gate["id"].as_str().unwrap()).await.check(204, "0");
    assert_eq!(changes.types().await, [""; 0]);
}
