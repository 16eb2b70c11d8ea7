//! Lists the areas of a live event without their seats: `GET /api/v1/events/{eventId}/areas`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages,
    representation::Representation,
};
use domain::{error::Cause, id, price::Price, text::Label};
use lambda_http::Request;
use schemars::JsonSchema;
use seating::seat_map::{MAX_HALL_SEATS, SeatMap};
use serde::Serialize;
use storage::events::event_store::Events;
use uuid::Uuid;

use crate::{
    caller::Anyone,
    environment::Environment,
    events::hall,
    operation::{Cache, Operation},
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Areas {
    events: Events,
}

/// Area of an event, without its drawing and its seats.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedArea<'a> {
    id: Uuid,
    label: &'a Label,
    price: Price,
    /// Number of seats.
    #[schemars(range(max = MAX_HALL_SEATS))]
    seats: usize,
}

impl<'a> ListedArea<'a> {
    /// Returns the areas of an event, in the order of its hall.
    #[must_use]
    pub fn all(event: Uuid, hall: &'a SeatMap) -> Vec<Self> {
        let areas = hall.areas().iter().enumerate();
        areas
            .map(|(index, area)| Self {
                id: id::area(event, index),
                label: &area.label,
                price: area.price,
                seats: area.seats.len(),
            })
            .collect()
    }
}

/// Lists the areas of an event.
///
/// Returns their labels, prices and numbers of seats, in the order of the detail. A page that only shows prices does
/// not need the hall, which may have two megabytes.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/areas",
    operation_id = "events-areas",
    params(("If-None-Match", Header)),
    responses((status = 200, description = "The areas.", body = ref("ListedAreas"))),
)]
pub fn operation() {}

impl Operation for Areas {
    type Caller = Anyone;

    const CACHE: Cache = Cache::OneSecond;
    const NEGOTIATES_ENCODING: bool = true;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        hall::respond(&self.events, &request, Representation::Areas, |event, hall, accepted| {
            envelope::ok_encoded(messages::AREAS_LISTED, &ListedArea::all(event.id, hall), accepted)
        })
        .await
    }
}
