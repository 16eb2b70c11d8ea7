//! Lambda function `shows-edit`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::shows::edit::Edit>()
}
