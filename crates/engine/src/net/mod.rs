//! Sockets and timers below the protocols.

pub mod dial;
pub mod timer;
pub mod wire;
