//! Lambda function `seats-list`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::seats::list::List>()
}
