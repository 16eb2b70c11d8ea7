//! Lambda function `members-login`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::members::login::Login>()
}
