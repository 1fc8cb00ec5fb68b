//! The null server of the suite `websocket`.
//!
//! It speaks `json`, looks for the type and the board in the text as the engine writes it, and
//! writes one encoded frame to every member. It reads no JSON.

mod boards;
mod whiteboards;

use std::process::ExitCode;

use self::whiteboards::Whiteboards;
use crate::Failure;

/// Serves until told to stop.
pub fn serve() -> Result<ExitCode, Failure> {
    super::serve::<Whiteboards>(|address| format!("ws://{address}/board"), "json")
}
