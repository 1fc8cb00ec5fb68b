//! Messages: a header of 32 bytes, little-endian, and a payload that follows from the trial's key and
//! its seed.

use std::sync::Mutex;

use serde_json::{Value, json};
use sha2::{Digest, Sha512};
use wirelab_sdk::clock::now_ns;

use crate::phase::lock;

/// Bytes of the header, and the shortest message.
pub(crate) const HEADER: usize = 32;

const MAGIC: u32 = 0x314D_4C57;
const POOL: usize = 1 << 16;
const SENT_AT: usize = 16;
const SERVED_AT: usize = 24;
/// Bytes that a payload begins with, and that no other has.
const WORD: usize = 8;
const DIGEST: usize = 64;

/// Users of whom a digest is kept, each in a place of its own where there are no more.
const KEPT: usize = 1024;

/// The messages of a trial.
pub(crate) struct Messages {
    /// The key, and the seed after it.
    root: Vec<u8>,
    /// The pool twice, so that a slice of up to its size never ends too early.
    pool: Vec<u8>,
    kept: Vec<Mutex<Words>>,
}

/// The words of eight messages in a row of a user.
#[derive(Clone, Copy)]
struct Words {
    of: Option<(u32, u64)>,
    words: [u8; DIGEST],
}

/// Facts that a message tells of itself; times are CLOCK_MONOTONIC ns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) user: u32,
    pub(crate) sequence: u64,
    pub(crate) sent_ns: u64,
    pub(crate) due_ns: u64,
}

impl Head {
    /// Its phase; 0: it was no broadcast.
    pub(crate) fn phase(&self) -> u64 {
        self.sequence >> 32
    }

    /// Its number within that.
    pub(crate) fn number(&self) -> u64 {
        self.sequence & 0xFFFF_FFFF
    }
}

/// Reads the header of a message; none of what is none of ours.
pub(crate) fn head_of(message: &[u8]) -> Option<Head> {
    let is_ours = message.len() >= HEADER && message[..4] == MAGIC.to_le_bytes();
    is_ours.then(|| Head {
        user: number(message, 4) as u32,
        sequence: number(message, 8),
        sent_ns: number(message, SENT_AT),
        due_ns: number(message, SERVED_AT),
    })
}

impl Messages {
    /// Makes the pool.
    pub(crate) fn new(key: &[u8], seed: u64) -> Self {
        let mut root = key.to_vec();
        root.extend(seed.to_le_bytes());
        let nothing = Words { of: None, words: [0; DIGEST] };
        let kept = (0..KEPT).map(|_| Mutex::new(nothing)).collect();
        let mut made = Self { root, pool: Vec::with_capacity(2 * POOL), kept };
        for number in 0..(POOL / DIGEST) as u32 {
            let digest = made.digest(&number.to_le_bytes());
            made.pool.extend(digest);
        }
        made.pool.extend_from_within(..);
        made
    }

    fn digest(&self, of: &[u8]) -> [u8; DIGEST] {
        Sha512::new().chain_update(&self.root).chain_update(of).finalize().into()
    }

    /// Beginning of a payload.
    fn word(&self, user: u32, sequence: u64) -> [u8; WORD] {
        let block = sequence / WORD as u64;
        let mut kept = lock(&self.kept[user as usize % KEPT]);
        if kept.of != Some((user, block)) {
            let mut of = user.to_le_bytes().to_vec();
            of.extend(block.to_le_bytes());
            *kept = Words { of: Some((user, block)), words: self.digest(&of) };
        }
        let at = (sequence % WORD as u64) as usize * WORD;
        let mut word = [0; WORD];
        word.copy_from_slice(&kept.words[at..at + WORD]);
        word
    }

    /// A message of `size` bytes, without its times.
    pub(crate) fn compose(&self, user: u32, sequence: u64, size: usize) -> Vec<u8> {
        let mut message = Vec::with_capacity(size);
        message.extend(MAGIC.to_le_bytes());
        message.extend(user.to_le_bytes());
        message.extend(sequence.to_le_bytes());
        message.resize(HEADER, 0);
        let word = self.word(user, sequence);
        let start = start(word);
        while message.len() < size {
            let part = POOL.min(size - message.len());
            message.extend(&self.pool[start..start + part]);
        }
        let begun = WORD.min(size - HEADER);
        message[HEADER..HEADER + begun].copy_from_slice(&word[..begun]);
        message
    }

