//! The bench server of the suite `kv`, and the raw reader that shows what it can do at most.
//!
//! The server speaks the Aerospike wire protocol well enough for the real clients and holds the
//! suite's records in memory: what a client costs is measured against it, not a database.

pub mod cluster;
pub mod data;
pub mod different;
pub mod faults;
pub mod info;
pub mod ports;
pub mod raw;
pub mod service;
pub mod serving;
pub mod store;
pub mod wire;
