//! Posters, as `CloudFront` delivers them from S3.
//!
//! As there, responses have no CORS headers: neither the bucket nor the distribution of template.yaml adds them.

use std::time::SystemTime;

use api::error::Error;
use aws_sdk_s3::{Client, error::SdkError, operation::get_object::GetObjectError};
use axum::{
    Router,
    extract::{Path, State, rejection::PathRejection},
    response::{IntoResponse as _, Response},
    routing::get,
};
use bytes::Bytes;
use domain::error::{Cause, Error as DomainError};
use functions::service;
use headers::{
    AcceptRanges, ContentRange, ETag, HeaderMapExt as _, IfModifiedSince, IfNoneMatch, IfRange, LastModified,
};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, RANGE, X_CONTENT_TYPE_OPTIONS},
};
use s3s::dto::Range;
use storage::events::poster_store::PREFIX;

use crate::{emulators::BUCKET, gateway};

/// Maximum length of a file name; all names of posters are shorter.
const MAX_NAME_LENGTH: usize = 80;

/// Poster as it is stored.
struct Poster {
    etag: ETag,
    last_modified: SystemTime,
    content_type: HeaderValue,
    cache_control: HeaderValue,
    body: Bytes,
}

/// Serves `/upload/<file>` from the bucket.
pub fn router(s3: Client) -> Router {
    Router::new().route("/upload/{file}", get(respond)).with_state(s3)
}

async fn respond(State(s3): State<Client>, file: Result<Path<String>, PathRejection>, request: HeaderMap) -> Response {
    let Ok(Path(file)) = file else {
        return gateway::error_response(&Error::NoSuchRoute);
    };
    // The emulator stores objects as files, and would follow a path out of its folder.
    if file.contains(['/', '\\']) || file.starts_with('.') || file.len() > MAX_NAME_LENGTH {
        return gateway::error_response(&Error::NoSuchRoute);
    }
    match read(&s3, &file).await {
        Ok(Some(poster)) => poster.respond(&request),
        Ok(None) => gateway::error_response(&Error::NoSuchRoute),
        Err(error) => gateway::error_response(&DomainError::PosterStorage(error).into()),
    }
}

/// Reads a poster; returns `None` if it does not exist.
async fn read(s3: &Client, file: &str) -> Result<Option<Poster>, Cause> {
    let object = match s3.get_object().bucket(BUCKET).key(format!("{PREFIX}{file}")).send().await {
        Ok(object) => object,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    Ok(Some(Poster {
        etag: object.e_tag.unwrap_or_default().parse()?,
        last_modified: object.last_modified.ok_or("no time of change")?.try_into()?,
        content_type: object.content_type.unwrap_or_default().try_into()?,
        cache_control: object.cache_control.unwrap_or_default().try_into()?,
        body: object.body.collect().await?.into_bytes(),
    }))
}

fn is_missing(error: &SdkError<GetObjectError>) -> bool {
    error.as_service_error().is_some_and(GetObjectError::is_no_such_key)
}

impl Poster {
    /// Builds the response: the poster, the requested part of it, or only that it has not changed.
    fn respond(self, request: &HeaderMap) -> Response {
        let mut headers = HeaderMap::new();
        service::add_vary(&mut headers);
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(CACHE_CONTROL, self.cache_control.clone());
        headers.typed_insert(AcceptRanges::bytes());
        headers.typed_insert(LastModified::from(self.last_modified));
        headers.typed_insert(self.etag.clone());
        if self.is_known(request) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let length = self.body.len() as u64;
        match self.requested_range(request).map(|range| range.check(length)) {
            None => {
                headers.insert(CONTENT_TYPE, self.content_type);
                (headers, self.body).into_response()
            }
            Some(Ok(range)) => {
                let part = self.body.slice(position(range.start)..position(range.end));
                headers.insert(CONTENT_TYPE, self.content_type);
                headers.typed_insert(ContentRange::bytes(range, length).expect("a range with a start and an end"));
                (StatusCode::PARTIAL_CONTENT, headers, part).into_response()
            }
            Some(Err(_)) => {
                headers.remove(CACHE_CONTROL);
                headers.typed_insert(ContentRange::unsatisfied_bytes(length));
                (StatusCode::RANGE_NOT_SATISFIABLE, headers).into_response()
            }
        }
    }

    /// Returns true if the client has this poster (RFC 9110, section 13.2.2).
    fn is_known(&self, request: &HeaderMap) -> bool {
        match request.typed_get::<IfNoneMatch>() {
            Some(tags) => !tags.precondition_passes(&self.etag),
            None => request.typed_get::<IfModifiedSince>().is_some_and(|since| !since.is_modified(self.last_modified)),
        }
    }

    /// Returns the range of bytes to send; like S3, it ignores several ranges and other units.
    fn requested_range(&self, request: &HeaderMap) -> Option<Range> {
        let last_modified = LastModified::from(self.last_modified);
        let of_another = request
            .typed_get::<IfRange>()
            .is_some_and(|condition| condition.is_modified(Some(&self.etag), Some(&last_modified)));
        let range = request.get(RANGE).filter(|_| !of_another)?.to_str().ok()?;
        Range::parse(range).ok()
    }
}

/// Converts a position within a body in memory.
fn position(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
