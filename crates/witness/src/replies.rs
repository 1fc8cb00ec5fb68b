//! Replies that are read line by line, and come in the order of commands.

use crate::lines::Lines;
use crate::message::{Dissector, Message};

/// Thing that a line has brought to its end.
pub enum Ended {
    Nothing,
    /// Something that no command had asked for.
    Push,
    Reply {
        items: u32,
    },
}

/// Way in which lines are read.
pub trait Reading {
    /// Reads a line, behind which there may be data to be passed over; None where it is none of a
    /// reply.
    fn read(&mut self, line: &[u8], lines: &mut Lines) -> Option<()>;

    /// Tells what has ended, now that all data behind the last line have passed.
    fn ended(&mut self) -> Ended;
}

/// Replies that a server sends.
#[derive(Default)]
pub struct Replies<R> {
    lines: Lines,
    reading: R,
    begin: u64,
    number: u32,
}

impl<R: Reading> Dissector for Replies<R> {
    fn take(&mut self, mut position: u64, mut bytes: &[u8], found: &mut Vec<Message>) -> bool {
        while !bytes.is_empty() {
            let (taken, line) = self.lines.take(bytes);
            position += taken as u64;
            bytes = &bytes[taken..];
            if line.is_some_and(|line| self.reading.read(&line, &mut self.lines).is_none()) {
                return false;
            }
            if !self.lines.is_past() {
                continue;
            }
            match self.reading.ended() {
                Ended::Nothing => {}
                Ended::Push => self.begin = position,
                Ended::Reply { items } => {
                    found.push(Message {
                        items,
                        ..Message::numbered(self.number, self.begin, position)
                    });
                    self.number = self.number.wrapping_add(1);
                    self.begin = position;
                }
            }
        }
        true
    }

    fn goes_on(&mut self, _bytes: &[u8]) -> bool {
        false // how many replies there were is not known
    }
}
