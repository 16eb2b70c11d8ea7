//! Growth of the cost of a request with the size of its data.

use std::ffi::OsString;

use bytes::Bytes;
use domain::error::Cause;
use serde::{Deserialize, Serialize};

use crate::{
    callgrind,
    environment::Environment,
    functions::{FUNCTIONS, Function},
    implementations::{BuildFolders, Implementation, Kind},
    instance::{Instance, Variables, is_success},
    requests::{gzip_create_requests, hall_request, page_requests},
    sample,
};

/// Page size for a growing list: fewer events than the shortest list has.
const PAGE_SIZE: usize = 5;

/// Number of counted warm requests at each size.
const COUNTED_REQUESTS: usize = 3;

/// Quantity of a growing hall.
pub const SEATS: &str = "seats";

/// Numbers of seats. The largest hall fits only in gzip, so all requests and responses may be gzip.
const HALLS: [usize; 7] = [1, 10, 100, 1_000, 10_000, 25_000, 100_000];

/// Cheapest Argon2id parameters. No hash is made here.
const HASHING: &str = "m=64,t=1,p=1";

/// Measurements of requests of growing sizes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Growth {
    /// Slug of the function.
    pub slug: String,
    /// Quantity that grows.
    pub over: String,
    /// Measurements, by size.
    pub points: Vec<Point>,
}

/// Measurements of requests of one size.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Size of the quantity that grows.
    pub size: usize,
    /// Instructions of a warm request.
    pub instructions: u64,
    /// Peak memory of the process, in bytes.
    pub peak: u64,
}

/// Measures registration, detail and seat map by seats, and the list by events in the table and by events on the page.
///
/// # Errors
///
/// Returns an error if a request fails.
pub async fn measure(folders: &BuildFolders) -> Result<Vec<Growth>, Cause> {
    let detail = of_hall_by_seats("events-detail", folders).await?;
    let seat_map = of_hall_by_seats("events-seat-map", folders).await?;
    Ok(vec![by_seats(folders).await?, detail, seat_map, by_events(folders).await?, by_page(folders).await?])
}

async fn by_seats(folders: &BuildFolders) -> Result<Growth, Cause> {
    let measured = MeasuredFunction::new("events-create", folders)?;
    let environment = Environment::start(HASHING).await?;
    let mut points = Vec::new();
    for seats in HALLS {
        let events = |count| gzip_create_requests(count, || sample::event_with_seats(seats));
        points.push(measured.point(&environment, seats, events).await?);
    }
    Ok(measured.growth(SEATS, points))
}

async fn of_hall_by_seats(slug: &str, folders: &BuildFolders) -> Result<Growth, Cause> {
    let measured = MeasuredFunction::new(slug, folders)?;
    let environment = Environment::start(HASHING).await?;
    let mut points = Vec::new();
    for seats in HALLS {
        let id = environment.add_event(&sample::event_with_seats(seats)).await?.to_string();
        let event = hall_request(slug, &id, true)?;
        points.push(measured.point(&environment, seats, |count| Ok(vec![event.clone(); count])).await?);
    }
    Ok(measured.growth(SEATS, points))
}

async fn by_events(folders: &BuildFolders) -> Result<Growth, Cause> {
    let measured = MeasuredFunction::new("events-list", folders)?;
    let environment = Environment::start(HASHING).await?;
    let mut points = Vec::new();
    let mut filled = 1;
    for listed in [10, 1_000, 10_000, 100_000] {
        environment.add_listed_events(filled..listed).await?;
        filled = listed;
        points.push(measured.point(&environment, listed, |count| page_requests(count, PAGE_SIZE)).await?);
    }
    Ok(measured.growth("events in the table", points))
}

async fn by_page(folders: &BuildFolders) -> Result<Growth, Cause> {
    let measured = MeasuredFunction::new("events-list", folders)?;
    let environment = Environment::start(HASHING).await?;
    environment.add_listed_events(1..200).await?;
    let mut points = Vec::new();
    for page in [1, 10, 50, 100] {
        points.push(measured.point(&environment, page, |count| page_requests(count, page)).await?);
    }
    Ok(measured.growth("events on the page", points))
}

struct MeasuredFunction {
    function: &'static Function,
    command: Vec<OsString>,
}

impl MeasuredFunction {
    fn new(slug: &str, folders: &BuildFolders) -> Result<Self, Cause> {
        let function = FUNCTIONS.iter().find(|function| function.slug == slug).ok_or("no such function")?;
        Ok(Self {
            function,
            command: Implementation::new(Kind::Function, function.slug, function.floor, folders).command,
        })
    }

    async fn point(
        &self,
        environment: &Environment,
        size: usize,
        events: impl Fn(usize) -> Result<Vec<Bytes>, Cause>,
    ) -> Result<Point, Cause> {
        let variables = environment.variables(self.function.slug)?;
        let first = callgrind::count(&self.command, &variables, events(1)?, is_success).await?;
        let all = callgrind::count(&self.command, &variables, events(1 + COUNTED_REQUESTS)?, is_success).await?;
        let peak = self.peak(&variables, events(1 + COUNTED_REQUESTS)?).await?;
        Ok(Point { size, instructions: all.saturating_sub(first) / u64::try_from(COUNTED_REQUESTS)?, peak })
    }

    async fn peak(&self, variables: &Variables, events: Vec<Bytes>) -> Result<u64, Cause> {
        let mut instance = Instance::start(&self.command, variables).await?;
        for event in events {
            instance.invoke(event, is_success).await?;
        }
        let peak = instance.usage()?.peak;
        instance.stop().await?;
        Ok(peak)
    }

    fn growth(&self, over: &str, points: Vec<Point>) -> Growth {
        Growth { slug: self.function.slug.to_owned(), over: over.to_owned(), points }
    }
}
