//! Answers that the core asks for after their operation.
//!
//! The last results of a lane are kept from their end until it begins again; what is asked
//! meanwhile waits for the end.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::answers::{Answer, Answers, AskedLine, Phase};
use crate::clock::now_ns;
use crate::commands::Asking;

/// Puts an answer into words; it is called only when that is asked for.
pub type AnswerWords = Box<dyn FnOnce() -> Value + Send>;

/// An operation that has ended.
pub struct EndedOperation {
    /// Its name.
    pub operation: &'static str,
    /// The tick that it was for.
    pub tick: u64,
    /// Start as in its record.
    pub start_ns: u64,
    /// End as in its record.
    pub end_ns: u64,
    /// Its answer; none where it failed.
    pub answer: Option<AnswerWords>,
}

/// Writes all records to their file, and says how many that has.
pub type Publish = Box<dyn Fn() -> io::Result<u64> + Send + Sync>;

struct KeptOperation {
    operation: EndedOperation,
    is_given: bool,
}

/// Results that are kept of one lane, and what is asked of it.
#[derive(Default)]
pub struct KeptLane {
    /// Results of its last operations; none while it is at others.
    results: Vec<KeptOperation>,
    waiting: Vec<Asking>,
}

impl KeptLane {
    /// The lane begins its next operations, and lets go of those before.
    pub fn begin(&mut self) {
        self.results.clear();
    }

    /// The lane's operations have ended; returns what was asked of them meanwhile. For each answer
    /// `publish` writes the records to their file, and says how many that has.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn end(
        &mut self,
        ended: impl IntoIterator<Item = EndedOperation>,
        mut publish: impl FnMut() -> io::Result<u64>,
    ) -> io::Result<Vec<AskedLine>> {
        self.results.clear();
        self.results
            .extend(ended.into_iter().map(|operation| KeptOperation {
                operation,
                is_given: false,
            }));
        let waiting = std::mem::take(&mut self.waiting);
        let answers = waiting.into_iter();
        answers.map(|one| self.answer(one, &mut publish)).collect()
    }

    /// Returns the answer now; none while the lane is at work, when it waits for the end. Records are
    /// published as in [`Self::end`].
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn hear(
        &mut self,
        asking: Asking,
        publish: impl FnMut() -> io::Result<u64>,
    ) -> io::Result<Option<AskedLine>> {
        if self.results.is_empty() {
            self.waiting.push(asking);
            return Ok(None);
        }
        self.answer(asking, publish).map(Some)
    }

    fn answer(
        &mut self,
        asking: Asking,
        mut publish: impl FnMut() -> io::Result<u64>,
    ) -> io::Result<AskedLine> {
        let mut results = self.results.iter_mut();
        let Some(kept) = results.find(|kept| kept.operation.operation == asking.operation) else {
            return Ok(declined(asking, "nothing"));
        };
        if kept.is_given {
            return Ok(declined(asking, "given"));
        }
        let Some(words) = kept.operation.answer.take() else {
            return Ok(declined(asking, "failed"));
        };
        kept.is_given = true;
        let begin_ns = now_ns();
        let records = publish()?;
        let answer = Answer {
            phase: Phase::Measure,
            operation: kept.operation.operation,
            tick: kept.operation.tick,
            start_ns: kept.operation.start_ns,
            end_ns: kept.operation.end_ns,
            answer: words(),
        };
        Ok(AskedLine::Given {
            answer,
            asked: asking.asked,
            lane: asking.lane,
            records,
            pause: [begin_ns, now_ns()],
        })
    }
}

fn declined(asking: Asking, none: &'static str) -> AskedLine {
    AskedLine::Declined {
        phase: Phase::Measure,
        operation: asking.operation,
        asked: asking.asked,
        lane: asking.lane,
        none,
    }
}

/// The answers file, and what is kept of every lane. For any number of threads, each lane of which
/// belongs to one at a time.
pub struct AskedAnswers {
    /// None once it is complete.
    file: Mutex<Option<Answers>>,
    publish: Publish,
    lanes: Vec<Mutex<KeptLane>>,
}

impl AskedAnswers {
    /// Nothing is kept yet of so many lanes.
    #[must_use]
    pub fn new(file: Answers, publish: Publish, lanes: u64) -> Self {
        Self {
            file: Mutex::new(Some(file)),
            publish,
            lanes: (0..lanes).map(|_| Mutex::default()).collect(),
        }
    }

    /// The lane begins its next operation, when an answer that is being given has been.
    pub fn begin(&self, lane: u64) {
        if let Some(mut kept) = self.lane(lane) {
            kept.begin();
        }
    }

    /// The lane's operations have ended: answers what was asked meanwhile.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn end(
        &self,
        lane: u64,
        ended: impl IntoIterator<Item = EndedOperation>,
    ) -> io::Result<()> {
        let Some(mut kept) = self.lane(lane) else {
            return Ok(());
        };
        let lines = kept.end(ended, &self.publish)?;
        lines.iter().try_for_each(|line| self.write(line))
    }

    /// Answers now, or when the lane has ended what it is at.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn hear(&self, asking: Asking) -> io::Result<()> {
        let Some(mut kept) = self.lane(asking.lane) else {
            return self.write(&declined(asking, "nothing"));
        };
        // The lane waits meanwhile: no operation of it is under way while its answer is given.
        let line = kept.hear(asking, &self.publish)?;
        line.map_or(Ok(()), |line| self.write(&line))
    }

    /// Adds an answer that nobody has to ask for.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&self, answer: &Answer) -> io::Result<()> {
        self.with_file(|file| file.write(answer))
    }

    /// Makes what was written readable for the verifier.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn flush(&self) -> io::Result<()> {
        self.with_file(Answers::flush)
    }

    /// Completes the file, which takes no answer any more: number of lines, and CRC-32 of its bytes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&self) -> io::Result<(u64, String)> {
        let file = self
            .file
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        file.map_or_else(
            || Err(io::Error::other("the answers were asked for twice")),
            Answers::finish,
        )
    }

    /// Records were written to be seen, and so is what says so.
    fn write(&self, line: &AskedLine) -> io::Result<()> {
        self.with_file(|file| {
            file.add(line)?;
            file.flush()
        })
    }

    fn with_file(&self, write: impl FnOnce(&mut Answers) -> io::Result<()>) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.as_mut().map_or(Ok(()), write)
    }

    fn lane(&self, number: u64) -> Option<MutexGuard<'_, KeptLane>> {
        let lane = self.lanes.get(usize::try_from(number).ok()?)?;
        Some(lane.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
