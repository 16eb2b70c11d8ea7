//! Lambda function `admissions-count`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::admissions::count::Count>()
}
