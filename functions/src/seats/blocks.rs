//! Lists the blocked seats of a show by label: `GET /api/v1/events/{eventId}/dates/{showId}/blocks`.

use std::collections::BTreeMap;

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::{
    error::Cause,
    id,
    seats::{
        blocking::{Labels, MAX_LABELS},
        plan::States,
    },
    text::Label,
};
use lambda_http::Request;
use schemars::JsonSchema;
use seating::seat_map::{MAX_HALL_SEATS, SeatMap};
use serde::Serialize;
use storage::seats::blocks::Blocks as Store;
use uuid::Uuid;

use crate::{
    caller::{EventManager, Manager},
    environment::Environment,
    operation::Operation,
    seats::seat_state::bitmap,
};

/// Blocked seats of a show, by label.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Blocks")]
pub struct BlocksResponse<'a> {
    /// Number of blocked seats.
    #[schemars(range(max = MAX_HALL_SEATS))]
    seats: usize,
    /// Those without a label first, then by label in the order of code points.
    #[schemars(length(max = MAX_LABELS + 1))]
    blocks: Vec<Block<'a>>,
}

/// Blocked seats of a show with one label, or without.
#[derive(Debug, Serialize, JsonSchema)]
struct Block<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a Label>,
    /// Number of seats.
    seats: usize,
    /// Areas with such seats, in the order of the detail.
    areas: Vec<BlockedArea>,
}

/// Seats of an area that are blocked with one label.
#[derive(Debug, Serialize, JsonSchema)]
struct BlockedArea {
    id: Uuid,
    /// Number of these seats.
    seats: usize,
    /// One bit for each seat of the area, 1 if it is one of these, as `taken` of the availability.
    blocked: String,
}

impl<'a> BlocksResponse<'a> {
    /// Combines a hall with the states of its seats and the labels of those that are blocked.
    #[must_use]
    pub fn new(event: Uuid, hall: &SeatMap, states: &States, labels: &'a Labels) -> Self {
        let mut by_label: BTreeMap<Option<&Label>, BTreeMap<usize, Vec<bool>>> = BTreeMap::new();
        let mut first = 0;
        for (index, area) in hall.areas().iter().enumerate() {
            let end = first + area.seats.len();
            let numbers = u32::try_from(first).unwrap_or(u32::MAX)..u32::try_from(end).unwrap_or(u32::MAX);
            for (seat, state) in states.range(numbers) {
                let Some(block) = state.block() else { continue };
                let areas = by_label.entry(labels.get(&block)).or_default();
                areas.entry(index).or_insert_with(|| vec![false; area.seats.len()])[*seat as usize - first] = true;
            }
            first = end;
        }
        let blocks: Vec<_> = by_label.into_iter().map(|(label, areas)| Block::new(event, label, areas)).collect();
        Self { seats: blocks.iter().map(|block| block.seats).sum(), blocks }
    }
}

impl<'a> Block<'a> {
    fn new(event: Uuid, label: Option<&'a Label>, areas: BTreeMap<usize, Vec<bool>>) -> Self {
        let area = |(index, blocked): (usize, Vec<bool>)| BlockedArea {
            id: id::area(event, index),
            seats: blocked.iter().filter(|blocked| **blocked).count(),
            blocked: bitmap(&blocked),
        };
        let areas: Vec<_> = areas.into_iter().map(area).collect();
        Self { label, seats: areas.iter().map(|area| area.seats).sum(), areas }
    }
}

/// Endpoint with its store.
#[derive(Debug)]
pub struct Blocks {
    blocks: Store,
}

/// Lists blocked seats.
///
/// The owner of the event may. Each label that has seats is listed with them, area by area. The response is not cached.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/blocks",
    operation_id = "seats-blocks",
    params(("x-api-managerId", Header)),
    responses((status = 200, description = "The blocked seats.", body = ref("Blocks"))),
)]
pub fn operation() {}

impl Operation for Blocks {
    // Where managers are not verified, their id is needed, too.
    type Caller = (Manager, EventManager);

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { blocks: Store::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, (_, EventManager(scope)): Self::Caller, request: Request) -> Result<Response, Error> {
        let (show, states, labels) = self.blocks.list(request::show_id(&request)?, scope).await?;
        envelope::ok(messages::BLOCKS_LISTED, &BlocksResponse::new(show.event.id, &show.hall, &states, &labels))
    }
}
