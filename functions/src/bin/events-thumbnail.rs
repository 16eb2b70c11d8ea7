//! Lambda function `events-thumbnail`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::thumbnail::ReplaceThumbnail>()
}
