//! A thread's event loop: sockets and due times, with a look at the clock between any two events.
//!
//! What is due never waits for a burst of events, and how late a thread looks is known: its lag.

use std::io;
use std::os::fd::AsRawFd;
use std::time::Duration;

use mio::net::TcpStream;
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Registry, Token};
use wirelab_sdk::clock::now_ns;
use wirelab_sdk::timer::Timer;

use crate::net::{FIRST, Ready, TIMER, WAKER, register};

const EVENTS: usize = 1024;

/// Events that a thread waits for, and the time of its last look at the clock. Times are
/// nanoseconds of CLOCK_MONOTONIC.
pub struct EventLoop {
    poll: Poll,
    events: Option<Events>,
    timer: Timer,
    /// Sockets that had more than could be read in one turn, by their numbers.
    unfinished: Vec<(usize, Ready)>,
    next_due_ns: u64,
    next_expiry_ns: u64,
    polled_ns: u64,
    polled_before_ns: u64,
    looked_ns: u64,
    lag_ns: u64,
}

/// Users of one thread, which an event loop drives.
pub trait LoopHandler {
    /// Between two looks for what is to be given up.
    const EXPIRE_NS: u64;

    /// The event loop of its thread.
    fn event_loop(&mut self) -> &mut EventLoop;

    /// Time at which something is due that no event tells of; expiry aside.
    fn next_ns(&self) -> u64;

    /// Tells whether anything can become due between two events.
    fn is_timed(&self) -> bool;

    /// Does what the schedule has due at `now` or before.
    fn do_due(&mut self, now: u64);

    /// Does the first of what else is due; false when nothing is.
    fn do_first_chore(&mut self) -> bool;

    /// Gives up what is older than its limit.
    fn expire(&mut self, now: u64);

    /// Something has happened to the socket that was registered by this number.
    fn happened(&mut self, number: usize, ready: Ready);

    /// Does what is left to be done after the events of a turn.
    fn end_turn(&mut self) {}

    /// Waits for events until `until_ns` at most, and does everything they ask for.
    fn turn(&mut self, until_ns: u64) -> io::Result<()> {
        let event_loop = self.event_loop();
        let unfinished = std::mem::take(&mut event_loop.unfinished);
        let mut events = event_loop.events.take().unwrap_or_else(no_events);
        let now = event_loop.wait(&mut events, until_ns, unfinished.is_empty())?;
        self.look(now);
        for event in &events {
            match event.token() {
                TIMER => self.event_loop().timer.woke(),
                WAKER => {}
                Token(token) => {
                    self.happened(token - FIRST, Ready::of(event));
                    if self.is_timed() {
                        self.look(now_ns());
                    }
                }
            }
        }
        self.event_loop().events = Some(events);
        for (number, ready) in unfinished {
            self.happened(number, ready);
            self.look(now_ns());
        }
        self.end_turn();
        Ok(())
    }

    /// Looks whether anything is due at `now`, and does it.
    fn look(&mut self, now: u64) {
        if !self.event_loop().is_due(now) {
            return;
        }
        self.do_due(now);
        // A connection takes a while to begin: the schedule comes between any two.
        while self.do_first_chore() {
            self.do_due(now_ns());
        }
        if now >= self.event_loop().next_expiry_ns {
            self.expire(now);
            self.event_loop().next_expiry_ns = now + Self::EXPIRE_NS;
        }
        self.note_next_due();
    }

    /// Asks anew when something is due.
    fn note_next_due(&mut self) {
        let next_ns = self.next_ns();
        let event_loop = self.event_loop();
        event_loop.next_due_ns = next_ns.min(event_loop.next_expiry_ns);
    }
}

impl EventLoop {
    /// Waits by `poll`, for a timer beside what is registered there.
    pub fn new(poll: Poll) -> io::Result<Self> {
        let timer = Timer::new()?;
        poll.registry()
            .register(&mut SourceFd(&timer.as_raw_fd()), TIMER, Interest::READABLE)?;
        let now = now_ns();
        Ok(Self {
            poll,
            events: Some(no_events()),
            timer,
            unfinished: Vec::new(),
            next_due_ns: now,
            next_expiry_ns: now,
            polled_ns: now,
            polled_before_ns: now,
            looked_ns: now,
            lag_ns: 0,
        })
    }

    /// Tells from now on what happens to this socket, by its number.
    pub fn add(&self, socket: &mut TcpStream, number: usize) -> io::Result<()> {
        register(self.poll.registry(), socket, number)
    }

