//! One sent message, and one user's sent messages.

use std::collections::VecDeque;

use wirelab_sdk::answers::Phase;

use super::members::Members;

/// State of the sender's own copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnCopy {
    /// Under way.
    Awaited,
    /// Decoded at this time.
    Seen(u64),
    /// Recorded as failed.
    Failed,
}

/// Stage of a message's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Copies are under way.
    Open,
    /// Everybody expected has its copy.
    Complete,
    /// Took too long. Kept for a while, to tell late copies from further ones.
    GeneratorError,
}

/// A message whose answer is written.
#[derive(Debug)]
pub struct Verified {
    /// Part of the trial.
    pub phase: Phase,
    /// Its tick.
    pub tick: u64,
    /// Distinct texts received.
    pub copies: Vec<String>,
}

/// One sent message.
#[derive(Debug)]
pub struct Entry {
    /// Time at which it was due.
    pub intended_ns: u64,
    /// Just before it was handed to the library.
    pub start_ns: u64,
    /// Text as sent.
    pub text: Box<str>,
    /// Text as the server wrote it again: compared as JSON once, then byte by byte.
    pub rewritten: Option<Box<str>>,
    /// Members when it was sent, the sender among them.
    pub expected: Members,
    /// Members that have it.
    pub seen: Members,
    /// Others who are expected to get it and have not.
    pub missing: u32,
    /// The sender's copy.
    pub own: OwnCopy,
    /// Stage of its life.
    pub state: State,
    /// Its answer, where that is wanted.
    pub verified: Option<Box<Verified>>,
}

impl Entry {
    /// Tells whether `text` is this message, as it was sent or as it came before.
    pub fn is(&self, text: &str) -> bool {
        *self.text == *text || self.rewritten.as_deref() == Some(text)
    }

    /// Nobody is waited for any more.
    pub fn is_complete(&self) -> bool {
        self.missing == 0 && self.own != OwnCopy::Awaited
    }

    /// Keeps what a verified answer says of the copies.
    pub fn note_copy(&mut self, text: &str) {
        if let Some(verified) = &mut self.verified
            && !verified.copies.iter().any(|copy| copy == text)
        {
            verified.copies.push(text.to_owned());
        }
    }
}

/// Messages that one member has of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub struct SenderHistory {
    /// Messages before this one were sent before the member joined.
    pub from: u32,
    /// One more than the highest number seen.
    pub next: u32,
}

/// One user's sent messages.
#[derive(Debug, Default)]
pub struct Sender {
    /// Number of the next message.
    pub next: u32,
    /// Number of the first message that is kept.
    base: u32,
    /// Messages below this one, and not kept, may have had copies missing.
    pub unclear_below: u32,
    entries: VecDeque<Entry>,
    /// By place on the board; empty until something is sent.
    pub past: Vec<SenderHistory>,
}

impl Sender {
    /// The message `seq`, if it is kept.
    pub fn entry(&mut self, seq: u32) -> Option<&mut Entry> {
        self.entries.get_mut(seq.checked_sub(self.base)? as usize)
    }

    /// Keeps a message that has just been sent.
    pub fn push(&mut self, entry: Entry) {
        self.entries.push_back(entry);
        self.next += 1;
    }

    /// Numbers of the messages kept.
    pub fn kept(&self) -> std::ops::Range<u32> {
        self.base..self.next
    }

    /// Forgets complete messages, up to the first that is not.
    pub fn retire(&mut self) {
        while self
            .entries
            .front()
            .is_some_and(|entry| entry.state == State::Complete)
        {
            self.entries.pop_front();
            self.base += 1;
        }
    }

    /// Forgets everything up to `seq`.
    pub fn evict(&mut self, seq: u32) {
        while self.base <= seq && self.entries.pop_front().is_some() {
            self.base += 1;
        }
        self.unclear_below = self.unclear_below.max(seq + 1);
        self.retire();
    }
}
