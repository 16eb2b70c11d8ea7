//! Lambda function `members-get`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::members::get::Get>()
}
