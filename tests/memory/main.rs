//! Peak memory of the largest hall, in a process without other tests.

use domain::manager::Authentication;
use events_create::Create;
use events_detail::Detail;
use events_seat_map::SeatMap;
use lambda_http::{Request, http::HeaderValue};
use local::layouts;
use peak_alloc::PeakAlloc;
use tests::{
    Backends, Response,
    function::{self, event_request, post_form},
    sample, stack,
};

/// Maximum bytes for a request of the largest hall, with the embedded DynamoDB and S3 that share the process.
const MAX_BYTES: usize = 300_000_000;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn with_gzip(mut request: Request) -> Request {
    request.headers_mut().insert("Accept-Encoding", HeaderValue::from_static("gzip"));
    request
}

/// Awaits a response, and asserts that it takes no more memory than allowed.
async fn measured(name: &str, response: impl Future<Output = Response>) -> Response {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let response = response.await;
    let peak = ALLOCATOR.peak_usage() - before;
    println!("{name}: {peak} bytes");
    assert!(peak <= MAX_BYTES, "{name}: {peak} bytes");
    response
}

#[tokio::test]
async fn largest_hall_fits_300_mb() {
    let Backends { table, posters } = Backends::from_stack(stack());
    let event = sample::with_hall(sample::event(), &layouts::grid(100_000));
    let request = with_gzip(post_form(&sample::gzip_form(&event)));
    drop(event);
    let create = Create::new(table.clone(), posters, Authentication::Open);
    let created = measured("creation", Box::pin(function::send(create, request))).await;
    assert_eq!(created.status, 201);
    let id = created.header("Location").rsplit('/').next().unwrap_or_default().to_owned();
    drop(created);
    let detail = Box::pin(function::send(Detail::new(table.clone()), with_gzip(event_request(&id))));
    assert_eq!(measured("detail", detail).await.status, 200);
    let seat_map = Box::pin(function::send(SeatMap::new(table), with_gzip(event_request(&id))));
    assert_eq!(measured("seat map", seat_map).await.status, 200);
}
