//! Parts that every kind of load has in common: the life of the worker, its threads, and its files.

pub mod event_loop;
pub mod findings;
pub mod generator;
mod held_lines;
pub mod send_schedule;
pub mod shard_channels;
pub mod shard_runner;
pub mod steps;
pub mod thread_messages;
pub mod writer;

use std::io;

use mio::Poll;
use wirelab_sdk::answers::Answer;

use self::shard_channels::ShardChannels;

/// Reason for which a load cannot be: the class of the `fatal` event and its text.
pub type Refusal = (&'static str, String);

/// Slots of the interval file are handed on when they are so many seconds old.
pub const SETTLED_SECONDS: u64 = 2;

/// Lanes of records are 16 bits wide.
pub const MOST_USERS: u64 = 65_536;

/// A kind of load: which users there are, and how a thread plays its share of them.
pub trait Load: Send + Sync {
    /// Most connections that are open at a time.
    fn connections(&self) -> u64;

    /// Performs what is to be verified before `ready`. Ends early when `stopped` says so.
    fn preflight(&self, stopped: &mut dyn FnMut() -> bool) -> Result<Vec<Answer>, Refusal>;

    /// The users of each of at most `threads` threads.
    fn shares(&self, threads: usize) -> Vec<Vec<u32>>;

    /// Plays `users` on this thread, until everything due has ended or until told to stop.
    fn play(&self, poll: Poll, channels: &mut ShardChannels, users: &[u32]) -> io::Result<()>;
}

/// The number of users that a spec asks for: of its steps, else the parameter `users`.
pub fn users_of(spec: &wirelab_sdk::spec::Spec) -> Result<u64, Refusal> {
    let bad = |text: String| ("BadSpec", text);
    let users = match spec.schedule.users() {
        Some(users) => users,
        None => spec
            .parameter("users", 1_u64)
            .map_err(|error| bad(error.to_string()))?,
    };
    if users == 0 || users > MOST_USERS {
        return Err(bad(format!("users is {users}: expected 1 to {MOST_USERS}")));
    }
    Ok(users)
}
