//! sonic-rs: JSON with SIMD, native values straight to text and back.

use std::process::ExitCode;

use wirelab_codec::{Failure, Library, NativeCodec, Record, run_natives};

struct SonicRs;

impl<S: Record> NativeCodec<S> for SonicRs {
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        Ok(sonic_rs::to_vec(value)?)
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        Ok(sonic_rs::from_slice(encoded)?)
    }
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_natives(Library::locked(lock, "sonic-rs", "json"), SonicRs)
}
