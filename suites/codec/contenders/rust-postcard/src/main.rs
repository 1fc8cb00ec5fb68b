//! postcard: fields in order, integers as varints.

use std::process::ExitCode;

use wirelab_codec::{Failure, Library, NativeCodec, Record, run_natives};

struct Postcard;

impl<S: Record> NativeCodec<S> for Postcard {
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        Ok(postcard::to_stdvec(value)?)
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        Ok(postcard::from_bytes(encoded)?)
    }
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_natives(Library::locked(lock, "postcard", "postcard"), Postcard)
}
