//! Lambda function `events-list`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::list::List>()
}
