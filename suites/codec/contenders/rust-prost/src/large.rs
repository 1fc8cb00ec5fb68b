//! Large messages: bytes as the library's own message of them, and records with their lengths before
//! them.

use std::borrow::Cow;
use std::io::{Read, Write};

use prost::Message;
use wirelab_codec::{
    Failure, LargeCodec, RecordSink, RecordSource, TelemetryPoint as Record, is_over,
};

use crate::Prost;
use crate::messages::TelemetryPoint;

/// The bit of a byte of a varint that says that there are more.
const MORE: u8 = 0x80;

impl LargeCodec for Prost {
    /// To prost a vector of bytes is `google.protobuf.BytesValue`.
    fn encode_blob(&self, blob: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(blob.to_vec().encode_to_vec())
    }

    fn decode_blob<'e>(&self, encoded: &'e [u8]) -> Result<Cow<'e, [u8]>, Failure> {
        Ok(<Vec<u8>>::decode(encoded)?.into())
    }

    fn write_record(&self, record: &Record, file: &mut RecordSink) -> Result<(), Failure> {
        let message = TelemetryPoint::from(record);
        Ok(file.write_all(&message.encode_length_delimited_to_vec())?)
    }

    fn read_records(
        &self,
        file: &mut RecordSource,
        each: &mut dyn FnMut(&Record),
    ) -> Result<(), Failure> {
        let mut message = Vec::new();
        while !is_over(file)? {
            message.resize(length_of_next(file)?, 0);
            file.read_exact(&mut message)?;
            each(&TelemetryPoint::decode(message.as_slice())?.into());
        }
        Ok(())
    }
}

fn length_of_next(file: &mut RecordSource) -> Result<usize, Failure> {
    let mut varint = Vec::with_capacity(1);
    loop {
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        varint.extend(byte);
        if byte[0] < MORE {
            return Ok(prost::decode_length_delimiter(varint.as_slice())?);
        }
    }
}
