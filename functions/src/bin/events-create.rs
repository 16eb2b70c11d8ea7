//! Lambda function `events-create`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::create::Create>()
}
