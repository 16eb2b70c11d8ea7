//! Lambda function `managers-authorize`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::authorize()
}
