//! The files of the worker.

use std::io;

use wirelab_sdk::answers::{Answer, Answers};
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::intervals::{Interval, Intervals};
use wirelab_sdk::recorder::{Record, Recorder};
use wirelab_sdk::spec::Paths;

use super::ledger::tally::{Counts, Second};

/// Records are held back for so long: by then every shard has handed over what ended before.
const HELD_NS: u64 = 300_000_000;

/// Samples, answers and intervals; all exist from the beginning.
pub struct Writer {
    samples: Recorder,
    /// Of all shards, until they can be written in the order in which they ended.
    held: Vec<Record>,
    answers: Answers,
    intervals: Option<Intervals>,
    delivery: bool,
    connect: bool,
}

/// What was written.
pub struct Written {
    /// Records in the sample file.
    pub records: u64,
    /// Lines in the answers file.
    pub answers: u64,
    /// Of the answers file.
    pub checksum: String,
}

impl Writer {
    /// Creates the files; `delivery` and `connect` say which operations may have intervals.
    pub fn create(paths: &Paths, delivery: bool, connect: bool) -> io::Result<Self> {
        Ok(Self {
            samples: Recorder::create(&paths.samples)?,
            held: Vec::new(),
            answers: Answers::create(&paths.answers)?,
            intervals: paths
                .intervals
                .as_deref()
                .map(Intervals::create)
                .transpose()?,
            delivery,
            connect,
        })
    }

    /// Records so far.
    pub fn records(&self) -> u64 {
        self.samples.count() + self.held.len() as u64
    }

    /// Adds operations that ended.
    pub fn write_records(&mut self, records: Vec<Record>) -> io::Result<()> {
        self.held.extend(records);
        self.release(now_ns().saturating_sub(HELD_NS))
    }

    /// Writes those that ended before `until_ns`, in the order of completion.
    fn release(&mut self, until_ns: u64) -> io::Result<()> {
        self.held.sort_by_key(|record| record.end_ns);
        let count = self.held.partition_point(|record| record.end_ns < until_ns);
        let mut due = self.held.drain(..count);
        due.try_for_each(|record| self.samples.record(&record))
    }

    /// Adds answers, readable at once.
    pub fn write_answers(&mut self, answers: &[Answer]) -> io::Result<()> {
        answers
            .iter()
            .try_for_each(|answer| self.answers.write(answer))?;
        self.answers.flush()
    }

    /// Adds a line for each operation that has something in a second.
    pub fn write_seconds(&mut self, seconds: &[(u64, Box<Second>)]) -> io::Result<()> {
        let Some(intervals) = &mut self.intervals else {
            return Ok(());
        };
        for (second, found) in seconds {
            if self.delivery && found.counts != Counts::default() {
                let Counts {
                    expected,
                    received,
                    duplicates,
                    reordered,
                    wrong,
                    bytes,
                } = found.counts;
                intervals.write(&Interval {
                    second: *second,
                    operation: "delivery",
                    counts: &[
                        ("expected", expected),
                        ("received", received),
                        ("duplicates", duplicates),
                        ("reordered", reordered),
                        ("wrong", wrong),
                        ("bytes", bytes),
                    ],
                    service: Some(&found.service),
                    response: Some(&found.response),
                })?;
            }
            if self.connect && found.dropped > 0 {
                intervals.write(&Interval {
                    second: *second,
                    operation: "connect",
                    counts: &[("dropped", found.dropped)],
                    service: None,
                    response: None,
                })?;
            }
        }
        Ok(())
    }

    /// Makes everything so far readable.
    pub fn flush(&mut self) -> io::Result<()> {
        self.samples.flush()?;
        self.intervals.as_mut().map_or(Ok(()), Intervals::flush)
    }

    /// Completes all files.
    pub fn finish(mut self) -> io::Result<Written> {
        self.release(u64::MAX)?;
        if let Some(intervals) = self.intervals {
            intervals.finish()?;
        }
        let records = self.samples.finish()?;
        let (answers, checksum) = self.answers.finish()?;
        Ok(Written {
            records,
            answers,
            checksum,
        })
    }
}
