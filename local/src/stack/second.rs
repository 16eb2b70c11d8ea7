//! Functions that a test serves a second time, on the same data.

use storage::members::public_keys::Rotation;

use super::Stack;
use crate::{
    Settings, StartError,
    addresses::bind,
    emulators::Emulators,
    environment::{self, LocalEnvironment},
    gateway, server, upload,
};

impl Stack {
    /// Serves the functions a second time, on other clients of its `DynamoDB`, S3 and SES, for example those of a
    /// proxy.
    ///
    /// Returns their base URL. They run until the runtime ends.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is free.
    pub async fn serve_with(
        &self,
        dynamodb: aws_sdk_dynamodb::Client,
        s3: aws_sdk_s3::Client,
        ses: aws_sdk_sesv2::Client,
    ) -> Result<String, StartError> {
        self.serve_again(Emulators { dynamodb, s3, ses }, &self.settings).await
    }

    /// Serves the functions a second time, with another key of access tokens.
    ///
    /// Returns their base URL. They run until the runtime ends.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is free.
    pub async fn serve_rotated(&self, rotation: Rotation) -> Result<String, StartError> {
        let settings = Settings { signing_key_rotation: rotation, ..self.settings.clone() };
        let emulators = Emulators { dynamodb: self.dynamodb(), s3: self.s3(), ses: self.ses() };
        self.serve_again(emulators, &settings).await
    }

    async fn serve_again(&self, emulators: Emulators, settings: &Settings) -> Result<String, StartError> {
        let (listener, address) = bind(self.address.ip(), "--port", 0).await?;
        let environment = LocalEnvironment::new(emulators.clone(), self.data.secrets()?, settings, &self.base_url);
        let functions = environment::functions(&environment, self.issuer_url.clone(), &self.base_url);
        let router = gateway::router(functions.await.map_err(StartError::Settings)?, upload::router(emulators.s3));
        tokio::spawn(server::serve(listener, router, self.settings.timeouts, std::future::pending()));
        Ok(format!("http://{address}"))
    }
}
