//! Posters, as `CloudFront` delivers them.

use api::error::Error;
use aws_sdk_s3::{Client, error::SdkError, operation::get_object::GetObjectError};
use axum::{
    Router,
    extract::{Path, State, rejection::PathRejection},
    response::{IntoResponse as _, Response},
    routing::get,
};
use domain::error::Error as DomainError;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use storage::poster::PREFIX;

use crate::{emulators::BUCKET, gateway};

/// Maximum length of a file name; all names of posters are shorter.
const MAX_NAME_LENGTH: usize = 64;

/// Serves `/upload/<file>` from the bucket.
pub fn router(s3: Client) -> Router {
    Router::new().route("/upload/{file}", get(poster)).with_state(s3)
}

async fn poster(State(s3): State<Client>, file: Result<Path<String>, PathRejection>) -> Response {
    let Ok(Path(file)) = file else {
        return gateway::error_response(&Error::NoSuchRoute);
    };
    // The emulator stores objects as files, and would follow a path out of its folder.
    if file.contains(['/', '\\']) || file.starts_with('.') || file.len() > MAX_NAME_LENGTH {
        return gateway::error_response(&Error::NoSuchRoute);
    }
    let result = s3.get_object().bucket(BUCKET).key(format!("{PREFIX}{file}")).send().await;
    let object = match result {
        Ok(object) => object,
        Err(error) if is_missing(&error) => return gateway::error_response(&Error::NoSuchRoute),
        Err(error) => return gateway::error_response(&DomainError::PosterStorage(error.into()).into()),
    };
    let body = match object.body.collect().await {
        Ok(body) => body.into_bytes(),
        Err(error) => return gateway::error_response(&DomainError::PosterStorage(error.into()).into()),
    };
    let header = |value: Option<String>| value.unwrap_or_default();
    let headers = [
        (CONTENT_TYPE, header(object.content_type)),
        (CACHE_CONTROL, header(object.cache_control)),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    (headers, body).into_response()
}

fn is_missing(error: &SdkError<GetObjectError>) -> bool {
    error.as_service_error().is_some_and(GetObjectError::is_no_such_key)
}
