//! Lambda function `auth-verification`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::auth::verification::RequestVerification>()
}
