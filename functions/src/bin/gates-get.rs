//! Lambda function `gates-get`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::gates::get::Get>()
}
