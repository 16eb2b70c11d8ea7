//! Representations of a stored event.

use headers::ETag;
use serde::Deserialize;
use uuid::Uuid;

use crate::{conditional, content_encoding::ContentEncoding, error::Error, event::hall_json, splice};
use seating::{plan, seat_map::SeatMap};

/// Representation of an event. The summary of the event determines it, since the seats never change.
#[derive(Clone, Copy, Debug)]
pub enum Representation {
    /// JSON without its seats.
    Summary,
    /// JSON with all its seats, as its registration returned it.
    Detail,
    /// Picture of its hall.
    SeatMap,
}

impl Representation {
    /// Version of the representation; increase it when the output changes, so that clients drop old copies.
    const fn version(self) -> &'static str {
        match self {
            Self::Summary => "summary 1",
            Self::Detail => "detail 2",
            Self::SeatMap => "seat map 2",
        }
    }

    /// Computes the `ETag` of this representation in an encoding, from the summary of the event.
    #[must_use]
    pub fn etag(self, summary: &str, encoding: ContentEncoding) -> ETag {
        match encoding {
            ContentEncoding::Identity => conditional::etag(&[self.version(), summary]),
            ContentEncoding::Gzip => conditional::etag(&[self.version(), "gzip", summary]),
        }
    }

    /// Computes the `ETag` of this representation in each encoding.
    #[must_use]
    pub fn etags(self, summary: &str) -> [ETag; 2] {
        [ContentEncoding::Identity, ContentEncoding::Gzip].map(|encoding| self.etag(summary, encoding))
    }
}

/// Builds the JSON of an event with its seats; after its registration, this is what that returned.
///
/// # Errors
///
/// Returns `Unexpected` if the summary is invalid.
pub fn detail(event_id: Uuid, summary: &str, seat_map: &SeatMap) -> Result<String, Error> {
    splice::merge(summary, &hall_json(event_id, seat_map)?)
        .ok_or_else(|| Error::unexpected("the summary is not an object"))
}

/// Draws the hall of an event as SVG, with the title of the event.
///
/// # Errors
///
/// Returns `Unexpected` if the summary is invalid.
pub fn seat_map_svg(summary: &str, seat_map: &SeatMap) -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Summary {
        title: String,
    }
    let Summary { title } = serde_json::from_str(summary).map_err(Error::unexpected)?;
    Ok(plan::draw(&title, seat_map))
}

#[cfg(test)]
mod tests {
    use headers::HeaderMapExt as _;
    use http::{HeaderMap, header::ETAG};

    use super::*;
    use crate::{
        event::EventSummary,
        json,
        registration::{CreateRequest, Draft},
    };
    use domain::{event::Event, id};
    use serde_json::{Value, json};

    const REQUEST: &str = r#"{
        "title": "봄 \"콘서트\"", "description": "설명\n", "place": "올림픽홀", "artist": "가수",
        "eventOpenTime": 1745557200.5, "ticketingOpenTime": 0, "eventDatetimes": [1745643600],
        "totalMap": "<svg viewBox='0 0 100 50'><rect width='100' height='50'/></svg>",
        "areas": [
            {"label": "A", "price": 99000.5, "areaMap": "<g/>", "seats": [
                {"cx": 10.25, "cy": 20, "row": 1, "number": 1}, {"cx": 12, "cy": 20, "row": 1, "number": 2}
            ]},
            {"label": "B", "price": 50000, "areaMap": "/b.svg", "seats": [{"cx": 60, "cy": 20, "row": 1, "number": 1}]},
            {"label": "C", "price": 50000, "areaMap": "<g/>", "seats": []}
        ]
    }"#;

    fn stored() -> (Event, String, SeatMap) {
        let request: CreateRequest = json::object(REQUEST.as_bytes()).unwrap();
        let Draft { details, seat_map } = request.try_into().unwrap();
        let id = Uuid::from_u128(0x0196_a1b2_0000_7000_8000_0000_0000_abcd);
        let event = Event { id, manager: Uuid::nil(), thumbnail: "a.png".into(), details };
        let summary = serde_json::to_string(&EventSummary::from(&event)).unwrap();
        (event, summary, seat_map)
    }

    #[test]
    fn detail_has_all_fields() {
        let (event, summary, seat_map) = stored();
        let detail: Value = serde_json::from_str(&detail(event.id, &summary, &seat_map).unwrap()).unwrap();
        let mut expected: Value = serde_json::from_str(&summary).unwrap();
        let area_id = |area| id::area(event.id, area);
        let seat = |area, seat, cx: Value, number| {
            json!({
                "id": id::seat(event.id, seat), "areaId": area_id(area),
                "cx": cx, "cy": 20, "row": 1, "number": number,
            })
        };
        let area = |index, label, price: Value, area_map, seats: Vec<Value>| {
            json!({
                "id": area_id(index), "eventId": event.id, "label": label, "price": price, "areaMap": area_map,
                "seats": seats,
            })
        };
        expected["totalMap"] = json!("<svg viewBox='0 0 100 50'><rect width='100' height='50'/></svg>");
        expected["areas"] = json!([
            area(0, "A", json!(99_000.5), "<g/>", vec![seat(0, 0, json!(10.25), 1), seat(0, 1, json!(12), 2)]),
            area(1, "B", json!(50_000), "/b.svg", vec![seat(1, 2, json!(60), 1)]),
            area(2, "C", json!(50_000), "<g/>", vec![]),
        ]);
        assert_eq!(detail, expected);
    }

    #[test]
    fn seat_map_has_event_title() {
        let (_, summary, seat_map) = stored();
        let picture = seat_map_svg(&summary, &seat_map).unwrap();
        let document = roxmltree::Document::parse(&picture).unwrap();
        let title = document.descendants().find(|node| node.tag_name().name() == "title").unwrap();
        assert_eq!(title.text(), Some("봄 \"콘서트\""));
    }

    #[test]
    fn invalid_summary_is_rejected() {
        let (event, _, seat_map) = stored();
        assert!(detail(event.id, "[]", &seat_map).is_err());
        assert!(seat_map_svg("[]", &seat_map).is_err());
    }

    #[test]
    fn etags_of_representations_differ() {
        use Representation::{Detail, SeatMap, Summary};
        let tags = [Summary.etags("a"), Detail.etags("a"), SeatMap.etags("a"), Detail.etags("b")];
        let tags = tags.as_flattened();
        for (index, tag) in tags.iter().enumerate() {
            assert!(!tags[..index].contains(tag), "{tag:?}");
        }
    }

    /// If this fails, increase the version and update the hash here.
    #[test]
    fn version_pins_output() {
        let (event, summary, seat_map) = stored();
        let version_and_hash = |representation: Representation, bytes: &str| {
            let mut headers = HeaderMap::new();
            headers.typed_insert(conditional::etag(&[bytes]));
            format!("{} {}", representation.version(), headers[ETAG].to_str().unwrap())
        };
        let detail = detail(event.id, &summary, &seat_map).unwrap();
        assert_eq!(version_and_hash(Representation::Detail, &detail), "detail 2 \"TXX2tlZYVWpcSBSHRBmJZA\"");
        let picture = seat_map_svg(&summary, &seat_map).unwrap();
        assert_eq!(version_and_hash(Representation::SeatMap, &picture), "seat map 2 \"Qekuz6YHxg-NEusRPeKLbA\"");
    }
}
