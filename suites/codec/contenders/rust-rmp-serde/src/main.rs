//! rmp-serde: MessagePack; structs are maps with field names, so that other languages read them.

use std::borrow::Cow;
use std::process::ExitCode;

use wirelab_codec::{
    Blob, BlobView, Failure, LargeCodec, Library, NativeCodec, Record, RecordSink, RecordSource,
    TelemetryPoint, is_over, run_natives_and_large,
};

struct RmpSerde;

impl<S: Record> NativeCodec<S> for RmpSerde {
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        Ok(rmp_serde::to_vec_named(value)?)
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        Ok(rmp_serde::from_slice(encoded)?)
    }
}

/// Values follow each other: each says where it ends.
impl LargeCodec for RmpSerde {
    fn encode_blob(&self, blob: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(rmp_serde::to_vec_named(&BlobView(blob))?)
    }

    fn decode_blob<'e>(&self, encoded: &'e [u8]) -> Result<Cow<'e, [u8]>, Failure> {
        let Blob(bytes) = rmp_serde::from_slice(encoded)?;
        Ok(bytes.into())
    }

    fn write_record(&self, record: &TelemetryPoint, file: &mut RecordSink) -> Result<(), Failure> {
        Ok(rmp_serde::encode::write_named(file, record)?)
    }

    fn read_records(
        &self,
        file: &mut RecordSource,
        each: &mut dyn FnMut(&TelemetryPoint),
    ) -> Result<(), Failure> {
        while !is_over(file)? {
            each(&rmp_serde::from_read(&mut *file)?);
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_natives_and_large(Library::locked(lock, "rmp-serde", "msgpack"), RmpSerde)
}
