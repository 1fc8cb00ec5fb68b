//! The answers file: what operations returned, for the suite's verifier.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

/// Part of a trial in which an operation was performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Before `ready`.
    Preflight,
    /// At a tick.
    Measure,
}

/// One operation's answer; times are nanoseconds of CLOCK_MONOTONIC.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// Part of the trial.
    pub phase: Phase,
    /// Name of the operation.
    pub operation: &'static str,
    /// Counts from 0 in each phase.
    pub tick: u64,
    /// Start as in its record.
    pub start_ns: u64,
    /// End as in its record.
    pub end_ns: u64,
    /// Answer as the suite defines it.
    pub answer: Value,
}

/// Line that is written for an asking.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum AskedLine {
    /// The answer.
    Given {
        /// Its operation, and what that brought.
        #[serde(flatten)]
        answer: Answer,
        /// Number of the asking.
        asked: u64,
        /// The lane.
        lane: u64,
        /// Records that the sample file had by then.
        records: u64,
        /// Time from which and until which it was put into words.
        pause: [u64; 2],
    },
    /// Reason for which there is none.
    Declined {
        /// Always [`Phase::Measure`].
        phase: Phase,
        /// Name of the operation asked for.
        operation: String,
        /// Number of the asking.
        asked: u64,
        /// The lane.
        lane: u64,
        /// The contract's word for it.
        none: &'static str,
    },
}

/// Writes answers, and keeps their number and checksum.
pub struct Answers {
    file: BufWriter<File>,
    crc: crc32fast::Hasher,
    count: u64,
}

impl Answers {
    /// Creates the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        Ok(Self {
            file,
            crc: crc32fast::Hasher::new(),
            count: 0,
        })
    }

    /// Adds one answer.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, answer: &Answer) -> io::Result<()> {
        self.add(answer)
    }

    /// Adds a line with fields of the suite's own.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, answer: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(answer)?;
        line.push(b'\n');
        self.crc.update(&line);
        self.count += 1;
        self.file.write_all(&line)
    }

    /// Makes what was written readable for the verifier.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// Completes the file: number of answers, and CRC-32 of its bytes as 8 hex digits.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<(u64, String)> {
        self.file.flush()?;
        Ok((self.count, format!("{:08x}", self.crc.finalize())))
    }
}
