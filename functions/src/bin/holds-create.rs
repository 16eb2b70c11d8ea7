//! Lambda function `holds-create`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::holds::create::Create>()
}
