//! Lambda function `tickets-list`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::tickets::list::List>()
}
