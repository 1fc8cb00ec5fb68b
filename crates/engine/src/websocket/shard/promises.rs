//! Promises of a server, tried once nothing is due any more: whoever is told that it has joined
//! gets what is drawn at once, a message may come in two frames, and what is no message reaches
//! nobody and harms nobody else.
//!
//! Who is chosen, and what is broken how, is drawn. What is found belongs to the last second of the load.

use std::io;

use serde_json::Value;
use wirelab_sdk::clock::now_ns;

use super::WebSocketShard;
use super::frames::TriedFrames;
use super::texts::TriedText;
use crate::load::event_loop::LoopHandler;
use crate::websocket::plan::drawn_key;

/// Boards of a thread that are tried.
const BOARDS: usize = 8;
/// Users of one try: one who comes back, one who draws, and one who shows that it was passed on.
const COMPANY: usize = 3;
/// Time that a stroke may take to somebody who has just joined.
const ARRIVAL_NS: u64 = 500_000_000;
/// Time after which what is no message would have been passed on.
const SILENCE_NS: u64 = 100_000_000;
/// One turn of the loop, between two looks whether everything has come.
const TURN_NS: u64 = 10_000_000;

/// A stroke for somebody who comes back to its board.
pub struct Welcome {
    /// The user who comes back.
    returning: usize,
    /// The user who draws as soon as it has.
    sender: usize,
    /// The stroke that was drawn; none before that.
    drawn: Option<Value>,
    at_returning: bool,
    at_sender: bool,
    /// Somebody else has it.
    at_others: bool,
}

impl Welcome {
    /// It has come to everybody who tells something.
    fn is_complete(&self) -> bool {
        self.at_returning && self.at_sender && self.at_others
    }

    /// Others got what who comes back should have got. What did not come to anybody was not served
    /// at all, which is no matter of joining.
    fn is_broken(&self) -> bool {
        self.at_sender && self.at_others && !self.at_returning
    }
}

/// Promises that are being tried.
#[derive(Default)]
pub struct Promises {
    welcomes: Vec<Welcome>,
    /// What users try of the protocol.
    pub(super) frames: Vec<TriedFrames>,
    /// Texts that are no messages.
    broken: Vec<String>,
    /// Texts that are none.
    pub(super) texts: Vec<TriedText>,
}

impl WebSocketShard {
    /// Tries what the server promises, on some boards.
    pub(super) fn try_promises(&mut self) -> io::Result<()> {
        if !self.plan.delivery || !self.played {
            return Ok(());
        }
        self.closing = true;
        let mut draw = drawn_key()?;
        let mut chance = |of: usize| {
            // A linear congruential generator: it has to be unforeseeable at its beginning alone.
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (draw >> 64) as usize % of
        };
        let mut boards = self.boards_in_company();
        while boards.len() > BOARDS {
            boards.swap_remove(chance(boards.len()));
        }
        for users in &boards {
            let returning = chance(users.len());
            let sender = (returning + 1 + chance(users.len() - 1)) % users.len();
            self.promises.welcomes.push(Welcome {
                returning: users[returning],
                sender: users[sender],
                drawn: None,
                at_returning: false,
                at_sender: false,
                at_others: false,
            });
            self.users[users[returning]].leave();
            self.joined -= 1;
            self.dial(users[returning], now_ns());
        }
        self.await_welcomes()?;
        let trying: Vec<usize> = boards
            .iter()
            .map(|users| users[chance(users.len())])
            .collect();
        self.try_frames(&trying)?;
        for users in &mut boards {
            users.retain(|index| self.users[*index].joined);
            if users.len() < COMPANY {
                users.clear(); // Nobody sends anything there.
            }
            let first = chance(BROKEN.len());
            for nth in 0..BROKEN.len() {
                if users.len() >= COMPANY {
                    let from = users.swap_remove(chance(users.len()));
                    self.send_broken(from, (first + nth) % BROKEN.len());
                }
            }
        }
        let until_ns = now_ns() + SILENCE_NS;
        while now_ns() < until_ns && !self.promises.broken.is_empty() {
            self.turn(until_ns)?;
        }
        for others in &boards {
            self.look_after(others);
        }
        self.try_texts(&boards)
    }

    /// Looks whether the `others` of a board are still there, on which somebody sent what is no
    /// message: that ends the sender's connection at most. One of several may have its own reasons.
    fn look_after(&mut self, others: &[usize]) {
        if others.len() >= COMPANY - 1 && others.iter().all(|index| !self.users[*index].joined) {
            let at_ns = self.ledger.last_due_ns();
            let what = "no connection of the board is left";
            self.ledger.wrong(others[0], "OthersHarmed", what, at_ns);
        }
    }

    /// The users of each board that has enough of them.
    fn boards_in_company(&self) -> Vec<Vec<usize>> {
        let boards = self.ledger.roster.boards.iter();
        boards
            .map(|board| {
                board
                    .users()
                    .filter(|index| self.users[*index].joined && !self.falls_silent(*index))
                    .collect::<Vec<_>>()
            })
            .filter(|users| users.len() >= COMPANY)
            .collect()
    }

