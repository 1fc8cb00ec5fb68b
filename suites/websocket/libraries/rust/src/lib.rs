//! Parts of the messages that a server has to know; the rest of them goes through as it came.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// The beginning of every message, borrowed from its text.
#[derive(Deserialize)]
pub struct Heading<'a> {
    /// `join` or `draw`.
    #[serde(borrow, rename = "type")]
    pub kind: Cow<'a, str>,
    /// The board it is for.
    #[serde(borrow)]
    pub board: Cow<'a, str>,
    /// User who sent it.
    pub user: u64,
}

/// The answer to a join.
#[derive(Serialize)]
#[serde(tag = "type", rename = "joined")]
pub struct Joined<'a> {
    /// The board joined.
    pub board: &'a str,
    /// User who joined.
    pub user: u64,
}
