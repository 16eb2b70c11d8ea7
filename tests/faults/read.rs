//! Reads of events.

use domain::{cursor::CursorKey, manager::Authentication};
use managers_events::OwnEvents;
use tests::{Backends, Response, function, sample};
use uuid::Uuid;

use crate::{
    delete,
    exercise::{Operation, Outcome, Tally, exercise},
    stored::Stored,
};

struct Read {
    resource: Resource,
    id: String,
    manager: String,
    title: String,
    tag: Option<String>,
    expected: (u16, &'static str),
}

#[derive(Clone, Copy)]
enum Resource {
    List,
    OwnEvents,
    Search,
    Event,
    Detail,
    SeatMap,
}

impl Read {
    async fn list(stored: &Stored) -> Self {
        Self::new(Resource::List, stored).await
    }

    async fn own_events(stored: &Stored) -> Self {
        Self::new(Resource::OwnEvents, stored).await
    }

    async fn search(stored: &Stored) -> Self {
        Self::new(Resource::Search, stored).await
    }

    async fn get(stored: &Stored) -> Self {
        Self::new(Resource::Event, stored).await
    }

    async fn get_deleted(stored: &Stored) -> Self {
        let id = delete::deleted_id(stored).await;
        let manager = sample::MANAGER.to_owned();
        Self { resource: Resource::Event, id, manager, title: String::new(), tag: None, expected: (404, "E_002") }
    }

    async fn detail(stored: &Stored) -> Self {
        Self::new(Resource::Detail, stored).await
    }

    async fn detail_with_other_tag(stored: &Stored) -> Self {
        Self { tag: Some("\"another\"".to_owned()), ..Self::new(Resource::Detail, stored).await }
    }

    async fn detail_with_same_tag(stored: &Stored) -> Self {
        let read = Self::new(Resource::Detail, stored).await;
        let known = stored.api.get(&format!("/api/v1/events/{}/detail", read.id)).await;
        Self { tag: Some(known.header("ETag").to_owned()), expected: (304, ""), ..read }
    }

    async fn seat_map(stored: &Stored) -> Self {
        Self::new(Resource::SeatMap, stored).await
    }

    async fn seat_map_with_other_tag(stored: &Stored) -> Self {
        Self { tag: Some("\"another\"".to_owned()), ..Self::new(Resource::SeatMap, stored).await }
    }

    async fn new(resource: Resource, stored: &Stored) -> Self {
        let manager = Uuid::new_v4().to_string();
        let mut event = sample::event();
        let title = sample::unique();
        event["title"] = title.clone().into();
        let created = stored.api.create_as(&manager, &event).await.expect(201, "0");
        let id = created.data()["id"].as_str().unwrap().to_owned();
        Self { resource, id, manager, title, tag: None, expected: (200, "0") }
    }
}

impl Operation for Read {
    const STORED_KIND: Option<&'static str> = Some("EVENT");

    fn expected_response(&self) -> (u16, &'static str) {
        self.expected
    }

    async fn send(&self, backends: &Backends) -> Response {
        let table = backends.table.clone();
        let mut request = function::event_request(&self.id);
        if let Some(tag) = &self.tag {
            request.headers_mut().insert("If-None-Match", tag.parse().unwrap());
        }
        match self.resource {
            Resource::List => {
                let cursors: CursorKey = "0123456789abcdef".parse().unwrap();
                // The page begins with the event, even if others are registered meanwhile.
                let newer = self.id.parse::<Uuid>().unwrap().as_u128() + 1;
                let page = format!("limit=1&cursor={}", cursors.sign(Uuid::from_u128(newer)));
                function::send(events_list::List::new(table, cursors), function::list_request(&page)).await
            }
            Resource::OwnEvents => {
                let own_events = OwnEvents::new(table, Authentication::Open, "0123456789abcdef".parse().unwrap());
                let request = function::own_list_request(&self.manager, "");
                function::send(own_events, request).await
            }
            Resource::Search => {
                let list = events_list::List::new(table, "0123456789abcdef".parse().unwrap());
                function::send(list, function::list_request(&format!("q={}", self.title))).await
            }
            Resource::Event => function::send(events_get::Get::new(table), request).await,
            Resource::Detail => function::send(events_detail::Detail::new(table), request).await,
            Resource::SeatMap => function::send(events_seat_map::SeatMap::new(table), request).await,
        }
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let repeated = self.send(&stored.backends).await;
        assert_eq!(repeated.status, self.expected.0);
        if let Resource::List | Resource::OwnEvents | Resource::Search = self.resource {
            assert_eq!(repeated.data()[0]["id"], self.id);
        }
        if let Some(first) = outcome.success() {
            assert_eq!(first.text(), repeated.text());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn list_survives_faults() {
    exercise(Read::list, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn own_events_survive_faults() {
    exercise(Read::own_events, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn search_survives_faults() {
    exercise(Read::search, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn get_survives_faults() {
    exercise(Read::get, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_event_survives_faults() {
    exercise(Read::get_deleted, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn detail_survives_faults() {
    exercise(Read::detail, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_detail_survives_faults() {
    exercise(Read::detail_with_other_tag, Tally { calls: 2, combinations: 40 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unchanged_detail_survives_faults() {
    exercise(Read::detail_with_same_tag, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn seat_map_survives_faults() {
    exercise(Read::seat_map, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_seat_map_survives_faults() {
    exercise(Read::seat_map_with_other_tag, Tally { calls: 2, combinations: 40 }).await;
}
