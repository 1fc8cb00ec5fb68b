//! The floor of Rust: copying bytes, folding values that are there already.

use std::process::ExitCode;

fn main() -> ExitCode {
    wirelab_codec::run_baseline(env!("CARGO_PKG_VERSION"))
}
