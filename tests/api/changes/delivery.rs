//! Delivery of changes to a receiver.

use tests::{Changes, Receiver, Reply, prelude::*};

#[tokio::test]
async fn change_is_posted() {
    let mut receiver = Receiver::start(&[]).await;
    let mut changes = Changes::start_with(receiver.settings(Some("k3y"))).await;
    changes.api.created().await;
    let post = receiver.next().await;
    assert_eq!(post.target, "POST /changes?tenant=1");
    assert_eq!(post.headers["content-type"], "application/cloudevents+json");
    assert_eq!(post.headers["x-api-key"], "k3y");
    assert_eq!(changes.told().await, [post.change]);
}

#[tokio::test]
async fn key_is_optional() {
    let mut receiver = Receiver::start(&[]).await;
    let changes = Changes::start_with(receiver.settings(None)).await;
    changes.api.joined().await;
    assert!(!receiver.next().await.headers.contains_key("x-api-key"));
}

#[tokio::test]
async fn failed_change_is_posted_again_before_later_ones() {
    let mut receiver = Receiver::start(&[Reply::Status(500), Reply::Redirect, Reply::Status(299)]).await;
    let changes = Changes::start_with(receiver.settings(None)).await;
    let members = [changes.api.joined().await, changes.api.joined().await];
    let mut posts = Vec::new();
    for _ in 0..4 {
        posts.push(receiver.next().await);
    }
    let subjects: Vec<_> = posts.iter().map(|post| post.change["data"]["memberId"].clone()).collect();
    let [first, second] = members.map(|member| member["id"].clone());
    assert_eq!(subjects, [first.clone(), first.clone(), first, second]);
    assert!(posts.iter().all(|post| post.target == "POST /changes?tenant=1"), "{posts:?}");
    assert!(posts[..3].iter().all(|post| post.change == posts[0].change));
}

#[tokio::test]
async fn receiver_without_response_gets_change_again() {
    let mut receiver = Receiver::start(&[Reply::None]).await;
    let changes = Changes::start_with(receiver.settings(None)).await;
    changes.api.joined().await;
    assert_eq!(receiver.next().await.change, receiver.next().await.change);
}

#[tokio::test]
async fn list_has_100_changes_without_receiver() {
    let mut changes = Changes::start().await;
    let event = changes.api.created().await;
    for hours in 0..2 {
        let times: Vec<_> = (0..60).map(|hour| json!(4_102_444_800_u64 + 3_600 * (60 * hours + hour))).collect();
        changes.api.edit(&event, &json!({"eventDatetimes": times})).await.check(200, "0");
    }
    let listed = changes.api.get("/changes.json").await;
    assert_eq!((listed.header("Content-Type"), listed.header("Cache-Control")), ("application/json", "no-store"));
    let types = changes.types().await;
    assert_eq!((types.len(), &*types[0], &*types[99]), (100, "show.removed", "show.added"));
}

#[tokio::test]
async fn lists_are_only_for_this_machine() {
    let changes = Changes::start().await;
    for path in ["/changes", "/changes.json"] {
        assert_eq!(changes.api.get(path).await.status, 200, "{path}");
        let renamed = changes.api.send_with(Method::GET, path, &[("Host", "attacker.example")]).await;
        assert_eq!(renamed.status, 403, "{path}");
    }
}
