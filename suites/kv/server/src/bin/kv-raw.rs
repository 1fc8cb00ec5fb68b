//! The raw reader: a wirelab worker in the role of a client.

use std::process::ExitCode;

fn main() -> ExitCode {
    match kv_bench_server::raw::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
