//! Lambda function `admissions-create`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::admissions::create::Create>()
}
