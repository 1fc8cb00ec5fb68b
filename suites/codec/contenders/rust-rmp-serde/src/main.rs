//! rmp-serde: MessagePack; structs are maps with field names, so that other languages read them.

use std::process::ExitCode;

use wirelab_codec::{Failure, Library, NativeCodec, Record, run_natives};

struct RmpSerde;

impl<S: Record> NativeCodec<S> for RmpSerde {
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        Ok(rmp_serde::to_vec_named(value)?)
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        Ok(rmp_serde::from_slice(encoded)?)
    }
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_natives(Library::locked(lock, "rmp-serde", "msgpack"), RmpSerde)
}
