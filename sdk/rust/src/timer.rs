//! A timer for absolute times: an event loop's own timeout has a grain of a millisecond.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};

use crate::clock::SECOND;

/// Wakes an event loop at a time of CLOCK_MONOTONIC: its descriptor becomes readable then.
pub struct Timer {
    fd: OwnedFd,
    armed_ns: Option<u64>,
}

impl Timer {
    /// A timer that is not set yet.
    ///
    /// # Errors
    /// When the system has no more of them.
    pub fn new() -> io::Result<Self> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let fd = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        let armed_ns = None;
        Ok(Self { fd, armed_ns })
    }

    /// Wakes at `at_ns`, at once when that is past. Setting it again also ends a wake that was not
    /// read, so the descriptor never needs to be read.
    ///
    /// # Errors
    /// When the system refuses the time.
    pub fn wake_at(&mut self, at_ns: u64) -> io::Result<()> {
        if self.armed_ns == Some(at_ns) {
            return Ok(());
        }
        self.armed_ns = Some(at_ns);
        let time = |ns: u64| Timespec {
            tv_sec: (ns / SECOND) as i64,
            tv_nsec: (ns % SECOND) as i64,
        };
        // An absolute time of 0 would disarm it.
        let value = Itimerspec {
            it_interval: time(0),
            it_value: time(at_ns.max(1)),
        };
        timerfd_settime(self.fd.as_fd(), TimerfdTimerFlags::ABSTIME, &value)?;
        Ok(())
    }

    /// To be called after it woke the loop: the same time may be asked for again.
    pub fn woke(&mut self) {
        self.armed_ns = None;
    }
}

impl AsRawFd for Timer {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}
