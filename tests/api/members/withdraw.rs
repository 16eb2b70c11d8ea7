//! `POST /api/v1/members/{memberId}/withdrawal`

use tests::prelude::*;

fn password() -> Value {
    json!({"password": PASSWORD})
}

#[tokio::test]
async fn withdrawn_member_is_unknown() {
    let api = Api::new();
    let member = api.joined().await;
    assert_snapshot!(api.withdraw(&member, &password()).await, @"204");
    assert_snapshot!(api.withdraw(&member, &password()).await, @r#"
    401
    {"message": "이메일 또는 비밀번호가 올바르지 않습니다.", "code": "AL_001"}
    "#);
    api.login_with(&member, PASSWORD).await.check(401, "AL_001");
    api.edit_member(&member, &password()).await.check(401, "AL_001");
    // The e-mail address and the nickname are free.
    let rejoined = api.join(&member).await.expect(201, "0").id();
    assert_ne!(member["id"], rejoined);
    assert_eq!(api.login_with(&member, PASSWORD).await.id(), rejoined);
}

#[tokio::test]
async fn one_of_simultaneous_withdrawals_succeeds() {
    let api = Api::new();
    let member = api.joined().await;
    let password = password();
    let withdrawals = (0..8).map(|_| api.withdraw(&member, &password));
    assert_eq!(statuses(withdrawals).await, [vec![204], vec![401; 7]].concat());
}

#[tokio::test]
async fn unknown_id_and_wrong_password_look_alike() {
    let api = Api::new();
    let member = api.joined().await;
    let wrong = api.withdraw(&member, &json!({"password": "wrong"})).await.expect(401, "AL_001");
    for id in [sample::UNKNOWN_EVENT, "x"] {
        let unknown = api.withdraw(&json!({"id": id}), &password()).await;
        assert_eq!(unknown.text(), wrong.text());
        assert!(unknown.headers.keys().eq(wrong.headers.keys()));
    }
    api.login_with(&member, PASSWORD).await.check(200, "0");
}

#[tokio::test]
async fn invalid_password_is_rejected() {
    let api = Api::new();
    let member = api.joined().await;
    let passwords = [json!(null), json!(" "), json!(5), json!("한".repeat(51)), json!("한".repeat(50))];
    let bodies = passwords.map(|password| json!({"password": password}));
    assert_snapshot!(outcomes(&bodies, |body| api.withdraw(&member, body)).await, @r"
    0: 400 C_001 | password ‘’ 필수 입력값입니다.
    1: 400 C_001 | password ‘ ’ 필수 입력값입니다.
    2: 400 C_001 | password ‘5’ 문자열이어야 합니다.
    3: 400 C_001 | password ‘한한한한한한한한한한… (51)’ 1자 이상 50자 이하여야 합니다.
    4: 401 AL_001 이메일 또는 비밀번호가 올바르지 않습니다.
    ");
    api.login_with(&member, PASSWORD).await.check(200, "0");
}

/// Seats stay sold, and the order service keeps the order.
#[tokio::test]
async fn sold_seats_outlive_member() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (member, tokens) = api.joined_with_session().await;
    let sold = sale.hold(&api, &tokens, &[0]).await.expect(201, "0").id();
    sale.confirm(&api, &sold, "order-1", 50_000.0).await.check(200, "0");
    let held = sale.hold(&api, &tokens, &[1]).await.expect(201, "0").id();
    api.withdraw(&member, &password()).await.check(204, "0");
    assert_eq!(sale.taken(&api).await, 2);
    // A payment may be on its way.
    sale.confirm(&api, &held, "order-2", 50_000.0).await.check(200, "0");
    // A new account with the same address sees nothing of the old one.
    let rejoined = api.join(&member).await.expect(201, "0").data();
    let new = api.session(&member).await;
    for hold in [&sold, &held] {
        sale.get(&api, &new, hold).await.check(404, "H_005");
        sale.release(&api, &new, hold).await.check(404, "H_005");
    }
    assert_ne!(rejoined["id"], member["id"]);
    for (hold, order) in [(&sold, "order-1"), (&held, "order-2")] {
        sale.cancel(&api, hold, order).await.check(200, "0");
    }
    assert_eq!(sale.taken(&api).await, 0);
}

mod in_process {
    use super::*;

    const NEW_PASSWORD: &str = "새비밀번호5678!";

    #[tokio::test]
    async fn withdrawal_leaves_only_counters() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        assert_snapshot!(service.effect(service.api.withdraw(&member, &password())).await, @r#"
        204
        GetItem MEMBER, GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES, TransactWriteItems: 2 read, 8 write units
        - EMAIL#[text1]@example.com EMAIL
        + EMAIL#[text1]@example.com FAILURES {"clients": {}, "expiresAt": "[in 15 minutes]", "failures": 0}
        - MEMBER#[id1] MEMBER
        - NICKNAME#닉네임[text1] NICKNAME
        "#);
        assert_snapshot!(service.effect(service.api.withdraw(&member, &password())).await, @r"
        401 AL_001 이메일 또는 비밀번호가 올바르지 않습니다.
        GetItem MEMBER: 1 read, 0 write units
        ");
        assert_snapshot!(service.effect(service.api.withdraw(&member, &json!({}))).await, @r"
        400 C_001 | password ‘’ 필수 입력값입니다.
        no calls: 0 read, 0 write units
        ");
        service.check_permissions("members-withdraw");
    }

    #[tokio::test]
    async fn interrupted_withdrawal_removes_changed_member() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        let edit = json!({"password": PASSWORD, "nickname": sample::unique()});
        let change = async { service.other.edit_member(&member, &edit).await.check(200, "0") };
        service.interrupted(service.api.withdraw(&member, &password()), change).await.check(204, "0");
        // The password is verified once, or a flood of changes that need none could stop a withdrawal.
        let after_loss = ["TransactWriteItems", "GetItem EMAIL"].map(str::to_owned);
        assert!(service.proxy.calls().ends_with(&after_loss), "{:?}", service.proxy.calls());
        let contents = service.contents().await;
        contents.check();
        assert_eq!(contents.of_kind("MEMBER").count(), 0);
    }

    #[tokio::test]
    async fn changed_password_stops_withdrawal() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        let edit = json!({"password": PASSWORD, "newPassword": NEW_PASSWORD});
        let change = async { service.other.edit_member(&member, &edit).await.check(200, "0") };
        service.interrupted(service.api.withdraw(&member, &password()), change).await.check(401, "AL_001");
        service.other.login_with(&member, NEW_PASSWORD).await.check(200, "0");
    }

    #[tokio::test]
    async fn successor_with_same_email_stays() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        let replace = async {
            service.other.withdraw(&member, &password()).await.check(204, "0");
            service.other.join(&member).await.check(201, "0");
        };
        service.interrupted(service.api.withdraw(&member, &password()), replace).await.check(401, "AL_001");
        service.other.login_with(&member, PASSWORD).await.check(200, "0");
    }

    #[tokio::test]
    async fn faults_remove_member_or_nothing() {
        let withdraw = async |api: &Api, member: &Value| api.withdraw(member, &password()).await;
        assert_snapshot!(faults(async |service| service.other.joined().await, withdraw).await, @r"
                             once  lost  fails  unknown     ends   ends after
        GetItem MEMBER       204   204   S_003  S_003       S_003  S_003
        GetItem EMAIL        204   204   S_003  S_003       S_003  S_003
        UpdateItem FAILURES  204   204   S_003  S_003       S_003  S_003
        UpdateItem FAILURES  204   204   204    204         S_003  S_003
        TransactWriteItems   204   204   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
