//! Events on the wire, as responses contain them.

use domain::{
    event::{self, Details, Event},
    id,
    instant::Instant,
};
use seating::seat_map::{Seat, SeatMap};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    error::Error,
    serialize::{AsNumber, AsText},
    splice,
};

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

/// Hall in a response, without its areas.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HallSummary<'a> {
    total_map: &'a str,
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
    let mut seat_ids = (0..).map(|number| id::seat(event_id, number));
    let areas = seat_map.areas().iter().enumerate().map(|(index, area)| {
        let id = id::area(event_id, index);
        let summary = AreaSummary {
            id,
            event_id,
            label: area.label.as_str(),
            price: AsNumber(area.price),
            area_map: area.area_map.as_str(),
        };
        Ok(splice::with_member(&to_json(&summary)?, "seats", &seats_json(id, &area.seats, &mut seat_ids)))
    });
    let areas = areas.collect::<Result<Vec<_>, Error>>()?;
    Ok(splice::with_array(&to_json(&HallSummary { total_map: seat_map.total_map().as_str() })?, "areas", &areas))
}

/// Writes the seats of an area with their ids. Serde would take four times the instructions.
fn seats_json(area_id: Uuid, seats: &[Seat], ids: &mut impl Iterator<Item = Uuid>) -> String {
    let after_id = format!("\",\"areaId\":\"{area_id}\",\"cx\":");
    let (mut hex, mut decimal) = (Uuid::encode_buffer(), itoa::Buffer::new());
    let mut json = String::from("[");
    for (seat, id) in seats.iter().zip(ids) {
        json.push_str(if json.len() == 1 { "{\"id\":\"" } else { ",{\"id\":\"" });
        json.push_str(id.hyphenated().encode_lower(&mut hex));
        json.push_str(&after_id);
        seat.cx.write_to(&mut json);
        json.push_str(",\"cy\":");
        seat.cy.write_to(&mut json);
        json.push_str(",\"row\":");
        json.push_str(decimal.format(seat.row));
        json.push_str(",\"number\":");
        json.push_str(decimal.format(seat.number));
        json.push('}');
    }
    json.push(']');
    json
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
            let mut ids = (0..).map(|number| id::seat(area, number));
            let written: Value = serde_json::from_str(&seats_json(area, &seats, &mut ids)).unwrap();
            let expected = seats.iter().enumerate().map(|(index, seat)| {
                let number = |double: f64| serde_json::from_str::<Value>(&double.to_string()).unwrap();
                json!({
                    "id": id::seat(area, index), "areaId": area,
                    "cx": number(seat.cx.value()), "cy": number(seat.cy.value()),
                    "row": seat.row, "number": seat.number,
                })
            });
            prop_assert_eq!(written, Value::Array(expected.collect()));
        }
    }
}
