//! Lambda function `members-holds`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::members::holds::OwnHolds>()
}
