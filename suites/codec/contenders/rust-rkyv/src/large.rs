//! Large messages: a blob that is read where it lies, and records of one size, which follow each other
//! with nothing between.

use std::borrow::Cow;
use std::io::{Read, Write};

use rkyv::api::high::to_bytes_in;
use rkyv::rancor::Error;
use rkyv::util::AlignedVec;
use rkyv::with::InlineAsBox;
use rkyv::{Archive, Archived, Serialize, access, to_bytes};
use wirelab_codec::{Failure, LargeCodec, RecordSink, RecordSource, TelemetryPoint, is_over};

use crate::Rkyv;

#[derive(Archive, Serialize)]
struct Blob<'b> {
    #[rkyv(with = InlineAsBox)]
    bytes: &'b [u8],
}

impl LargeCodec for Rkyv {
    /// Into a vector as the allocator gives it, which is aligned to more than a blob needs.
    fn encode_blob(&self, blob: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(to_bytes_in::<_, Error>(&Blob { bytes: blob }, Vec::new())?)
    }

    fn decode_blob<'e>(&self, encoded: &'e [u8]) -> Result<Cow<'e, [u8]>, Failure> {
        let blob = access::<ArchivedBlob<'_>, Error>(encoded)?;
        Ok(Cow::Borrowed(&blob.bytes))
    }

    fn write_record(&self, record: &TelemetryPoint, file: &mut RecordSink) -> Result<(), Failure> {
        Ok(file.write_all(&to_bytes::<Error>(record)?)?)
    }

    fn read_records(
        &self,
        file: &mut RecordSource,
        each: &mut dyn FnMut(&TelemetryPoint),
    ) -> Result<(), Failure> {
        let mut room: AlignedVec = AlignedVec::new();
        room.resize(size_of::<Archived<TelemetryPoint>>(), 0);
        while !is_over(file)? {
            file.read_exact(&mut room)?;
            let point = access::<Archived<TelemetryPoint>, Error>(&room)?;
            let (time, value) = (point.time.to_native(), point.value.to_native());
            each(&TelemetryPoint { time, value, quality: point.quality.to_native() });
        }
        Ok(())
    }
}
