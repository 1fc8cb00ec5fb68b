//! Redis's protocol, versions 2 and 3, as <https://redis.io/docs/latest/develop/reference/protocol-spec>
//! has it: a command is an array of bulk strings; replies come in the order of commands.
//!
//! What the server pushes is no reply. Inline commands, and aggregates without a length, are not
//! followed; nor is a connection that subscribes in version 2, whose messages look like replies.

use crate::lines::{Lines, number};
use crate::message::{Dissector, Message, READ, UNKNOWN};
use crate::names::Names;
use crate::replies::{self, Ended, Reading};

/// Longest name of a command that is looked at.
const LONGEST_NAME: u64 = 16;

/// Commands that clients send.
#[derive(Default)]
pub struct RespCommands {
    lines: Lines,
    begin: u64,
    /// Strings that a command has, and those of them that are still to come.
    strings: u64,
    missing: u64,
    /// The line that follows is its name.
    is_name: bool,
    service: u32,
    asked: Names,
    number: u32,
}

impl RespCommands {
    /// Reads a line; None where it is none of a command.
    fn read(&mut self, line: &[u8]) -> Option<()> {
        if std::mem::take(&mut self.is_name) {
            self.service = service_of(line);
            return Some(());
        }
        let (kind, digits) = line.split_first()?;
        match (kind, self.missing) {
            (b'*', 0) => {
                self.strings = number(digits)?;
                self.missing = self.strings;
                self.service = 0;
            }
            (b'$', 1..) => {
                let length = number(digits)?;
                self.is_name = self.missing == self.strings && length <= LONGEST_NAME;
                self.missing -= 1;
                if self.service == READ {
                    self.lines.pass_over_name(length);
                } else if !self.is_name {
                    self.lines.pass_over(length);
                }
            }
            _ => return None,
        }
        Some(())
    }
}

impl Dissector for RespCommands {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        while !bytes.is_empty() {
            let (taken, line) = self.lines.take(bytes);
            position += taken as u64;
            bytes = &bytes[taken..];
            let is_empty = match line {
                None => false,
                Some(line) if self.read(&line).is_none() => return false,
                Some(_) => self.strings == 0,
            };
            if let Some(name) = self.lines.name() {
                self.asked.take(name);
            }
            if is_empty {
                self.begin = position; // of no strings, which is no command and is not answered
            } else if self.strings > 0 && self.missing == 0 && !self.is_name && self.lines.is_past()
            {
                found.push(Message {
                    kind: self.asked.digest().to_le_bytes(),
                    service: self.service,
                    items: items_of(self.service, self.strings),
                    ..Message::numbered(self.number, self.begin, position)
                });
                self.number = self.number.wrapping_add(1);
                self.strings = 0;
                self.begin = position;
            }
        }
        true
    }

    fn goes_on(&mut self, _bytes: &[u8]) -> bool {
        false // how many commands there were is not known
    }
}

fn service_of(name: &[u8]) -> u32 {
    let reads = [&b"GET"[..], b"MGET"];
    u32::from(reads.iter().any(|one| name.eq_ignore_ascii_case(one))) * READ
}

fn items_of(service: u32, strings: u64) -> u32 {
    if service == READ {
        strings as u32 - 1
    } else {
        UNKNOWN
    }
}

/// Replies that the server sends.
pub type Replies = replies::Replies<RespValues>;

/// Values of a reply under way.
#[derive(Default)]
pub struct RespValues {
    /// Values that are still to come, once one has begun.
    missing: Option<u64>,
    pushed: bool,
    items: u32,
}

impl Reading for RespValues {
    fn read(&mut self, line: &[u8], lines: &mut Lines) -> Option<()> {
        let (kind, rest) = line.split_first()?;
        if self.missing.is_none() {
            self.pushed = *kind == b'>';
            self.items = UNKNOWN;
        }
        let (outermost, missing) = (self.missing.is_none(), self.missing.unwrap_or(1));
        let follow = match kind {
            b'+' | b'-' | b':' | b'_' | b'#' | b',' | b'(' => 0,
            b'$' | b'=' | b'!' => {
                if rest != b"-1" {
                    lines.pass_over(number(rest)?);
                }
                0
            }
            b'*' | b'~' | b'>' if rest == b"-1" => 0,
            b'*' | b'~' | b'>' => number(rest)?,
            b'%' => 2 * number(rest)?,
            // Attributes stand before a value and are none.
            b'|' => 2 * number(rest)? + 1,
            _ => return None,
        };
        if outermost && *kind == b'*' {
            self.items = follow as u32;
        }
        self.missing = Some((missing - 1).saturating_add(follow));
        Some(())
    }

    fn ended(&mut self) -> Ended {
        if self.missing != Some(0) {
            return Ended::Nothing;
        }
        self.missing = None;
        if self.pushed {
            Ended::Push
        } else {
            Ended::Reply { items: self.items }
        }
    }
}

#[cfg(test)]
#[path = "resp_tests.rs"]
mod tests;
