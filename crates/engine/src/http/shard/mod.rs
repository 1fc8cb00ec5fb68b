//! One thread's lanes: an event loop with a keep-alive connection for each.
//!
//! A socket is read once for each event, into a buffer that all connections share, and written
//! once for each request: a request costs two system calls and a share of one `epoll_wait`.

mod closed;
mod connecting;
mod exchanging;
mod lane;
mod open;
mod ramp;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use mio::Poll;
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::schedule::Loop;
use wirelab_sdk::status::Status;

use self::closed::Closed;
use self::lane::Lane;
use self::ramp::Ramp;
use super::plan::HttpPlan;
use super::response::Timings;
use super::spans::Spans;
use crate::load::event_loop::{EventLoop, LoopHandler};
use crate::load::findings::Findings;
use crate::load::send_schedule::SendSchedule;
use crate::load::shard_runner::ShardWork;
use crate::load::thread_messages::{IntervalLine, Totals};
use crate::net::Ready;
use crate::net::dial::Dialer;

const BUFFER_BYTES: usize = 64 * 1024;

/// Event that the next request of a lane waits for.
enum Pace {
    /// The start.
    Start,
    /// Its time.
    Open(SendSchedule),
    /// The end of the last one.
    Closed(Closed),
    /// The same, as long as its lane is there.
    Ramp(Ramp),
}

/// The lanes of one thread. Times are nanoseconds of CLOCK_MONOTONIC.
pub struct HttpShard {
    plan: Arc<HttpPlan>,
    event_loop: EventLoop,
    dialer: Dialer,
    buffer: Box<[u8]>,
    timings: Timings,
    lanes: Vec<Lane>,
    /// Index of each user among the lanes, if it is one of this thread.
    places: Vec<Option<u32>>,
    /// First connections, by the time they are due.
    joins: VecDeque<(u64, usize)>,
    pace: Pace,
    /// Requests due and not ended.
    outstanding: usize,
    /// First connections due and not made.
    joining: usize,
    connected: usize,
    step_names: Vec<Arc<str>>,
    spans: Spans,
    totals: Totals,
    findings: Findings,
}

impl HttpShard {
    /// A shard of these users, none of them connected.
    pub fn new(poll: Poll, plan: Arc<HttpPlan>, users: &[u32]) -> io::Result<Self> {
        let mut places = vec![None; plan.users as usize];
        for (index, user) in users.iter().enumerate() {
            places[*user as usize] = Some(index as u32);
        }
        let closed = plan.schedule.kind == Loop::Closed;
        let named = plan.schedule.steps.iter().filter(|_| closed);
        Ok(Self {
            event_loop: EventLoop::new(poll)?,
            dialer: Dialer::new(&plan.target),
            spans: Spans::new(&plan.by_second),
            step_names: named.map(|step| step.name.as_str().into()).collect(),
            lanes: users.iter().map(|user| Lane::new(*user)).collect(),
            places,
            plan,
            buffer: vec![0; BUFFER_BYTES].into(),
            timings: Timings::default(),
            joins: VecDeque::new(),
            pace: Pace::Start,
            outstanding: 0,
            joining: 0,
            connected: 0,
            totals: Totals::default(),
            findings: Findings::default(),
        })
    }

    /// A request of a lane has ended; `lost`: its connection has, too.
    fn performed(&mut self, index: usize, end_ns: u64, lost: bool) {
        match self.pace {
            Pace::Closed(_) => self.performed_in_step(index, end_ns, lost),
            Pace::Ramp(_) => self.performed_in_ramp(index, end_ns, lost),
            _ => {}
        }
    }

    fn place(&self, user: u64) -> Option<usize> {
        let place = self.places.get(usize::try_from(user).ok()?)?;
        place.map(|place| place as usize)
    }
}

impl LoopHandler for HttpShard {
    const EXPIRE_NS: u64 = 20_000_000;

    fn event_loop(&mut self) -> &mut EventLoop {
        &mut self.event_loop
    }

