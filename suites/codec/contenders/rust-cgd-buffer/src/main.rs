//! The wire format of `CGD::buffer` for native values.

mod buffer;
mod shapes;
mod versions;

use std::borrow::Cow;
use std::io::{Read, Write};
use std::process::ExitCode;

use wirelab_codec::{
    Failure, LargeCodec, Library, NativeCodec, RecordSink, RecordSource, TelemetryPoint, is_over,
    run_natives_and_large,
};

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

/// Blobs are lists of bytes; records follow each other, and all have the same size.
impl LargeCodec for Cgd {
    fn encode_blob(&self, blob: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut buffer = Buffer::with_capacity(CAPACITY);
        buffer.append(blob);
        Ok(buffer.into_bytes())
    }

    fn decode_blob<'e>(&self, encoded: &'e [u8]) -> Result<Cow<'e, [u8]>, Failure> {
        Ok(Cow::Owned(self.decode(encoded)?))
    }

    fn write_record(&self, record: &TelemetryPoint, file: &mut RecordSink) -> Result<(), Failure> {
        let mut buffer = Buffer::with_capacity(TelemetryPoint::LEAST);
        buffer.append(record);
        Ok(file.write_all(&buffer.into_bytes())?)
    }

    fn read_records(
        &self,
        file: &mut RecordSource,
        each: &mut dyn FnMut(&TelemetryPoint),
    ) -> Result<(), Failure> {
        let mut bytes = [0; TelemetryPoint::LEAST];
        while !is_over(file)? {
            file.read_exact(&mut bytes)?;
            each(&self.decode(&bytes)?);
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let version = env!("CARGO_PKG_VERSION");
    run_natives_and_large(Library { name: "cgd-buffer", version, format: "cgd" }, Cgd)
}
