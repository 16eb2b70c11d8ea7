//! Lambda function `gates-list`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::gates::list::List>()
}
