//! One thread's lanes: an event loop with a keep-alive connection for each.
//!
//! A socket is read once for each event, into a buffer that all connections share, and written
//! once for each request: a request costs two system calls and a share of one `epoll_wait`.

mod closed;
mod connecting;
mod exchanging;
mod lane;
mod open;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use mio::{Events, Poll, Token};
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::schedule::Loop;

use self::closed::Closed;
use self::lane::Lane;
use super::plan::Plan;
use super::response::Timings;
use super::stages::Stages;
use crate::load::agenda::Agenda;
use crate::load::findings::Findings;
use crate::load::notes::{Line, Totals};
use crate::net::dial::Dialer;
use crate::net::timer::Timer;
use crate::net::{FIRST, TIMER, WAKER};

const EVENTS: usize = 1024;
const BUFFER_BYTES: usize = 64 * 1024;
/// Between two looks for requests to be given up.
const EXPIRE_NS: u64 = 20_000_000;

/// What the next request of a lane waits for.
enum Pace {
    /// The start.
    Start,
    /// Its time.
    Open(Agenda),
    /// The end of the last one.
    Closed(Closed),
}

/// The lanes of one thread. Times are nanoseconds of CLOCK_MONOTONIC.
pub struct Shard {
    plan: Arc<Plan>,
    poll: Poll,
    events: Option<Events>,
    timer: Timer,
    dialer: Dialer,
    buffer: Box<[u8]>,
    timings: Timings,
    lanes: Vec<Lane>,
    /// Where a user is among the lanes, if it is one of this thread.
    places: Vec<Option<u32>>,
    /// Connections that had more than could be read in one turn, and whether they have ended.
    unfinished: Vec<(usize, bool)>,
    /// First connections, by the time they are due.
    joins: VecDeque<(u64, usize)>,
    pace: Pace,
    start_ns: u64,
    next_due_ns: u64,
    next_expiry_ns: u64,
    looked_ns: u64,
    lag_ns: u64,
    /// Requests due and not ended.
    outstanding: usize,
    /// First connections due and not made.
    joining: usize,
    connected: usize,
    step_names: Vec<Arc<str>>,
    stages: Stages,
    /// For `progress`.
    pub totals: Totals,
    /// What there is to write.
    pub findings: Findings,
}

impl Shard {
    /// A shard of these users, none of them connected.
    pub fn new(poll: Poll, plan: Arc<Plan>, users: &[u32]) -> io::Result<Self> {
        let timer = Timer::new(poll.registry(), TIMER)?;
        let now = now_ns();
        let mut places = vec![None; plan.users as usize];
        for (index, user) in users.iter().enumerate() {
            places[*user as usize] = Some(index as u32);
        }
        let closed = plan.schedule.kind == Loop::Closed;
        let named = plan.schedule.steps.iter().filter(|_| closed);
        Ok(Self {
            dialer: Dialer::new(&plan.target),
            stages: Stages::new(&plan.counted),
            step_names: named.map(|step| step.name.as_str().into()).collect(),
            lanes: users.iter().map(|user| Lane::new(*user)).collect(),
            places,
            plan,
            poll,
            events: Some(Events::with_capacity(EVENTS)),
            timer,
            buffer: vec![0; BUFFER_BYTES].into(),
            timings: Timings::default(),
            unfinished: Vec::new(),
            joins: VecDeque::new(),
            pace: Pace::Start,
            start_ns: now,
            next_due_ns: now,
            next_expiry_ns: now,
            looked_ns: now,
            lag_ns: 0,
            outstanding: 0,
            joining: 0,
            connected: 0,
            totals: Totals::default(),
            findings: Findings::default(),
        })
    }

    /// Tick 0 is at `start_ns`.
    pub fn start(&mut self, start_ns: u64) {
        self.start_ns = start_ns;
        let plan = Arc::clone(&self.plan);
        self.stages.begin(start_ns);
        if plan.schedule.kind == Loop::Closed {
            self.pace = Pace::Closed(Closed::default());
            self.next_due_ns = start_ns;
            return;
        }
        let lanes = plan.schedule.lanes();
        let own = self.lanes.iter().map(|lane| lane.user);
        let own = own.filter(|user| u64::from(*user) < lanes);
        self.pace = Pace::Open(Agenda::new(plan.schedule.clone(), own));
        for join in plan.schedule.joins() {
            if let Some(index) = self.place(join.user) {
                self.plan_join(index, start_ns + join.offset_ns);
            }
        }
        self.note_next_due();
    }

