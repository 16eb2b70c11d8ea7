//! Reading what is registered.

use serde_json::Value;
use shared::store::event::Events;
use tests::{Answer, Api, fault::Backends, function, sample};

use crate::{
    delete,
    exercise::{End, Operation},
};

pub struct Read {
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
    pub async fn list() -> Self {
        Self::of(What::List).await
    }

    pub async fn get() -> Self {
        Self::of(What::Event).await
    }

    pub async fn get_deleted() -> Self {
        let id = delete::deleted().await;
        Self { what: What::Event, id, tag: None, answer: (404, "E_002") }
    }

    pub async fn detail() -> Self {
        Self::of(What::Detail).await
    }

    pub async fn detail_with_other_tag() -> Self {
        Self { tag: Some("\"another\"".to_owned()), ..Self::of(What::Detail).await }
    }

    pub async fn detail_with_its_tag() -> Self {
        let read = Self::of(What::Detail).await;
        let known = Api::new().get(&format!("/api/v1/events/{}/detail", read.id)).await;
        Self { tag: Some(known.header("ETag").to_owned()), answer: (304, ""), ..read }
    }

    pub async fn seat_map() -> Self {
        Self::of(What::SeatMap).await
    }

    pub async fn seat_map_with_other_tag() -> Self {
        Self { tag: Some("\"another\"".to_owned()), ..Self::of(What::SeatMap).await }
    }

    async fn of(what: What) -> Self {
        let created = Api::new().create(&sample::event()).await.expect(201, "0");
        let id = created.data()["id"].as_str().unwrap().to_owned();
        Self { what, id, tag: None, answer: (200, "0") }
    }
}

impl Operation for Read {
    fn answer(&self) -> (u16, &'static str) {
        self.answer
    }

    async fn send(&self, backends: &Backends) -> Answer {
        let events = Events::new(backends.table.clone());
        let mut request = function::of_event(&self.id);
        if let Some(tag) = &self.tag {
            request.headers_mut().insert("If-None-Match", tag.parse().unwrap());
        }
        match self.what {
            What::List => {
                let cursors = "0123456789abcdef".parse().unwrap();
                function::answer(events_list::List { events, cursors }, function::page("limit=100")).await
            }
            What::Event => function::answer(events_get::Get { events }, request).await,
            What::Detail => function::answer(events_detail::Detail { events }, request).await,
            What::SeatMap => function::answer(events_seat_map::SeatMap { events }, request).await,
        }
    }

    async fn check(&self, end: &End, backends: &Backends) {
        let again = self.send(backends).await;
        assert_eq!(again.status, self.answer.0);
        match self.what {
            // Others register meanwhile, but not a hundred.
            What::List => {
                for list in end.success().into_iter().chain([&again]) {
                    let data = list.data();
                    let ids =
                        data.as_array().unwrap().iter().map(|event: &Value| event["id"].as_str().unwrap());
                    assert!(ids.into_iter().any(|id| id == self.id), "{} is listed", self.id);
                }
            }
            _ => {
                if let Some(first) = end.success() {
                    assert_eq!(first.text(), again.text());
                }
            }
        }
    }
}
