//! Lambda function `events-restore`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::restore::Restore>()
}
