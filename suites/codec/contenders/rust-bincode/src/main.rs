//! bincode 2: fields in order, integers as varints, through serde.

use std::borrow::Cow;
use std::process::ExitCode;

use bincode::config::{Configuration, standard};
use bincode::serde::{
    decode_from_slice, decode_from_std_read, encode_into_std_write, encode_to_vec,
};
use wirelab_codec::{
    Blob, BlobView, Failure, LargeCodec, Library, NativeCodec, Record, RecordSink, RecordSource,
    TelemetryPoint, is_over, run_natives_and_large,
};

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

/// Records follow each other with nothing between.
impl LargeCodec for Bincode {
    fn encode_blob(&self, blob: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(encode_to_vec(BlobView(blob), CONFIGURATION)?)
    }

    fn decode_blob<'e>(&self, encoded: &'e [u8]) -> Result<Cow<'e, [u8]>, Failure> {
        let (Blob(bytes), _length) = decode_from_slice(encoded, CONFIGURATION)?;
        Ok(bytes.into())
    }

    fn write_record(&self, record: &TelemetryPoint, file: &mut RecordSink) -> Result<(), Failure> {
        encode_into_std_write(record, file, CONFIGURATION)?;
        Ok(())
    }

    fn read_records(
        &self,
        file: &mut RecordSource,
        each: &mut dyn FnMut(&TelemetryPoint),
    ) -> Result<(), Failure> {
        while !is_over(file)? {
            each(&decode_from_std_read(file, CONFIGURATION)?);
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_natives_and_large(Library::locked(lock, "bincode", "bincode"), Bincode)
}
