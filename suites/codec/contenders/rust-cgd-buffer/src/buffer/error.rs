//! Reasons for which bytes are no message.

use std::fmt;

/// Fault of the bytes, and its place: offsets count from the beginning of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The buffer ends before the value does.
    Truncated { offset: usize },
    /// More elements are announced than the rest of the buffer could hold.
    Count { offset: usize, count: i32 },
    /// Null where a value has to be.
    Null { offset: usize },
    /// A string does not end with a NUL unit.
    Terminator { offset: usize },
    /// A surrogate without its other half.
    Surrogate { offset: usize },
    /// A bool that is neither 0 nor 1.
    Bool { offset: usize },
    /// A number that no value of the enumeration has.
    Enumeration { number: i32 },
    /// Bytes after the end of the message.
    Rest { offset: usize },
}

impl fmt::Display for Malformed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { offset } => {
                write!(out, "the buffer ends within the value at byte {offset}")
            }
            Self::Count { offset, count } => {
                write!(out, "a count of {count} at byte {offset}, which the rest cannot hold")
            }
            Self::Null { offset } => write!(out, "null at byte {offset}, where a value must be"),
            Self::Terminator { offset } => {
                write!(out, "no NUL at byte {offset}, where the string ends")
            }
            Self::Surrogate { offset } => {
                write!(out, "a lone surrogate in the string at byte {offset}, which is no Unicode")
            }
            Self::Bool { offset } => write!(out, "a bool at byte {offset} is neither 0 nor 1"),
            Self::Enumeration { number } => write!(out, "no value of the enum has number {number}"),
            Self::Rest { offset } => {
                write!(out, "the message ends at byte {offset}, and bytes are left after it")
            }
        }
    }
}

impl std::error::Error for Malformed {}
