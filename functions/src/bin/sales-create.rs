//! Lambda function `sales-create`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::sales::create::Create>()
}
