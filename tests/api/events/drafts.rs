//! Events that only their manager can read.

use tests::prelude::*;

fn draft() -> Value {
    sample::with(Sale::on_sale(), json!({"published": false}))
}

/// Draft with a held and a sold seat of a show to come.
struct Hidden {
    sale: Sale,
    /// Tokens of the member with the held seat.
    tokens: Value,
    held: String,
    sold: String,
}

impl Hidden {
    async fn create(api: &Api, owner: &Api) -> Self {
        let sale = Sale::open(owner).await;
        let ((tokens, held), (_, sold)) = (sale.held(api, &[0]).await, sale.held(api, &[1]).await);
        sale.confirm(owner, &sold, "order-1", 50_000.0).await.check(200, "0");
        let hidden = Self { sale, tokens, held, sold };
        // A show of yesterday does not keep the event public.
        hidden.move_show(owner, "2020-01-01T10:00:00Z").await;
        owner.edit(&hidden.sale.event, &json!({"published": false})).await.check(200, "0");
        hidden.move_show(owner, "2100-01-01T10:00:00Z").await;
        hidden
    }

    async fn move_show(&self, owner: &Api, datetime: &str) {
        owner.edit_show(&self.sale.event, &self.sale.show, &json!({ "datetime": datetime })).await.check(200, "0");
    }

    async fn delete(&self, owner: &Api) {
        self.move_show(owner, "2020-01-01T10:00:00Z").await;
        owner.delete(&self.sale.event).await.check(204, "0");
    }

    /// Returns what the owner sees: the event, and its seats unless it is deleted.
    async fn seen_by_owner(&self, owner: &Api) -> [String; 2] {
        let event = owner.managed_event(&self.sale.event).await.expect(200, "0");
        [event.text(), self.sale.summary(owner).await.text()]
    }

    /// Sends every request that names the event, also with these holds, and the same for an unknown event.
    ///
    /// Checks that the responses are the same, and returns their codes.
    async fn codes_of_unknown(&self, api: &Api, sender: &Api, holds: &[&str]) -> Vec<String> {
        let mut codes = Vec::new();
        for operation in Operation::all().into_iter().filter(|operation| operation.path.contains("{eventId}")) {
            let holds = if operation.path.contains("{holdId}") { holds } else { &[""] };
            // Ids of other seats are unknown, but the event comes first.
            let bodies = [self.sale.event.as_str(), ""].map(|event| operation.valid_body(event));
            for (hold, (media_type, body)) in holds.iter().flat_map(|hold| bodies.iter().map(move |body| (hold, body)))
            {
                let send = async |event: &str| {
                    let ids = [("eventId", event), ("showId", &self.sale.show), ("holdId", hold), ("gateId", "x")];
                    let path = sample::path(&operation.path, &ids, "");
                    let token = self.tokens["accessToken"].as_str().unwrap();
                    let api = if operation.is_for_members { &api.with_token(token) } else { sender };
                    let request = api.request(operation.method.clone(), &path);
                    Api::send(request.header("Content-Type", media_type).body(body.clone())).await
                };
                let (draft, unknown) = (send(&self.sale.event).await, send(sample::UNKNOWN_EVENT).await);
                assert_eq!(draft.to_string(), unknown.to_string(), "{} {hold}", operation.slug);
                // To a gate, each unusable token looks like any other.
                let is_expected = operation.is_for_gates && unknown.code() == "G_001";
                codes.extend((!is_expected).then(|| unknown.code()));
            }
        }
        codes.sort();
        codes.dedup();
        codes
    }
}

#[tokio::test]
async fn draft_of_another_manager_looks_unknown() {
    let api = Api::new();
    let (owner, other) = (api.by(MANAGER), api.by(OTHER_MANAGER));
    let draft = Hidden::create(&api, &owner).await;
    let seen = draft.seen_by_owner(&owner).await;
    assert_eq!(draft.codes_of_unknown(&api, &other, &[&draft.held, "x"]).await, ["E_002"]);
    assert_eq!(draft.seen_by_owner(&owner).await, seen);
    draft.delete(&owner).await;
    let seen = draft.seen_by_owner(&owner).await;
    assert_eq!(draft.codes_of_unknown(&api, &other, &[&draft.held, &draft.sold]).await, ["E_002"]);
    assert_eq!(draft.seen_by_owner(&owner).await, seen);
}

