//! Reasons for which a connection is no more.

use std::io;

use tungstenite::Error;
use tungstenite::error::ProtocolError;
use wirelab_sdk::status::Status;

use super::line::Fault;
use crate::http::response::Wrong;
use crate::net::status_of;
use crate::websocket::deflate::InflateError;

/// End of a connection, or the reason why there is none.
#[derive(Debug)]
pub struct Lost {
    /// For the record.
    pub status: Status,
    /// For the error event.
    pub message: String,
    /// The class of what the server sent, when that was no message.
    pub wrong: Option<&'static str>,
    /// Code by which the server closed it.
    pub code: Option<u16>,
}

impl Lost {
    /// Ended, but not by something that was no message.
    pub fn new(status: Status, message: String) -> Self {
        Self {
            status,
            message,
            wrong: None,
            code: None,
        }
    }

    /// The same, closed by this code.
    pub fn by_code(self, code: Option<u16>) -> Self {
        Self { code, ..self }
    }

    /// Ended by `what` without an end.
    pub fn endless(what: &str) -> Self {
        Self::wrong((
            "OversizedFrame",
            format!("{what} that is longer than is accepted"),
        ))
    }

    /// Ended by what was no message.
    pub fn wrong((class, message): Wrong) -> Self {
        Self {
            wrong: Some(class),
            ..Self::new(Status::Error, message)
        }
    }

    /// Ended by an error of its socket.
    pub fn io(error: &io::Error) -> Self {
        Self::new(status_of(error), error.to_string())
    }

    /// Ended by what came below the library.
    pub fn fault(fault: &Fault) -> Self {
        let (message, class) = match fault {
            Fault::Io(error) => return Self::io(error),
            Fault::InflateError(InflateError::Garbage) => {
                ("the message cannot be decompressed", "Garbage")
            }
            Fault::InflateError(InflateError::Oversized) => (
                "a message that is too long once it is unpacked",
                "OversizedFrame",
            ),
        };
        Self::wrong((class, message.to_owned()))
    }

    /// Ended by what the library has found.
    pub fn library(error: &Error) -> Self {
        let wrong = match error {
            Error::Io(error) => return Self::io(error),
            Error::ConnectionClosed
            | Error::AlreadyClosed
            | Error::Protocol(
                ProtocolError::ResetWithoutClosingHandshake | ProtocolError::HandshakeIncomplete,
            ) => return Self::new(Status::Disconnected, error.to_string()),
            Error::Http(answer) => {
                return Self::new(Status::Error, format!("HTTP {}", answer.status()));
            }
            Error::Capacity(_) => Some("OversizedFrame"),
            Error::Protocol(_) | Error::Utf8(_) => Some("Garbage"),
            _ => None,
        };
        Self {
            wrong,
            ..Self::new(Status::Error, error.to_string())
        }
    }
}
