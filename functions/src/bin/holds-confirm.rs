//! Lambda function `holds-confirm`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::holds::confirm::Confirm>()
}
