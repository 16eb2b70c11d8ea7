//! Lambda function `seats-availability`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::seats::availability::Availability>()
}
