//! Lambda function `events-seat-map`.

fn main() -> Result<(), lambda_runtime::Error> {
    functions::lambda::serve::<functions::events::seat_map::SeatMap>()
}
