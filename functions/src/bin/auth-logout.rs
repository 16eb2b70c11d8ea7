//! Lambda function `auth-logout`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::auth::logout::Logout>()
}
