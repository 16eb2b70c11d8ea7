//! Lambda function `auth-forgot`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::auth::forgot::Forgot>()
}
