//! Lambda function `auth-keys`.

use functions::auth::{configuration, configuration::Configuration, keys::Keys};

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve_both::<Keys, Configuration>(configuration::PATH)
}
