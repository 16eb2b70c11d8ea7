//! S3 on the file system.

use std::{fs, path::Path};

use axum::{
    Router,
    error_handling::HandleError,
    extract::Request,
    middleware::{Next, from_fn},
};
use base64_simd::URL_SAFE_NO_PAD;
use domain::error::Cause;
use http::{Method, StatusCode};
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
    let folder = folder.to_owned();
    let remove_attributes = from_fn(move |request: Request, next: Next| {
        let folder = folder.clone();
        async move {
            let deleted = (request.method() == Method::DELETE).then(|| request.uri().path().to_owned());
            let response = next.run(request).await;
            if let Some(path) = deleted.filter(|_| response.status().is_success()) {
                remove_attributes(&folder, &path);
            }
            response
        }
    });
    let service = HandleError::new(service.build(), unexpected);
    Ok(Router::new().fallback_service(service).layer(remove_attributes))
}

/// Removes the files with the attributes of a deleted object, which the emulator leaves behind.
fn remove_attributes(folder: &Path, path: &str) {
    let Some((bucket, key)) = path.trim_start_matches('/').split_once('/') else { return };
    let [bucket, key] = [bucket, key].map(|name| URL_SAFE_NO_PAD.encode_to_string(name));
    for kind in ["metadata", "internal"] {
        let _ = fs::remove_file(folder.join(format!(".bucket-{bucket}.object-{key}.{kind}.json")));
    }
}

#[cfg(test)]
mod tests {
    use aws_sdk_s3::primitives::ByteStream;

    use super::*;
    use crate::{Addresses, BUCKET, Data, Stack};

    fn count_files(folder: &Path) -> usize {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| if path.is_dir() { count_files(&path) } else { 1 }).sum()
    }

    #[tokio::test]
    async fn deleted_object_leaves_no_file() {
        let data = Data::temporary().unwrap();
        let folder = data.objects();
        let stack = Stack::start(Addresses::default(), data).await.unwrap();
        let (s3, key) = (stack.s3(), "upload/poster.png");
        let body = ByteStream::from_static(b"a poster");
        s3.put_object().bucket(BUCKET).key(key).content_type("image/png").body(body).send().await.unwrap();
        assert!(count_files(&folder) > 1, "the object and its attributes");
        s3.delete_object().bucket(BUCKET).key(key).send().await.unwrap();
        assert_eq!(count_files(&folder), 0);
    }
}
