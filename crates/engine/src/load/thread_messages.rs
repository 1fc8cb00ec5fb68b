//! Messages between threads.

use std::sync::Arc;

use wirelab_sdk::answers::Answer;
use wirelab_sdk::commands::Command;
use wirelab_sdk::events::ErrorSeen;
use wirelab_sdk::intervals::Durations;
use wirelab_sdk::recorder::Record;
use wirelab_sdk::slots::Slot;

/// To the thread that writes.
#[derive(Debug)]
pub enum ToWriter {
    /// From the core.
    Command(Command),
    /// Operations that ended.
    Records(Vec<Record>),
    /// Slots that are settled, or what came to them later.
    Lines(Vec<IntervalLine>),
    /// Verified operations.
    Answers(Vec<Answer>),
    /// Errors that were seen.
    Errors(Vec<ErrorSeen>),
    /// Once a second.
    Figures(Figures),
    /// All users of a shard that should be connected before the start are, or why not.
    Connected(Result<(), String>),
    /// In a closed loop: all lanes of a shard have settled, or have ended the step, the last at
    /// this time.
    Reached(u64),
    /// A shard has nothing more to do.
    Finished,
    /// A shard cannot go on.
    Failed(String),
}

/// A line of the interval file.
#[derive(Debug)]
pub struct IntervalLine {
    /// By the operations' intended times.
    pub slot: Slot,
    /// Its name.
    pub operation: Arc<str>,
    /// In a closed loop the step's name, else empty.
    pub step: Arc<str>,
    /// By name.
    pub counts: Vec<(&'static str, u64)>,
    /// From the start of each operation.
    pub service: Option<Arc<Durations>>,
    /// From its intended time.
    pub response: Option<Arc<Durations>>,
}

/// Cumulative counts for `progress`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Messages or requests handed over.
    pub sent: u64,
    /// Deliveries or responses that were expected.
    pub expected: u64,
    /// And came.
    pub received: u64,
}

/// Progress of a shard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Number of the shard.
    pub shard: usize,
    /// Cumulative.
    pub totals: Totals,
    /// Users that can be served.
    pub connected: u64,
    /// Longest time without a look at the clock since the last figures.
    pub lag_ns: u64,
}

/// To a shard.
#[derive(Clone, Copy, Debug)]
pub enum ToShard {
    /// Tick 0 is at this time.
    Start(u64),
    /// In a closed loop: all shards have come as far, go on.
    Go,
    /// Give up.
    Stop,
}
