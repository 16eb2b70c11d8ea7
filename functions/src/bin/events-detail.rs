//! Lambda function `events-detail`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::detail::Detail>()
}
