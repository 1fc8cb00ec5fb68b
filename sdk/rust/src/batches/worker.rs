//! The life of a worker that repeats in batches: ready, every step with its answers and loops, done.

use std::error::Error;
use std::io::stdout;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::file::{BatchFile, Timed};
use super::loops::Loops;
use super::task::Task;
use crate::answers::Answers;
use crate::clock::now_ns;
use crate::commands::{Command, listen};
use crate::events::{Events, Product, RUST, Ready};
use crate::recorder::Recorder;
use crate::spec::Spec;

/// Failure of the worker itself, if there is one.
pub type Outcome = Result<(), Box<dyn Error>>;

/// One role of one trial of a microbenchmark; [`run`] makes it.
pub struct BatchWorker {
    /// Spec of what is asked for.
    pub spec: Spec,
    /// The part of it that is about batches.
    pub task: Task,
    /// The answers file.
    pub answers: Answers,
    events: Arc<Events>,
    batches: BatchFile,
    samples: Recorder,
    start: Receiver<Option<u64>>,
    stopping: Arc<AtomicBool>,
}

/// Plays `role` to its end and says `done`; a role that goes wrong ends with a failure.
pub fn run(role: impl FnOnce(&mut BatchWorker) -> Outcome) -> ExitCode {
    // Standard output is not taken over: nothing that is linked into a native program prints.
    let events = Arc::new(Events::to(stdout()));
    let played = BatchWorker::begin(&events).and_then(|mut worker| {
        role(&mut worker)?;
        worker.done()
    });
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            events.fatal("worker", &error.to_string());
            ExitCode::FAILURE
        }
    }
}

impl BatchWorker {
    fn begin(events: &Arc<Events>) -> Result<Self, Box<dyn Error>> {
        let spec = Spec::from_environment()?;
        let task = Task::from_environment()?;
        let stopping = Arc::new(AtomicBool::new(false));
        Ok(Self {
            answers: Answers::create(&spec.paths.answers)?,
            events: Arc::clone(events),
            batches: BatchFile::create(task.batch_file())?,
            samples: Recorder::create(&spec.paths.samples)?,
            start: listen_for_start(&stopping),
            stopping,
            spec,
            task,
        })
    }

    /// Says that this worker waits for its start.
    pub fn ready(&self, library: Product<'_>, facts: Value) {
        let (endpoint, capabilities) = (None, [].as_slice());
        self.events.ready(&Ready {
            endpoint,
            facts,
            capabilities,
            library,
            runtime: RUST,
        });
    }

    /// Waits for the start and calls `step` with the name of every step.
    ///
    /// # Errors
    /// Those of `step`.
    pub fn follow(&mut self, mut step: impl FnMut(&mut Self, &str) -> Outcome) -> Outcome {
        let Some(at_ns) = self.start.recv().ok().flatten() else {
            return Ok(());
        };
        sleep(Duration::from_nanos(at_ns.saturating_sub(now_ns())));
        for name in self.task.plan.steps.clone() {
            if self.stopping.load(Relaxed) {
                break;
            }
            step(self, &name)?;
        }
        Ok(())
    }

    /// Does what the task wants of a step: `answer` writes its answers, `time` takes the batches
    /// of an operation, or `None` when there is no such operation.
    ///
    /// # Errors
    /// Those of `answer`, and files that cannot be written.
    pub fn step(
        &mut self,
        name: &str,
        answer: impl FnOnce(&mut Self) -> Outcome,
        time: impl FnMut(&str, &Loops<'_>) -> Option<Timed>,
    ) -> Outcome {
        // With iterations that are given, the first one of all is to be a cold one.
        if self.task.plan.iterations > 0 {
            self.time(name, time)?;
            answer(self)
        } else {
            answer(self)?;
            self.time(name, time)
        }
    }

    fn time(
        &mut self,
        step: &str,
        mut time: impl FnMut(&str, &Loops<'_>) -> Option<Timed>,
    ) -> Outcome {
        if self.task.plan.count == 0 {
            return Ok(());
        }
        let loops = Loops::new(&self.task.plan, &self.stopping);
        for operation in self.task.timed() {
            if self.stopping.load(Relaxed) {
                break;
            }
            if let Some(timed) = time(operation, &loops) {
                self.batches.write(step, operation, timed)?;
            }
        }
        Ok(())
    }

    fn done(self) -> Outcome {
        let records = self.samples.finish()?;
        let (answers, checksum) = self.answers.finish()?;
        let batches = self.batches.count();
        self.events
            .done_with_batches(records, answers, &checksum, batches);
        Ok(())
    }
}

/// Reads commands on a thread of their own: what waits for the start, `None` when it is a stop.
fn listen_for_start(stopping: &Arc<AtomicBool>) -> Receiver<Option<u64>> {
    let (sender, receiver) = channel();
    let stopping = Arc::clone(stopping);
    listen(move |command| {
        let start = match command {
            Command::Start(at_ns) => Some(at_ns),
            // Every answer of a microbenchmark is written without being asked for.
            Command::Answer(_) => return,
            Command::Stop => {
                stopping.store(true, Relaxed);
                None
            }
        };
        // A stop after the start: the loops look at the flag, nobody at this channel.
        let _ = sender.send(start);
    });
    receiver
}
