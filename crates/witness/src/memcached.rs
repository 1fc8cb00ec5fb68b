//! memcached's text protocol, as `doc/protocol.txt` of its sources has it: a command is a line, with
//! data behind it where it stores; answers come in the order of commands.
//!
//! Meta commands (`mg`, `ms` and others) and the binary protocol are not followed.

use crate::lines::{Lines, number};
use crate::message::{Dissector, Message, READ, UNKNOWN};
use crate::names::{Hash, Names};
use crate::replies::{self, Ended, Reading};

/// Commands that clients send.
#[derive(Default)]
pub struct MemcachedCommands {
    lines: Lines,
    words: Words,
    begin: u64,
    command: Option<Command>,
    number: u32,
}

/// A command whose data may be still to come.
struct Command {
    service: u32,
    items: u32,
    names: u32,
    is_answered: bool,
}

/// Words of a line behind its first one, however long it is.
#[derive(Default)]
struct Words {
    /// The word that is under way.
    word: Option<Hash>,
    begun: u32,
    names: Names,
}

impl Words {
    fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if !b" \r\n".contains(byte) {
                if self.word.is_none() {
                    self.begun = self.begun.saturating_add(1);
                }
                self.word.get_or_insert(Hash::EMPTY).take(*byte);
            } else if let Some(word) = self.word.take()
                && self.begun > 1
            {
                self.names.take(word);
            }
        }
    }

    /// Number of the names and their digest, when the line has ended.
    fn ended(&mut self) -> (u32, u32) {
        let Self {
            begun, mut names, ..
        } = std::mem::take(self);
        (begun.saturating_sub(1), names.digest())
    }
}

impl MemcachedCommands {
    /// Reads a line; None where it is no command that can be followed.
    fn read(&mut self, line: &[u8]) -> Option<Command> {
        let words: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
        let (items, names) = self.words.ended();
        let mut command = Command {
            service: 0,
            items: UNKNOWN,
            names: 0,
            is_answered: words.last() != Some(&&b"noreply"[..]),
        };
        match words[0] {
            b"get" | b"gets" => {
                command = Command {
                    service: READ,
                    items,
                    names,
                    is_answered: true,
                }
            }
            b"set" | b"add" | b"replace" | b"append" | b"prepend" | b"cas" => {
                self.lines.pass_over(number(words.get(4)?)?);
            }
            b"quit" => command.is_answered = false,
            b"version" | b"stats" | b"delete" | b"incr" | b"decr" | b"touch" | b"flush_all"
            | b"verbosity" => {}
            _ => return None,
        }
        Some(command)
    }
}

impl Dissector for MemcachedCommands {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        while !bytes.is_empty() {
            let in_line = self.lines.is_past();
            let (taken, line) = self.lines.take(bytes);
            if in_line {
                self.words.take(&bytes[..taken]);
            }
            position += taken as u64;
            bytes = &bytes[taken..];
            if let Some(line) = line {
                self.command = self.read(&line);
                if self.command.is_none() {
                    return false;
                }
            }
            if !self.lines.is_past() {
                continue;
            }
            let Some(command) = self.command.take() else {
                continue;
            };
            if command.is_answered {
                found.push(Message {
                    kind: command.names.to_le_bytes(),
                    service: command.service,
                    items: command.items,
                    ..Message::numbered(self.number, self.begin, position)
                });
                self.number = self.number.wrapping_add(1);
            }
            self.begin = position;
        }
        true
    }

    fn goes_on(&mut self, _bytes: &[u8]) -> bool {
        false // how many commands there were is not known
    }
}

/// Replies that the server sends.
pub type Replies = replies::Replies<MemcachedValues>;

/// Values of an answer under way.
#[derive(Default)]
pub struct MemcachedValues {
    number: u32,
    is_whole: bool,
}

impl Reading for MemcachedValues {
    fn read(&mut self, line: &[u8], lines: &mut Lines) -> Option<()> {
        let mut words = line.split(|byte| *byte == b' ');
        match words.next()? {
            b"" => return None,
            b"VALUE" => {
                self.number = self.number.saturating_add(1);
                lines.pass_over(number(words.nth(2)?)?);
            }
            b"STAT" => {}
            _ => self.is_whole = true,
        }
        Some(())
    }

    fn ended(&mut self) -> Ended {
        if !std::mem::take(&mut self.is_whole) {
            return Ended::Nothing;
        }
        Ended::Reply {
            items: std::mem::take(&mut self.number),
        }
    }
}

#[cfg(test)]
#[path = "memcached_tests.rs"]
mod tests;
