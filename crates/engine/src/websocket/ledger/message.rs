//! The draw message: what a user sends, and how a delivery is recognised.
//!
//! The content follows from the seed alone; `suites/websocket/verify.py` computes it again.
//! With `z(i)` = CRC-32 (IEEE) of the ASCII text `SEED:USER:SEQ:i`:
//!
//! - `color` is `#` and `z(0) mod 2^24` as six hex digits, `width` is `1 + z(0) div 2^24 mod 8`
//! - `points` are `[z(i) mod 1920, z(i) div 2^16 mod 1080]` for i = 1 and 2
//! - keys in the order type, board, user, seq, color, width, points, pad; no spaces
//! - `pad` is as many characters as bring the text to `message_bytes`, none when it is longer already:
//!   `.`, or letters that follow from `z(3)` and `z(4)` ([`Pad`])

use std::fmt::Write as _;

use memchr::memmem;
use serde_json::Value;

use super::pad::{Pad, letters};

/// The text of message `seq` of `user`.
pub fn text(seed: u64, board: &str, user: u32, seq: u32, bytes: usize, pad: Pad) -> String {
    let mut key = String::with_capacity(48);
    let mut z = |i: u32| {
        key.clear();
        let _ = write!(key, "{seed}:{user}:{seq}:{i}");
        crc32fast::hash(key.as_bytes())
    };
    let (look, from, to) = (z(0), z(1), z(2));
    let mut text = String::with_capacity(bytes.max(160));
    let _ = write!(
        text,
        r##"{{"type":"draw","board":"{board}","user":{user},"seq":{seq},"color":"#{:06x}","width":{},"points":[[{},{}],[{},{}]],"pad":""##,
        look & 0xff_ffff,
        1 + (look >> 24) % 8,
        from % 1920,
        (from >> 16) % 1080,
        to % 1920,
        (to >> 16) % 1080,
    );
    let padding = bytes.saturating_sub(text.len() + 2);
    match pad {
        Pad::Dots => text.extend(std::iter::repeat_n('.', padding)),
        Pad::Letters => text.extend(letters(z(3), z(4)).take(padding)),
    }
    text.push_str("\"}");
    text
}

/// What a draw object says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawFields {
    /// Its board.
    pub board: String,
    /// Its sender.
    pub user: u32,
    /// Its number.
    pub seq: u32,
}

/// Sender and number of a text that looks like a draw object. Cheap, and nothing to rely on:
/// the text is compared with the message found by it.
pub fn locate(text: &str) -> Option<(u32, u32)> {
    let bytes = text.as_bytes();
    Some((
        number_after(bytes, b"\"user\":")?,
        number_after(bytes, b"\"seq\":")?,
    ))
}

fn number_after(bytes: &[u8], key: &[u8]) -> Option<u32> {
    let at = memmem::find(bytes, key)? + key.len();
    let rest = bytes[at..].trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

/// What a draw object says of itself, and its value; None when it is none.
pub fn parse(text: &str) -> Option<(DrawFields, Value)> {
    let value: Value = serde_json::from_str(text).ok()?;
    if value.get("type")? != "draw" {
        return None;
    }
    let number = |key: &str| value.get(key)?.as_u64()?.try_into().ok();
    let board = value.get("board")?.as_str()?.to_owned();
    Some((
        DrawFields {
            board,
            user: number("user")?,
            seq: number("seq")?,
        },
        value,
    ))
}

#[cfg(test)]
mod tests {
    use super::{DrawFields, Pad, locate, parse, text};
    use proptest::prelude::*;

    #[test]
    fn the_rule_by_an_example_that_verify_py_has_too() {
        assert_eq!(
            text(4711, "b0007", 123, 17, 130, Pad::Dots),
            include_str!("../../../tests/example-draw.json").trim_end(),
        );
    }

    #[test]
    fn letters_by_an_example_that_verify_py_has_too() {
        assert_eq!(
            text(4711, "b0007", 123, 17, 180, Pad::Letters),
            include_str!("../../../tests/example-draw-letters.json").trim_end(),
        );
    }

    #[test]
    fn short_limits_leave_the_pad_empty() {
        assert!(text(1, "b0000", 0, 0, 10, Pad::Letters).ends_with(r#","pad":""}"#));
        assert_eq!(text(1, "b0000", 0, 0, 500, Pad::Dots).len(), 500);
    }

    proptest! {
        #[test]
        fn every_message_says_whose_it_is(seed: u64, user: u32, seq: u32, bytes in 0_usize..400) {
            let sent = text(seed, "b0042", user, seq, bytes, Pad::Letters);
            prop_assert_eq!(locate(&sent), Some((user, seq)));
            let (claim, _) = parse(&sent).expect("a draw object");
            prop_assert_eq!(claim, DrawFields { board: "b0042".into(), user, seq });
            prop_assert!(sent.len() >= bytes);
        }

        #[test]
        fn anything_may_come(other in ".{0,80}") {
            let _ = locate(&other);
            prop_assert!(parse(&other).is_none());
        }

        #[test]
        fn spaces_and_order_do_not_hide_it(user: u32, seq: u32) {
            let other = format!(r#"{{"seq": {seq} , "user":  {user}, "type": "draw", "board": "b"}}"#);
            prop_assert_eq!(locate(&other), Some((user, seq)));
        }
    }

    #[test]
    fn numbers_too_large_are_no_numbers() {
        assert_eq!(locate(r#"{"user":4294967296,"seq":1}"#), None);
        assert_eq!(
            parse(r#"{"type":"draw","board":"b","user":4294967296,"seq":1}"#),
            None
        );
    }
}
