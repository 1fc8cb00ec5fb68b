//! Parts that a worker of wirelab needs to speak the worker contract, version 2
//! (`docs/reference/worker-contract.md`): its spec, events, commands, clock, schedule and files.
//!
//! A server needs [`server::Server`] and nothing else. A load generator asks for the features
//! `answers` and `intervals`, whose dependencies a server should not have to own; a client on tokio for
//! `lanes`, a microbenchmark for `batches`, which brings an allocator that counts.

#[cfg(feature = "answers")]
pub mod answers;
#[cfg(feature = "answers")]
pub mod asked;
#[cfg(feature = "batches")]
pub mod batches;
pub mod clock;
pub mod commands;
pub mod events;
#[cfg(feature = "intervals")]
pub mod intervals;
#[cfg(feature = "lanes")]
pub mod lanes;
pub mod recorder;
pub mod schedule;
pub mod secret;
pub mod server;
#[cfg(feature = "intervals")]
pub mod slots;
pub mod spec;
pub mod status;
pub mod timer;

/// The version of the worker contract this crate speaks.
pub const CONTRACT: u32 = 2;
