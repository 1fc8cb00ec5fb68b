//! Makes Rust of the suite's schema; protox stands in for protoc, which then need not be installed.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let files = ["shapes.proto", "evolution.proto"].map(|name| schemas.join(name));
    for schema in &files {
        println!("cargo::rerun-if-changed={}", schema.display());
    }
    prost_build::Config::new()
        // Sorted, as the native map is.
        .btree_map(["."])
        .compile_fds(protox::compile(files, [schemas])?)?;
    Ok(())
}
