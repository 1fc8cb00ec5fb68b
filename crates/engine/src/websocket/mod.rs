//! WebSocket users on boards, on a schedule, with a ledger of every delivery.

mod deflate;
mod keep_alive;
mod ledger;
mod plan;
mod preflight;
mod seating;
mod shard;

use std::io;

use mio::Poll;
use wirelab_sdk::answers::Answer;

pub use self::plan::Plan;
use self::shard::Shard;
use crate::load::desk::Desk;
use crate::load::player::Player;
use crate::load::{Load, Refusal};

impl Load for Plan {
    fn users(&self) -> u64 {
        self.seating.users().into()
    }

    fn preflight(&self, stopped: &mut dyn FnMut() -> bool) -> Result<Vec<Answer>, Refusal> {
        preflight::preflight(self, stopped)
    }

    fn shares(&self, threads: usize) -> Vec<Vec<u32>> {
        self.shards(threads)
    }

    fn play(&self, poll: Poll, desk: &mut Desk, users: &[u32]) -> io::Result<()> {
        let shard = Shard::new(poll, self.clone(), users)?;
        let (ready_ns, limit_ns) = (self.ready_ns, self.terms.limit_ns);
        Player::new(shard, &self.schedule, ready_ns, limit_ns, desk).play()
    }
}
