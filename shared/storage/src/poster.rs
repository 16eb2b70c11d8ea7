//! Posters in the bucket.

use aws_sdk_s3::{
    Client,
    error::{ProvideErrorMetadata, SdkError},
    primitives::ByteStream,
};

use aws::failure::is_unavailable;
use domain::{error::Error, poster::Poster};

/// What the keys of posters begin with, so that the path of a poster is its key.
pub const PREFIX: &str = "upload/";

/// A poster never changes under its name, so a year, the longest that HTTP
/// caches are asked to keep anything.
pub const CACHE_CONTROL: &str = "public, max-age=31536000, immutable";

/// The posters of the service.
#[derive(Clone, Debug)]
pub struct Posters {
    client: Client,
    bucket: String,
}

impl Posters {
    /// The posters in this bucket.
    #[must_use]
    pub fn new(client: Client, bucket: String) -> Self {
        Self { client, bucket }
    }

    /// Stores a poster under a file name of ours.
    ///
    /// # Errors
    ///
    /// `PosterStorage` where it cannot be told whether it is stored.
    pub async fn put(&self, name: &str, poster: &Poster) -> Result<(), Error> {
        self.client
            .put_object()
            .bucket(&self.bucket)
            .key(format!("{PREFIX}{name}"))
            .content_type(poster.format().content_type())
            .cache_control(CACHE_CONTROL)
            .body(ByteStream::from(poster.bytes().clone()))
            .customize()
            // To hash the whole poster for the signature would be most of a creation's work; TLS
            // and the checksum that the SDK sends protect it as well.
            .disable_payload_signing()
            .send()
            .await
            .map(drop)
            .map_err(failure)
    }

    /// Removes a poster; that it is not there is no failure.
    ///
    /// # Errors
    ///
    /// `PosterStorage` where it cannot be told whether it is removed.
    pub async fn remove(&self, name: &str) -> Result<(), Error> {
        self.client
            .delete_object()
            .bucket(&self.bucket)
            .key(format!("{PREFIX}{name}"))
            .send()
            .await
            .map(drop)
            .map_err(failure)
    }
}

/// The error for a call to the storage that failed.
fn failure<E>(error: SdkError<E>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    if is_unavailable(&error) { Error::PosterStorage(error.into()) } else { Error::unexpected(error) }
}
