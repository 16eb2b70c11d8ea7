//! Events that only their manager can read.

use insta::assert_snapshot;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tests::{Api, Operation, Response, Sale, sample};

fn draft() -> Value {
    sample::with(Sale::on_sale(), json!({"published": false}))
}

/// Adds to a request who sends it.
type Sign<'a> = &'a dyn Fn(RequestBuilder) -> RequestBuilder;

/// Draft with a held and a sold seat of a show to come.
struct Hidden {
    sale: Sale,
    /// Tokens of the member with the held seat.
    tokens: Value,
    held: String,
    sold: String,
}

impl Hidden {
    async fn create(api: &Api, owner: Sign<'_>) -> Self {
        let form = sample::form(&Sale::on_sale());
        let request = api.request(Method::POST, "/api/v1/events").header("Content-Type", form.content_type());
        let sale = Sale::of(&Api::send(owner(request.body(form.body()))).await);
        let ((tokens, held), (_, sold)) = (sale.held(api, &[0]).await, sale.held(api, &[1]).await);
        let hidden = Self { sale, tokens, held, sold };
        let order = json!({"orderId": "order-1", "amount": 50_000});
        hidden.post(api, owner, &format!("holds/{}/confirmation", hidden.sold), &order).await.check(200, "0");
        // A show of yesterday does not keep the event public.
        hidden.move_show(api, owner, "2020-01-01T10:00:00Z").await;
        hidden.edit(api, owner, "", &json!({"published": false})).await.check(200, "0");
        hidden.move_show(api, owner, "2100-01-01T10:00:00Z").await;
        hidden
    }

    async fn post(&self, api: &Api, sender: Sign<'_>, end: &str, body: &Value) -> Response {
        Api::send(sender(api.request(Method::POST, &self.sale.path(end)).json(body))).await
    }

    async fn edit(&self, api: &Api, owner: Sign<'_>, end: &str, change: &Value) -> Response {
        let path = format!("/api/v1/events/{}{end}", self.sale.event);
        Api::send(owner(api.request(Method::PATCH, &path).json(change))).await
    }

    async fn move_show(&self, api: &Api, owner: Sign<'_>, datetime: &str) {
        let end = format!("/dates/{}", self.sale.show);
        self.edit(api, owner, &end, &json!({ "datetime": datetime })).await.check(200, "0");
    }

    async fn delete(&self, api: &Api, owner: Sign<'_>) {
        self.move_show(api, owner, "2020-01-01T10:00:00Z").await;
        let path = format!("/api/v1/events/{}", self.sale.event);
        Api::send(owner(api.request(Method::DELETE, &path))).await.check(204, "0");
    }

    /// Returns what the owner sees: the event, and its seats unless it is deleted.
    async fn seen_by_owner(&self, api: &Api, owner: Sign<'_>) -> [String; 2] {
        let event = format!("/api/v1/managers/me/events/{}", self.sale.event);
        let event = Api::send(owner(api.request(Method::GET, &event))).await.expect(200, "0");
        let seats = Api::send(owner(api.request(Method::GET, &self.sale.path("summary")))).await;
        [event.text(), seats.text()]
    }

    /// Sends every request that names the event, also with these holds, and the same for an unknown event.
    ///
    /// Checks that the responses are the same, and returns their codes.
    async fn codes_of_unknown(&self, api: &Api, sender: Sign<'_>, holds: &[&str]) -> Vec<String> {
        let mut codes = Vec::new();
        for operation in Operation::all().into_iter().filter(|operation| operation.path.contains("{eventId}")) {
            let holds = if operation.path.contains("{holdId}") { holds } else { &[""] };
            // Ids of other seats are unknown, but the event comes first.
            let bodies = [self.sale.event.as_str(), ""].map(|event| operation.valid_body(event));
            for (hold, (media_type, body)) in holds.iter().flat_map(|hold| bodies.iter().map(move |body| (hold, body)))
            {
                let send = async |event: &str| {
                    let ids = [("eventId", event), ("showId", &self.sale.show), ("holdId", hold)];
                    let request = api.request(operation.method.clone(), &sample::path(&operation.path, &ids, ""));
                    let request = request.header("Content-Type", media_type).body(body.clone());
                    let token = self.tokens["accessToken"].as_str().unwrap();
                    Api::send(if operation.is_for_members { request.bearer_auth(token) } else { sender(request) }).await
                };
                let (draft, unknown) = (send(&self.sale.event).await, send(sample::UNKNOWN_EVENT).await);
                assert_eq!(draft.to_string(), unknown.to_string(), "{} {hold}", operation.slug);
                codes.push(unknown.code());
            }
        }
        codes.sort();
        codes.dedup();
        codes
    }
}

