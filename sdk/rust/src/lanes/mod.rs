//! Lanes of a client on tokio: each is a task with one operation at a time.
//!
//! A client connects, answers the preflight, says `ready`, and lets [`Client::drive`] carry out the
//! schedule: steps one after the other in a closed loop, else every lane at its intended times.

mod call;
mod client;
mod closed_loop;
mod driver;
mod life;
mod open_loop;
#[cfg(test)]
mod tests;

pub use call::{Call, Fault, Load, Outcome};
pub use client::{Client, Failure};
pub use life::live;
