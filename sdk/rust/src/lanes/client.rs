//! The life of a client: connect, preflight, `ready`, the schedule, `done`.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::answers::{Answer, Answers, Phase};
use crate::asked::{AskedAnswers, EndedOperation};
use crate::clock::now_ns;
use crate::commands::{Command, listen};
use crate::events::{ErrorSeen, Events, Ready, Scope};
use crate::recorder::{Record, Recorder};
use crate::schedule::Step;
use crate::spec::Spec;

use super::call::{Call, Load, Outcome};
use super::driver::Driver;
use super::paced::{PacedLoad, Prepared};
use super::shared_recorder::SharedRecorder;

/// Reason for which a client gives up.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// Messages of the core so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CoreMessages {
    pub(super) start_ns: Option<u64>,
    pub(super) is_stopped: bool,
}

/// A role that is measured.
pub struct Client {
    /// Spec of what the core asks for.
    pub spec: Arc<Spec>,
    events: Arc<Events>,
    told: watch::Receiver<CoreMessages>,
    recorder: Arc<SharedRecorder>,
    /// The first failure to write something down.
    failure: Mutex<Option<io::Error>>,
    pub(super) asked: Arc<AskedAnswers>,
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
        let client = Self::of(spec, events, told)?;
        let asked = Arc::clone(&client.asked);
        listen(move |command| match command {
            Command::Start(at_ns) => teller.send_modify(|told| told.start_ns = Some(at_ns)),
            Command::Stop => teller.send_modify(|told| told.is_stopped = true),
            Command::Answer(asking) => {
                // What the file does not take is seen again when it is completed.
                if let Err(error) = asked.hear(asking) {
                    eprintln!("cannot write an answer: {error}");
                }
            }
        });
        Ok(client)
    }

    pub(super) fn of(
        spec: Spec,
        events: Events,
        told: watch::Receiver<CoreMessages>,
    ) -> io::Result<Self> {
        let recorder = Arc::new(SharedRecorder::of(Recorder::create(&spec.paths.samples)?));
        let lanes = spec.schedule.users().unwrap_or(1);
        let lanes = lanes.max(spec.schedule.lanes());
        let published = Arc::clone(&recorder);
        let publish = move || published.publish();
        let answers = Answers::create(&spec.paths.answers)?;
        let asked = AskedAnswers::new(answers, Box::new(publish), lanes);
        Ok(Self {
            spec: Arc::new(spec),
            events: Arc::new(events),
            told,
            recorder,
            failure: Mutex::default(),
            asked: Arc::new(asked),
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
                self.asked.add(&answer_of(&call, outcome)?)?;
            }
        }
        Ok(self.asked.flush()?)
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
        self.telling_progress(async { driver.run().await }).await
    }

    /// Carries something out, and tells meanwhile how far it is.
    async fn telling_progress(
        self: &Arc<Self>,
        carried_out: impl Future<Output = ()>,
    ) -> Result<(), Failure> {
        let client = Arc::clone(self);
        let progress = tokio::spawn(async move {
            loop {
                tokio::time::sleep(PROGRESS_EVERY).await;
                let records = client.recorder.count();
                client.events.progress(records, &[]);
            }
        });
        carried_out.await;
        progress.abort();
        // It holds a part in this client, which `done` wants whole.
        let _ = progress.await;
        self.failure()
            .take()
            .map_or(Ok(()), |error| Err(error.into()))
    }

    /// Like [`Self::preflight`] of a client on ticks: each operation is prepared just before it.
    ///
    /// # Errors
    /// When one of them fails, or is nothing that can be done.
    pub async fn preflight_on_ticks<L: PacedLoad>(&self, load: &Arc<L>) -> Result<(), Failure> {
        self.preflight(&Prepared(Arc::clone(load))).await
    }

    /// Waits for the start and carries out a paced schedule: what is due at a tick is issued together,
    /// and the next tick begins when all of it has ended or was given up. Returns as [`Self::drive`] does.
    ///
    /// # Errors
    /// When something could not be written down.
    pub async fn follow<L: PacedLoad>(self: &Arc<Self>, load: Arc<L>) -> Result<(), Failure> {
        let driver = Driver::new(Arc::clone(self), load, false);
        self.telling_progress(async { driver.follow().await }).await
    }

    /// Says why this client gives up; the caller then exits with another code than 0.
    pub fn fatal(&self, class: &str, message: &str) {
        self.events.fatal(class, message);
    }

    /// Completes the files and says `done`; the caller exits with 0.
    ///
    /// # Errors
    /// When a file cannot be completed, or the client is still driven.
    pub fn done(self: Arc<Self>) -> Result<(), Failure> {
        let Some(client) = Arc::into_inner(self) else {
            return Err("the client is to end while its lanes are still at work".into());
        };
        let (answers, checksum) = client.asked.finish()?;
        let records = client.recorder.publish()?;
        client.events.done(records, answers, &checksum);
        Ok(())
    }

    pub(super) fn told(&self) -> watch::Receiver<CoreMessages> {
        self.told.clone()
    }

    /// Tells whether the core has said stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.told.borrow().is_stopped
    }

    pub(super) fn say_step(&self, name: &str, begin_ns: u64, end_ns: u64) {
        self.events.step(name, begin_ns, end_ns);
    }

    /// A lane begins its next call: what the last one brought is let go.
    pub(super) fn let_go(&self, lane: u16) {
        self.asked.begin(lane.into());
    }

    /// Keeps what the calls of a lane at a tick brought, and answers what was asked of them.
    pub(super) fn keep(&self, lane: u16, ended: impl IntoIterator<Item = EndedOperation>) {
        let written = self.asked.end(lane.into(), ended);
        self.note(written);
    }

    /// Records a call, and says its fault.
    pub(super) fn settle(&self, call: &Call<'_>, outcome: &Outcome, code: u8) {
        let intended_ns = call.intended_ns.unwrap_or(call.start_ns);
        self.record(&Record {
            intended_ns,
            start_ns: call.start_ns,
            end_ns: call.end_ns.unwrap_or_else(now_ns),
            size: outcome.size,
            op: code,
            status: outcome.status,
            lane: call.lane,
        });
        self.tell(call, outcome);
    }

    /// Writes a record down.
    pub(super) fn record(&self, record: &Record) {
        let written = self.recorder.record(record);
        self.note(written);
    }

    /// Says what failed of a call and of its items, if anything did.
    pub(super) fn tell(&self, call: &Call<'_>, outcome: &Outcome) {
        let of_items = outcome.items.iter().map(|fault| (fault, Scope::Item));
        let of_call = outcome.fault.iter().map(|fault| (fault, Scope::Call));
        for (fault, scope) in of_call.chain(of_items) {
            self.events.error(&ErrorSeen {
                class: fault.class.clone(),
                status: outcome.status,
                message: fault.message.clone(),
                scope,
                operation: call.operation,
                intended_ns: Some(call.intended_ns.unwrap_or(call.start_ns)),
            });
        }
    }

    /// Keeps the first failure to write something down.
    fn note(&self, written: io::Result<()>) {
        if let Err(error) = written {
            self.failure().get_or_insert(error);
        }
    }

    fn failure(&self) -> MutexGuard<'_, Option<io::Error>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn answer_of(call: &Call<'_>, outcome: Outcome) -> io::Result<Answer> {
    let Some(words) = outcome.answer else {
        return Err(io::Error::other(format!(
            "the preflight of {} brought no answer to verify",
            call.operation
        )));
    };
    Ok(Answer {
        phase: call.phase,
        operation: call.operation,
        tick: call.tick,
        start_ns: call.start_ns,
        end_ns: call.end_ns.unwrap_or(call.start_ns),
        answer: words(),
    })
}
