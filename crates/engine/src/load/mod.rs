//! The load: users on boards, on a schedule, with a ledger of every delivery.

pub mod agenda;
pub mod generator;
pub mod ledger;
pub mod notes;
pub mod plan;
pub mod player;
pub mod preflight;
pub mod seating;
pub mod shard;
pub mod writer;
