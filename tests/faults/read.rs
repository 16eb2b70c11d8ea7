//! Reading what is registered.

use domain::cursor::CursorKey;
use tests::{Backends, Response, function, sample};
use uuid::Uuid;

use crate::{
    delete,
    exercise::{End, Operation, Tally, exercise},
    stored::Stored,
};

struct Read {
    what: What,
    id: String,
    tag: Option<String>,
    answer: (u16, &'static str),
}

#[derive(Clone, Copy)]
enum What {
    List,
    Event,
    Detail,
    SeatMap,
}

impl Read {
    async fn list(stored: &Stored) -> Self {
        Self::of(What::List, stored).await
    }

    async fn get(stored: &Stored) -> Self {
        Self::of(What::Event, stored).await
    }

    async fn get_deleted(stored: &Stored) -> Self {
        let id = delete::deleted_id(stored).await;
        Self { what: What::Event, id, tag: None, answer: (404, "E_002") }
    }

    async fn detail(stored: &Stored) -> Self {
        Self::of(What::Detail, stored).await
    }

    async fn detail_with_other_tag(stored: &Stored) -> Self {
        Self { tag: Some("\"another\"".to_owned()), ..Self::of(What::Detail, stored).await }
    }

    async fn detail_with_its_tag(stored: &Stored) -> Self {
        let read = Self::of(What::Detail, stored).await;
        let known = stored.api.get(&format!("/api/v1/events/{}/detail", read.id)).await;
        Self { tag: Some(known.header("ETag").to_owned()), answer: (304, ""), ..read }
    }

    async fn seat_map(stored: &Stored) -> Self {
        Self::of(What::SeatMap, stored).await
    }

    async fn seat_map_with_other_tag(stored: &Stored) -> Self {
        Self { tag: Some("\"another\"".to_owned()), ..Self::of(What::SeatMap, stored).await }
    }

    async fn of(what: What, stored: &Stored) -> Self {
        let created = stored.api.create(&sample::event()).await.expect(201, "0");
        let id = created.data()["id"].as_str().unwrap().to_owned();
        Self { what, id, tag: None, answer: (200, "0") }
    }
}

impl Operation for Read {
    const LEAVES: Option<&'static str> = Some("EVENT");

    fn answer(&self) -> (u16, &'static str) {
        self.answer
    }

    async fn send(&self, backends: &Backends) -> Response {
        let table = backends.table.clone();
        let mut request = function::event_request(&self.id);
        if let Some(tag) = &self.tag {
            request.headers_mut().insert("If-None-Match", tag.parse().unwrap());
        }
        match self.what {
            What::List => {
                let cursors: CursorKey = "0123456789abcdef".parse().unwrap();
                // A page that begins with the event, whatever is registered meanwhile.
                let newer = self.id.parse::<Uuid>().unwrap().as_u128() + 1;
                let page = format!("limit=1&cursor={}", cursors.sign(Uuid::from_u128(newer)));
                function::send(events_list::List::new(table, cursors), function::list_request(&page)).await
            }
            What::Event => function::send(events_get::Get::new(table), request).await,
            What::Detail => function::send(events_detail::Detail::new(table), request).await,
            What::SeatMap => function::send(events_seat_map::SeatMap::new(table), request).await,
        }
    }

    async fn check(&self, end: &End, stored: &Stored) {
        let again = self.send(&stored.backends).await;
        assert_eq!(again.status, self.answer.0);
        if let What::List = self.what {
            assert_eq!(again.data()[0]["id"], self.id);
        }
        if let Some(first) = end.success() {
            assert_eq!(first.text(), again.text());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn list_survives_faults() {
    exercise(Read::list, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn get_survives_faults() {
    exercise(Read::get, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn get_of_deleted_event_survives_faults() {
    exercise(Read::get_deleted, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn detail_survives_faults() {
    exercise(Read::detail, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn detail_with_other_tag_survives_faults() {
    exercise(Read::detail_with_other_tag, Tally { calls: 2, combinations: 40 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn detail_with_its_tag_survives_faults() {
    exercise(Read::detail_with_its_tag, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn seat_map_survives_faults() {
    exercise(Read::seat_map, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn seat_map_with_other_tag_survives_faults() {
    exercise(Read::seat_map_with_other_tag, Tally { calls: 2, combinations: 40 }).await;
}
