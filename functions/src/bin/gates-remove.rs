//! Lambda function `gates-remove`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::gates::remove::Remove>()
}
