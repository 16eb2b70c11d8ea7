//! Lambda function `tickets-of-sale`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::tickets::of_sale::OfSale>()
}
