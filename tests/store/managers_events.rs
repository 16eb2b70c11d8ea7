//! Stored attributes of a manager's own events.

use aws_sdk_dynamodb::types::AttributeValue;
use local::TABLE;
use storage::keys;
use tests::{Api, sample, stack};
use uuid::Uuid;

const PATH: &str = "/api/v1/managers/me/events?status=";

async fn register(manager: &str) -> Uuid {
    let created = Api::new().create_as(manager, &sample::event()).await.expect(201, "0").data();
    created["id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn expired_event_is_not_listed() {
    let (api, manager) = (Api::new(), Uuid::new_v4().to_string());
    let mut ids = Vec::new();
    for _ in 0..3 {
        let id = register(&manager).await;
        assert_eq!(api.delete(&id.to_string()).await.status, 204);
        ids.insert(0, id);
    }
    let update = stack().dynamodb().update_item().table_name(TABLE);
    let update = update.set_key(Some(keys::event(ids[0]).attributes())).update_expression("SET expiresAt = :past");
    update.expression_attribute_values(":past", AttributeValue::N("1".into())).send().await.unwrap();
    for status in ["deleted", "all"] {
        let page = api.get_as(&manager, &format!("{PATH}{status}&limit=1")).await.expect(200, "0");
        assert_eq!(page.ids(), [ids[1].to_string()]);
        let next = api.get_as(&manager, &page.next_page().unwrap()).await.expect(200, "0");
        assert_eq!((next.ids(), next.next_page()), (vec![ids[2].to_string()], None));
    }
}
