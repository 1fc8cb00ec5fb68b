//! Parts that closed and open loops have in common: a call of a lane, its limits, and its record.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, timeout_at};

use crate::answers::Phase;
use crate::asked::EndedOperation;
use crate::clock::now_ns;
use crate::schedule::Step;
use crate::status::Status;

use super::call::{Call, Load, Outcome};
use super::client::{Client, CoreMessages};

/// Message about a call that had begun.
pub(super) const NO_END: &str = "no end in time: given up";

/// An operation of the spec.
pub(super) struct DriverOperation {
    pub(super) name: &'static str,
    pub(super) code: u8,
    pub(super) every: u64,
}

/// Carries out one load.
pub(super) struct Driver<L> {
    pub(super) client: Arc<Client>,
    pub(super) load: Arc<L>,
    pub(super) barrier: bool,
    /// Operations due at ticks, in the order of their codes.
    pub(super) at_ticks: Vec<DriverOperation>,
    /// The one due at joins.
    joining: Option<DriverOperation>,
    /// Operations due once a step, by every user.
    pub(super) each_step: Vec<DriverOperation>,
    /// The latest end of a call.
    pub(super) last_ns: AtomicU64,
}

/// Tells lanes that what they do is to be given up.
pub(super) type Cut = watch::Receiver<bool>;

/// A lane's place in the schedule for one call.
pub(super) struct Due<'a> {
    pub(super) step: &'a Step,
    pub(super) tick: u64,
    pub(super) lane: u16,
    /// Time at which it was due, where it had one.
    pub(super) intended_ns: Option<u64>,
}

impl<L> Driver<L> {
    pub(super) fn new(client: Arc<Client>, load: Arc<L>, barrier: bool) -> Arc<Self> {
        let spec = &client.spec;
        let by_code: BTreeMap<u8, (&String, &crate::spec::Operation)> = spec
            .operations
            .iter()
            .filter(|(_, entry)| entry.has_records())
            .map(|(name, entry)| (entry.code, (name, entry)))
            .collect();
        let (mut at_ticks, mut each_step, mut joining) = (Vec::new(), Vec::new(), None);
        for (code, (name, entry)) in by_code {
            let operation = DriverOperation {
                // Names live as long as the process: there are a few.
                name: name.clone().leak(),
                code,
                every: entry.every.max(1),
            };
            match entry.due.as_deref() {
                None | Some("tick") => at_ticks.push(operation),
                Some("join") => joining = Some(operation),
                Some("step") => each_step.push(operation),
                Some(_) => {}
            }
        }
        Arc::new(Self {
            client,
            load,
            barrier,
            at_ticks,
            joining,
            each_step,
            last_ns: AtomicU64::new(0),
        })
    }

    /// Signal that tells lanes to give up what they are at, some time after a stop; and the task
    /// behind it.
    pub(super) fn cut_after_stop(&self) -> (Cut, JoinHandle<()>) {
        let (cutter, cut) = watch::channel(false);
        let stop_ns = self.client.spec.limits.stop_ns;
        let mut told = self.client.told();
        let giving_up = tokio::spawn(async move {
            // Without a sender, the core has gone.
            let _ = told.wait_for(|told| told.is_stopped).await;
            // A call may end by itself; most of the limit is for writing and leaving.
            tokio::time::sleep(Duration::from_nanos(stop_ns / 4)).await;
            let _ = cutter.send(true);
        });
        (cut, giving_up)
    }

    /// Time of tick 0, once it is there; none when the core stops before.
    pub(super) async fn started(&self) -> Option<u64> {
        let mut told = self.client.told();
        let known = told
            .wait_for(|told| told.is_stopped || told.start_ns.is_some())
            .await;
        let CoreMessages { start_ns, .. } = *known.ok()?;
        let left = Duration::from_nanos(start_ns?.saturating_sub(now_ns()));
        let stopped = told.wait_for(|told| told.is_stopped);
        tokio::time::timeout(left, stopped)
            .await
            .is_err()
            .then_some(start_ns?)
    }

    /// Gives up what a lane is due to at a tick, before it has begun.
    pub(super) fn leave_tick(&self, due: &Due<'_>) {
        for operation in self.due_at(due.tick) {
            self.leave(due, operation);
        }
    }

    /// Gives up connecting a user, before it has begun.
    pub(super) fn leave_join(&self, due: &Due<'_>) {
        if let Some(joining) = &self.joining {
            self.leave(due, joining);
        }
    }

