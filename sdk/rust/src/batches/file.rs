//! The batch file: one JSON object a line.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use super::failure::Said;

/// Purpose of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BatchPhase {
    /// Calibration included.
    Warmup,
    /// Counts.
    Measure,
    /// An audit of the inputs, which is no matter of time.
    Audit,
    /// Counted for what it allocates, and not for its time.
    Allocation,
}

/// Iterations of one operation in a row; times are nanoseconds of CLOCK_MONOTONIC.
#[derive(Clone, Debug, Serialize)]
pub struct Batch {
    /// Its purpose.
    pub phase: BatchPhase,
    /// Before the first iteration.
    pub start_ns: u64,
    /// After the last iteration.
    pub end_ns: u64,
    /// Number of iterations.
    #[serde(rename = "rounds")]
    pub iterations: u64,
    /// The suite's, of all iterations.
    pub checksum: u32,
    /// By all iterations, where it was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocated_bytes: Option<u64>,
}

impl Batch {
    pub(super) fn took_ns(&self) -> u64 {
        self.end_ns - self.start_ns
    }
}

/// An operation's batches, or why there are none.
pub type Timed = Result<Vec<Batch>, Said>;

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
pub(super) struct BatchFile {
    file: BufWriter<File>,
    count: u64,
}

impl BatchFile {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: BufWriter::new(File::create(path)?),
            count: 0,
        })
    }

    /// Adds an operation's batches, or why there are none.
    pub(super) fn write(&mut self, step: &str, operation: &str, outcome: Timed) -> io::Result<()> {
        match outcome {
            Ok(batches) => {
                for outcome in batches {
                    self.line(&Line {
                        step,
                        operation,
                        outcome,
                    })?;
                }
            }
            Err(said) => {
                let outcome = Failed {
                    phase: "failed",
                    said,
                };
                self.line(&Line {
                    step,
                    operation,
                    outcome,
                })?;
            }
        }
        self.file.flush()
    }

    /// Number of lines.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.file, line)?;
        self.file.write_all(b"\n")?;
        self.count += 1;
        Ok(())
    }
}
