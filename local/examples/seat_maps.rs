//! Draws the halls of the sample events as `<folder>/<hall>.svg`:
//! `cargo run -p local --example seat_maps -- <folder>`.

use std::{env, fs, path::Path, time::SystemTime};

use domain::error::Cause;
use functions::events::registration::{CreateRequest, Registration};
use local::sample;
use seating::plan;

fn main() -> Result<(), Cause> {
    let folder = env::args().nth(1).ok_or("expected the argument <folder>")?;
    for event in sample::events(SystemTime::now())? {
        let request: CreateRequest = serde_json::from_str(&event.request)?;
        let Registration { details, seat_map, .. } =
            Registration::try_from(request).map_err(|error| format!("{error:?}"))?;
        let seat_map_svg = plan::draw(details.title.as_str(), &seat_map);
        fs::write(Path::new(&folder).join(event.name).with_extension("svg"), seat_map_svg)?;
    }
    Ok(())
}
