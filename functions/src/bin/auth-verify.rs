//! Lambda function `auth-verify`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::auth::verify::Verify>()
}