    /// Connects a user for the first time, at `at_ns`; not before those that were planned before.
    pub fn plan_join(&mut self, index: usize, at_ns: u64) {
        self.joining += 1;
        self.joins.push_back((at_ns, index));
        self.next_due_ns = self.next_due_ns.min(at_ns);
    }

    /// Whether everything due has ended or been given up.
    pub fn is_finished(&self) -> bool {
        match &self.pace {
            Pace::Start => false,
            Pace::Open(agenda) => {
                agenda.next().is_none() && self.joining == 0 && self.outstanding == 0
            }
            Pace::Closed(closed) => closed.is_over(),
        }
    }

    /// Number of users.
    pub fn users(&self) -> usize {
        self.lanes.len()
    }

    /// First connections that are due and have neither been made nor failed.
    pub fn joining(&self) -> usize {
        self.joining
    }

    /// Open connections.
    pub fn connected(&self) -> usize {
        self.connected
    }

    /// Lines of the interval file: of the seconds that are settled, or of `all`.
    pub fn lines(&mut self, all: bool) -> Vec<Line> {
        if all {
            self.stages.all(&self.step_names)
        } else {
            self.stages.settled(now_ns(), &self.step_names)
        }
    }

    /// The longest time without a look at the clock since this was last asked.
    pub fn take_lag_ns(&mut self) -> u64 {
        std::mem::take(&mut self.lag_ns)
    }

    /// Waits for events until `until_ns` at most, and does everything they ask for.
    pub fn turn(&mut self, until_ns: u64) -> io::Result<()> {
        let wake_ns = self.next_due_ns.min(until_ns);
        self.timer.wake_at(wake_ns)?;
        let mut events = self
            .events
            .take()
            .unwrap_or_else(|| Events::with_capacity(EVENTS));
        let unfinished = std::mem::take(&mut self.unfinished);
        let patience = (!unfinished.is_empty()).then_some(Duration::ZERO);
        match self.poll.poll(&mut events, patience) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
        let now = now_ns();
        // Waiting is no lag, but waking late is.
        self.looked_ns = if now > wake_ns {
            wake_ns.max(self.looked_ns)
        } else {
            now
        };
        self.look(now);
        // In a closed loop nothing is due between two events.
        let is_open = matches!(self.pace, Pace::Open(_));
        for event in &events {
            match event.token() {
                TIMER => self.timer.woke(),
                WAKER => {}
                Token(token) => {
                    let hangup = event.is_read_closed() || event.is_error();
                    let readable = event.is_readable() || hangup;
                    self.happened(token - FIRST, readable, event.is_writable(), hangup);
                    if is_open {
                        self.look(now_ns());
                    }
                }
            }
        }
        self.events = Some(events);
        for (index, hangup) in unfinished {
            self.happened(index, true, false, hangup);
            self.look(now_ns());
        }
        self.join_next();
        Ok(())
    }

    /// Looks whether anything is due at `now_ns`, and does it.
    fn look(&mut self, now: u64) {
        self.lag_ns = self.lag_ns.max(now.saturating_sub(self.looked_ns));
        self.looked_ns = now;
        if now < self.next_due_ns {
            return;
        }
        self.ask_due(now);
        while let Some((at_ns, index)) = self.joins.front().copied()
            && at_ns <= now
        {
            self.joins.pop_front();
            self.join(index, at_ns);
            // A connection takes a while to begin: requests come between any two.
            self.ask_due(now_ns());
        }
        self.advance_closed(now);
        if now >= self.next_expiry_ns {
            self.expire(now);
            self.next_expiry_ns = now + EXPIRE_NS;
        }
        self.note_next_due();
    }

    fn note_next_due(&mut self) {
        let paced_ns = match &self.pace {
            Pace::Start => u64::MAX,
            Pace::Open(agenda) => agenda
                .next()
                .map_or(u64::MAX, |due| self.start_ns + due.offset_ns),
            Pace::Closed(closed) => closed.next_ns(self.start_ns),
        };
        let join_ns = self.joins.front().map_or(u64::MAX, |(at_ns, _)| *at_ns);
        self.next_due_ns = paced_ns.min(join_ns).min(self.next_expiry_ns);
    }

    fn place(&self, user: u64) -> Option<usize> {
        let place = self.places.get(usize::try_from(user).ok()?)?;
        place.map(|place| place as usize)
    }
}
