//! Reading what is registered.

use domain::cursor::CursorKey;
use tests::{Answer, Api, fault::Backends, function, sample};
use uuid::Uuid;

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
        let table = backends.table.clone();
        let mut request = function::of_event(&self.id);
        if let Some(tag) = &self.tag {
            request.headers_mut().insert("If-None-Match", tag.parse().unwrap());
        }
        match self.what {
            What::List => {
                let cursors: CursorKey = "0123456789abcdef".parse().unwrap();
                // A page that begins with the event, whatever is registered meanwhile.
                let newer = self.id.parse::<Uuid>().unwrap().as_u128() + 1;
                let page = format!("limit=1&cursor={}", cursors.sign(Uuid::from_u128(newer)));
                function::answer(events_list::List::new(table, cursors), function::page(&page)).await
            }
            What::Event => function::answer(events_get::Get::new(table), request).await,
            What::Detail => function::answer(events_detail::Detail::new(table), request).await,
            What::SeatMap => function::answer(events_seat_map::SeatMap::new(table), request).await,
        }
    }

    async fn check(&self, end: &End, backends: &Backends) {
        let again = self.send(backends).await;
        assert_eq!(again.status, self.answer.0);
        if let What::List = self.what {
            assert_eq!(again.data()[0]["id"], self.id);
        }
        if let Some(first) = end.success() {
            assert_eq!(first.text(), again.text());
        }
    }
}