    fn await_welcomes(&mut self) -> io::Result<()> {
        let until_ns = now_ns() + ARRIVAL_NS;
        while now_ns() < until_ns && !self.promises.welcomes.iter().all(Welcome::is_complete) {
            self.turn(now_ns() + TURN_NS)?;
        }
        let at_ns = self.ledger.last_due_ns();
        for welcome in &self.promises.welcomes {
            if let Some(drawn) = &welcome.drawn
                && welcome.is_broken()
            {
                let drawn = drawn.to_string();
                self.ledger
                    .wrong(welcome.returning, "JoinedTooEarly", &drawn, at_ns);
            }
        }
        Ok(())
    }

    /// User `index` is on its board: if it was waited for, somebody draws at once.
    pub(super) fn welcome(&mut self, index: usize) {
        let mut waited_for = self.promises.welcomes.iter_mut();
        let Some(welcome) =
            waited_for.find(|welcome| welcome.returning == index && welcome.drawn.is_none())
        else {
            return;
        };
        let (sender, text) = (welcome.sender, self.ledger.compose(welcome.sender));
        welcome.drawn = serde_json::from_str(&text).ok();
        self.say(sender, text);
    }

    /// Sends what is no message.
    fn send_broken(&mut self, index: usize, kind: usize) {
        let text = BROKEN[kind](self.ledger.compose(index));
        self.promises.broken.push(text.clone());
        self.say(index, text);
    }

    /// Sends a stroke of user `index`. A user that cannot be spoken to any more has its own
    /// reasons: nothing is due.
    fn say(&mut self, index: usize, text: String) {
        let member = self.ledger.roster.member(index);
        let framed = self.plan.adapter.draw(member.board, text);
        if let Err(lost) = self.users[index].link.send(framed, &mut self.shared) {
            self.lose(index, &lost);
        }
    }

    /// Tells whether `text`, which has come to user `index`, is one of those that were tried.
    pub(super) fn is_promised(&mut self, index: usize, text: &str) -> bool {
        if self.promises.broken.iter().any(|broken| broken == text) {
            let at_ns = self.ledger.last_due_ns();
            self.ledger.wrong(index, "InvalidPassedOn", text, at_ns);
            return true;
        }
        if self.promises.welcomes.is_empty() {
            return false;
        }
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return false;
        };
        if self.is_of_frames(index, &value) {
            return true;
        }
        let board = self.ledger.roster.place(index).board;
        let roster = &self.ledger.roster;
        let mut tried = self.promises.welcomes.iter_mut();
        let Some(welcome) = tried.find(|welcome| {
            roster.place(welcome.sender).board == board && welcome.drawn.as_ref() == Some(&value)
        }) else {
            return false;
        };
        match index {
            index if index == welcome.returning => welcome.at_returning = true,
            index if index == welcome.sender => welcome.at_sender = true,
            _ => welcome.at_others = true,
        }
        true
    }
}

/// Ways to make a message none: without its end, with a comma too many, without a colon, with an
/// escape that there is not, with a line end within a text, with a number that begins with 0. Who
/// only looks whether brackets, commas and colons are where they belong takes the last three for
/// messages.
const BROKEN: [fn(String) -> String; 6] = [
    |text| text[..text.len() - 1].to_owned(),
    |text| format!("{},}}", &text[..text.len() - 1]),
    |text| text.replacen("\":", "\"=", 1),
    |text| with_inserted(text, ["color", "pad"], 1, "\\q"),
    |text| with_inserted(text, ["color", "pad"], 1, "\n"),
    |text| with_inserted(text, ["width", "seq"], 0, "0"),
];

/// `text` with `piece` in the value of the first of these fields that it has, behind so many of its
/// characters.
pub(super) fn with_inserted(
    mut text: String,
    fields: [&str; 2],
    behind: usize,
    piece: &str,
) -> String {
    let ends = fields.iter().find_map(|field| {
        let name = format!("\"{field}\":");
        text.find(&name).map(|at| at + name.len())
    });
    if let Some(end) = ends {
        let value = text[end..].trim_start();
        let within = text.len() - value.len() + behind;
        text.insert_str(within, piece);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::BROKEN;

    #[test]
    fn what_is_broken_is_no_json() {
        let texts = [
            r##"{"type":"draw","board":"b0001","color":"#1e90ff","width":3,"pad":""}"##,
            r##"{"width": 3, "pad": "", "type": "draw", "color": "\u00231e90ff"}"##,
            r##"{"pad": "Zx9", "type": "draw", "board": "b0001", "user": 1, "seq": 0}"##,
        ];
        for text in texts {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok());
            for broken in BROKEN.map(|broken| broken(text.to_owned())) {
                assert_ne!(broken, text);
                assert!(serde_json::from_str::<serde_json::Value>(&broken).is_err());
            }
        }
    }
}
