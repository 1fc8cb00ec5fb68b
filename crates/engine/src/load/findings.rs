//! Findings of a thread for the one that writes.

use std::borrow::Cow;
use std::collections::HashMap;

use wirelab_sdk::answers::Answer;
use wirelab_sdk::events::{ErrorSeen, Scope};
use wirelab_sdk::recorder::Record;
use wirelab_sdk::status::Status;

/// The contract wants no more errors of a class.
const ERRORS_PER_CLASS: u32 = 100;

/// Longest part of a server's text that is quoted.
const QUOTED: usize = 300;

/// Records, answers and errors since they were last taken.
#[derive(Debug, Default)]
pub struct Findings {
    /// Operations that ended.
    pub records: Vec<Record>,
    /// Answers of verified operations.
    pub answers: Vec<Answer>,
    /// Errors, a limited number of each class.
    pub errors: Vec<ErrorSeen>,
    seen: HashMap<Cow<'static, str>, u32>,
}

impl Findings {
    /// Keeps an error of an operation unless enough of its class have been kept; `message` is
    /// called only then.
    pub fn error(
        &mut self,
        class: impl Into<Cow<'static, str>>,
        status: Status,
        operation: &'static str,
        message: impl FnOnce() -> String,
    ) {
        let class = class.into();
        let seen = match self.seen.get_mut(&class) {
            Some(seen) => seen,
            None => self.seen.entry(class.clone()).or_default(),
        };
        *seen += 1;
        if *seen <= ERRORS_PER_CLASS {
            self.errors.push(ErrorSeen {
                class: class.into_owned(),
                status,
                message: message(),
                scope: Scope::Call,
                operation,
                intended_ns: None,
            });
        }
    }
}

/// The beginning of a text, to be quoted.
pub fn quote(text: &str) -> String {
    let mut letters = text.chars();
    let mut quoted: String = letters.by_ref().take(QUOTED).collect();
    if letters.next().is_some() {
        quoted.push('…');
    }
    quoted
}
