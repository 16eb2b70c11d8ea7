//! Lambda function `events-get`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::get::Get>()
}
