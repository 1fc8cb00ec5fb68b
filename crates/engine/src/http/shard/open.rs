//! The open loop: requests are due at their times, whatever became of those before.

use wirelab_sdk::clock::now_ns;

use super::lane::DueRequest;
use super::{HttpShard, Pace};

impl HttpShard {
    /// Asks what is due at `now` or before, in the order of its times.
    pub(super) fn ask_due(&mut self, mut now: u64) {
        while let Pace::Open(agenda) = &mut self.pace
            && let Some(next) = agenda.take_due(now)
        {
            if let Some(index) = self.place(next.lane.into()) {
                let due = DueRequest {
                    intended_ns: Some(next.intended_ns),
                    tick: next.tick,
                };
                self.ask(index, due);
            }
            now = now_ns();
        }
    }

    /// A request of lane `index` is due. It waits where the one before it is under way, or where
    /// there is no connection: it keeps its time, so that its response time says how long.
    pub(super) fn ask(&mut self, index: usize, due: DueRequest) {
        self.outstanding += 1;
        self.lanes[index].waiting.push_back(due);
        self.go_on(index);
    }

    /// Sends what waits first on lane `index`, if nothing is under way; connects before.
    pub(super) fn go_on(&mut self, index: usize) {
        let lane = &mut self.lanes[index];
        if lane.exchange.is_some() || lane.waiting.is_empty() {
            return;
        }
        if !lane.is_connected() {
            if lane.is_away() {
                self.dial(index);
            }
            return;
        }
        if let Some(due) = lane.waiting.pop_front() {
            self.send(index, due);
        }
    }
}
