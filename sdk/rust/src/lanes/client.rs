//! The life of a client: connect, preflight, `ready`, the schedule, `done`.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::answers::{Answer, Answers, Phase};
use crate::clock::now_ns;
use crate::commands::{Command, listen};
use crate::events::{ErrorSeen, Events, Ready, Scope};
use crate::recorder::{Record, Recorder};
use crate::schedule::Step;
use crate::spec::Spec;
use crate::status::Status;

use super::call::{Call, Load, Outcome};
use super::driver::Driver;

/// What makes a client give up.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// What the core has said so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CoreMessages {
    pub(super) start_ns: Option<u64>,
    pub(super) is_stopped: bool,
}

struct Files {
    recorder: Recorder,
    answers: Answers,
    failure: Option<io::Error>,
}

/// A role that is measured.
pub struct Client {
    /// What the core asks for.
    pub spec: Arc<Spec>,
    events: Arc<Events>,
    told: watch::Receiver<CoreMessages>,
    files: Mutex<Files>,
}

impl Client {
    /// Reads the spec, takes standard output and standard input, and creates the files.
    ///
    /// # Errors
    /// When the spec cannot be used or a file cannot be written; the caller prints it and exits
    /// with another code than 0.
    pub fn begin() -> Result<Self, Failure> {
        let spec = Spec::from_environment()?;
        let events = Events::take_standard_output()?;
        let (teller, told) = watch::channel(CoreMessages::default());
        listen(move |command| {
            teller.send_modify(|told| match command {
                Command::Start(at_ns) => told.start_ns = Some(at_ns),
                Command::Stop => told.is_stopped = true,
            });
        });
        Ok(Self::of(spec, events, told)?)
    }

    pub(super) fn of(
        spec: Spec,
        events: Events,
        told: watch::Receiver<CoreMessages>,
    ) -> io::Result<Self> {
        let files = Files {
            recorder: Recorder::create(&spec.paths.samples)?,
            answers: Answers::create(&spec.paths.answers)?,
            failure: None,
        };
        Ok(Self {
            spec: Arc::new(spec),
            events: Arc::new(events),
            told,
            files: Mutex::new(files),
        })
    }

    /// Performs the operations that are verified before timing, one after the other, and writes
    /// their answers.
    ///
    /// # Errors
    /// When one of them fails: what cannot be done once has nothing to be timed.
    pub async fn preflight(&self, load: &impl Load) -> Result<(), Failure> {
        let whole = Step::whole(&self.spec.schedule);
        let step = self.spec.schedule.steps.first().unwrap_or(&whole);
        let limit = Duration::from_nanos(self.spec.limits.operation_ns);
        for (name, &count) in &self.spec.verify.preflight {
            // Names live as long as the process: there are a few.
            let operation: &'static str = name.clone().leak();
            for tick in 0..count {
                let mut call = Call {
                    operation,
                    phase: Phase::Preflight,
                    step,
                    tick,
                    lane: 0,
                    is_answered: true,
                    intended_ns: None,
                    start_ns: now_ns(),
                    end_ns: None,
                };
                let outcome = tokio::time::timeout(limit, load.perform(&mut call)).await?;
                call.end_ns.get_or_insert_with(now_ns);
                if let Some(fault) = outcome.fault {
                    let what = format!("preflight {name}: {}: {}", fault.class, fault.message);
                    return Err(what.into());
                }
                self.write_answer(&call, outcome)?;
            }
        }
        self.files().answers.flush()?;
        Ok(())
    }

    /// Says `ready`: this client is connected and waits for its start.
    pub fn ready(&self, ready: &Ready<'_>) {
        self.events.ready(ready);
    }

    /// Waits for the start and carries out the schedule. Returns when everything due has ended or
    /// was given up, or soon after a stop. With `barrier` the lanes of a tick of a closed loop begin
    /// together, when all have ended the one before.
    ///
    /// # Errors
    /// When something could not be written down.
    pub async fn drive<L: Load>(
        self: &Arc<Self>,
        load: Arc<L>,
        barrier: bool,
    ) -> Result<(), Failure> {
        let driver = Driver::new(Arc::clone(self), load, barrier);
        let client = Arc::clone(self);
        let progress = tokio::spawn(async move {
            loop {
                tokio::time::sleep(PROGRESS_EVERY).await;
                let records = client.files().recorder.count();
                client.events.progress(records, &[]);
            }
        });
        driver.run().await;
        progress.abort();
        // It holds a part in this client, which `done` wants whole.
        let _ = progress.await;
        self.files()
            .failure
            .take()
            .map_or(Ok(()), |error| Err(error.into()))
    }

    /// Says why this client gives up; the caller then exits with another code than 0.
    pub fn fatal(&self, class: &str, message: &str) {
        self.events.error(&ErrorSeen {
            class: class.to_owned(),
            status: Status::Error,
            message: message.to_owned(),
            scope: Scope::Fatal,
            operation: "",
            intended_ns: None,
        });
    }

    /// Completes the files and says `done`; the caller exits with 0.
    ///
    /// # Errors
    /// When a file cannot be completed, or the client is still driven.
    pub fn done(self: Arc<Self>) -> Result<(), Failure> {
        let Some(client) = Arc::into_inner(self) else {
            return Err("lanes are still at work".into());
        };
        let files = client
            .files
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let records = files.recorder.finish()?;
        let (answers, checksum) = files.answers.finish()?;
        client.events.done(records, answers, &checksum);
        Ok(())
    }

    pub(super) fn told(&self) -> watch::Receiver<CoreMessages> {
        self.told.clone()
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.told.borrow().is_stopped
    }

    pub(super) fn say_step(&self, name: &str, begin_ns: u64, end_ns: u64) {
        self.events.step(name, begin_ns, end_ns);
    }

    /// Records a call, says its fault, and writes its answer.
    pub(super) fn settle(&self, call: &Call<'_>, outcome: Outcome, code: u8) {
        let intended_ns = call.intended_ns.unwrap_or(call.start_ns);
        let written = self.files().recorder.record(&Record {
            intended_ns,
            start_ns: call.start_ns,
            end_ns: call.end_ns.unwrap_or_else(now_ns),
            size: outcome.size,
            op: code,
            status: outcome.status,
            lane: call.lane,
        });
        self.note(written);
        self.tell(call, &outcome);
        if call.is_answered && outcome.answer.is_some() {
            let written = self.write_answer(call, outcome);
            self.note(written);
        }
    }

    /// Says what failed of a call, if anything did.
    pub(super) fn tell(&self, call: &Call<'_>, outcome: &Outcome) {
        if let Some(fault) = &outcome.fault {
            self.events.error(&ErrorSeen {
                class: fault.class.clone(),
                status: outcome.status,
                message: fault.message.clone(),
                scope: Scope::Call,
                operation: call.operation,
                intended_ns: Some(call.intended_ns.unwrap_or(call.start_ns)),
            });
        }
    }

    fn write_answer(&self, call: &Call<'_>, outcome: Outcome) -> io::Result<()> {
        let Some(answer) = outcome.answer else {
            return Err(io::Error::other(format!(
                "{} has no answer",
                call.operation
            )));
        };
        self.files().answers.write(&Answer {
            phase: call.phase,
            operation: call.operation,
            tick: call.tick,
            start_ns: call.start_ns,
            end_ns: call.end_ns.unwrap_or(call.start_ns),
            answer,
        })
    }

    /// Keeps the first failure to write something down.
    fn note(&self, written: io::Result<()>) {
        if let Err(error) = written {
            self.files().failure.get_or_insert(error);
        }
    }

    fn files(&self) -> std::sync::MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