    fn next_ns(&self) -> u64 {
        let paced_ns = match &self.pace {
            Pace::Start => u64::MAX,
            Pace::Open(agenda) => agenda.next_ns(),
            Pace::Closed(closed) => closed.next_ns(),
            Pace::Ramp(ramp) => ramp.next_ns(),
        };
        let join_ns = self.joins.front().map_or(u64::MAX, |(at_ns, _)| *at_ns);
        paced_ns.min(join_ns)
    }

    /// In a closed loop nothing is due between two events.
    fn is_timed(&self) -> bool {
        matches!(self.pace, Pace::Open(_))
    }

    fn do_due(&mut self, now: u64) {
        match self.pace {
            Pace::Start => {}
            Pace::Open(_) => self.ask_due(now),
            Pace::Closed(_) => self.advance_closed(now),
            Pace::Ramp(_) => self.advance_ramp(now),
        }
    }

    fn do_first_chore(&mut self) -> bool {
        let Some((at_ns, index)) = self.joins.front().copied() else {
            return false;
        };
        if at_ns > now_ns() {
            return false;
        }
        self.joins.pop_front();
        self.join(index, at_ns);
        true
    }

    fn expire(&mut self, now: u64) {
        self.give_up_late(now);
    }

    fn happened(&mut self, index: usize, ready: Ready) {
        self.exchange(index, ready);
    }

    fn end_turn(&mut self) {
        self.join_next();
    }
}

impl ShardWork for HttpShard {
    /// All at once: TCP asks again where a server's queue is full.
    const WAVE: usize = usize::MAX;

    fn users(&self) -> usize {
        self.lanes.len()
    }

    fn connected(&self) -> usize {
        self.connected
    }

    fn joining(&self) -> usize {
        self.joining
    }

    fn plan_join(&mut self, index: usize, at_ns: u64) {
        self.joining += 1;
        self.joins.push_back((at_ns, index));
        self.event_loop.wake_by(at_ns);
    }

    fn start(&mut self, start_ns: u64) {
        let plan = Arc::clone(&self.plan);
        self.spans.begin(start_ns);
        if plan.schedule.kind == Loop::Closed {
            self.pace = if plan.schedule.is_ramp() {
                Pace::Ramp(Ramp::new(&plan.schedule.steps, start_ns))
            } else {
                Pace::Closed(Closed::new(start_ns))
            };
            self.note_next_due();
            return;
        }
        let lanes = plan.schedule.lanes();
        let own = self.lanes.iter().map(|lane| lane.user);
        let own = own.filter(|user| u64::from(*user) < lanes);
        self.pace = Pace::Open(SendSchedule::new(plan.schedule.clone(), start_ns, own));
        for join in plan.schedule.joins() {
            if let Some(index) = self.place(join.user) {
                self.plan_join(index, start_ns + join.offset_ns);
            }
        }
        self.note_next_due();
    }

    fn is_finished(&self) -> bool {
        match &self.pace {
            Pace::Start => false,
            Pace::Open(agenda) => agenda.is_over() && self.joining == 0 && self.outstanding == 0,
            Pace::Closed(closed) => closed.is_over(),
            Pace::Ramp(ramp) => ramp.is_over() && self.outstanding == 0,
        }
    }

    fn take_reached(&mut self) -> Option<u64> {
        match &mut self.pace {
            Pace::Closed(closed) => closed.take_reached(),
            _ => None,
        }
    }

    fn go(&mut self) {
        self.go_on_closed();
    }

    fn give_up(&mut self) {
        let now = now_ns();
        self.joins.clear();
        match &mut self.pace {
            Pace::Closed(closed) => closed.end(),
            Pace::Ramp(ramp) => ramp.end(),
            _ => {}
        }
        self.give_up_all(now);
        for index in 0..self.lanes.len() {
            self.joined(index, Status::Timeout);
        }
        self.joining = 0;
    }

    fn close(&mut self) -> io::Result<()> {
        for lane in &mut self.lanes {
            lane.hang_up();
        }
        self.connected = 0;
        Ok(())
    }

    fn findings(&mut self) -> &mut Findings {
        &mut self.findings
    }

    fn lines(&mut self, all: bool) -> Vec<IntervalLine> {
        if all {
            self.spans.all(&self.step_names)
        } else {
            self.spans.settled(now_ns(), &self.step_names)
        }
    }

    fn totals(&self) -> Totals {
        self.totals
    }
}
