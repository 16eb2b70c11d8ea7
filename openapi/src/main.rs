//! Writes the `OpenAPI` document (`openapi.json`) and its reference (`docs/api.md`).

use std::{fs, io, path::Path};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let document = openapi::document("/");
    fs::write(root.join("openapi.json"), format!("{document:#}\n"))?;
    fs::write(root.join("docs/api.md"), openapi::reference(&document))
}
