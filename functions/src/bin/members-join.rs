//! Lambda function `members-join`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::members::join::Join>()
}
