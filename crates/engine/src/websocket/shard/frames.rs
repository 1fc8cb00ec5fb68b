//! What the protocol itself asks of a server beside whole messages: a ping is answered, and a
//! message may come in two frames, with a ping between them. Whether an answer quotes the ping is
//! counted, and no matter of right and wrong.
//!
//! Tried with the other promises, where the carrier is a WebSocket without compression. A user
//! sends a stroke in two frames, a ping between them, and the same stroke in one: a server that has
//! passed that on had read the others.

use std::collections::BTreeMap;
use std::io;

use serde_json::Value;
use wirelab_sdk::clock::now_ns;

use super::WebSocketShard;
use crate::load::event_loop::LoopHandler;

/// Time that the last of it may take to come back.
const ARRIVAL_NS: u64 = 500_000_000;
/// One turn of the loop, between two looks whether everything has come.
const TURN_NS: u64 = 10_000_000;
/// Copies of the stroke that are to come to everybody.
const COPIES: u32 = 2;

/// What one user tries, and what has come back to it.
pub struct TriedFrames {
    user: usize,
    stroke: Value,
    /// By member of the board.
    copies: BTreeMap<usize, u32>,
    /// The ping was answered, and whether that quoted it.
    ponged: Option<bool>,
}

impl TriedFrames {
    fn is_complete(&self) -> bool {
        self.copies.get(&self.user) == Some(&COPIES) && self.ponged == Some(true)
    }

    /// What a server did wrong that has passed something on, or hung up. A copy that did not come
    /// to one of the members is lost, as others are that count.
    fn wrong(&self, is_gone: bool) -> impl Iterator<Item = &'static str> {
        let is_served = self.copies.len() > 1;
        let is_whole = self.copies.get(&self.user) == Some(&COPIES) && self.ponged.is_some();
        let found = [
            (is_gone && !is_whole, "FrameRefused"),
            (
                is_served && self.copies.values().all(|copies| *copies < COPIES),
                "FramesNotJoined",
            ),
            (is_served && self.ponged.is_none(), "PingUnanswered"),
        ];
        let found = found.into_iter().filter(|(is_so, _)| *is_so);
        found.map(|(_, class)| class)
    }
}

impl WebSocketShard {
    /// Has the users, each of another board, try it.
    pub(super) fn try_frames(&mut self, users: &[usize]) -> io::Result<()> {
        for user in users {
            if self.users[*user].joined {
                self.send_frames(*user);
            }
        }
        let until_ns = now_ns() + ARRIVAL_NS;
        while now_ns() < until_ns && !self.promises.frames.iter().all(TriedFrames::is_complete) {
            self.turn(now_ns() + TURN_NS)?;
        }
        let at_ns = self.ledger.last_due_ns();
        for tried in &self.promises.frames {
            let is_gone = !self.users[tried.user].joined;
            for class in tried.wrong(is_gone) {
                let stroke = tried.stroke.to_string();
                self.ledger.wrong(tried.user, class, &stroke, at_ns);
            }
            let found = &mut self.ledger.tally.at(at_ns).tried;
            found.quoted += u64::from(tried.ponged == Some(true));
            found.misquoted += u64::from(tried.ponged == Some(false));
        }
        Ok(())
    }

    fn send_frames(&mut self, user: usize) {
        // The next one is that of whoever is welcomed.
        let text = self.ledger.compose_later(user, 1);
        let Ok(stroke) = serde_json::from_str(&text) else {
            return;
        };
        let board = self.ledger.roster.member(user).board;
        let framed = self.plan.adapter.draw(board, text);
        let sent = match self.users[user].link.send_split(framed.clone()) {
            Ok(false) => return,
            Ok(true) => self.users[user].link.send(framed, &mut self.shared),
            Err(lost) => Err(lost),
        };
        self.promises.frames.push(TriedFrames {
            user,
            stroke,
            copies: BTreeMap::new(),
            ponged: None,
        });
        if let Err(lost) = sent {
            self.lose(user, &lost);
        }
    }

    /// A ping of user `index` was answered. One answer may be to nothing, and another one quote it.
    pub(super) fn ponged(&mut self, index: usize, is_quoted: bool) {
        let mut tried = self.promises.frames.iter_mut();
        if let Some(tried) = tried.find(|tried| tried.user == index) {
            tried.ponged = Some(is_quoted || tried.ponged == Some(true));
        }
    }

    /// Tells whether `stroke`, which has come to user `index`, is one of those that are tried.
    pub(super) fn is_of_frames(&mut self, index: usize, stroke: &Value) -> bool {
        let roster = &self.ledger.roster;
        let board = roster.place(index).board;
        let mut tried = self.promises.frames.iter_mut();
        let Some(tried) =
            tried.find(|tried| roster.place(tried.user).board == board && tried.stroke == *stroke)
        else {
            return false;
        };
        *tried.copies.entry(index).or_default() += 1;
        true
    }
}
