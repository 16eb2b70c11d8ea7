//! Events on the wire, as responses contain them.

use domain::{
    event::{self, Details, Event},
    id,
    instant::Instant,
};
use seating::seat_map::{MAX_DRAWING_BYTES, Seat, SeatMap};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    error::Error,
    serialize::{AsNumber, AsText},
    splice,
};

/// Approximate number of bytes of a seat in a response.
const BYTES_PER_SEAT: usize = 180;

/// Event without its seats and drawings, as in the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventSummary<'a> {
    id: Uuid,
    title: &'a str,
    description: &'a str,
    place: &'a str,
    thumbnail: &'a str,
    artist: &'a str,
    event_datetimes: Vec<Show>,
    event_open_time: AsText<Instant>,
    ticketing_open_time: AsText<Instant>,
}

#[derive(Debug, Serialize)]
struct Show {
    id: Uuid,
    datetime: AsText<Instant>,
}

/// Area in a response, without its seats.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AreaSummary<'a> {
    id: Uuid,
    event_id: Uuid,
    label: &'a str,
    price: AsNumber,
    area_map: &'a str,
}

impl<'a> From<&'a Event> for EventSummary<'a> {
    fn from(event: &'a Event) -> Self {
        Self::new(event.id, &event.details, &event.thumbnail, &event.shows())
    }
}

impl<'a> EventSummary<'a> {
    /// Builds the summary of an event; `shows` are those of the details, with their ids.
    pub(crate) fn new(id: Uuid, details: &'a Details, thumbnail: &'a str, shows: &[event::Show]) -> Self {
        let show = |show: &event::Show| Show { id: show.id, datetime: AsText(show.instant) };
        Self {
            id,
            title: details.title.as_str(),
            description: details.description.as_str(),
            place: details.place.as_str(),
            thumbnail,
            artist: details.artist.as_str(),
            event_datetimes: shows.iter().map(show).collect(),
            event_open_time: AsText(details.event_open_time),
            ticketing_open_time: AsText(details.ticketing_open_time),
        }
    }
}

/// Writes the drawings, areas and seats of an event as a JSON object.
///
/// # Errors
///
/// Returns `Unexpected` if a value has no JSON, which no valid value is.
pub(crate) fn hall_json(event_id: Uuid, seat_map: &SeatMap) -> Result<String, Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Hall<'a> {
        total_map: &'a str,
    }
    let seats: usize = seat_map.areas().iter().map(|area| area.seats.len()).sum();
    let mut json = String::with_capacity(MAX_DRAWING_BYTES / 4 + seats * BYTES_PER_SEAT);
    json.push_str(splice::unclosed(&to_json(&Hall { total_map: seat_map.total_map().as_str() })?));
    json.push_str(",\"areas\":[");
    for (index, area) in seat_map.areas().iter().enumerate() {
        let id = event::area_id(event_id, index);
        let summary = AreaSummary {
            id,
            event_id,
            label: area.label.as_str(),
            price: AsNumber(area.price),
            area_map: area.area_map.as_str(),
        };
        json.push_str(if index == 0 { "" } else { "," });
        json.push_str(splice::unclosed(&to_json(&summary)?));
        json.push_str(",\"seats\":");
        write_seats(&mut json, id, &area.seats);
        json.push('}');
    }
    json.push_str("]}");
    Ok(json)
}

/// Writes the seats of an area, each with its derived ids.
///
/// A serializer would take twice the instructions. It writes and escapes piece by piece, but nothing here needs an
/// escape, and most of a seat is the same in its whole row or area.
fn write_seats(json: &mut String, area_id: Uuid, seats: &[Seat]) {
    let after_id = format!("\",\"areaId\":\"{area_id}\",\"cx\":");
    let (mut hex, mut decimal) = (Uuid::encode_buffer(), itoa::Buffer::new());
    let mut ids = id::derive_all(area_id, "seats", seats.len());
    json.push('[');
    for row in seats.chunk_by(|a, b| a.row == b.row) {
        let after_cy = [",\"row\":", decimal.format(row[0].row), ",\"number\":"].concat();
        for (seat, id) in row.iter().zip(&mut ids) {
            json.push_str("{\"id\":\"");
            json.push_str(id.hyphenated().encode_lower(&mut hex));
            json.push_str(&after_id);
            seat.cx.write_to(json);
            json.push_str(",\"cy\":");
            seat.cy.write_to(json);
            json.push_str(&after_cy);
            json.push_str(decimal.format(seat.number));
            json.push_str("},");
        }
    }
    if !seats.is_empty() {
        json.pop();
    }
    json.push(']');
}

fn to_json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(Error::unexpected)
}

#[cfg(test)]
mod tests {
    use domain::coordinate::Coordinate;
    use proptest::{collection::vec, prelude::*};
    use serde_json::{Value, json};

    use super::*;

    fn any_seat() -> impl Strategy<Value = Seat> {
        let coordinate = (-1_000_000.0..1_000_000.0).prop_map(|value| Coordinate::from_nearest(value).unwrap());
        let position = prop_oneof![0..4_u32, 0..=seating::seat_map::MAX_POSITION];
        (coordinate.clone(), coordinate, position.clone(), position).prop_map(|(cx, cy, row, number)| Seat {
            cx,
            cy,
            row,
            number,
        })
    }

    proptest! {
        #[test]
        fn seats_are_written_unchanged(seats in vec(any_seat(), 0..20), area: u128) {
            let area = Uuid::from_u128(area);
            let mut written = String::new();
            write_seats(&mut written, area, &seats);
            let written: Value = serde_json::from_str(&written).unwrap();
            let expected = seats.iter().enumerate().map(|(index, seat)| {
                let number = |double: f64| serde_json::from_str::<Value>(&double.to_string()).unwrap();
                json!({
                    "id": id::derive(area, "seats", index), "areaId": area,
                    "cx": number(seat.cx.value()), "cy": number(seat.cy.value()),
                    "row": seat.row, "number": seat.number,
                })
            });
            prop_assert_eq!(written, Value::Array(expected.collect()));
        }
    }
}
