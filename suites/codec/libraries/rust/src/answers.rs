//! The answers file, and the answers that come before any loop.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde::Serialize;
use wirelab_sdk::answers::Phase;
use wirelab_sdk::clock::now_ns;

use crate::failure::{Failure, Said};
use crate::natives::Shape;
use crate::subject::Subject;

/// What the bytes of a decoded message are overwritten with.
const OVERWRITTEN: u8 = 0xAA;

/// Which call an answer belongs to.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Asked<'a> {
    pub(crate) phase: Phase,
    pub(crate) operation: &'a str,
    pub(crate) step: &'a str,
    pub(crate) tick: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) vector: Option<&'a str>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(phase: Phase, operation: &'a str, step: &'a str, tick: u64) -> Self {
        Self { phase, operation, step, tick, from: None, vector: None }
    }
}

/// A call with its times and what came of it.
pub(crate) struct Called<T> {
    start_ns: u64,
    end_ns: u64,
    pub(crate) outcome: Result<T, Failure>,
}

/// Calls the library; a panic is a failure like another.
pub(crate) fn called<T>(call: impl FnOnce() -> Result<T, Failure>) -> Called<T> {
    let start_ns = now_ns();
    let outcome = catch_unwind(AssertUnwindSafe(call));
    let end_ns = now_ns();
    let outcome = outcome.unwrap_or_else(|payload| Err(Failure::of_panic(&*payload)));
    Called { start_ns, end_ns, outcome }
}

/// A decoded value as an answer.
#[derive(Serialize)]
pub(crate) struct Value<T> {
    pub(crate) value: T,
}

#[derive(Serialize)]
struct Hex {
    hex: String,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Given<A> {
    Answer(A),
    Error(Said),
}

#[derive(Serialize)]
struct Line<'a, A> {
    #[serde(flatten)]
    asked: Asked<'a>,
    start_ns: u64,
    end_ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    allocated_bytes: Option<u64>,
    #[serde(flatten)]
    given: Given<A>,
}

/// Writes answers, and keeps their number and checksum.
pub(crate) struct AnswersFile {
    file: BufWriter<File>,
    crc: crc32fast::Hasher,
    count: u64,
}

impl AnswersFile {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        Ok(Self { file, crc: crc32fast::Hasher::new(), count: 0 })
    }

    /// Adds what came of a call, in the form that `answer` gives it.
    pub(crate) fn write<T, A: Serialize>(
        &mut self,
        asked: Asked<'_>,
        called: Called<T>,
        allocated_bytes: Option<u64>,
        answer: impl FnOnce(T) -> A,
    ) -> io::Result<()> {
        let Called { start_ns, end_ns, outcome } = called;
        let given = match outcome {
            Ok(result) => Given::Answer(answer(result)),
            Err(failure) => Given::Error(failure.said()),
        };
        let line = Line { asked, start_ns, end_ns, allocated_bytes, given };
        let mut line = serde_json::to_vec(&line)?;
        line.push(b'\n');
        self.crc.update(&line);
        self.count += 1;
        self.file.write_all(&line)
    }

    /// Makes what was written readable.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// Completes the file: number of answers, and CRC-32 of its bytes as 8 hex digits.
    pub(crate) fn finish(mut self) -> io::Result<(u64, String)> {
        self.file.flush()?;
        Ok((self.count, format!("{:08x}", self.crc.finalize())))
    }
}

/// The answers of `encode`, forward and backward through the pool, and of `decode`.
pub(crate) fn give<S: Shape, X: Subject<S>>(
    subject: &X,
    pool: &[S],
    file: &mut AnswersFile,
) -> io::Result<()> {
    let there_and_back = pool.iter().chain(pool.iter().rev());
    let mut encodings = Vec::new();
    for (tick, value) in (0..).zip(there_and_back) {
        let encoded = called(|| subject.encode(value));
        if encodings.len() < pool.len() {
            encodings.push(encoded.outcome.as_ref().ok().map(|bytes| subject.hold(bytes)));
        }
        let asked = Asked::new(Phase::Preflight, "encode", S::STEP, tick);
        file.write(asked, encoded, None, |bytes| Hex { hex: hex(&bytes) })?;
    }
    // What is kept is a native value each time: of a view it is made before the next decoding.
    // A value that still pointed into the bytes would not compile.
    let decode = |bytes: &X::Bytes| called(|| subject.decode(bytes));
    let decoded: Vec<_> = encodings.iter().map(|encoded| encoded.as_ref().map(decode)).collect();
    for encoded in encodings.iter_mut().flatten() {
        encoded.fill(OVERWRITTEN);
    }
    for (tick, decoded) in (0..).zip(decoded) {
        // What could not be encoded has been said, and there is nothing to decode.
        if let Some(decoded) = decoded {
            let asked = Asked::new(Phase::Preflight, "decode", S::STEP, tick);
            file.write(asked, decoded, None, |value| Value { value })?;
        }
    }
    file.flush()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
