//! Peak memory of the largest requests, in a process without other tests.

use functions::events::{create::Create, detail::Detail, seat_map::SeatMap};
use lambda_http::{Request, http::HeaderValue};
use local::layouts;
use peak_alloc::PeakAlloc;
use tests::{
    Response, environment,
    form::Form,
    function::{self, event_request, post_form},
    sample,
};

/// Maximum bytes for a request of the largest hall, with the embedded DynamoDB and S3 that share the process.
const MAX_BYTES: usize = 300_000_000;

/// Maximum bytes for a rejected registration: a few times the size of its part `request`.
const MAX_REJECTED_BYTES: usize = 100_000_000;

/// Maximum size of the part `request` after inflating.
const MAX_INFLATED: usize = 24 * 1024 * 1024;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn with_gzip(mut request: Request) -> Request {
    request.headers_mut().insert("Accept-Encoding", HeaderValue::from_static("gzip"));
    request
}

/// Awaits a response, and asserts that it takes no more memory than allowed.
async fn measured(name: &str, max: usize, response: impl Future<Output = Response>) -> Response {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let response = response.await;
    let peak = ALLOCATOR.peak_usage() - before;
    println!("{name}: {peak} bytes");
    assert!(peak <= max, "{name}: {peak} bytes");
    response
}

/// Runs all tests in turns, because they share the allocator.
#[tokio::test]
async fn memory_is_limited() {
    largest_hall_fits_300_mb().await;
    many_values_fit_100_mb().await;
}

async fn largest_hall_fits_300_mb() {
    let environment = environment();
    let event = sample::with_hall(sample::event(), &layouts::grid(100_000));
    let request = with_gzip(post_form(&sample::gzip_form(&event)));
    drop(event);
    let create = Box::pin(function::send::<Create>(&environment, request));
    let created = measured("creation", MAX_BYTES, create).await;
    assert_eq!(created.status, 201);
    let id = created.header("Location").rsplit('/').next().unwrap_or_default().to_owned();
    drop(created);
    let detail = Box::pin(function::send::<Detail>(&environment, with_gzip(event_request(&id))));
    assert_eq!(measured("detail", MAX_BYTES, detail).await.status, 200);
    let seat_map = Box::pin(function::send::<SeatMap>(&environment, with_gzip(event_request(&id))));
    assert_eq!(measured("seat map", MAX_BYTES, seat_map).await.status, 200);
}

/// Sends parts of the largest size that consist of small values.
async fn many_values_fit_100_mb() {
    const FIELD: &str = "many";
    let seats = vec![r#"{"cx":0,"cy":0,"row":0,"number":0}"#; 2_000].join(",");
    for (name, path, value) in [
        ("areas of numbers", "/areas", "0"),
        ("areas of 2,000 seats", "/areas", &format!(r#"{{"seats":[{seats}]}}"#)),
        ("valid seats", "/areas/0/seats", r#"{"cx":0,"cy":0,"row":0,"number":0}"#),
    ] {
        let mut event = sample::event();
        *event.pointer_mut(path).expect("field of the sample") = FIELD.into();
        let event = event.to_string();
        let count = (MAX_INFLATED - event.len()) / (value.len() + 1);
        let part = event.replace(&format!("\"{FIELD}\""), &format!("[{}]", vec![value; count].join(",")));
        let part = sample::gzip(part.as_bytes());
        let form = Form::new().part(sample::GZIP_REQUEST, part).part(sample::THUMBNAIL, sample::POSTER);
        let request = post_form(&form);
        let environment = environment();
        let create = Box::pin(function::send::<Create>(&environment, request));
        let rejected = measured(name, MAX_REJECTED_BYTES, create).await;
        assert_eq!((rejected.status, &*rejected.code()), (400, "C_001"), "{name}");
    }
}
