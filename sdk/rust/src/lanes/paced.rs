//! The ticks of a paced schedule: what is due at one is issued together, and the next one begins when
//! all of it has ended or was given up.

use std::pin::Pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::answers::Phase;
use crate::clock::now_ns;
use crate::schedule::Step;
use crate::status::Status;

use super::call::{Call, Load, Outcome};
use super::client::Client;
use super::driver::{Cut, Driver, Due, NO_END, ended, given_up};
use super::open_loop::sleep_until;

/// The one lane of a client on ticks.
const LANE: u16 = 0;

/// Nobody asks for an answer in the last tenth of a period.
const LET_GO_SHARE: u64 = 10;

/// An operation that is ready to be performed: it begins when it is awaited.
pub type Action = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// Actions of a client on the ticks of a paced schedule. A call that takes too long is dropped.
pub trait PacedLoad: Send + Sync + 'static {
    /// Prepares an operation before its tick; none where it cannot be done then, and is not recorded.
    fn prepare(
        self: &Arc<Self>,
        operation: &'static str,
        phase: Phase,
        tick: u64,
    ) -> Option<Action>;
}

/// Each call is prepared just before it is made, which is not timed.
pub(super) struct Prepared<L>(pub(super) Arc<L>);

impl<L: PacedLoad> Load for Prepared<L> {
    async fn perform(&self, call: &mut Call<'_>) -> Outcome {
        let Some(action) = self.0.prepare(call.operation, call.phase, call.tick) else {
            let said = "this client does not have the operation".to_owned();
            return Outcome::failed(Status::Unsupported, "Unsupported", said);
        };
        call.begin();
        action.await
    }
}

/// A call that has ended, with its place among those of its tick.
struct PacedCall {
    position: usize,
    start_ns: u64,
    end_ns: u64,
    outcome: Outcome,
}

impl<L: PacedLoad> Driver<L> {
    /// Waits for tick 0, and follows the ticks.
    pub(super) async fn follow(self: &Arc<Self>) {
        let (cut, giving_up) = self.cut_after_stop();
        if let Some(start_ns) = self.started().await {
            let (clock, mut moments) = unbounded_channel();
            let client = Arc::clone(&self.client);
            // The runtime's timer counts milliseconds; a thread that sleeps is exact to microseconds.
            let announcing = thread::spawn(move || announce(&client, start_ns, &clock));
            for tick in 0..self.client.spec.schedule.count {
                if !self.follow_tick(tick, start_ns, &mut moments, &cut).await {
                    break;
                }
            }
            drop(moments);
            let _ = announcing.join();
        }
        giving_up.abort();
    }

    /// Performs what is due at a tick; false where the core stopped before.
    async fn follow_tick(
        self: &Arc<Self>,
        tick: u64,
        start_ns: u64,
        moments: &mut UnboundedReceiver<()>,
        cut: &Cut,
    ) -> bool {
        let schedule = &self.client.spec.schedule;
        let due = Due {
            step: &Step::whole(schedule),
            tick,
            lane: LANE,
            intended_ns: Some(start_ns + schedule.first_ns + tick * schedule.period_ns),
        };
        let prepare = |operation: &'static str| self.load.prepare(operation, Phase::Measure, tick);
        let actions: Vec<_> = self
            .due_at(tick)
            .filter_map(|operation| Some((operation, prepare(operation.name)?)))
            .collect();
        // First, so that to free what is kept is in nobody's time.
        if moments.recv().await.is_none() {
            return false;
        }
        self.client.let_go(LANE);
        if moments.recv().await.is_none() {
            return false;
        }
        let (operations, actions): (Vec<_>, Vec<_>) = actions.into_iter().unzip();
        let mut results = Vec::new();
        // Only now: what is written of one must not disturb the timing of another.
        for one in self.together(actions, cut).await {
            let operation = operations[one.position];
            let mut call = self.call(&due, operation.name);
            (call.start_ns, call.end_ns) = (one.start_ns, Some(one.end_ns));
            let outcome = self.settle(&mut call, Some(one.outcome), operation.code);
            results.push(ended(&call, outcome));
        }
        self.client.keep(LANE, results);
        true
    }

    /// Performs calls beside each other; they come back in the order of their ends.
    async fn together(self: &Arc<Self>, actions: Vec<Action>, cut: &Cut) -> Vec<PacedCall> {
        let limit = Duration::from_nanos(self.client.spec.limits.operation_ns);
        let latest = Instant::now() + limit;
        let mut under_way = JoinSet::new();
        for (position, action) in actions.into_iter().enumerate() {
            let (driver, mut cut) = (Arc::clone(self), cut.clone());
            under_way.spawn(async move {
                let start_ns = now_ns();
                let outcome = driver.within(action, latest, &mut cut).await;
                PacedCall {
                    position,
                    start_ns,
                    end_ns: now_ns(),
                    outcome: outcome.unwrap_or_else(|| given_up(NO_END)),
                }
            });
        }
        let mut calls = under_way.join_all().await;
        calls.sort_by_key(|call| call.end_ns);
        calls
    }
}

/// Tells when what is kept of each tick is to be let go, and when its calls are due, until a stop.
fn announce(client: &Client, start_ns: u64, moments: &UnboundedSender<()>) {
    let schedule = &client.spec.schedule;
    for tick in 0..schedule.count {
        let at_ns = start_ns + schedule.first_ns + tick * schedule.period_ns;
        for moment_ns in [at_ns - schedule.period_ns / LET_GO_SHARE, at_ns] {
            // Nobody listens any more when the ticks were given up.
            if !sleep_until(client, moment_ns) || moments.send(()).is_err() {
                return;
            }
        }
    }
}
