//! Posters in the bucket.

use aws_sdk_s3::{
    Client,
    error::{ProvideErrorMetadata, SdkError},
    primitives::ByteStream,
};

use aws::failure::is_unavailable;
use domain::{error::Error, poster::Poster};

/// Prefix of posters' keys, so that the URL path of a poster is its key.
pub const PREFIX: &str = "upload/";

/// Caching for a year, the usual maximum: a stored poster never changes.
pub const CACHE_CONTROL: &str = "public, max-age=31536000, immutable";

/// Store of the posters.
#[derive(Clone, Debug)]
pub struct Posters {
    client: Client,
    bucket: String,
}

impl Posters {
    /// Opens the posters in this bucket.
    #[must_use]
    pub fn new(client: Client, bucket: String) -> Self {
        Self { client, bucket }
    }

    /// Stores a poster under a file name that the service made.
    ///
    /// # Errors
    ///
    /// Returns `PosterStorage` if the outcome is unknown.
    pub async fn put(&self, name: &str, poster: &Poster) -> Result<(), Error> {
        self.client
            .put_object()
            .bucket(&self.bucket)
            .key(format!("{PREFIX}{name}"))
            .content_type(poster.format().content_type())
            .cache_control(CACHE_CONTROL)
            .body(ByteStream::from(poster.bytes().clone()))
            .customize()
            // Hashing it for the signature would be most of a creation's work; TLS and the SDK's checksum
            // protect it as well.
            .disable_payload_signing()
            .send()
            .await
            .map(drop)
            .map_err(failure)
    }

    /// Stores a copy of a poster under another file name.
    ///
    /// # Errors
    ///
    /// Returns `PosterStorage` if the outcome is unknown.
    pub async fn copy(&self, from: &str, to: &str) -> Result<(), Error> {
        self.client
            .copy_object()
            .copy_source(format!("{}/{PREFIX}{from}", self.bucket))
            .bucket(&self.bucket)
            .key(format!("{PREFIX}{to}"))
            .send()
            .await
            .map(drop)
            .map_err(failure)
    }

    /// Removes a poster; succeeds if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns `PosterStorage` if the outcome is unknown.
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

/// Converts the error of a failed call to S3.
fn failure<E>(error: SdkError<E>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    if is_unavailable(&error) { Error::PosterStorage(error.into()) } else { Error::unexpected(error) }
}
