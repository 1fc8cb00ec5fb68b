//! Messages: a header of 32 bytes, little-endian, and a payload that follows from the trial's seed.

use serde_json::{Value, json};
use wirelab_sdk::clock::now_ns;

/// Bytes of the header, and the shortest message.
pub(crate) const HEADER: usize = 32;

const MAGIC: u32 = 0x314D_4C57;
const POOL: usize = 1 << 16;
const SENT_AT: usize = 16;
const SERVED_AT: usize = 24;

/// The messages of a trial.
pub(crate) struct Messages {
    /// The pool twice, so that a slice of up to its size never ends too early.
    pool: Vec<u8>,
}

impl Messages {
    /// Makes the pool.
    pub(crate) fn new(seed: u64) -> Self {
        let salt = seed.wrapping_mul(40_503) as u32;
        let byte = |at: usize| {
            let number = (at % POOL + 1) as u32;
            (number.wrapping_mul(0x9E37_79B1).wrapping_add(salt) >> 16) as u8
        };
        Self { pool: (0..2 * POOL).map(byte).collect() }
    }

    /// A message of `size` bytes, without its times.
    pub(crate) fn compose(&self, user: u32, sequence: u64, size: usize) -> Vec<u8> {
        let mut message = Vec::with_capacity(size);
        message.extend(MAGIC.to_le_bytes());
        message.extend(user.to_le_bytes());
        message.extend(sequence.to_le_bytes());
        message.resize(HEADER, 0);
        let start = start(user, sequence);
        while message.len() < size {
            let part = POOL.min(size - message.len());
            message.extend(&self.pool[start..start + part]);
        }
        message
    }

    /// Whether a message is the one that `user` sent as `sequence`, each byte of it.
    pub(crate) fn is_intact(&self, message: &[u8], user: u32, sequence: u64, size: usize) -> bool {
        let start = start(user, sequence);
        let whole = |part: &[u8]| *part == self.pool[start..start + part.len()];
        message.len() == size
            && message[..4] == MAGIC.to_le_bytes()
            && message[4..8] == user.to_le_bytes()
            && message[8..SENT_AT] == sequence.to_le_bytes()
            && message[HEADER..].chunks(POOL).all(whole)
    }
}

/// Where in the pool a message's payload begins.
fn start(user: u32, sequence: u64) -> usize {
    let far = sequence.wrapping_mul(97).wrapping_add(u64::from(user) * 389);
    (far % POOL as u64) as usize
}

/// Writes when a message is sent.
pub(crate) fn stamp_sent(message: &mut [u8], sent_ns: u64) {
    message[SENT_AT..SERVED_AT].copy_from_slice(&sent_ns.to_le_bytes());
}

/// Writes when a server answers; false for what is too short to be a message.
pub fn stamp_served(message: &mut [u8]) -> bool {
    let whole = message.len() >= HEADER;
    if whole {
        message[SERVED_AT..HEADER].copy_from_slice(&now_ns().to_le_bytes());
    }
    whole
}

/// Whether what came is the echo of a message, and not of one that was given up before.
#[must_use]
pub fn is_answer(reply: &[u8], message: &[u8]) -> bool {
    reply.len() < HEADER || reply[..SENT_AT] == message[..SENT_AT]
}

/// When a server of ours says that it answered.
pub(crate) fn served_ns(message: &[u8]) -> u64 {
    number(message, SERVED_AT)
}

/// What the answers file says of an echo.
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
        let messages = Messages::new(7);
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
        let messages = Messages::new(7);
        let mut message = messages.compose(3, 5, 100);
        let before = answer_of(&message);
        stamp_sent(&mut message, 9);
        let after = answer_of(&message);
        assert_eq!(before["crc32"], after["crc32"]);
        assert_eq!((after["user"].as_u64(), after["sequence"].as_u64()), (Some(3), Some(5)));
    }

    #[test]
    fn an_answer_that_came_too_late_is_told_from_the_one_awaited() {
        let messages = Messages::new(7);
        let (first, second) = (messages.compose(3, 5, 100), messages.compose(3, 6, 100));
        assert!(is_answer(&second, &second));
        assert!(!is_answer(&first, &second));
    }
}
