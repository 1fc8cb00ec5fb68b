//! Large messages: a blob, many records at once, and records one after the other.
//!
//! They are made here, as the suite's `README.md` defines them: byte k of a blob is k mod 251, and
//! record k is point k mod 1,000 of the shape `telemetry`.

use std::borrow::Cow;
use std::hint::black_box;
use std::io;

use serde::Serialize;
use wirelab_sdk::answers::{Answers, Phase};
use wirelab_sdk::batches::{Failure, Loops, Outcome, Timed};

use crate::answers::{Asked, called, write};
use crate::fold;
use crate::memory;
use crate::natives::{Telemetry, TelemetryPoint};
use crate::pools;
use crate::streams::{self, RecordSink, RecordSource};
use crate::subject::Subject;

const TO_BYTES: &str = "to_bytes";
const FROM_BYTES: &str = "from_bytes";
/// The directions, at the ticks of their answers.
const DIRECTIONS: [&str; 2] = [TO_BYTES, FROM_BYTES];

const MEGABYTE: usize = 1_000_000;
const RECORD_BYTES: usize = 20;
const MODULUS: usize = 251;

/// A library's calls for large messages; many records at once are the shape [`Telemetry`].
pub trait LargeCodec {
    /// Bytes of a blob, in memory of their own.
    ///
    /// # Errors
    /// When the library fails.
    fn encode_blob(&self, blob: &[u8]) -> Result<Vec<u8>, Failure>;

    /// The blob that the bytes hold: a part of them, or in memory of its own.
    ///
    /// # Errors
    /// When the library refuses the bytes.
    fn decode_blob<'e>(&self, encoded: &'e [u8]) -> Result<Cow<'e, [u8]>, Failure>;

    /// Writes a record to a file, after others.
    ///
    /// # Errors
    /// When the library fails.
    fn write_record(&self, record: &TelemetryPoint, file: &mut RecordSink) -> Result<(), Failure>;

    /// Reads the records of a file to its end, and hands over each.
    ///
    /// # Errors
    /// When the library refuses the bytes.
    fn read_records(
        &self,
        file: &mut RecordSource,
        each: &mut dyn FnMut(&TelemetryPoint),
    ) -> Result<(), Failure>;
}

/// Many records at once, conversions and messages between included.
pub(crate) trait Whole {
    /// Hands over the bytes of the records, for what is made of them.
    fn encode_whole(
        &self,
        records: &Telemetry,
        take: &mut dyn FnMut(&[u8]) -> u32,
    ) -> Result<u32, Failure>;

    /// The fold of the records that the bytes hold.
    fn read_whole(&self, encoded: &[u8]) -> Result<u32, Failure>;
}

impl<X: Subject<Telemetry>> Whole for X {
    fn encode_whole(
        &self,
        records: &Telemetry,
        take: &mut dyn FnMut(&[u8]) -> u32,
    ) -> Result<u32, Failure> {
        Ok(take(&self.encode(records)?))
    }

    fn read_whole(&self, encoded: &[u8]) -> Result<u32, Failure> {
        self.read(encoded)
    }
}

/// Codecs that a contender has for large messages.
#[derive(Clone, Copy)]
pub(crate) struct Large<'c> {
    pub(crate) codec: &'c dyn LargeCodec,
    pub(crate) whole: &'c dyn Whole,
}

/// Part of an answer about one direction.
#[derive(Default, Serialize)]
pub(crate) struct Told {
    #[serde(flatten)]
    pub(crate) written: Option<Written>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fold: Option<u32>,
    #[serde(flatten)]
    used: Option<memory::Use>,
}

/// The ends of what was written, and its middle where all of it was there at once.
#[derive(Serialize)]
pub(crate) struct Written {
    pub(crate) size: u64,
    pub(crate) first: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) middle: Option<u8>,
    pub(crate) last: u8,
}

