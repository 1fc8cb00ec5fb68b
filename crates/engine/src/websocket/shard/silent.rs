//! Users who fall silent: they read nothing more, answer nothing, and do not hang up.
//!
//! To a server they look like a member who has stopped reading or, while little is sent, like one
//! who is gone without a word. What is asked is whether it ends their connections, when, and what
//! everybody else has to bear until then.

use wirelab_sdk::clock::now_ns;

use super::WebSocketShard;
use super::arriving::TimedTask;
use crate::net::Ready;

impl WebSocketShard {
    /// Plans when those of this thread's users fall silent who are to.
    pub(super) fn plan_silence(&mut self, start_ns: u64) {
        let at_ns = start_ns + self.plan.silence.offset_ns;
        for index in 0..self.users.len() {
            if self.falls_silent(index) {
                self.plan_chore(at_ns, TimedTask::FallSilent, index);
            }
        }
    }

    /// Tells whether user `index` is to fall silent; such a user is owed nothing from the
    /// beginning, so that nothing is lost with its silence.
    pub(super) fn falls_silent(&self, index: usize) -> bool {
        self.plan
            .silence
            .is_of(self.ledger.roster.place(index).user)
    }

    /// User `index` reads nothing from now on, which was due at `at_ns`.
    pub(super) fn fall_silent(&mut self, index: usize, at_ns: u64) {
        if self.users[index].joined {
            self.users[index].silent_ns = Some(at_ns);
            self.ledger.tally.at(at_ns).silent.begun += 1;
        }
    }

    /// Something has happened to the socket of a user who is silent since `silent_ns`: of interest
    /// is the end of its connection alone. What has come is left in the socket.
    pub(super) fn overlook(&mut self, index: usize, ready: Ready, silent_ns: u64) {
        if !ready.hangup || self.closing {
            return;
        }
        let now = now_ns();
        self.leave_in_silence(index);
        let silent = &mut self.ledger.tally.at(now).silent;
        silent.ended += 1;
        silent.waited_ms += now.saturating_sub(silent_ns) / 1_000_000;
    }

    /// Hangs up for all who are silent: they will not answer a good-bye.
    pub(super) fn end_silence(&mut self) {
        for index in 0..self.users.len() {
            if self.users[index].silent_ns.is_some() {
                self.leave_in_silence(index);
            }
        }
    }

    fn leave_in_silence(&mut self, index: usize) {
        let user = &mut self.users[index];
        user.leave();
        user.silent_ns = None;
        self.joined -= 1;
    }
}
