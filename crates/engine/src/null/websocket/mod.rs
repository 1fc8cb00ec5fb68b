//! The null server of the suite `websocket`.
//!
//! It speaks `json`: it finds a join in the text as the engine writes it, reads of a draw its type and
//! its board, and writes one encoded frame to every member.

mod boards;
mod whiteboards;

use std::process::ExitCode;

use self::whiteboards::Whiteboards;
use crate::Failure;

/// Serves until told to stop.
pub fn serve() -> Result<ExitCode, Failure> {
    super::serve::<Whiteboards>(|address| format!("ws://{address}/board"), "json")
}
