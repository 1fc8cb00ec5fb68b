//! Frames written by hand, by RFC 6455.

use super::*;
use crate::names::{Hash, Names};
use crate::probing::{survives_by, taken_by, wherever_segments_end_by};

const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;

fn of_client() -> WebSocketFrames {
    WebSocketFrames::new(true, Some(Marks::of(["user", "seq"])))
}

fn of_server() -> WebSocketFrames {
    WebSocketFrames::new(false, Some(Marks::of(["user", "seq"])))
}

/// A frame that the server sends.
fn plain(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..126 => bytes.push(short as u8),
        long @ 126..65_536 => {
            bytes.push(126);
            bytes.extend((long as u16).to_be_bytes());
        }
        longest => {
            bytes.push(127);
            bytes.extend((longest as u64).to_be_bytes());
        }
    }
    bytes.extend(payload);
    bytes
}

/// The same as a client sends it.
fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
    let key = [0x37, 0xfa, 0x21, 0x3d];
    let mut bytes = plain(first, payload);
    bytes[1] |= MASKED;
    let begin = bytes.len() - payload.len();
    bytes[begin..]
        .iter_mut()
        .zip(key.iter().cycle())
        .for_each(|(byte, key)| *byte ^= key);
    bytes.splice(begin..begin, key);
    bytes
}