    /// Tells whether a message is the one that `user` sent as `sequence`, each byte of it but its
    /// times.
    pub(crate) fn is_intact(&self, message: &[u8], user: u32, sequence: u64, size: usize) -> bool {
        let is_said = |said: Head| said.user == user && said.sequence == sequence;
        if message.len() != size || !head_of(message).is_some_and(is_said) {
            return false;
        }
        let (word, payload) = (self.word(user, sequence), &message[HEADER..]);
        let (start, begun) = (start(word), WORD.min(payload.len()));
        let is_pool =
            |(part, at): (&[u8], usize)| part[at..] == self.pool[start + at..start + part.len()];
        let begins = std::iter::once(begun).chain(std::iter::repeat(0));
        payload[..begun] == word[..begun] && payload.chunks(POOL).zip(begins).all(is_pool)
    }
}

/// Place in the pool at which a message's payload begins.
fn start(word: [u8; WORD]) -> usize {
    usize::from(u16::from_le_bytes([word[0], word[1]]))
}

/// Writes when a message is sent.
pub(crate) fn stamp_sent(message: &mut [u8], sent_ns: u64) {
    message[SENT_AT..SERVED_AT].copy_from_slice(&sent_ns.to_le_bytes());
}

/// Writes when a broadcast is sent, and was due.
pub(crate) fn stamp(message: &mut [u8], sent_ns: u64, due_ns: u64) {
    stamp_sent(message, sent_ns);
    message[SERVED_AT..HEADER].copy_from_slice(&due_ns.to_le_bytes());
}

/// Writes when a server answers; false for what is too short to be a message.
pub fn stamp_served(message: &mut [u8]) -> bool {
    let whole = message.len() >= HEADER;
    if whole {
        message[SERVED_AT..HEADER].copy_from_slice(&now_ns().to_le_bytes());
    }
    whole
}

/// Tells whether what came is the echo of a message, and not of one that was given up before.
#[must_use]
pub fn is_answer(reply: &[u8], message: &[u8]) -> bool {
    reply.len() < HEADER || reply[..SENT_AT] == message[..SENT_AT]
}

/// Time at which a server of ours says that it answered.
pub(crate) fn served_ns(message: &[u8]) -> u64 {
    number(message, SERVED_AT)
}

/// Words of the answers file about an echo.
pub(crate) fn answer_of(message: &[u8]) -> Value {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&message[..SENT_AT]);
    sum.update(&[0; HEADER - SENT_AT]);
    sum.update(&message[HEADER..]);
    json!({
        "user": number(message, 4) as u32,
        "sequence": number(message, 8),
        "size": message.len(),
        "crc32": format!("{:08x}", sum.finalize()),
        "served_ns": served_ns(message),
    })
}

fn number(message: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&message[at..at + 8]);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::{HEADER, Messages, answer_of, is_answer, stamp_sent, stamp_served};

    #[test]
    fn each_byte_of_a_message_is_looked_at_but_its_times() {
        let messages = Messages::new(b"key", 7);
        let mut message = messages.compose(3, 1 << 32 | 5, 70_000);
        assert_eq!(message.len(), 70_000);
        stamp_sent(&mut message, 1);
        assert!(stamp_served(&mut message));
        assert!(messages.is_intact(&message, 3, 1 << 32 | 5, 70_000));
        for at in [0, 4, 8, HEADER, 40_000, 69_999] {
            message[at] ^= 1;
            assert!(!messages.is_intact(&message, 3, 1 << 32 | 5, 70_000), "byte {at}");
            message[at] ^= 1;
        }
        assert!(!messages.is_intact(&message[..69_999], 3, 1 << 32 | 5, 70_000));
    }

    #[test]
    fn an_answer_says_the_same_whenever_it_was_sent() {
        let messages = Messages::new(b"key", 7);
        let mut message = messages.compose(3, 5, 100);
        let before = answer_of(&message);
        stamp_sent(&mut message, 9);
        let after = answer_of(&message);
        assert_eq!(before["crc32"], after["crc32"]);
        assert_eq!((after["user"].as_u64(), after["sequence"].as_u64()), (Some(3), Some(5)));
    }

    #[test]
    fn an_answer_that_came_too_late_is_told_from_the_one_awaited() {
        let messages = Messages::new(b"key", 7);
        let (first, second) = (messages.compose(3, 5, 100), messages.compose(3, 6, 100));
        assert!(is_answer(&second, &second));
        assert!(!is_answer(&first, &second));
    }
}
