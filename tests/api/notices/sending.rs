//! Sending of notices, step by step: the function `notices-send`

use domain::notice::NoticeStatus;
use functions::notices::send::{SendNotices, Step};
use tests::{
    fault::{Extent, Fault, Rule},
    mail::mails_to,
    notice::counts,
    prelude::*,
};
use uuid::Uuid;

const OWNER: &str = "execution-1";

/// Returns the function, whose calls pass the proxy.
async fn function(service: &Service) -> SendNotices {
    let environment = service.stack.environment().unwrap();
    let proxy = &service.proxy;
    let environment =
        environment.with_clients(proxy.dynamodb().clone(), proxy.s3().clone()).with_ses(proxy.ses().clone());
    SendNotices::new(&environment).await.unwrap()
}

/// Returns the first step of a notice, which the stack itself does not send: it was made by the functions behind the
/// proxy.
fn first(sale: &Sale, notice: &Value, owner: &str) -> Step {
    Step::first(sale.event.parse().unwrap(), notice["id"].as_str().unwrap().parse().unwrap(), owner)
}

/// Repeats steps until there is none.
async fn finish(send: &SendNotices, mut step: Step) {
    while !step.done {
        step = send.step(step).await.unwrap();
    }
}

async fn told(service: &Service, sale: &Sale) -> Value {
    sale.tell(&service.api, "a").await.expect(202, "0").data()
}

async fn only_notice(service: &Service, sale: &Sale) -> Value {
    sale.notices(&service.api).await.data()[0].take()
}

#[tokio::test]
async fn new_notice_is_being_sent() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    sale.sold_to_member(&service.other, &[0]).await;
    told(&service, &sale).await;
    let notice = only_notice(&service, &sale).await;
    assert_eq!((&notice["status"], counts(&notice)), (&json!("SENDING"), [0, 0, 0]));
}

#[tokio::test]
async fn calls_of_a_mail_are_few() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    sale.sold_to_member(&service.other, &[0]).await;
    let notice = told(&service, &sale).await;
    let send = function(&service).await;
    service.proxy.forget_permissions();
    service.proxy.set_rules([]);
    let mut step = first(&sale, &notice, OWNER);
    let mut lines = Vec::new();
    while !step.done {
        step = send.step(step).await.unwrap();
        lines.push(service.proxy.take_usage().to_string());
    }
    assert_snapshot!(lines.join("\n"), @"
    BatchGetItem, BatchGetItem, BatchGetItem, Query, BatchGetItem, BatchGetItem, TransactWriteItems, BatchGetItem, TransactWriteItems, SendEmail, UpdateItem MEMBER, BatchGetItem, TransactWriteItems: 15 read, 7 write units
    BatchGetItem, BatchGetItem, BatchGetItem, Query, BatchGetItem, BatchGetItem, TransactWriteItems: 6 read, 2 write units
    BatchGetItem, BatchGetItem: 2 read, 0 write units
    ");
    assert_eq!(counts(&only_notice(&service, &sale).await), [1, 1, 0]);
}

#[tokio::test]
async fn throttled_mails_are_tried_again() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    let mut members = Vec::new();
    for seat in 0..3 {
        members.push(sale.sold_to_member(&service.other, &[seat]).await.0);
    }
    let notice = told(&service, &sale).await;
    let send = function(&service).await;
    let rule = Rule { nth: 1, ..Rule::new("SendEmail", Extent::Kind, Fault::Throttled) };
    let step = service.with_rule(rule, send.step(first(&sale, &notice, OWNER))).await.unwrap();
    assert_eq!((step.wait, step.done), (1, false));
    let again = Rule::new("SendEmail", Extent::Kind, Fault::Throttled);
    let step = service.with_rule(again, send.step(step)).await.unwrap();
    assert_eq!((step.wait, step.done, step.steps), (2, false, 2));
    finish(&send, step).await;
    let notice = only_notice(&service, &sale).await;
    assert_eq!((counts(&notice), &notice["status"]), ([3, 3, 0], &json!("DONE")));
    assert!(members.iter().all(|member| mails_to(&service.stack, member).len() == 1));
}

#[tokio::test]
async fn unreachable_ses_is_no_failure() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    let (member, _) = sale.sold_to_member(&service.other, &[0]).await;
    let notice = told(&service, &sale).await;
    let config = service.stack.ses().config().to_builder().endpoint_url("http://127.0.0.1:1").build();
    let environment = service.stack.environment().unwrap().with_ses(aws_sdk_sesv2::Client::from_conf(config));
    let send = SendNotices::new(&environment).await.unwrap();
    let step = send.step(first(&sale, &notice, OWNER)).await.unwrap();
    assert_eq!((step.wait, step.done), (1, false));
    finish(&function(&service).await, step).await;
    assert_eq!(mails_to(&service.stack, &member).len(), 1);
}