/// A direction of a step, ready to be done again and again: gives the fold of what came out.
pub(crate) type Task<'t> = Box<dyn FnMut(&mut Told) -> Result<u32, Failure> + 't>;

impl Large<'_> {
    /// Answers what comes out in either direction, and how much memory it takes.
    pub(crate) fn answer(self, step: &str, file: &mut Answers) -> Outcome {
        for (tick, direction) in (0..).zip(DIRECTIONS) {
            let told = called(|| self.told(step, direction));
            let asked = Asked::new(Phase::Measure, "once", step, tick);
            write(file, asked, told, None, |told| told)?;
        }
        file.flush()?;
        Ok(())
    }

    /// The batches of a direction, of which an iteration is all of the data.
    pub(crate) fn time(self, step: &str, operation: &str, loops: &Loops<'_>) -> Option<Timed> {
        if !DIRECTIONS.contains(&operation) {
            return None;
        }
        Some(match self.task(step, operation) {
            Ok(mut task) => loops.run(&[()], |_| task(&mut Told::default())),
            Err(failure) => Err(failure.said()),
        })
    }

    fn told(self, step: &str, direction: &str) -> Result<Told, Failure> {
        let mut told = Told::default();
        let mut task = self.task(step, direction)?;
        let used = memory::used_by(|| task(&mut told).map(drop))?;
        drop(task);
        Ok(Told { used, ..told })
    }

    fn task(&self, step: &str, direction: &str) -> Result<Task<'_>, Failure> {
        let unknown = || io::Error::other(format!("{step} is no step of large messages"));
        let (form, megabytes) = step.split_once('-').ok_or_else(unknown)?;
        let size = MEGABYTE * megabytes.parse::<usize>()?;
        let pool = pools::load::<Telemetry>().map_err(|why| io::Error::other(why.to_string()))?;
        let points = pool.values.into_iter().next().ok_or_else(unknown)?.points;
        let (codec, whole) = (self.codec, self.whole);
        let writes = direction == TO_BYTES;
        match form {
            "blob" => {
                let blob: Vec<u8> = (0..size).map(|k| (k % MODULUS) as u8).collect();
                if writes {
                    return Ok(Box::new(move |told| Ok(wrote(&codec.encode_blob(&blob)?, told))));
                }
                let encoded = codec.encode_blob(&blob)?;
                Ok(Box::new(move |told| {
                    let blob = codec.decode_blob(&encoded)?;
                    Ok(read(fold::bytes(black_box(&blob)), told))
                }))
            }
            "whole" => {
                let points = points.iter().cycle().take(size / RECORD_BYTES).cloned().collect();
                let records = Telemetry { points };
                if writes {
                    return Ok(Box::new(move |told: &mut Told| {
                        whole.encode_whole(&records, &mut |bytes| wrote(bytes, told))
                    }));
                }
                let mut encoded = Vec::new();
                whole.encode_whole(&records, &mut |bytes| {
                    encoded = bytes.to_vec();
                    0
                })?;
                Ok(Box::new(move |told: &mut Told| Ok(read(whole.read_whole(&encoded)?, told))))
            }
            "stream" => {
                let times = size / RECORD_BYTES / points.len();
                if writes {
                    Ok(streams::writes(codec, points, times))
                } else {
                    streams::reads(codec, &points, times)
                }
            }
            _ => Err(unknown().into()),
        }
    }
}

fn wrote(encoded: &[u8], told: &mut Told) -> u32 {
    if let (Some(first), Some(last)) = (encoded.first(), encoded.last()) {
        let middle = encoded.get(encoded.len() / 2).copied();
        let size = encoded.len() as u64;
        told.written = Some(Written { size, first: *first, middle, last: *last });
    }
    fold::bytes(black_box(encoded))
}

/// The fold of what was read, which is all that is said of it.
pub(crate) fn read(fold: u32, told: &mut Told) -> u32 {
    told.fold = Some(fold);
    fold
}
