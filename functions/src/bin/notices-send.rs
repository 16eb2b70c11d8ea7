//! Lambda function `notices-send`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::send_notices()
}
