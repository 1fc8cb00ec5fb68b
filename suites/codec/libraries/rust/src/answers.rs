//! Lines of the answers file, and the answers that come before any loop.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use wirelab_sdk::answers::{Answers, Phase};
use wirelab_sdk::batches::{Failure, Said};
use wirelab_sdk::clock::now_ns;

use crate::natives::Shape;
use crate::subject::Subject;

/// Byte with which those of a decoded message are overwritten.
const OVERWRITTEN: u8 = 0xAA;

/// Call that an answer belongs to.
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

/// Adds what came of a call, in the form that `answer` gives it.
pub(crate) fn write<T, A: Serialize>(
    file: &mut Answers,
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
    file.add(&Line { asked, start_ns, end_ns, allocated_bytes, given })
}

/// The answers of `encode`, forward and backward through the pool, and of `decode`.
pub(crate) fn give<S: Shape, X: Subject<S>>(
    subject: &X,
    pool: &[S],
    file: &mut Answers,
) -> io::Result<()> {
    let there_and_back = pool.iter().chain(pool.iter().rev());
    let mut encodings = Vec::new();
    for (tick, value) in (0..).zip(there_and_back) {
        let encoded = called(|| subject.encode(value));
        if encodings.len() < pool.len() {
            encodings.push(encoded.outcome.as_ref().ok().map(|bytes| subject.hold(bytes)));
        }
        let asked = Asked::new(Phase::Preflight, "encode", S::STEP, tick);
        write(file, asked, encoded, None, |bytes| Hex { hex: hex(&bytes) })?;
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
            write(file, asked, decoded, None, |value| Value { value })?;
        }
    }
    file.flush()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
