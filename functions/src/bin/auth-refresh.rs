//! Lambda function `auth-refresh`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::auth::refresh::Refresh>()
}
