//! Lambda function `gates-create`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::gates::create::Create>()
}
