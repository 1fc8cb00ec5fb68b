//! serde_json: native values straight to JSON text and back.

use std::borrow::Cow;
use std::io::{BufRead, Write};
use std::process::ExitCode;

use base64::{Engine, engine::general_purpose::STANDARD};
use wirelab_codec::{
    Failure, LargeCodec, Library, NativeCodec, Record, RecordSink, RecordSource, TelemetryPoint,
    run_natives_and_large,
};

struct SerdeJson;

impl<S: Record> NativeCodec<S> for SerdeJson {
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure> {
        Ok(serde_json::to_vec(value)?)
    }

    fn decode(&self, encoded: &[u8]) -> Result<S, Failure> {
        Ok(serde_json::from_slice(encoded)?)
    }
}

/// JSON has no bytes: they are text in base64. Records are JSON Lines.
impl LargeCodec for SerdeJson {
    fn encode_blob(&self, blob: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(serde_json::to_vec(&STANDARD.encode(blob))?)
    }

    fn decode_blob<'e>(&self, encoded: &'e [u8]) -> Result<Cow<'e, [u8]>, Failure> {
        let text: &str = serde_json::from_slice(encoded)?;
        Ok(STANDARD.decode(text)?.into())
    }

    fn write_record(&self, record: &TelemetryPoint, file: &mut RecordSink) -> Result<(), Failure> {
        serde_json::to_writer(&mut *file, record)?;
        Ok(file.write_all(b"\n")?)
    }

    fn read_records(
        &self,
        file: &mut RecordSource,
        each: &mut dyn FnMut(&TelemetryPoint),
    ) -> Result<(), Failure> {
        let mut line = String::new();
        while file.read_line(&mut line)? > 0 {
            each(&serde_json::from_str(&line)?);
            line.clear();
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    run_natives_and_large(Library::locked(lock, "serde_json", "json"), SerdeJson)
}
