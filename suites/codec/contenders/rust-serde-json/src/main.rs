//! serde_json: native values straight to JSON text and back.

use std::process::ExitCode;

use wirelab_codec::{Failure, Library, NativeCodec, Record, run_natives};

struct SerdeJson;

impl<S: Record> NativeCodec<S> for SerdeJson {
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        Ok(serde_json::to_vec(value)?)
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        Ok(serde_json::from_slice(encoded)?)
    }
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_natives(Library::locked(lock, "serde_json", "json"), SerdeJson)
}
