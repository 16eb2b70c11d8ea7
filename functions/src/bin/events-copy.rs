//! Lambda function `events-copy`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::copy::Copy>()
}
