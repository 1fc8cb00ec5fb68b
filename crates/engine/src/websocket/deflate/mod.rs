//! `permessage-deflate` (RFC 7692): messages compressed by the server, and by the users.
//!
//! The WebSocket library speaks no extension. What a server sends goes through [`Unpacked`] before
//! the library sees it, which turns each compressed message into a plain frame; what a user sends
//! is compressed by a [`Deflater`] and handed over as a frame of its own making.
//!
//! Users keep no context between their messages: a compressor for each of 10,000 users would need
//! gigabytes, and a user sends a fiftieth of what it gets. What the server keeps is its choice.

mod agreement;
mod deflater;
mod unpacked;

pub use self::agreement::{Agreement, NAME, OFFER, agreed};
pub use self::deflater::Deflater;
pub use self::unpacked::{InflateError, Unpacked};
