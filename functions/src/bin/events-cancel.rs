//! Lambda function `events-cancel`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::cancel::Cancel>()
}
