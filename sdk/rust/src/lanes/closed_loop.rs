//! Closed loop: steps one after the other, a lane's next operation when its last one has ended.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::clock::now_ns;
use crate::recorder::Record;
use crate::schedule::Step;
use crate::status::Status;

use super::call::{Arrivals, Load};
use super::driver::{Cut, Driver, Due, all_ended};

/// Between two looks whether all has come; when it did is known to the nanosecond.
const POLL: Duration = Duration::from_millis(1);

impl<L: Load> Driver<L> {
    pub(super) async fn closed_loop(self: &Arc<Self>, cut: &Cut) {
        let mut users = 0;
        let steps = &self.client.spec.schedule.steps;
        for (number, step) in steps.iter().enumerate() {
            let latest = self.latest(step.users);
            for user in users..step.users {
                if !self.client.is_stopped() {
                    let (tick, lane) = (step.first, narrowed(user));
                    let due = Due {
                        step,
                        tick,
                        lane,
                        intended_ns: None,
                    };
                    self.join(&due, latest, &mut cut.clone()).await;
                }
            }
            users = users.max(step.users);
            let (begins, ends) = (step.first + step.settle, step.first + step.count);
            self.perform_phase(number, step.first..begins, false, cut)
                .await;
            let begin_ns = now_ns();
            self.perform_phase(number, begins..ends, true, cut).await;
            // A step that was stopped has not ended.
            if self.client.is_stopped() {
                return;
            }
            // Not when this task hears of it: in short steps that would be part of the figure.
            let mut end_ns = self.last_ns.load(Ordering::Relaxed).max(begin_ns + 1);
            if let Some(arrivals) = self.load.arrivals() {
                end_ns = end_ns.max(arrivals.last_ns());
                self.record_receipts(step, begin_ns, end_ns, arrivals);
            }
            self.client.say_step(&step.name, begin_ns, end_ns);
        }
    }

    /// Performs ticks of a step on all of its lanes, and waits for what they bring to others.
    async fn perform_phase(
        self: &Arc<Self>,
        number: usize,
        ticks: Range<u64>,
        counts: bool,
        cut: &Cut,
    ) {
        let step = &self.client.spec.schedule.steps[number];
        let count = step.lanes;
        let latest = self.latest(ticks.end - ticks.start);
        if let Some(arrivals) = self.load.arrivals() {
            arrivals.begin(step, counts);
        }
        let rounds = Arc::new(Barrier::new(usize::try_from(count).unwrap_or(1)));
        let mut lanes = JoinSet::new();
        for lane in 0..count {
            let (driver, rounds) = (Arc::clone(self), Arc::clone(&rounds));
            let (ticks, cut) = (ticks.clone(), cut.clone());
            lanes.spawn(async move {
                driver
                    .lane(narrowed(lane), number, ticks, &rounds, latest, cut)
                    .await;
            });
        }
        all_ended(lanes).await;
        if let Some(arrivals) = self.load.arrivals() {
            self.all_arrived(arrivals, latest).await;
        }
    }

    /// Returns when all that was handed over has come, or nothing has for as long as an operation may take.
    pub(super) async fn all_arrived(&self, arrivals: &dyn Arrivals, latest: Instant) {
        let limit_ns = self.client.spec.limits.operation_ns;
        while !arrivals.is_complete()
            && !self.client.is_stopped()
            && Instant::now() < latest
            && now_ns() < arrivals.last_ns().saturating_add(limit_ns)
        {
            sleep(POLL).await;
        }
    }

    /// Records what every user has once a step.
    fn record_receipts(&self, step: &Step, begin_ns: u64, end_ns: u64, arrivals: &dyn Arrivals) {
        for operation in &self.each_step {
            for lane in (0..step.users).map(narrowed) {
                let done = arrivals.completed_ns(lane);
                self.client.record(&Record {
                    intended_ns: begin_ns,
                    start_ns: begin_ns,
                    end_ns: done.unwrap_or(end_ns).min(end_ns),
                    size: 0,
                    op: operation.code,
                    status: done.map_or(Status::Timeout, |_| Status::Ok),
                    lane,
                });
            }
        }
    }

    async fn lane(
        &self,
        lane: u16,
        number: usize,
        ticks: Range<u64>,
        rounds: &Barrier,
        latest: Instant,
        mut cut: Cut,
    ) {
        let step = &self.client.spec.schedule.steps[number];
        for tick in ticks {
            if self.barrier {
                // Who has left is not waited for for ever.
                tokio::select! {
                    biased;
                    _ = rounds.wait() => {}
                    () = self.over(latest) => return,
                }
            }
            if self.client.is_stopped() || Instant::now() >= latest {
                return;
            }
            let due = Due {
                step,
                tick,
                lane,
                intended_ns: None,
            };
            self.tick(&due, latest, &mut cut).await;
        }
    }

    /// Returns when lanes are to perform nothing more.
    async fn over(&self, latest: Instant) {
        let mut told = self.client.told();
        tokio::select! {
            () = sleep_until(latest) => {}
            _ = told.wait_for(|told| told.is_stopped) => {}
        }
    }

    /// Time by which so many ticks have to be over, by the contract.
    fn latest(&self, ticks: u64) -> Instant {
        let spec = &self.client.spec;
        let bound_ns = spec.schedule.at_most_ns(ticks, spec.limits.operation_ns);
        Instant::now() + Duration::from_nanos(bound_ns)
    }
}

/// Lanes are 16 bits in the sample file.
pub(super) fn narrowed(lane: u64) -> u16 {
    u16::try_from(lane).unwrap_or(u16::MAX)
}
