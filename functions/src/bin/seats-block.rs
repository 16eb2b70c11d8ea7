//! Lambda function `seats-block`.

use functions::seats::{block::Block, unblock, unblock::Unblock};

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve_both::<Block, Unblock>(unblock::PATH)
}
