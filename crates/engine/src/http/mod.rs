//! HTTP/1.1 users: requests in a closed or an open loop, each lane on a connection of its own.
//!
//! What the parameters mean, and what is recorded, is in `docs/reference/http-generator.md`.

mod framing;
mod plan;
mod preflight;
mod requests;
pub mod response;
mod shard;
mod spans;
mod template;
mod timing;

use std::io;
use std::sync::Arc;

use mio::Poll;
use wirelab_sdk::answers::Answer;

pub use self::plan::HttpPlan;
use self::shard::HttpShard;
use crate::load::shard_channels::ShardChannels;
use crate::load::shard_runner::ShardRunner;
use crate::load::{Load, Refusal};

/// Priority as `nice` counts it.
const PRIORITY: i32 = -10;

impl Load for Arc<HttpPlan> {
    fn connections(&self) -> u64 {
        self.users
    }

    fn preflight(&self, stopped: &mut dyn FnMut() -> bool) -> Result<Vec<Answer>, Refusal> {
        preflight::preflight(self, stopped)
    }

    /// In turn: lanes that join later are spread as evenly as the first.
    fn shares(&self, threads: usize) -> Vec<Vec<u32>> {
        let threads = threads.clamp(1, self.users as usize);
        let mut shares = vec![Vec::new(); threads];
        for user in 0..self.users as u32 {
            shares[user as usize % threads].push(user);
        }
        shares
    }

    fn play(&self, poll: Poll, channels: &mut ShardChannels, users: &[u32]) -> io::Result<()> {
        let shard = HttpShard::new(poll, Arc::clone(self), users)?;
        come_first();
        ShardRunner::new(
            shard,
            &self.schedule,
            self.ready_ns,
            self.limit_ns,
            channels,
        )
        .play()
    }
}

/// Users are elsewhere and wait for no processor of the server's, so a generator on the same host
/// comes first as far as the host allows it: by the session (each role is one) and by the thread.
fn come_first() {
    let _ = std::fs::write("/proc/self/autogroup", PRIORITY.to_string());
    let _ = rustix::process::nice(PRIORITY);
}
