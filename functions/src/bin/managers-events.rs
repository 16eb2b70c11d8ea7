//! Lambda function `managers-events`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::managers::events::OwnEvents>()
}
