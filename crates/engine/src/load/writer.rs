//! The files of the worker.

use std::io;

use wirelab_sdk::answers::{Answer, Answers};
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::intervals::{Interval, Intervals};
use wirelab_sdk::recorder::{Record, Recorder};
use wirelab_sdk::spec::Paths;

use super::held_lines::HeldLines;
use super::thread_messages::IntervalLine;

/// Records are held back for so long: by then every shard has handed over what ended before.
const HELD_NS: u64 = 300_000_000;

/// Samples, answers and intervals; all exist from the beginning.
pub struct Writer {
    samples: Recorder,
    /// Records of all shards, until they can be written in the order in which they ended.
    held: Vec<Record>,
    answers: Answers,
    held_lines: HeldLines,
    intervals: Option<Intervals>,
}

/// Totals of what was written.
pub struct Written {
    /// Records in the sample file.
    pub records: u64,
    /// Lines in the answers file.
    pub answers: u64,
    /// Checksum of the answers file.
    pub checksum: String,
}

impl Writer {
    /// Creates the files.
    pub fn create(paths: &Paths) -> io::Result<Self> {
        Ok(Self {
            samples: Recorder::create(&paths.samples)?,
            held: Vec::new(),
            answers: Answers::create(&paths.answers)?,
            held_lines: HeldLines::default(),
            intervals: paths
                .intervals
                .as_deref()
                .map(Intervals::create)
                .transpose()?,
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

    /// Adds what a shard tells of slots, where the spec asks for an interval file.
    pub fn add_lines(&mut self, lines: &[IntervalLine]) {
        if self.intervals.is_some() {
            let now = now_ns();
            lines.iter().for_each(|line| self.held_lines.add(line, now));
        }
    }

    fn write_lines(&mut self, lines: &[IntervalLine]) -> io::Result<()> {
        let Some(intervals) = &mut self.intervals else {
            return Ok(());
        };
        lines.iter().try_for_each(|line| {
            intervals.write(&Interval {
                second: line.slot.second,
                tenth: line.slot.tenth,
                operation: &line.operation,
                step: &line.step,
                counts: &line.counts,
                service: line.service.as_deref(),
                response: line.response.as_deref(),
            })
        })
    }

    /// Makes everything so far readable.
    pub fn flush(&mut self) -> io::Result<()> {
        self.samples.publish()?;
        let due = self.held_lines.due(now_ns());
        self.write_lines(&due)?;
        self.intervals.as_mut().map_or(Ok(()), Intervals::flush)
    }

    /// Completes all files.
    pub fn finish(mut self) -> io::Result<Written> {
        self.release(u64::MAX)?;
        let lines = self.held_lines.all();
        self.write_lines(&lines)?;
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
