//! Lambda function `auth-login`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::auth::login::Login>()
}
