//! Lambda function `sales-summary`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::sales::summary::Summary>()
}
