//! Lambda function `holds-get`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::holds::get::Get>()
}
