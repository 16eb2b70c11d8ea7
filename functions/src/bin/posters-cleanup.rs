//! Lambda function `posters-cleanup`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::clean_up()
}
