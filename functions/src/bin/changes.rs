//! Lambda function `changes`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::tell_changes()
}
