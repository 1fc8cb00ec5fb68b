//! Lanes of a client on tokio: each is a task with one operation at a time.
//!
//! A client connects, answers the preflight, says `ready`, and lets [`Client::drive`] carry out the
//! schedule: steps one after the other in a closed loop, else every lane at its intended times. One on
//! the ticks of a paced schedule has one lane, whose operations of a tick are under way together:
//! [`Client::follow`].

mod call;
mod client;
mod closed_loop;
mod driver;
mod life;
mod open_loop;
mod paced;
#[cfg(test)]
mod paced_tests;
mod shared_recorder;
#[cfg(test)]
mod tests;

pub use call::{Arrivals, Call, Fault, Load, Outcome};
pub use client::{Client, Failure};
pub use life::live;
pub use paced::{Action, PacedLoad};