fn named(manager: &str) -> impl Fn(RequestBuilder) -> RequestBuilder {
    move |request| request.header("x-api-managerId", manager)
}

#[tokio::test]
async fn draft_of_another_manager_looks_unknown() {
    let api = Api::new();
    let (owner, other) = (named(sample::MANAGER), named(sample::OTHER_MANAGER));
    let draft = Hidden::create(&api, &owner).await;
    let seen = draft.seen_by_owner(&api, &owner).await;
    assert_eq!(draft.codes_of_unknown(&api, &other, &[&draft.held, "x"]).await, ["E_002"]);
    assert_eq!(draft.seen_by_owner(&api, &owner).await, seen);
    draft.delete(&api, &owner).await;
    let seen = draft.seen_by_owner(&api, &owner).await;
    assert_eq!(draft.codes_of_unknown(&api, &other, &[&draft.held, &draft.sold]).await, ["E_002"]);
    assert_eq!(draft.seen_by_owner(&api, &owner).await, seen);
}

#[tokio::test]
async fn order_service_cancels_only_sold_seats_of_a_draft() {
    let api = Api::new();
    let draft = Hidden::create(&api, &named(sample::MANAGER)).await;
    // Where managers are not verified, everyone is an order service.
    let other = named(sample::OTHER_MANAGER);
    let cancel = async |hold: &str, order: &str| {
        draft.post(&api, &other, &format!("holds/{hold}/cancellation"), &json!({ "orderId": order })).await
    };
    for (hold, order) in [(&draft.held, "order-1"), (&draft.sold, "order-2"), (&"x".to_owned(), "order-1")] {
        cancel(hold, order).await.check(404, "E_002");
    }
    let amount = json!({"orderId": "order-1", "amount": 50_000});
    draft.post(&api, &other, &format!("holds/{}/confirmation", draft.sold), &amount).await.check(404, "E_002");
    cancel(&draft.sold, "order-1").await.check(200, "0");
    cancel(&draft.sold, "order-1").await.check(200, "0");
    assert_eq!(draft.sale.summary(&api).await.data()["sold"], 0);
}

#[tokio::test]
async fn nobody_else_reads_a_draft() {
    let api = Api::new();
    let event = draft();
    let created = api.create(&event).await;
    let sale = Sale::of(&created);
    let (_, tokens) = api.joined_with_session().await;
    let event_paths = ["", "/detail", "/seat-map.svg"].map(|path| format!("/api/v1/events/{}{path}", sale.event));
    let show_paths = ["availability", "seat-reservation/detail"].map(|path| sale.path(path));
    for path in event_paths.iter().chain(&show_paths) {
        api.get(path).await.check(404, "E_002");
    }
    sale.hold(&api, &tokens, &[0]).await.check(404, "E_002");
    sale.get(&api, &tokens, sample::UNKNOWN_EVENT).await.check(404, "E_002");
    assert!(api.find(&event).await.is_empty());
    assert_eq!(api.poster(&format!("{}.png", sale.event)).await.status, 200);
    // Its name and times are reserved.
    api.create(&event).await.check(409, "E_001");

    api.edit(&sale.event, &json!({"published": true})).await.check(200, "0");
    for path in event_paths.iter().chain(&show_paths) {
        assert_eq!(api.get(path).await.status, 200, "{path}");
    }
    assert_eq!(api.find(&event).await[0]["id"], sale.event);
    sale.hold(&api, &tokens, &[0]).await.check(201, "0");
}

