//! Lambda function `seats-blocks`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::seats::blocks::Blocks>()
}
