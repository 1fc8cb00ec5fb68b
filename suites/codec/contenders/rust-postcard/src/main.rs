//! postcard: fields in order, integers as varints.

use std::borrow::Cow;
use std::process::ExitCode;

use wirelab_codec::{
    Blob, BlobView, Failure, LargeCodec, Library, NativeCodec, Record, RecordSink, RecordSource,
    TelemetryPoint, is_over, run_natives_and_large,
};

struct Postcard;

impl<S: Record> NativeCodec<S> for Postcard {
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        Ok(postcard::to_stdvec(value)?)
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        Ok(postcard::from_bytes(encoded)?)
    }
}

/// Records follow each other with nothing between.
impl LargeCodec for Postcard {
    fn encode_blob(&self, blob: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(postcard::to_stdvec(&BlobView(blob))?)
    }

    fn decode_blob<'e>(&self, encoded: &'e [u8]) -> Result<Cow<'e, [u8]>, Failure> {
        let Blob(bytes) = postcard::from_bytes(encoded)?;
        Ok(bytes.into())
    }

    fn write_record(&self, record: &TelemetryPoint, file: &mut RecordSink) -> Result<(), Failure> {
        postcard::to_io(record, file)?;
        Ok(())
    }

    fn read_records(
        &self,
        file: &mut RecordSource,
        each: &mut dyn FnMut(&TelemetryPoint),
    ) -> Result<(), Failure> {
        while !is_over(file)? {
            // Room for the one field that is more than a varint.
            let (record, _) = postcard::from_io((&mut *file, &mut [0; size_of::<f64>()][..]))?;
            each(&record);
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_natives_and_large(Library::locked(lock, "postcard", "postcard"), Postcard)
}