#[tokio::test]
async fn manager_works_with_a_draft() {
    let api = Api::new();
    let sale = Sale::of(&api.create(&draft()).await);
    let edited = api.edit(&sale.event, &json!({"artist": "잔나비"})).await.expect(200, "0").data();
    api.replace_thumbnail(&sale.event, sample::OTHER_POSTER).await.check(200, "0");
    sale.block(&api, &[0]).await.check(200, "0");
    sale.unblock(&api, &[0]).await.check(200, "0");
    api.edit_show(&sale.event, &sale.show, &json!({"datetime": "2100-05-01T10:00:00Z"})).await.check(200, "0");
    api.delete(&sale.event).await.check(204, "0");
    let restored = api.restore(&sale.event).await.expect(200, "0").data();
    assert_eq!(restored["artist"], edited["artist"]);
    let managed = api.managed_event(&sale.event).await.expect(200, "0").data();
    assert_eq!(managed["status"], "DRAFT", "it comes back as a draft");
    api.event(&sale.event).await.check(404, "E_002");
}

#[tokio::test]
async fn manager_lists_drafts() {
    let api = Api::new();
    let manager = uuid::Uuid::new_v4().to_string();
    let create = async |published: bool| {
        let event = sample::event_with(json!({ "published": published }));
        api.create_as(&manager, &event).await.expect(201, "0").id()
    };
    let (live, draft) = (create(true).await, create(false).await);
    let deleted = create(false).await;
    api.delete(&deleted).await.check(204, "0");
    let listed = async |status: &str| {
        let events = api.get_as(&manager, &format!("/api/v1/managers/me/events?status={status}")).await.data();
        let event = |event: &Value| [&event["id"], &event["status"]].map(|text| text.as_str().unwrap().to_owned());
        events.as_array().unwrap().iter().map(event).collect::<Vec<_>>()
    };
    let [live, draft, deleted] = [[live, "LIVE".into()], [draft, "DRAFT".into()], [deleted, "DELETED".into()]];
    for (status, event) in [("live", &live), ("draft", &draft), ("deleted", &deleted)] {
        assert_eq!(listed(status).await, std::slice::from_ref(event));
    }
    assert_eq!(listed("all").await, [deleted, draft, live]);
}

#[tokio::test]
async fn event_with_taken_seats_is_not_hidden() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    let hide = json!({"published": false});
    assert_snapshot!(api.edit(&sale.event, &hide).await, @r#"
    409
    {"message": "선점되거나 판매되었거나 판매를 막아 둔 좌석이 있어 공연을 삭제하거나 비공개로 돌리거나 회차를 뺄 수 없습니다.", "code": "E_004"}
    "#);
    sale.release(&api, &tokens, &hold).await.check(204, "0");
    sale.block(&api, &[1]).await.check(200, "0");
    api.edit(&sale.event, &hide).await.check(409, "E_004");
    sale.unblock(&api, &[1]).await.check(200, "0");
    api.edit(&sale.event, &hide).await.check(200, "0");
    sale.hold(&api, &tokens, &[0]).await.check(404, "E_002");
    api.edit(&sale.event, &hide).await.check(200, "0");
}

#[tokio::test]
async fn show_of_yesterday_does_not_keep_event_public() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, sold) = sale.held(&api, &[0]).await;
    let (_, held) = sale.held(&api, &[1]).await;
    sale.confirm(&api, &sold, "order-1", 50_000.0).await.check(200, "0");
    api.edit_show(&sale.event, &sale.show, &json!({"datetime": "2020-01-01T10:00:00Z"})).await.check(200, "0");
    api.edit(&sale.event, &json!({"published": false})).await.check(200, "0");
    for hold in [&*held, "00000000-0000-4000-8000-000000000000"] {
        sale.confirm(&api, hold, "order-2", 50_000.0).await.check(404, "E_002");
    }
    sale.cancel(&api, &sold, "order-1").await.check(200, "0");
}

mod in_process {
    use tests::{
        Service, VerifiedService,
        sample::{MANAGER, OTHER_MANAGER},
        token::with,
    };

    use super::*;

    fn with_token(
        verified: &VerifiedService,
        subject: &str,
        roles: &[&str],
    ) -> impl Fn(RequestBuilder) -> RequestBuilder + use<> {
        let token = verified.key.token(&with(&verified.issuer.claims(subject), "roles", roles));
        move |request| request.bearer_auth(&token)
    }