    /// Registry for whoever makes sockets.
    pub fn registry(&self) -> io::Result<Registry> {
        self.poll.registry().try_clone()
    }

    /// The socket of this number has more to read, but others come first. `hangup`: its peer has
    /// ended its side.
    pub fn come_again(&mut self, number: usize, hangup: bool) {
        let ready = Ready {
            readable: true,
            writable: false,
            hangup,
        };
        self.unfinished.push((number, ready));
    }

    /// Something more is due, at `at_ns`.
    pub fn wake_by(&mut self, at_ns: u64) {
        self.next_due_ns = self.next_due_ns.min(at_ns);
    }

    /// Time of the turn before, by which nothing that is read in this turn had come.
    pub fn polled_before_ns(&self) -> u64 {
        self.polled_before_ns
    }

    /// The longest time without a look at the clock since this was last asked.
    pub fn take_lag_ns(&mut self) -> u64 {
        std::mem::take(&mut self.lag_ns)
    }

    /// Waits for events, until `until_ns` or until something is due, or not at all unless `idle`;
    /// the time at which it went on.
    // Once a turn, which of a closed loop is once a request.
    #[inline]
    fn wait(&mut self, events: &mut Events, until_ns: u64, idle: bool) -> io::Result<u64> {
        let wake_ns = self.next_due_ns.min(until_ns);
        self.timer.wake_at(wake_ns)?;
        let patience = (!idle).then_some(Duration::ZERO);
        match self.poll.poll(events, patience) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
        let now = now_ns();
        self.polled_before_ns = std::mem::replace(&mut self.polled_ns, now);
        // Waiting is no lag, but waking late is.
        self.looked_ns = if now > wake_ns {
            wake_ns.max(self.looked_ns)
        } else {
            now
        };
        Ok(now)
    }

    /// Looks at the clock, which says `now`: whether anything is due.
    fn is_due(&mut self, now: u64) -> bool {
        self.lag_ns = self.lag_ns.max(now.saturating_sub(self.looked_ns));
        self.looked_ns = now;
        now >= self.next_due_ns
    }
}

fn no_events() -> Events {
    Events::with_capacity(EVENTS)
}

#[cfg(test)]
mod tests {
    use mio::Poll;
    use wirelab_sdk::clock::now_ns;

    use super::{EventLoop, LoopHandler};
    use crate::net::Ready;

    /// Writes down what it is asked to do.
    struct Diary {
        event_loop: EventLoop,
        chores: usize,
        done: Vec<&'static str>,
    }

    impl Diary {
        fn with_chores(chores: usize) -> Self {
            let poll = Poll::new().expect("a poll");
            Self {
                event_loop: EventLoop::new(poll).expect("an event loop"),
                chores,
                done: Vec::new(),
            }
        }

        fn turn_once(&mut self) -> Vec<&'static str> {
            self.turn(now_ns()).expect("a turn");
            std::mem::take(&mut self.done)
        }
    }

    impl LoopHandler for Diary {
        const EXPIRE_NS: u64 = u64::MAX / 2;

        fn event_loop(&mut self) -> &mut EventLoop {
            &mut self.event_loop
        }

        fn next_ns(&self) -> u64 {
            u64::MAX
        }

        fn is_timed(&self) -> bool {
            true
        }

        fn do_due(&mut self, _now: u64) {
            self.done.push("due");
        }

        fn do_first_chore(&mut self) -> bool {
            let Some(left) = self.chores.checked_sub(1) else {
                return false;
            };
            self.chores = left;
            self.done.push("chore");
            true
        }

        fn expire(&mut self, _now: u64) {
            self.done.push("expiry");
        }

        fn happened(&mut self, index: usize, ready: Ready) {
            assert_eq!((index, ready.readable, ready.writable), (7, true, false));
            self.done.push(if ready.hangup { "end" } else { "more" });
        }
    }

    #[test]
    fn the_schedule_comes_between_any_two_chores() {
        let mut diary = Diary::with_chores(2);
        let done = ["due", "chore", "due", "chore", "due", "expiry"];
        assert_eq!(diary.turn_once(), done);
        assert!(diary.turn_once().is_empty());
        diary.event_loop.wake_by(now_ns());
        assert_eq!(diary.turn_once(), ["due"]);
    }

    #[test]
    fn who_had_more_to_read_has_another_turn() {
        let mut diary = Diary::with_chores(0);
        diary.turn_once();
        diary.event_loop.come_again(7, false);
        diary.event_loop.come_again(7, true);
        assert_eq!(diary.turn_once(), ["more", "end"]);
        assert!(diary.turn_once().is_empty());
    }
}
