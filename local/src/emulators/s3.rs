//! S3 on the file system.

use std::path::Path;

use axum::{Router, error_handling::HandleError};
use domain::error::Cause;
use http::StatusCode;
use s3s::{HttpError, auth::SimpleAuth, service::S3ServiceBuilder};

use super::{ACCESS_KEY, SECRET_KEY};

/// Serves an S3 that stores its objects in a folder.
///
/// # Errors
///
/// Returns an error if the folder cannot be read.
pub fn router(folder: &Path) -> Result<Router, Cause> {
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder).map_err(|error| format!("{error:?}"))?);
    service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
    let unexpected = async |error: HttpError| {
        tracing::warn!(?error, "S3 failed");
        StatusCode::INTERNAL_SERVER_ERROR
    };
    Ok(Router::new().fallback_service(HandleError::new(service.build(), unexpected)))
}
