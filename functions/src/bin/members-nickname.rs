//! Lambda function `members-nickname`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::members::nickname::ChangeNickname>()
}
