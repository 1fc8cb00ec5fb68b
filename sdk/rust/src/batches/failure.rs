//! A call that failed, in the words of the library.

use std::any::{Any, type_name};
use std::error::Error;
use std::fmt;

use serde::Serialize;

/// Class and message of any error. One pointer: results of the loops stay as small as they are.
pub struct Failure(Box<Said>);

/// Words of the answers file and the batch file about it.
#[derive(Clone, Debug, Serialize)]
pub struct Said {
    /// The type of the error, or `panic`.
    pub class: String,
    /// In the library's words.
    pub message: String,
}

impl Failure {
    /// Failure of a call that panicked, as it said it.
    #[must_use]
    pub fn of_panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let message = text.or_else(|| payload.downcast_ref::<&str>().copied());
        let message = message.unwrap_or_default().to_owned();
        Self(Box::new(Said {
            class: "panic".into(),
            message,
        }))
    }

    /// Its words.
    #[must_use]
    pub fn said(self) -> Said {
        *self.0
    }
}

impl<E: Error> From<E> for Failure {
    #[cold]
    fn from(error: E) -> Self {
        let class = type_name::<E>().to_owned();
        Self(Box::new(Said {
            class,
            message: error.to_string(),
        }))
    }
}

// Not an `Error` itself, or `?` could not make one of any other.
impl fmt::Debug for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.0.class, self.0.message)
    }
}