fn draw(user: u32, seq: u32, pad: usize) -> Vec<u8> {
    let pad = ".".repeat(pad);
    format!(r#"{{"type":"draw","user":{user},"seq":{seq},"pad":"{pad}"}}"#).into_bytes()
}

fn said(found: &[Message]) -> Vec<(u32, u32)> {
    found
        .iter()
        .map(|one| (u32::from_le_bytes(one.kind), one.request & !(1 << 31)))
        .collect()
}

fn who(user: &str) -> u32 {
    let mut names = Names::default();
    names.take(Hash::of(user.as_bytes()));
    names.digest()
}

#[test]
fn messages_of_any_length_are_known_by_their_marks() {
    let lengths = [0, 70, 200, 70_000];
    let bytes: Vec<u8> = (0_u32..)
        .zip(lengths)
        .flat_map(|(seq, pad)| plain(FINAL | TEXT, &draw(7, seq, pad)))
        .collect();
    let (found, whole) = taken_by(&of_server, &[&bytes]);
    assert!(whole);
    assert_eq!(said(&found), [0, 1, 2, 3].map(|seq| (who("7"), seq)));
    let ends: Vec<_> = found
        .iter()
        .map(|one| one.position + u64::from(one.size))
        .collect();
    assert_eq!(found[0].position, 0);
    assert_eq!(ends[..3], [1, 2, 3].map(|next: usize| found[next].position));
    assert_eq!(ends[3], bytes.len() as u64);
}

#[test]
fn frames_of_clients_are_unmasked() {
    let bytes = [
        masked(FINAL | TEXT, &draw(1, 2, 0)),
        masked(FINAL | PING, b"user"),
        masked(FINAL | BINARY, &draw(3, 4, 130)),
    ]
    .concat();
    let found = wherever_segments_end_by(&of_client, &bytes);
    assert_eq!(said(&found), [(who("1"), 2), (who("3"), 4)]);
    assert!(
        found
            .iter()
            .all(|one| one.service == MARKED && one.items == 1)
    );
}

#[test]
fn fragments_are_one_message_and_control_comes_between_them() {
    let text = draw(12, 345, 10);
    let (first, rest) = text.split_at(26);
    let (second, third) = rest.split_at(3);
    let fragments = |frame: fn(u8, &[u8]) -> Vec<u8>| {
        [
            frame(FINAL | PING, b""),
            frame(TEXT, first),
            frame(FINAL | PING, br#""user":1"#),
            frame(CONTINUES, second),
            frame(CONTINUES, b""),
            frame(FINAL | CONTINUES, third),
            frame(FINAL | CLOSE, b"\x03\xe8"),
        ]
        .concat()
    };
    let found = wherever_segments_end_by(&of_server, &fragments(plain));
    assert_eq!(said(&found), [(who("12"), 345)]);
    // From the frame behind the first ping to that before the close.
    let bytes = fragments(plain).len();
    assert_eq!(
        (found[0].position, found[0].size as usize),
        (2, bytes - 2 - 4)
    );
    let found = wherever_segments_end_by(&of_client, &fragments(masked));
    assert_eq!(said(&found), [(who("12"), 345)]);
}

#[test]
fn several_records_in_a_frame_have_a_mark_each() {
    let both = [draw(1, 2, 0), vec![0x1e], draw(3, 4, 0), vec![0x1e]].concat();
    let found = wherever_segments_end_by(&of_server, &plain(FINAL | TEXT, &both));
    assert_eq!(said(&found), [(who("1"), 2), (who("3"), 4)]);
    let places: Vec<_> = found.iter().map(|one| (one.position, one.size)).collect();
    assert_eq!(places[0], places[1]);
}

#[test]
fn what_has_no_mark_is_none_of_ours() {
    let bytes = [
        plain(FINAL | TEXT, br#"{"type":"joined","user":5}"#),
        plain(FINAL | TEXT, br#"{"seq":5}"#),
        plain(FINAL | TEXT, b""),
    ]
    .concat();
    assert_eq!(wherever_segments_end_by(&of_server, &bytes), []);
    let unmarked = || WebSocketFrames::new(false, None);
    let bytes = plain(FINAL | TEXT, &draw(1, 2, 0));
    assert_eq!(taken_by(&unmarked, &[&bytes]), (vec![], true));
}

#[test]
fn what_is_compressed_is_told_of_as_unreadable() {
    let bytes = [
        plain(FINAL | COMPRESSED | TEXT, &draw(1, 2, 0)),
        plain(COMPRESSED | TEXT, b"ab"),
        plain(FINAL | CONTINUES, b"cd"),
        plain(FINAL | TEXT, &draw(3, 4, 0)),
    ]
    .concat();
    let found = wherever_segments_end_by(&of_server, &bytes);
    let readable: Vec<_> = found.iter().map(|one| one.readable).collect();
    assert_eq!(readable, [false, false, true]);
}

#[test]
fn anything_else_is_noticed() {
    let refused = |bytes: &[u8]| !taken_by(&of_server, &[bytes]).1;
    assert!(refused(&masked(FINAL | TEXT, b"a")), "masked by a server");
    assert!(refused(&plain(FINAL | 0x20 | TEXT, b"a")), "a reserved bit");
    assert!(refused(&plain(FINAL | 3, b"a")), "a reserved kind");
    assert!(
        refused(&plain(FINAL | CONTINUES, b"a")),
        "nothing to continue"
    );
    assert!(refused(&plain(PING, b"a")), "a fragment of control");
    assert!(refused(&plain(FINAL | PING, &[0; 126])), "long control");
    assert!(
        refused(&[plain(TEXT, b"a"), plain(TEXT, b"b")].concat()),
        "not ended"
    );
    assert!(refused(b"\x81\x7f\x80\0\0\0\0\0\0\0"), "no such length");
    assert!(
        !taken_by(&of_client, &[&plain(FINAL | TEXT, b"a")]).1,
        "not masked by a client"
    );
    assert!(refused(b"HTTP/1.1 200 OK\r\n"));
}

#[test]
fn nothing_that_is_sent_brings_it_down() {
    let right = [
        plain(FINAL | PING, b"a"),
        plain(TEXT, &draw(1, 2, 0)),
        plain(FINAL | CONTINUES, &draw(3, 4, 130)),
    ]
    .concat();
    survives_by(
        &of_server,
        &right,
        b"\0\x01\x02\x81\x82\x7e\x7f\xff{}\":,userseq019",
    );
    let right = [masked(TEXT, &draw(1, 2, 0)), masked(FINAL | CONTINUES, b"")].concat();
    survives_by(
        &of_client,
        &right,
        b"\0\x01\x02\x81\x82\xfe\xff{}\":,userseq019",
    );
}
