//! The core's part in a trial, and servers that deserve to be caught.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub mod calls;
pub mod core;
pub mod events;
pub mod server;
pub mod speech;
pub mod web;
