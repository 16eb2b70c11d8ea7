//! Lambda function `events-edit`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::edit::Edit>()
}
