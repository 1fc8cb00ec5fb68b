//! The draw message: what a user sends, and how a delivery is recognised.
//!
//! Content and form follow from a key that is drawn for the trial, which no server is told; what
//! was sent tells nothing of what will be. `suites/websocket/verify.py` computes them again. With
//! `z(0)` to `z(9)` the numbers of four bytes, the highest first, in SHA-1 of the ASCII texts
//! `KEY:USER:SEQ:0` and `KEY:USER:SEQ:1`, KEY being 32 hex digits:
//!
//! - `color` is `#` and `z(0) mod 2^24` as six hex digits, `width` is `1 + z(0) div 2^24 mod 8`
//! - `points` are `[z(i) mod 1920, z(i) div 2^16 mod 1080]` for i = 1 and 2
//! - `pad` is as many characters as bring the text to `message_bytes`, none when it is longer already:
//!   `.`, or letters that follow from `z(3)` and `z(4)` ([`Pad`]), with `random` in place of `color`,
//!   `width` and `points`, too
//! - order, spaces and escapes follow from `z(5)` ([`Form`])

use memchr::memmem;
use serde_json::Value;
use sha1::{Digest, Sha1};

use super::form::{Form, write_fields};
use super::pad::{Pad, letters};
use crate::protocol::BoardUser;

/// Numbers of one hash.
const NUMBERS: usize = 5;

/// The numbers that message `seq` of `user` follows from.
fn drawn(key: u128, user: u32, seq: u32) -> [u32; 2 * NUMBERS] {
    let mut numbers = [0; 2 * NUMBERS];
    for (half, numbers) in numbers.chunks_mut(NUMBERS).enumerate() {
        let hash = Sha1::digest(format!("{key:032x}:{user}:{seq}:{half}"));
        for (number, bytes) in numbers.iter_mut().zip(hash.chunks(4)) {
            *number = bytes
                .iter()
                .fold(0, |whole, byte| whole << 8 | u32::from(*byte));
        }
    }
    numbers
}

/// The text of message `seq` of `member`.
pub fn text(key: u128, member: BoardUser<'_>, seq: u32, bytes: usize, pad: Pad) -> String {
    let z = drawn(key, member.user, seq);
    let form = Form::of(z[5]);
    let color = format!("#{:06x}", z[0] & 0xff_ffff);
    let width = 1 + (z[0] >> 24) % 8;
    let [from, to] = [z[1], z[2]].map(|z| format!("[{},{}]", z % 1920, (z >> 16) % 1080));
    let mut text = String::with_capacity(bytes.max(180));
    let mut fields = vec![
        ("type", form.quoted("type", "draw")),
        ("board", form.quoted("board", member.board)),
        ("user", member.user.to_string()),
        ("seq", seq.to_string()),
    ];
    if pad != Pad::Random {
        fields.extend([
            ("color", form.quoted("color", &color)),
            ("width", width.to_string()),
            ("points", format!("[{from},{to}]")),
        ]);
    }
    let pad_at = write_fields(&mut text, form, &fields);
    let missing = bytes.saturating_sub(text.len());
    let filling: String = match pad {
        Pad::Dots => ".".repeat(missing),
        Pad::Letters | Pad::Random => letters(z[3], z[4]).take(missing).collect(),
    };
    text.insert_str(pad_at, &filling);
    text
}

/// Fields in which a draw object tells of itself.
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

/// Reads what a draw object says of itself, and its value; None when it is none.
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
    use std::collections::BTreeSet;

    use super::{BoardUser, DrawFields, Pad, locate, parse, text};
    use proptest::prelude::*;

    const KEY: u128 = 4711 << 64;
    const MEMBER: BoardUser<'_> = BoardUser {
        board: "b0007",
        user: 123,
    };

    #[test]
    fn the_rule_by_examples_that_verify_py_has_too() {
        let examples = include_str!("../../../tests/example-drawn.jsonl");
        let examples: Vec<String> = examples
            .lines()
            .map(|line| serde_json::from_str(line).expect("a text"))
            .collect();
        assert_eq!(examples.len(), 12);
        for (seq, example) in (0..).zip(&examples) {
            let (bytes, pad) = match seq {
                8.. => (130, Pad::Random),
                _ if seq % 2 == 0 => (130, Pad::Dots),
                _ => (180, Pad::Letters),
            };
            assert_eq!(&text(KEY, MEMBER, seq, bytes, pad), example);
        }
    }

    #[test]
    fn short_limits_leave_the_pad_empty() {
        let (_, value) = parse(&text(KEY, MEMBER, 0, 10, Pad::Letters)).expect("a draw object");
        assert_eq!(value["pad"], "");
        assert_eq!(text(KEY, MEMBER, 0, 500, Pad::Dots).len(), 500);
    }

    #[test]
    fn random_has_letters_where_others_have_colour_width_and_points() {
        let sent = text(KEY, MEMBER, 0, 130, Pad::Random);
        assert_eq!(sent.len(), 130);
        let (_, value) = parse(&sent).expect("a draw object");
        assert_eq!(value.as_object().map(serde_json::Map::len), Some(5));
        assert!(value["pad"].as_str().is_some_and(|pad| pad.len() > 60));
    }

    #[test]
    fn every_form_comes() {
        let texts: Vec<_> = (0..500)
            .map(|seq| text(KEY, MEMBER, seq, 130, Pad::Dots))
            .collect();
        let first: BTreeSet<_> = texts
            .iter()
            .map(|text| text.split(':').next().expect("a field").to_owned())
            .collect();
        assert_eq!(first.len(), 8);
        for escaped in [r"\u0064raw", r"\u00620007", r"\u0023"] {
            assert!(texts.iter().any(|text| text.contains(escaped)));
        }
        for space in [", ", ",\n", ",\t", ": "] {
            assert!(texts.iter().any(|text| text.contains(space)));
        }
        assert!(texts.iter().any(|text| !text.contains(char::is_whitespace)));
        assert!(texts.iter().map(String::len).collect::<BTreeSet<_>>().len() > 5);
    }

    proptest! {
        #[test]
        fn every_message_says_whose_it_is(key: u128, user: u32, seq: u32, bytes in 0_usize..400) {
            let member = BoardUser { board: "b0042", user };
            let sent = text(key, member, seq, bytes, Pad::Letters);
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
