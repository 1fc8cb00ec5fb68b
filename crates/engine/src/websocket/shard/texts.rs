//! Conduct of a server with a text message that is not UTF-8. RFC 6455 (8.1) has it end the
//! connection, by the code 1007 (7.4.1); several libraries leave that to their caller.
//!
//! It is counted and no matter of right and wrong, and tried last: a server that passes such a text
//! on ends the connections of all who read it.

use std::io;

use wirelab_sdk::clock::now_ns;

use super::WebSocketShard;
use super::lost::Lost;
use super::promises::with_inserted;
use crate::load::event_loop::LoopHandler;

/// Code for a message that is not of the form that its kind has.
const INVALID_FORM: u16 = 1007;
/// Time that a server may take to end a connection.
const ENDING_NS: u64 = 500_000_000;
/// One turn of the loop, between two looks whether all have ended.
const TURN_NS: u64 = 10_000_000;
/// Stands in a message where the byte belongs that no text has.
const PLACE: u8 = 0x7f;
const NO_TEXT: u8 = 0xff;
/// What many decoders have in place of such a byte, as it is and as an escape.
const REPLACED: [&str; 2] = ["\u{fffd}", "\\ufffd"];

/// A text that is none, and what became of it.
pub struct TriedText {
    user: usize,
    /// The connection ended, by this code if by any.
    ended: Option<Option<u16>>,
    /// The user was sent it as well, and could not read on.
    is_returned: bool,
    /// Others were sent it.
    is_spread: bool,
}

impl WebSocketShard {
    /// Has a user of each board, given by those who are left of it, send what is not UTF-8.
    pub(super) fn try_texts(&mut self, boards: &[Vec<usize>]) -> io::Result<()> {
        for users in boards {
            let mut there = users.iter().filter(|user| self.users[**user].joined);
            // Somebody has to see whether it was passed on.
            if let (Some(user), Some(_)) = (there.next().copied(), there.next()) {
                self.send_no_text(user);
            }
        }
        let until_ns = now_ns() + ENDING_NS;
        let is_open = |tried: &TriedText| tried.ended.is_none() && !tried.is_returned;
        while now_ns() < until_ns && self.promises.texts.iter().any(is_open) {
            self.turn(now_ns() + TURN_NS)?;
        }
        let at_ns = self.ledger.last_due_ns();
        let found = &mut self.ledger.tally.at(at_ns).tried;
        for tried in &self.promises.texts {
            found.spread += u64::from(tried.is_spread);
            match tried.ended {
                None => found.kept += 1,
                Some(Some(INVALID_FORM)) => found.named += 1,
                Some(_) => found.ended += 1,
            }
        }
        Ok(())
    }

    fn send_no_text(&mut self, user: usize) {
        let place = char::from(PLACE).to_string();
        let text = with_inserted(self.ledger.compose(user), ["color", "pad"], 1, &place);
        let board = self.ledger.roster.member(user).board;
        let mut bytes = self.plan.adapter.draw(board, text).into_bytes();
        for byte in &mut bytes {
            if *byte == PLACE {
                *byte = NO_TEXT;
            }
        }
        let sent = self.users[user].link.send_bytes(bytes);
        if matches!(sent, Ok(false)) {
            return;
        }
        self.promises.texts.push(TriedText {
            user,
            ended: None,
            is_returned: false,
            is_spread: false,
        });
        if let Err(lost) = sent {
            self.lose(user, &lost);
        }
    }

    /// The connection of user `index` has ended: the server did that, or what it sent cannot be
    /// read.
    pub(super) fn note_end(&mut self, index: usize, lost: &Lost) {
        let is_unreadable = lost.wrong.is_some();
        let mut texts = self.promises.texts.iter_mut();
        if let Some(tried) = texts.find(|tried| tried.user == index) {
            tried.is_returned |= is_unreadable;
            if !is_unreadable {
                tried.ended = Some(lost.code);
            }
        } else if is_unreadable {
            self.spread_to(index);
        }
    }

    /// Tells whether `text`, which has come to user `index`, was made of one of those that are
    /// tried.
    pub(super) fn is_of_texts(&mut self, index: usize, text: &str) -> bool {
        let is_of = !self.promises.texts.is_empty()
            && REPLACED.iter().any(|replaced| text.contains(replaced));
        if is_of {
            self.spread_to(index);
        }
        is_of
    }

    /// User `index` was sent what somebody else of its board has tried.
    fn spread_to(&mut self, index: usize) {
        let roster = &self.ledger.roster;
        let board = roster.place(index).board;
        for tried in &mut self.promises.texts {
            tried.is_spread |= tried.user != index && roster.place(tried.user).board == board;
        }
    }
}
