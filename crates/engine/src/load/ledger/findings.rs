//! What a thread has to say to the one that writes.

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
    /// Answers of verified messages.
    pub answers: Vec<Answer>,
    /// Errors, a limited number of each class.
    pub errors: Vec<ErrorSeen>,
    seen: HashMap<&'static str, u32>,
}

impl Findings {
    /// Keeps an error of an operation unless enough of its class have been kept; `message` is
    /// called only then.
    pub fn error(
        &mut self,
        class: &'static str,
        status: Status,
        operation: &'static str,
        message: impl FnOnce() -> String,
    ) {
        let seen = self.seen.entry(class).or_default();
        *seen += 1;
        if *seen <= ERRORS_PER_CLASS {
            self.errors.push(ErrorSeen {
                class: class.to_owned(),
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
