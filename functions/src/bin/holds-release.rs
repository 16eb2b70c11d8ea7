//! Lambda function `holds-release`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::holds::release::Release>()
}