    fn leave(&self, due: &Due<'_>, operation: &DriverOperation) {
        let mut call = self.call(due, operation.name);
        call.begin();
        call.end_ns = Some(call.start_ns);
        let outcome = given_up("not begun when time was up");
        self.settle(&mut call, Some(outcome), operation.code);
    }

    pub(super) fn due_at(&self, tick: u64) -> impl Iterator<Item = &DriverOperation> {
        let is_due = move |operation: &&DriverOperation| tick.is_multiple_of(operation.every);
        self.at_ticks.iter().filter(is_due)
    }

    pub(super) fn call<'a>(&self, due: &Due<'a>, operation: &'static str) -> Call<'a> {
        Call {
            operation,
            phase: Phase::Measure,
            step: due.step,
            tick: due.tick,
            lane: due.lane,
            intended_ns: due.intended_ns,
            start_ns: 0,
            end_ns: None,
        }
    }

    /// Stamps the end of a call unless it has one, and records it; returns what came of it.
    pub(super) fn settle(
        &self,
        call: &mut Call<'_>,
        outcome: Option<Outcome>,
        code: u8,
    ) -> Outcome {
        let outcome = outcome.unwrap_or_else(|| {
            call.end();
            given_up(NO_END)
        });
        let end_ns = *call.end_ns.get_or_insert_with(now_ns);
        self.last_ns.fetch_max(end_ns, Ordering::Relaxed);
        self.client.settle(call, &outcome, code);
        outcome
    }

    /// Result of a call; none when it had to be given up.
    pub(super) async fn within(
        &self,
        call: impl Future<Output = Outcome>,
        latest: Instant,
        cut: &mut Cut,
    ) -> Option<Outcome> {
        let limit = Instant::now() + Duration::from_nanos(self.client.spec.limits.operation_ns);
        tokio::select! {
            biased;
            outcome = timeout_at(limit.min(latest), call) => outcome.ok(),
            _ = cut.wait_for(|cut| *cut) => None,
        }
    }
}

impl<L: Load> Driver<L> {
    /// Waits for tick 0, and carries out the schedule.
    pub(super) async fn run(self: &Arc<Self>) {
        let (cut, giving_up) = self.cut_after_stop();
        if let Some(start_ns) = self.started().await {
            if let Some(arrivals) = self.load.arrivals() {
                arrivals.started(start_ns);
            }
            if self.client.spec.schedule.is_closed() {
                self.closed_loop(&cut).await;
            } else {
                self.open_loop(&cut, start_ns).await;
            }
        }
        giving_up.abort();
    }

    /// Performs what a lane is due to at a tick, one operation after the other.
    pub(super) async fn tick(&self, due: &Due<'_>, latest: Instant, cut: &mut Cut) {
        for operation in self.due_at(due.tick) {
            let mut call = self.call(due, operation.name);
            self.client.let_go(due.lane);
            call.begin();
            let outcome = self.within(self.load.perform(&mut call), latest, cut).await;
            let outcome = self.settle(&mut call, outcome, operation.code);
            self.client.keep(due.lane, [ended(&call, outcome)]);
        }
    }

    /// Connects a user. Without an operation of its own it is not recorded.
    pub(super) async fn join(&self, due: &Due<'_>, latest: Instant, cut: &mut Cut) {
        let mut call = self.call(
            due,
            self.joining.as_ref().map_or("", |joining| joining.name),
        );
        call.begin();
        let outcome = self.within(self.load.join(&mut call), latest, cut).await;
        match &self.joining {
            Some(joining) => {
                self.settle(&mut call, outcome, joining.code);
            }
            None => self
                .client
                .tell(&call, &outcome.unwrap_or_else(|| given_up(NO_END))),
        }
    }
}

/// Returns when all lanes have ended. One that panicked takes the worker with it: nobody would record
/// what it was still due to.
pub(super) async fn all_ended(mut lanes: JoinSet<()>) {
    while let Some(ended) = lanes.join_next().await {
        if let Err(failed) = ended
            && failed.is_panic()
        {
            resume_unwind(failed.into_panic());
        }
    }
}

/// Operation as it is kept of a call that has ended.
pub(super) fn ended(call: &Call<'_>, outcome: Outcome) -> EndedOperation {
    EndedOperation {
        operation: call.operation,
        tick: call.tick,
        start_ns: call.start_ns,
        end_ns: call.end_ns.unwrap_or(call.start_ns),
        answer: outcome.answer,
    }
}

pub(super) fn given_up(said: &str) -> Outcome {
    Outcome::failed(Status::Timeout, "GivenUp", said.to_owned())
}
