//! Lambda function `notices-list`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::notices::list::List>()
}