#[tokio::test]
async fn lost_response_is_no_second_mail() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    let (member, _) = sale.sold_to_member(&service.other, &[0]).await;
    let notice = told(&service, &sale).await;
    let send = function(&service).await;
    let rule = Rule::new("SendEmail", Extent::Tries(1), Fault::LostResponse);
    service.with_rule(rule, finish(&send, first(&sale, &notice, OWNER))).await;
    assert_eq!(mails_to(&service.stack, &member).len(), 1);
    assert_eq!(counts(&only_notice(&service, &sale).await), [1, 0, 1], "the outcome is unknown");
}

#[tokio::test]
async fn later_change_replaces_earlier_one() {
    let service = Service::start().await;
    let (api, sale) = (&service.api, Sale::open(&service.other).await);
    let mut members = Vec::new();
    for seat in 0..3 {
        members.push(sale.sold_to_member(&service.other, &[seat]).await.0);
    }
    let send = function(&service).await;
    let change = async |status: &str, notify: bool| {
        sale.change(api, &json!({"status": status, "notifyBuyers": notify})).await.check(200, "0");
        only_notice(&service, &sale).await
    };
    let older = change("POSTPONED", true).await;
    let rule = Rule { nth: 1, ..Rule::new("SendEmail", Extent::Kind, Fault::Throttled) };
    let step = service.with_rule(rule, send.step(first(&sale, &older, OWNER))).await.unwrap();
    // A change that nobody is told, and a message, replace nothing.
    change("SCHEDULED", false).await;
    let message = told(&service, &sale).await;
    let newer = change("CANCELLED", true).await;
    finish(&send, step).await;
    finish(&send, first(&sale, &newer, OWNER)).await;
    finish(&send, first(&sale, &message, OWNER)).await;
    let notices = sale.notices(api).await.data();
    let states: Vec<_> =
        notices.as_array().unwrap().iter().map(|notice| (notice["status"].clone(), counts(notice))).collect();
    assert_eq!(states, [(json!("DONE"), [3, 3, 0]), (json!("DONE"), [3, 3, 0]), (json!("REPLACED"), [1, 1, 0])]);
    let subjects: Vec<_> = members.iter().map(|member| mails_to(&service.stack, member)).collect();
    let of_kind = |kind: &str| subjects.iter().flatten().filter(|mail| mail.subject.starts_with(kind)).count();
    assert_eq!(["[공연 연기]", "[공연 취소]", "[공연 안내]"].map(of_kind), [1, 3, 3]);
}

#[tokio::test]
async fn deleted_event_sends_no_more() {
    let service = Service::start().await;
    let (api, sale) = (&service.api, Sale::open(&service.other).await);
    let mut holds = Vec::new();
    for seat in 0..2 {
        holds.push(sale.sold_to_member(&service.other, &[seat]).await);
    }
    let notice = told(&service, &sale).await;
    let send = function(&service).await;
    let rule = Rule { nth: 1, ..Rule::new("SendEmail", Extent::Kind, Fault::Throttled) };
    let step = service.with_rule(rule, send.step(first(&sale, &notice, OWNER))).await.unwrap();
    for (_, hold) in &holds {
        sale.cancel(api, hold, "order-1").await.check(200, "0");
    }
    api.delete(&sale.event).await.check(204, "0");
    finish(&send, step.clone()).await;
    let mails: usize = holds.iter().map(|(member, _)| mails_to(&service.stack, member).len()).sum();
    assert_eq!(mails, 1);
    // Only a restored event shows its notices again.
    api.restore(&sale.event).await.check(200, "0");
    finish(&send, step).await;
    let notice = only_notice(&service, &sale).await;
    assert_eq!((&notice["status"], counts(&notice)), (&json!(NoticeStatus::Done.name()), [1, 1, 0]));
}

#[tokio::test]
async fn notices_go_with_their_event() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    told(&service, &sale).await;
    finish(&function(&service).await, first(&sale, &only_notice(&service, &sale).await, OWNER)).await;
    service.other.delete(&sale.event).await.check(204, "0");
    sale.notices(&service.api).await.check(404, "E_002");
    // Its items expire before those of the event, which can be restored for 30 days.
    service.stack.sweep(std::time::SystemTime::now() + domain::event_change::DELETED_EVENT_RETENTION).await.unwrap();
    let contents = service.contents().await;
    assert!(contents.items.keys().all(|key| !format!("{key:?}").contains("NOTICES#")));
}

