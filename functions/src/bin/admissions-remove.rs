//! Lambda function `admissions-remove`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::admissions::remove::Remove>()
}
