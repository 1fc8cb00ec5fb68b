//! The batch file: one JSON object a line.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use crate::failure::Said;

/// What a batch is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    /// Calibration included.
    Warmup,
    Measure,
    Allocation,
}

/// Rounds of one operation in a row; times are nanoseconds of CLOCK_MONOTONIC.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Batch {
    pub(crate) phase: Phase,
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
    pub(crate) rounds: u64,
    pub(crate) checksum: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) allocated_bytes: Option<u64>,
}

impl Batch {
    pub(crate) fn took_ns(&self) -> u64 {
        self.end_ns - self.start_ns
    }

    pub(crate) fn round_ns(&self) -> f64 {
        self.took_ns() as f64 / self.rounds as f64
    }
}

#[derive(Serialize)]
struct Line<'a, T> {
    step: &'a str,
    operation: &'a str,
    #[serde(flatten)]
    outcome: T,
}

#[derive(Serialize)]
struct Failed {
    phase: &'static str,
    #[serde(flatten)]
    said: Said,
}

/// Writes batches and keeps their number.
pub(crate) struct BatchFile {
    file: BufWriter<File>,
    count: u64,
}

impl BatchFile {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(File::create(path)?), count: 0 })
    }

    /// Adds an operation's batches, or why there are none.
    pub(crate) fn write(
        &mut self,
        step: &str,
        operation: &str,
        outcome: Result<Vec<Batch>, Said>,
    ) -> io::Result<()> {
        match outcome {
            Ok(batches) => {
                for outcome in batches {
                    self.line(&Line { step, operation, outcome })?;
                }
            }
            Err(said) => {
                let outcome = Failed { phase: "failed", said };
                self.line(&Line { step, operation, outcome })?;
            }
        }
        self.file.flush()
    }

    /// Number of lines.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.file, line)?;
        self.file.write_all(b"\n")?;
        self.count += 1;
        Ok(())
    }
}
