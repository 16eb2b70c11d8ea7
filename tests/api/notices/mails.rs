//! Mails of notices

use std::time::Duration;

use tests::{mail::mails_to, notice::counts, prelude::*};
use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    time::{sleep, timeout},
};

#[tokio::test]
async fn change_tells_what_when_where_and_why() {
    let service = Service::start().await;
    let api = &service.other;
    let fields = json!({"title": "<b>봄</b> & \"콘서트\"", "place": "올림픽홀 <1층>"});
    let sale = Sale::open_with(api, fields).await;
    let (member, _) = sale.sold_to_member(api, &[0]).await;
    let change = json!({
        "datetime": "2100-01-03T10:30:00Z",
        "notice": "<script>alert(1)</script>\n\n자세한 내용은 & 누리집을 보세요.",
        "notifyBuyers": true,
    });
    sale.change(api, &change).await.check(200, "0");
    assert_eq!(counts(&sale.sent_notices(api).await[0]), [1, 1, 0]);
    let [mail] = &mails_to(&service.stack, &member)[..] else { panic!("expected one mail") };
    assert_eq!(mail.subject, "[공연 일시 변경] <b>봄</b> & \"콘서트\"");
    let url = service.stack.url();
    assert_snapshot!(mail.text.replace(&url, "[url]"), @r#"
    예매하신 공연의 일시가 변경되었습니다.

    공연: <b>봄</b> & "콘서트"
    변경 전: 2100년 1월 1일 19시 00분(한국 시간)
    변경 후: 2100년 1월 3일 19시 30분(한국 시간)
    장소: 올림픽홀 <1층>

    <script>alert(1)</script>

    자세한 내용은 & 누리집을 보세요.

    예매 내역 보기:
    [url]/tickets

    이 메일은 해당 회차를 예매하신 분께 보내 드립니다.
    "#);
    assert_snapshot!(mail.html.replace(&url, "[url]"), @r#"
    <!doctype html>
    <html lang="ko">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>[공연 일시 변경] &lt;b&gt;봄&lt;/b&gt; &amp; &quot;콘서트&quot;</title>
    </head>
    <body style="margin: 0; padding: 24px 16px; font-family: 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR', sans-serif; font-size: 16px; line-height: 1.6; word-break: keep-all; overflow-wrap: anywhere">
    <div style="max-width: 480px; margin: 0 auto">
    <p style="margin: 0 0 24px">예매하신 공연의 일시가 변경되었습니다.</p>
    <p style="margin: 0 0 24px"><b>공연</b>: &lt;b&gt;봄&lt;/b&gt; &amp; &quot;콘서트&quot;<br>
    <b>변경 전</b>: 2100년 1월 1일 19시 00분(한국 시간)<br>
    <b>변경 후</b>: 2100년 1월 3일 19시 30분(한국 시간)<br>
    <b>장소</b>: 올림픽홀 &lt;1층&gt;</p>
    <p style="margin: 0 0 24px">&lt;script&gt;alert(1)&lt;/script&gt;<br>
    <br>
    자세한 내용은 &amp; 누리집을 보세요.</p>
    <p style="margin: 0 0 24px"><a href="[url]/tickets" style="display: inline-block; padding: 12px 24px; border-radius: 6px; background-color: #1a56c4; color: #ffffff; font-weight: bold; text-decoration: none">예매 내역 보기</a></p>
    <p style="margin: 0 0 24px">버튼이 눌리지 않으면 다음 주소를 브라우저에 붙여 넣어 주세요.<br>
    <span style="word-break: break-all; font-size: 14px">[url]/tickets</span></p>
    <p style="margin: 0 0 24px">이 메일은 해당 회차를 예매하신 분께 보내 드립니다.</p>
    </div>
    </body>
    </html>
    "#);
    assert!(!mail.html.contains("<script"));
    for personal in ["email", "name", "nickname"] {
        let text = member[personal].as_str().unwrap();
        assert!(!mail.text.contains(text) && !mail.html.contains(text), "{personal}");
    }
}

#[tokio::test]
async fn each_kind_of_change_has_a_subject() {
    let service = Service::start().await;
    let api = &service.other;
    let sale = Sale::open_with(api, json!({"title": "봄 콘서트"})).await;
    let (member, _) = sale.sold_to_member(api, &[0]).await;
    for change in [
        json!({"status": "POSTPONED"}),
        json!({"status": "SCHEDULED"}),
        json!({"status": "CANCELLED"}),
        json!({"status": "SCHEDULED"}),
        json!({"status": "POSTPONED", "notice": "a"}),
        json!({"status": "SCHEDULED", "datetime": "2100-01-03T10:00:00Z"}),
        json!({"datetime": "2100-01-04T10:00:00Z"}),
        json!({"notice": "b"}),
    ] {
        let mut told = change;
        told["notifyBuyers"] = true.into();
        sale.change(api, &told).await.check(200, "0");
        sale.sent_notices(api).await;
    }
    sale.tell(api, "문은 6시에 열립니다.").await.check(202, "0");
    sale.sent_notices(api).await;
    let mut mails = mails_to(&service.stack, &member);
    mails.reverse();
    let lines: Vec<_> =
        mails.iter().map(|mail| format!("{}: {}", mail.subject, mail.text.lines().next().unwrap())).collect();
    assert_snapshot!(lines.join("\n"), @"
    [공연 연기] 봄 콘서트: 예매하신 공연이 연기되었습니다.
    [공연 진행] 봄 콘서트: 연기되었던 공연이 예정대로 진행됩니다.
    [공연 취소] 봄 콘서트: 예매하신 공연이 취소되었습니다.
    [공연 진행] 봄 콘서트: 취소되었던 공연이 예정대로 진행됩니다.
    [공연 연기] 봄 콘서트: 예매하신 공연이 연기되었습니다.
    [공연 일시 확정] 봄 콘서트: 연기되었던 공연의 새 일시가 정해졌습니다.
    [공연 일시 변경] 봄 콘서트: 예매하신 공연의 일시가 변경되었습니다.
    [공연 안내] 봄 콘서트: 예매하신 공연에 대해 안내드립니다.
    [공연 안내] 봄 콘서트: 예매하신 공연에 대해 안내드립니다.
    ");
}

#[tokio::test]
async fn mail_tells_that_show_is_still_off() {
    let service = Service::start().await;
    let api = &service.other;
    let sale = Sale::open_with(api, json!({"title": "봄\u{2028}콘서트"})).await;
    let (member, _) = sale.sold_to_member(api, &[0]).await;
    sale.change(api, &json!({"status": "CANCELLED"})).await.check(200, "0");
    sale.tell(api, "환불은\r내일\r\n시작합니다.").await.check(202, "0");
    sale.sent_notices(api).await;
    let [mail] = &mails_to(&service.stack, &member)[..] else { panic!("expected one mail") };
    assert_eq!(mail.subject, "[공연 안내] 봄 콘서트");
    assert!(mail.text.contains("\n상태: 취소된 공연\n\n환불은\n내일\n시작합니다.\n"), "{}", mail.text);
    assert!(mail.html.contains("환불은<br>\n내일<br>\n시작합니다."), "{}", mail.html);
}

/// The connection of a manager ends before the response.
#[tokio::test]
async fn notice_is_sent_although_its_client_has_gone() {
    let service = Service::start().await;
    let api = &service.other;
    let sale = Sale::open(api).await;
    sale.sold_to_member(api, &[0]).await;
    let body = json!({"status": "CANCELLED", "notifyBuyers": true}).to_string();
    let address = service.stack.url().replace("http://", "");
    let head = format!(
        "PATCH {} HTTP/1.1\r\nhost: {address}\r\nx-api-managerId: {}\r\ncontent-type: application/json\r\ncontent-length: {}",
        sale.path("").trim_end_matches('/'),
        tests::sample::MANAGER,
        body.len(),
    );
    let mut connection = TcpStream::connect(&*address).await.unwrap();
    connection.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).await.unwrap();
    drop(connection);
    while sale.notices(api).await.data().as_array().unwrap().is_empty() {
        sleep(Duration::from_millis(20)).await;
    }
    let notices = timeout(Duration::from_mins(1), sale.sent_notices(api)).await.expect("a notice that is sent");
    assert_eq!(counts(&notices[0]), [1, 1, 0]);
}

#[tokio::test]
async fn only_buyers_of_this_moment_get_a_mail() {
    let service = Service::start().await;
    let api = &service.other;
    let sale = Sale::open(api).await;
    // A member with two orders, one who cancelled, one who only holds, one who withdrew, one of another show.
    let (twice, tokens) = api.joined_with_session().await;
    sale.buy(api, &tokens, &[0, 1]).await;
    sale.buy(api, &tokens, &[130]).await;
    let (cancelled, hold) = sale.sold_to_member(api, &[2]).await;
    sale.cancel(api, &hold, "order-1").await.check(200, "0");
    let (holding, tokens) = api.joined_with_session().await;
    sale.hold(api, &tokens, &[3]).await.check(201, "0");
    let (withdrawn, _) = sale.sold_to_member(api, &[4]).await;
    api.withdraw(&withdrawn, &json!({"password": PASSWORD})).await.check(204, "0");
    let show = api.event(&sale.event).await.data()["eventDatetimes"][1]["id"].as_str().unwrap().to_owned();
    let (other, _) = Sale { show, ..sale.clone() }.sold_to_member(api, &[5]).await;
    sale.tell(api, "a").await.check(202, "0");
    assert_eq!(counts(&sale.sent_notices(api).await[0]), [2, 1, 1]);
    let mails = [&twice, &cancelled, &holding, &withdrawn, &other].map(|member| mails_to(&service.stack, member).len());
    assert_eq!(mails, [1, 0, 0, 0, 0]);
}

#[tokio::test]
async fn rejected_mails_count_as_failed() {
    let settings = local::Settings { mail_failure: true, ..local::Settings::default() };
    let service = Service::start_with(settings).await;
    let sale = Sale::open(&service.other).await;
    let (member, _) = sale.sold_to_member(&service.other, &[0]).await;
    sale.tell(&service.other, "a").await.check(202, "0");
    let notices = sale.sent_notices(&service.other).await;
    assert_eq!((counts(&notices[0]), &notices[0]["status"]), ([1, 0, 1], &json!("DONE")));
    assert!(!tests::log::lines_with("SES rejected a mail: SendingPausedException").is_empty());
    assert!(tests::log::lines_with(member["email"].as_str().unwrap()).is_empty());
}
