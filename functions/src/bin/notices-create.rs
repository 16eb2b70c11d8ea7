//! Lambda function `notices-create`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::notices::create::Create>()
}
