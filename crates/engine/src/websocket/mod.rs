//! Users on boards, by WebSocket or by what is taken instead, on a schedule, with a ledger of every delivery.

mod board_assignment;
mod deflate;
mod event_stream;
mod grpc_messages;
mod keep_alive;
mod ledger;
mod line_stream;
mod plan;
mod preflight;
mod shard;
mod silence;

use std::io;

use mio::Poll;
use wirelab_sdk::answers::Answer;

pub use self::plan::WebSocketPlan;
use self::shard::WebSocketShard;
use crate::load::shard_channels::ShardChannels;
use crate::load::shard_runner::ShardRunner;
use crate::load::{Load, Refusal};

impl Load for WebSocketPlan {
    fn connections(&self) -> u64 {
        u64::from(self.assignment.users()) * self.adapter.carrier().connections()
    }

    fn preflight(&self, stopped: &mut dyn FnMut() -> bool) -> Result<Vec<Answer>, Refusal> {
        preflight::preflight(self, stopped)
    }

    fn shares(&self, threads: usize) -> Vec<Vec<u32>> {
        self.shards(threads)
    }

    fn play(&self, poll: Poll, channels: &mut ShardChannels, users: &[u32]) -> io::Result<()> {
        let shard = WebSocketShard::new(poll, self.clone(), users)?;
        let (ready_ns, limit_ns) = (self.ready_ns, self.terms.limit_ns);
        ShardRunner::new(shard, &self.schedule, ready_ns, limit_ns, channels).play()
    }
}