#[tokio::test]
async fn another_owner_sends_nothing() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    let (member, _) = sale.sold_to_member(&service.other, &[0]).await;
    let notice = told(&service, &sale).await;
    let send = function(&service).await;
    let rule = Rule::new("SendEmail", Extent::Kind, Fault::Throttled);
    let step = service.with_rule(rule, send.step(first(&sale, &notice, OWNER))).await.unwrap();
    let other = send.step(first(&sale, &notice, "execution-2")).await.unwrap();
    assert!(other.done && mails_to(&service.stack, &member).is_empty());
    finish(&send, step).await;
    assert_eq!(mails_to(&service.stack, &member).len(), 1);
    let unknown = Step::first(Uuid::now_v7(), Uuid::now_v7(), OWNER);
    assert!(send.step(unknown).await.unwrap().done);
}

#[tokio::test]
async fn member_who_bought_again_is_found_in_second_pass() {
    let service = Service::start().await;
    let sale = Sale::open(&service.other).await;
    let (_, tokens) = service.other.joined_with_session().await;
    let hold = sale.buy(&service.other, &tokens, &[100]).await;
    let notice = told(&service, &sale).await;
    let send = function(&service).await;
    // The first pass reads that the seat is sold, and then the order is cancelled.
    let action = async { sale.cancel(&service.other, &hold, "order-1").await.check(200, "0") };
    let before_turn = |step| service.interrupted_at("TransactWriteItems", 0, send.step(step), action);
    let step = before_turn(first(&sale, &notice, OWNER)).await.unwrap();
    assert_eq!(counts(&only_notice(&service, &sale).await), [0, 0, 0]);
    sale.buy(&service.other, &tokens, &[0]).await;
    finish(&send, step).await;
    assert_eq!(counts(&only_notice(&service, &sale).await), [1, 1, 0]);
}

/// Breaks each call of the steps in several ways: nobody gets a second mail, and who gets none counts as failed.
#[tokio::test]
async fn faults_send_no_second_mail_and_forget_nobody() {
    let service = Service::start().await;
    let mut members = Vec::new();
    for _ in 0..2 {
        members.push(service.other.joined_with_session().await);
    }
    let send = function(&service).await;
    let attempt = async |rules: Vec<Rule>| {
        let sale = Sale::open(&service.other).await;
        for (seat, (_, tokens)) in members.iter().enumerate() {
            sale.buy(&service.other, tokens, &[seat]).await;
        }
        let text = sample::unique();
        let notice = sale.tell(&service.api, &text).await.expect(202, "0").data();
        service.proxy.set_rules(rules);
        let mut step = first(&sale, &notice, OWNER);
        let mut failures = 0;
        while !step.done {
            match send.step(step.clone()).await {
                Ok(next) => step = next,
                Err(_) if failures == 0 => {
                    failures += 1;
                    service.proxy.remove_rules();
                }
                Err(error) => panic!("{error:?}"),
            }
        }
        let calls = service.proxy.calls();
        service.proxy.set_rules([]);
        let with_text = |member| mails_to(&service.stack, member).into_iter().filter(|mail| mail.text.contains(&text));
        let mails = members.iter().map(|(member, _)| with_text(member).count()).collect::<Vec<_>>();
        let notice = only_notice(&service, &sale).await;
        (calls, mails, counts(&notice), notice["status"].clone())
    };
    let (calls, mails, counted, _) = attempt(Vec::new()).await;
    assert_eq!((mails, counted), (vec![1, 1], [2, 2, 0]));
    for (index, call) in calls.iter().enumerate() {
        let nth = calls[..index].iter().filter(|before| *before == call).count();
        let rule = |extent, fault| Rule { nth, ..Rule::new(call, extent, fault) };
        let earlier = || Extent::AllBut(calls[..index].to_vec());
        for rules in [
            vec![rule(Extent::Tries(1), Fault::ConnectionError)],
            vec![rule(Extent::Tries(1), Fault::LostResponse)],
            vec![rule(Extent::Call, Fault::ConnectionError)],
            vec![rule(Extent::Call, Fault::LostResponse)],
            vec![rule(earlier(), Fault::ConnectionError)],
            vec![rule(Extent::Tries(1), Fault::LostResponse), rule(earlier(), Fault::ConnectionError)],
        ] {
            let description = format!("{call} {nth} {rules:?}");
            let (_, mails, [buyers, with_mail, failed], status) = attempt(rules).await;
            assert_eq!((buyers, with_mail + failed, &status), (2, 2, &json!("DONE")), "{description}");
            assert!(mails.iter().all(|mails| *mails <= 1), "{description}: {mails:?}");
            let received = mails.iter().filter(|mails| **mails == 1).count() as u64;
            assert!(with_mail <= received, "{description}: {with_mail} {received}");
        }
    }
}
