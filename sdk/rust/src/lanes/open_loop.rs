//! Open loop: every lane at its intended times, one operation at a time. A lane that is late performs
//! the next one at once; none is left out. What it has not begun when the time of the schedule is up,
//! it gives up.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::clock::now_ns;
use crate::schedule::{Lane, Step};

use super::call::Load;
use super::client::Client;
use super::closed_loop::narrowed;
use super::driver::{Cut, Driver, Due, all_ended};

/// A stop is noticed at least this often.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// Call that a user is due to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DueCall {
    intended_ns: u64,
    user: u64,
    /// None: to join.
    tick: Option<u64>,
}

impl<L: Load> Driver<L> {
    pub(super) async fn open_loop(self: &Arc<Self>, cut: &Cut, start_ns: u64) {
        let schedule = &self.client.spec.schedule;
        let users = schedule.users().unwrap_or(1).max(schedule.lanes());
        let last_ns = schedule.first_ns + schedule.count * schedule.period_ns;
        let bound_ns = last_ns + self.client.spec.limits.operation_ns;
        let left_ns = (start_ns + bound_ns).saturating_sub(now_ns());
        let latest = Instant::now() + Duration::from_nanos(left_ns);
        let mut lanes = JoinSet::new();
        let mut inboxes = Vec::new();
        for user in 0..users {
            let (sender, inbox) = unbounded_channel();
            inboxes.push(sender);
            let (driver, cut) = (Arc::clone(self), cut.clone());
            lanes.spawn(async move { driver.live(narrowed(user), inbox, latest, cut).await });
        }
        let client = Arc::clone(&self.client);
        // The runtime's timer counts milliseconds; a thread that sleeps is exact to microseconds.
        let clock = thread::spawn(move || announce(&client, start_ns, &inboxes));
        all_ended(lanes).await;
        let _ = clock.join();
        if let Some(arrivals) = self.load.arrivals() {
            self.all_arrived(arrivals, latest).await;
        }
    }

    /// Performs what a user is due to, in that order; what is left at the latest, it gives up.
    async fn live(
        &self,
        user: u16,
        mut inbox: UnboundedReceiver<DueCall>,
        latest: Instant,
        mut cut: Cut,
    ) {
        let schedule = &self.client.spec.schedule;
        let whole = Step::whole(schedule);
        while let Some(moment) = inbox.recv().await {
            if self.client.is_stopped() {
                return;
            }
            let tick = moment.tick.unwrap_or(0);
            let step = schedule.step_at(tick).map_or(&whole, |(_, step)| step);
            let due = Due {
                step,
                tick,
                lane: user,
                intended_ns: Some(moment.intended_ns),
            };
            match (moment.tick.is_some(), Instant::now() < latest) {
                (true, true) => self.tick(&due, latest, &mut cut).await,
                (true, false) => self.leave_tick(&due),
                (false, true) => self.join(&due, latest, &mut cut).await,
                (false, false) => self.leave_join(&due),
            }
        }
    }
}

/// Tells every user what it is due to when it is due, until a stop.
fn announce(client: &Client, start_ns: u64, inboxes: &[UnboundedSender<DueCall>]) {
    let schedule = &client.spec.schedule;
    let mut lanes: Vec<Lane> = (0..schedule.lanes())
        .map(|number| schedule.lane(number))
        .collect();
    // Within a tick, the order of their times.
    lanes.sort_by_key(|lane| lane.phase_ns);
    let mut joins = schedule.joins().into_iter().peekable();
    let ticks = (0..schedule.count).flat_map(|tick| {
        let due = lanes
            .iter()
            .filter(move |lane| schedule.is_due(**lane, tick));
        due.map(move |lane| (schedule.offset_ns(*lane, tick), lane.number, tick))
    });
    let tell = |offset_ns: u64, user: u64, tick: Option<u64>| {
        let intended_ns = start_ns + offset_ns;
        let going = sleep_until(client, intended_ns);
        if let Some(inbox) = usize::try_from(user)
            .ok()
            .and_then(|user| inboxes.get(user))
        {
            // A lane that has ended takes nothing more.
            let _ = inbox.send(DueCall {
                intended_ns,
                user,
                tick,
            });
        }
        going
    };
    for (offset_ns, lane, tick) in ticks {
        while let Some(join) = joins.next_if(|join| join.offset_ns <= offset_ns) {
            if !tell(join.offset_ns, join.user, None) {
                return;
            }
        }
        if !tell(offset_ns, lane, Some(tick)) {
            return;
        }
    }
    for join in joins {
        if !tell(join.offset_ns, join.user, None) {
            return;
        }
    }
}

/// Returns at `at_ns`, or soon after a stop, with false.
pub(super) fn sleep_until(client: &Client, at_ns: u64) -> bool {
    loop {
        let left = Duration::from_nanos(at_ns.saturating_sub(now_ns()));
        if client.is_stopped() {
            return false;
        }
        if left.is_zero() {
            return true;
        }
        thread::sleep(left.min(LONGEST_SLEEP));
    }
}
