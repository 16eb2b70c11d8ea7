//! Prints the interface as an `OpenAPI` document:
//! `cargo run -p shared --features openapi --example openapi > openapi.json`.

fn main() {
    println!("{:#}", shared::http::openapi::document("/"));
}
