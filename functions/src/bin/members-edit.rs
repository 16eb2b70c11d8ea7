//! Lambda function `members-edit`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::members::edit::Edit>()
}