#[tokio::test]
async fn order_service_cancels_only_sold_seats_of_a_draft() {
    let api = Api::new();
    let draft = Hidden::create(&api, &api.by(MANAGER)).await;
    // Where managers are not verified, everyone is an order service.
    let other = api.by(OTHER_MANAGER);
    let cancel = async |hold: &str, order: &str| draft.sale.cancel(&other, hold, order).await;
    for (hold, order) in [(&draft.held, "order-1"), (&draft.sold, "order-2"), (&"x".to_owned(), "order-1")] {
        cancel(hold, order).await.check(404, "E_002");
    }
    draft.sale.confirm(&other, &draft.sold, "order-1", 50_000.0).await.check(404, "E_002");
    cancel(&draft.sold, "order-1").await.check(200, "0");
    cancel(&draft.sold, "order-1").await.check(200, "0");
    assert_eq!(draft.sale.summary(&api).await.data()["sold"], 0);
}

#[tokio::test]
async fn draft_is_public_once_published() {
    let api = Api::new();
    let event = draft();
    let sale = Sale::of(&api.create(&event).await);
    let (_, tokens) = api.joined_with_session().await;
    assert!(api.find(&event).await.is_empty());
    assert_eq!(api.poster(&format!("{}.png", sale.event)).await.status, 200);
    // Its name and times are reserved.
    api.create(&event).await.check(409, "E_001");
    let event_paths =
        ["", "/areas", "/detail", "/seat-map.svg"].map(|path| format!("/api/v1/events/{}{path}", sale.event));
    let show_paths = ["availability", "seat-reservation/detail"].map(|path| sale.path(path));
    let paths = [&event_paths[..], &show_paths].concat();
    for path in &paths {
        api.get(path).await.check(404, "E_002");
    }
    sale.hold(&api, &tokens, &[0]).await.check(404, "E_002");
    api.edit(&sale.event, &json!({"published": true})).await.check(200, "0");
    assert_eq!(api.find(&event).await[0]["id"], sale.event);
    for path in &paths {
        assert_eq!(api.get(path).await.status, 200, "{path}");
    }
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
        api.by(&manager).create(&event).await.expect(201, "0").id()
    };
    let (live, draft) = (create(true).await, create(false).await);
    let deleted = create(false).await;
    api.delete(&deleted).await.check(204, "0");
    let listed = async |status: &str| {
        let events = api.by(&manager).get(&format!("/api/v1/managers/me/events?status={status}")).await.data();
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

    use super::*;

    #[tokio::test]
    async fn draft_of_a_verified_manager_looks_unknown() {
        let verified = VerifiedService::start().await;
        let api = &verified.api;
        let (owner, manager) = (verified.by(MANAGER), verified.by(OTHER_MANAGER));
        let both = verified.with_roles(OTHER_MANAGER, &["manager", "order"]);
        let order_service = verified.with_roles("order-service-1", &["order"]);
        let draft = Hidden::create(api, &owner).await;
        let seen = draft.seen_by_owner(&owner).await;
        let (held, sold) = (&*draft.held, &*draft.sold);
        assert_eq!(draft.codes_of_unknown(api, &manager, &[held, sold, "x"]).await, ["E_002"]);
        assert_eq!(draft.codes_of_unknown(api, &both, &[held, "x"]).await, ["E_002"]);
        // What only managers may do, an order service may for no event.
        assert_eq!(draft.codes_of_unknown(api, &order_service, &[held, "x"]).await, ["AM_002", "E_002"]);
        assert_eq!(draft.seen_by_owner(&owner).await, seen);
        draft.delete(&owner).await;
        let seen = draft.seen_by_owner(&owner).await;
        assert_eq!(draft.codes_of_unknown(api, &manager, &[held, sold]).await, ["E_002"]);
        assert_eq!(draft.codes_of_unknown(api, &order_service, &[held, sold]).await, ["AM_002", "E_002"]);
        assert_eq!(draft.seen_by_owner(&owner).await, seen);
    }

    #[tokio::test]
    async fn order_service_cancels_sold_seats_of_a_draft() {
        let verified = VerifiedService::start().await;
        let api = &verified.api;
        let draft = Hidden::create(api, &verified.by(MANAGER)).await;
        let cancel = async |api: &Api, order: &str| draft.sale.cancel(api, &draft.sold, order).await;
        let service = verified.with_roles("order-service-1", &["order"]);
        cancel(&verified.by(OTHER_MANAGER), "order-1").await.check(404, "E_002");
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
