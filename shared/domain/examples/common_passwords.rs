//! Builds the set `common.fst` of the most common passwords from `common.txt`:
//! `cargo run -p domain --example common_passwords`.

use std::{error::Error, fs, path::Path};

use fst::Set;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/password");
    let list = fs::read_to_string(folder.join("common.txt"))?;
    let set = Set::from_iter(list.lines())?;
    fs::write(folder.join("common.fst"), set.as_fst().as_bytes())?;
    Ok(())
}
