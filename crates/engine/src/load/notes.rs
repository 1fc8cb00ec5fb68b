//! What threads tell each other.

use wirelab_sdk::answers::Answer;
use wirelab_sdk::commands::Command;
use wirelab_sdk::events::ErrorSeen;
use wirelab_sdk::recorder::Record;

use super::ledger::Totals;
use super::ledger::tally::Second;

/// To the thread that writes.
#[derive(Debug)]
pub enum Note {
    /// From the core.
    Command(Command),
    /// Operations that ended.
    Records(Vec<Record>),
    /// Seconds that are settled, or what came to them later.
    Seconds(Vec<(u64, Box<Second>)>),
    /// Verified messages.
    Answers(Vec<Answer>),
    /// What went wrong.
    Errors(Vec<ErrorSeen>),
    /// Once a second.
    Figures(Figures),
    /// All users of a shard that should be connected before the start are, or why not.
    Connected(Result<(), String>),
    /// A shard has nothing more to do.
    Finished,
    /// A shard cannot go on.
    Failed(String),
}

/// Where a shard is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Which one.
    pub shard: usize,
    /// Cumulative.
    pub totals: Totals,
    /// Users on their boards.
    pub connected: u64,
    /// Longest time without a look at the clock since the last figures.
    pub lag_ns: u64,
}

/// To a shard.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// Tick 0 is at this time.
    Start(u64),
    /// Give up.
    Stop,
}
