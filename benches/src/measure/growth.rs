//! How what a request takes grows with what it is about.

use std::ffi::OsString;

use bytes::Bytes;
use domain::error::Cause;
use serde::{Deserialize, Serialize};

use crate::{
    callgrind,
    contestants::{Built, Contestant, Kind},
    functions::{FUNCTIONS, Function, create, read_list},
    instance::{Environment, Instance, SUCCESS},
    sample,
    world::World,
};

/// How many events are asked for of a growing list: fewer than the shortest has.
const PAGE: usize = 5;

/// How many warm requests are counted at each size.
const COUNTED: usize = 3;

/// The cheapest parameters; no hash is made here.
const HASHING: &str = "m=64,t=1,p=1";

/// What requests of growing sizes take.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Growth {
    /// The function.
    pub slug: String,
    /// What grows.
    pub over: String,
    /// What was measured, by size.
    pub points: Vec<Point>,
}

/// What a request of one size takes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Point {
    /// How many there are of what grows.
    pub size: usize,
    /// The instructions of a warm request.
    pub instructions: u64,
    /// The most bytes of memory that the process had.
    pub peak: u64,
}

/// Measures creation by seats, and the list by events in the table and on its page.
///
/// # Errors
///
/// Where a request fails.
pub async fn measure(built: &Built) -> Result<Vec<Growth>, Cause> {
    Ok(vec![by_seats(built).await?, by_events(built).await?, by_page(built).await?])
}

async fn by_seats(built: &Built) -> Result<Growth, Cause> {
    let measured = Measured::new("events-create", built)?;
    let world = World::start(HASHING).await?;
    let mut points = Vec::new();
    for seats in [1, 10, 100, 1_000, 10_000, 25_000] {
        let events = |count| create(count, || sample::event_of(seats), sample::small_poster);
        points.push(measured.point(&world, seats, events).await?);
    }
    Ok(measured.growth("seats", points))
}

async fn by_events(built: &Built) -> Result<Growth, Cause> {
    let measured = Measured::new("events-list", built)?;
    let world = World::start(HASHING).await?;
    let mut points = Vec::new();
    let mut filled = 1;
    for listed in [10, 1_000, 10_000, 100_000] {
        world.fill(filled..listed).await?;
        filled = listed;
        points.push(measured.point(&world, listed, |count| read_list(count, PAGE)).await?);
    }
    Ok(measured.growth("events in the table", points))
}

async fn by_page(built: &Built) -> Result<Growth, Cause> {
    let measured = Measured::new("events-list", built)?;
    let world = World::start(HASHING).await?;
    world.fill(1..200).await?;
    let mut points = Vec::new();
    for page in [1, 10, 50, 100] {
        points.push(measured.point(&world, page, |count| read_list(count, page)).await?);
    }
    Ok(measured.growth("events on the page", points))
}

struct Measured {
    function: &'static Function,
    command: Vec<OsString>,
}

impl Measured {
    fn new(slug: &str, built: &Built) -> Result<Self, Cause> {
        let function = FUNCTIONS.iter().find(|function| function.slug == slug).ok_or("no such function")?;
        Ok(Self { function, command: Contestant::new(Kind::Function, function, built).command })
    }

    async fn point(
        &self,
        world: &World,
        size: usize,
        events: impl Fn(usize) -> Result<Vec<Bytes>, Cause>,
    ) -> Result<Point, Cause> {
        let environment = world.environment(self.function.slug)?;
        let first = callgrind::count(&self.command, &environment, events(1)?, &SUCCESS).await?;
        let all = callgrind::count(&self.command, &environment, events(1 + COUNTED)?, &SUCCESS).await?;
        let peak = self.peak(&environment, events(1 + COUNTED)?).await?;
        Ok(Point { size, instructions: all.saturating_sub(first) / u64::try_from(COUNTED)?, peak })
    }

    async fn peak(&self, environment: &Environment, events: Vec<Bytes>) -> Result<u64, Cause> {
        let mut instance = Instance::start(&self.command, environment).await?;
        for event in events {
            instance.invoke(event).await?;
        }
        let peak = instance.usage()?.peak;
        instance.stop().await?;
        Ok(peak)
    }

    fn growth(&self, over: &str, points: Vec<Point>) -> Growth {
        Growth { slug: self.function.slug.to_owned(), over: over.to_owned(), points }
    }
}
