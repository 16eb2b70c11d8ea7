//! Lambda function `events-delete`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::delete::Delete>()
}
