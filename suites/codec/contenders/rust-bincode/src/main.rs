//! bincode 2: fields in order, integers as varints, through serde.

use std::process::ExitCode;

use bincode::config::{Configuration, standard};
use bincode::serde::{decode_from_slice, encode_to_vec};
use wirelab_codec::{Failure, Library, NativeCodec, Record, run_natives};

/// The library's own advice: little-endian varints, no limit.
const CONFIGURATION: Configuration = standard();

struct Bincode;

impl<S: Record> NativeCodec<S> for Bincode {
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        Ok(encode_to_vec(value, CONFIGURATION)?)
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        let (value, _length) = decode_from_slice(encoded, CONFIGURATION)?;
        Ok(value)
    }
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_natives(Library::locked(lock, "bincode", "bincode"), Bincode)
}
