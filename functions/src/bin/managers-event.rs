//! Lambda function `managers-event`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::managers::event::OwnEvent>()
}
