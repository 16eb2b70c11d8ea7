//! Lambda function `holds-cancel`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::holds::cancel::Cancel>()
}
