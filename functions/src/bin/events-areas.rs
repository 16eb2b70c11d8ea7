//! Lambda function `events-areas`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::areas::Areas>()
}
