//! The wire format of `CGD::buffer` for native values.

mod buffer;
mod shapes;
mod versions;

use std::process::ExitCode;

use wirelab_codec::{Failure, Library, NativeCodec, run_natives};

use crate::buffer::{Append, Buffer, Extract, Reader};

/// Bytes that a buffer begins with; most messages need no more, longer ones double it.
const CAPACITY: usize = 512;

struct Cgd;

impl<S: Append + Extract> NativeCodec<S> for Cgd {
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        let mut buffer = Buffer::with_capacity(CAPACITY);
        buffer.append(value);
        Ok(buffer.into_bytes())
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        let mut reader = Reader::new(encoded);
        let value = reader.extract()?;
        reader.finish()?;
        Ok(value)
    }
}

fn main() -> ExitCode {
    let version = env!("CARGO_PKG_VERSION");
    run_natives(Library { name: "cgd-buffer", version, format: "cgd" }, Cgd)
}
