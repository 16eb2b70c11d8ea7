//! Lambda function `auth-reset`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::auth::reset::Reset>()
}