    #[tokio::test]
    async fn draft_of_a_verified_manager_looks_unknown() {
        let verified = VerifiedService::start().await;
        let api = &verified.api;
        let owner = with_token(&verified, MANAGER, &["manager"]);
        let manager = with_token(&verified, OTHER_MANAGER, &["manager"]);
        let both = with_token(&verified, OTHER_MANAGER, &["manager", "order"]);
        let order_service = with_token(&verified, "order-service-1", &["order"]);
        let draft = Hidden::create(api, &owner).await;
        let seen = draft.seen_by_owner(api, &owner).await;
        let (held, sold) = (&*draft.held, &*draft.sold);
        assert_eq!(draft.codes_of_unknown(api, &manager, &[held, sold, "x"]).await, ["E_002"]);
        assert_eq!(draft.codes_of_unknown(api, &both, &[held, "x"]).await, ["E_002"]);
        // What only managers may do, an order service may for no event.
        assert_eq!(draft.codes_of_unknown(api, &order_service, &[held, "x"]).await, ["AM_002", "E_002"]);
        assert_eq!(draft.seen_by_owner(api, &owner).await, seen);
        draft.delete(api, &owner).await;
        let seen = draft.seen_by_owner(api, &owner).await;
        assert_eq!(draft.codes_of_unknown(api, &manager, &[held, sold]).await, ["E_002"]);
        assert_eq!(draft.codes_of_unknown(api, &order_service, &[held, sold]).await, ["AM_002", "E_002"]);
        assert_eq!(draft.seen_by_owner(api, &owner).await, seen);
    }

    #[tokio::test]
    async fn order_service_cancels_sold_seats_of_a_draft() {
        let verified = VerifiedService::start().await;
        let api = &verified.api;
        let draft = Hidden::create(api, &with_token(&verified, MANAGER, &["manager"])).await;
        let path = format!("holds/{}/cancellation", draft.sold);
        let cancel =
            async |sender: Sign<'_>, order: &str| draft.post(api, sender, &path, &json!({ "orderId": order })).await;
        let service = with_token(&verified, "order-service-1", &["order"]);
        cancel(&with_token(&verified, OTHER_MANAGER, &["manager"]), "order-1").await.check(404, "E_002");
        cancel(&service, "order-2").await.check(404, "E_002");
        cancel(&service, "order-1").await.check(200, "0");
        cancel(&service, "order-1").await.check(200, "0");
    }

    #[tokio::test]
    async fn hold_in_between_keeps_event_public_or_fails() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (_, tokens) = service.other.joined_with_session().await;
        let hide = json!({"published": false});

        let hold = async { sale.hold(&service.other, &tokens, &[0]).await.check(201, "0") };
        service.interrupted(service.api.edit(&sale.event, &hide), hold).await.check(409, "E_004");

        let sale = Sale::open(&service.other).await;
        let hiding = async { service.other.edit(&sale.event, &hide).await.check(200, "0") };
        service.interrupted(sale.hold(&service.api, &tokens, &[0]), hiding).await.check(404, "E_002");
    }

    #[tokio::test]
    async fn block_of_a_draft_fails_no_simultaneous_hiding() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let hide = json!({"published": false});
        let hidden_and_blocked = async {
            service.other.edit(&sale.event, &hide).await.check(200, "0");
            sale.block(&service.other, &[0]).await.check(200, "0");
        };
        // The event was read before, the seats are read after it.
        let edit = service.api.edit(&sale.event, &hide);
        service.interrupted_at("BatchGetItem", 0, edit, hidden_and_blocked).await.check(200, "0");
    }

    #[tokio::test]
    async fn publishing_writes_only_the_event() {
        let service = Service::start().await;
        let sale = Sale::of(&service.other.create(&draft()).await);
        let edit = async |change: Value| service.effect(service.api.edit(&sale.event, &change)).await;
        assert_snapshot!(edit(json!({"published": true})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 5 write units
        ~ EVENT#[id1] EVENT {"draft": null, "listing": "LIVE", "version": 1}
        "#);
        assert_snapshot!(edit(json!({"published": false})).await, @r#"
        200
        GetItem EVENT, BatchGetItem, TransactWriteItems: 73 read, 149 write units
        ~ EVENT#[id1] EVENT {"draft": true, "listing": null, "version": 2}
        + FENCE#[id1] FENCE {"edit": 2}
        "#);
        service.contents().await.check();
    }
}
