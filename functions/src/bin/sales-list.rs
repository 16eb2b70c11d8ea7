//! Lambda function `sales-list`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::sales::list::List>()
}
