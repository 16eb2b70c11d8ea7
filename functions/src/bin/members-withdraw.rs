//! Lambda function `members-withdraw`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::members::withdraw::Withdraw>()
}
