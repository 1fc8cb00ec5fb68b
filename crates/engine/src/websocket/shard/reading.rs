//! Reading of what comes from the server.

use wirelab_sdk::clock::now_ns;
use wirelab_sdk::status::Status;

use super::WebSocketShard;
use super::link::{Heard, Progress, Side};
use super::lost::Lost;
use crate::load::event_loop::LoopHandler;
use crate::net::Ready;
use crate::protocol::records::{END, RecordTooLong};
use crate::protocol::{Carrier, ServerMessage, skipped};

/// Times that the inbox is filled from one connection before the others have their turn.
const FILLS: usize = 4;

impl WebSocketShard {
    /// Something has happened to the socket of this number.
    pub(super) fn listen(&mut self, number: usize, ready: Ready) {
        let side = Side::of(number, self.users.len());
        let index = side.index;
        if let Some(silent_ns) = self.users[index].silent_ns {
            // On the second socket nothing comes to whom asks nothing.
            if !side.is_second {
                self.overlook(index, ready, silent_ns);
            }
            return;
        }
        if ready.writable
            && let Err(lost) = self.users[index].link.writable(side)
        {
            self.lose(index, &lost);
            return;
        }
        self.ledger.begin_read();
        let read = self.read(side, ready);
        self.ledger.end_read(self.event_loop.polled_before_ns());
        match read {
            Ok(false) => {}
            Ok(true) => self.event_loop.come_again(number, ready.hangup),
            Err(lost) => self.lose(index, &lost),
        }
    }

    /// Reads what has come. True: there may be more, but others come first.
    fn read(&mut self, side: Side, ready: Ready) -> Result<bool, Lost> {
        let index = side.index;
        let mut more = ready.readable;
        for _ in 0..FILLS {
            if !more {
                break;
            }
            let link = &mut self.users[index].link;
            more = link.fill(side, ready.hangup, &mut self.shared)?;
            self.count_traffic(index, now_ns());
            let is_opened = self.users[index].link.advance()? == Progress::Opened;
            if is_opened {
                self.opened(index)?;
            }
            // What was read with the opening was sent before the join came, unless that is the request
            // which opens.
            self.users[index].asked = !is_opened || self.plan.adapter.carrier() == Carrier::Events;
            loop {
                match self.users[index].link.hear()? {
                    Heard::Nothing => break,
                    Heard::Pong { is_quoted } => self.ponged(index, is_quoted),
                    Heard::Text(text) if self.plan.adapter.records() => {
                        self.heard_records(index, &text)?;
                    }
                    Heard::Text(text) => match self.plan.adapter.unwrapped(&text) {
                        None => self.heard(index, &text)?,
                        Some(messages) => {
                            for message in messages {
                                self.heard(index, &message)?;
                            }
                        }
                    },
                    Heard::Foreign(what) => self.ledger.wrong(index, "Garbage", &what, now_ns()),
                    Heard::Refused(status) => self.refused(index, status),
                }
            }
        }
        Ok(more)
    }

    /// Counts what user `index` has read and written since this was done last.
    pub(super) fn count_traffic(&mut self, index: usize, now: u64) {
        let link = &mut self.users[index].link;
        let (received, written) = (link.take_received(), link.take_written());
        // Good-byes are no part of the load, nor is what comes to whom nothing is owed.
        if self.users[index].joined && !self.closing && !self.falls_silent(index) {
            let counts = &mut self.ledger.tally.at(now).counts;
            counts.wire += received;
            counts.written += written;
        }
    }

    /// The server has not taken what user `index` sent. What is no message it may refuse.
    fn refused(&mut self, index: usize, status: u16) {
        if !self.closing {
            let number = self.ledger.roster.place(index).user;
            let findings = &mut self.ledger.findings;
            findings.error("MessageRefused", Status::Error, "rtt", || {
                format!("user {number}: HTTP {status}")
            });
        }
    }

    /// A frame came: each record that it ends is a message.
    fn heard_records(&mut self, index: usize, text: &str) -> Result<(), Lost> {
        let ended = self.users[index].records.ended_by(text);
        let ended = ended.map_err(|RecordTooLong| Lost::endless("a record"))?;
        for record in ended.split_terminator(END) {
            self.heard(index, record)?;
            if self.users[index].link.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// A message came: it is understood, and what has become due meanwhile is sent.
    fn heard(&mut self, index: usize, text: &str) -> Result<(), Lost> {
        let now = now_ns();
        self.users[index].signs.heard_ns = now;
        self.understand(index, text, now)?;
        self.look(now);
        Ok(())
    }

    fn understand(&mut self, index: usize, text: &str, now: u64) -> Result<(), Lost> {
        if self.is_of_texts(index, text) {
            return Ok(());
        }
        if self.plan.sheds
            && let Some(strokes) = skipped(self.ledger.roster.member(index), text)
        {
            self.ledger.shed(index, &strokes);
            return Ok(());
        }
        let mut state = self.users[index].state;
        let said = self
            .plan
            .adapter
            .hear(self.ledger.roster.member(index), &mut state, text);
        self.users[index].state = state;
        match said {
            ServerMessage::Draw(draw) if self.is_promised(index, &draw) => {}
            ServerMessage::Draw(draw) => self.ledger.delivered(index, &draw, now),
            ServerMessage::Joined if !self.users[index].asked => {
                let message = format!("it said joined before it was asked to join: {text}");
                return Err(Lost::wrong(("JoinedUnasked", message)));
            }
            ServerMessage::Joined => self.join(index, now),
            ServerMessage::Reply(texts) => {
                for text in texts {
                    self.users[index].link.send(text, &mut self.shared)?;
                }
            }
            ServerMessage::Nothing => {}
            ServerMessage::Refused(message) => {
                return Err(Lost::new(Status::Error, message));
            }
            ServerMessage::Garbage => self.ledger.wrong(index, "Garbage", text, now),
        }
        Ok(())
    }
}
