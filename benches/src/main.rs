//! What each function costs: `benches/run` measures it, `.ci/instructions` holds it to what is kept.

mod callgrind;
mod functions;
mod instance;
mod process;
mod runtime_api;
mod sample;
mod world;

use std::path::{Path, PathBuf};

use shared::domain::error::Cause;

use crate::functions::FUNCTIONS;

/// The folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[tokio::main]
async fn main() -> Result<(), Cause> {
    let mut arguments = std::env::args().skip(1);
    let slug = arguments.next().unwrap_or_default();
    let bootstrap = arguments.next().unwrap_or_default();
    let function = FUNCTIONS.iter().find(|function| function.slug == slug).ok_or("no such function")?;
    for job in function.jobs {
        let world = world::World::start(job.hashing).await?;
        let environment = world.environment(function)?;
        let command = [bootstrap.clone().into()];
        let start = callgrind::count(&command, &environment, []).await?;
        let first = callgrind::count(&command, &environment, (job.events)(&world, 1).await?).await?;
        let all =
            callgrind::count(&command, &environment, (job.events)(&world, 1 + job.counted).await?).await?;
        let warm = (all - first) / job.counted as u64;
        println!("{slug} {}: start {start}, first request {}, warm {warm}", job.name, first - start);
    }
    Ok(())
}
