//! Lambda function `auth-keys`.

// The types of the nested futures of a request exceed the default of 128.
#![recursion_limit = "256"]

use api::serve;
use auth_keys::Keys;
use lambda_http::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let keys = Keys::new(&config.parse("SESSION_SECRET")?, config.parse("SIGNING_KEY_ROTATION")?);
    serve::run(keys, config).await
}
