//! Messages written by hand, by RFC 9112.

use super::*;
use crate::message::MARKED;
use crate::probing::{survives_by, taken_by, wherever_segments_end_by};

const ASKED: &[u8] = b"GET /features?request=7 HTTP/1.1\r\nHost: a\r\n\r\n\
    POST /rows HTTP/1.1\r\nhost: a\r\nContent-Length: 7\r\n\r\nab\r\n\r\nc\
    POST /rows HTTP/1.1\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n\
    3\r\nabc\r\n0A;x=y\r\n0123456\r\n9\r\n0\r\nLast: b\r\n\r\n\
    PUT /rows HTTP/1.0\r\nContent-Length: 0\r\n\r\n";

const ANSWERED: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n{}\r\n\
    HTTP/1.1 100 Continue\r\n\r\n\
    HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n2\r\n1}\r\n0\r\n\r\n\
    HTTP/1.1 304 Not Modified\r\ncontent-length: 17\r\n\r\n\
    HTTP/1.1 204 \r\n\r\n";

/// The example of RFC 6455, section 1.2.
const SWITCH: &[u8] = b"GET /board HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\
    Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
    Sec-WebSocket-Version: 13\r\n\r\n";
const SWITCHED: &[u8] = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\
    Connection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

/// `{"user":1,"seq":2}`, masked with zeros and not masked.
const DRAWN: &[u8] = b"\x81\x92\0\0\0\0{\"user\":1,\"seq\":2}";
const ECHOED: &[u8] = b"\x81\x12{\"user\":1,\"seq\":2}";

fn requests() -> Requests {
    Requests::new(Some(Marks::of(["user", "seq"])))
}

fn responses() -> Responses {
    Responses::new(Some(Marks::of(["user", "seq"])))
}

fn digest(target: &[u8]) -> [u8; 4] {
    let mut names = Names::default();
    names.take(Hash::of(target));
    names.digest().to_le_bytes()
}

#[test]
fn requests_follow_each_other_and_are_known_by_their_targets() {
    let found = wherever_segments_end_by(&requests, ASKED);
    let said: Vec<_> = found.iter().map(|one| (one.request, one.kind)).collect();
    let rows = digest(b"/rows");
    let expected = [
        (0, digest(b"/features?request=7")),
        (1, rows),
        (2, rows),
        (3, rows),
    ];
    assert_eq!(said, expected);
    assert!(
        found
            .iter()
            .all(|one| one.service == READ && one.items == 1)
    );
    let mut begin = 0;
    for one in &found {
        assert_eq!(one.position, begin);
        begin += u64::from(one.size);
    }
    assert_eq!(begin, ASKED.len() as u64);
}

#[test]
fn responses_have_the_numbers_of_their_requests() {
    let found = wherever_segments_end_by(&responses, ANSWERED);
    let said: Vec<_> = found.iter().map(|one| (one.request, one.size)).collect();
    assert_eq!(said, [(0, 42), (1, 74), (2, 49), (3, 17)]);
}

#[test]
fn behind_a_switch_there_are_frames() {
    let asked = wherever_segments_end_by(&requests, &[SWITCH, DRAWN, DRAWN].concat());
    let answered = wherever_segments_end_by(&responses, &[SWITCHED, ECHOED].concat());
    let said = |found: &[Message]| -> Vec<_> {
        found.iter().map(|one| (one.request, one.service)).collect()
    };
    let marked = (1 << 31 | 2, MARKED);
    assert_eq!(said(&asked), [(0, READ), marked, marked]);
    assert_eq!(said(&answered), [(0, 0), marked]);
    assert_eq!(asked[1].kind, answered[1].kind);
    assert_eq!(asked[1].position, SWITCH.len() as u64);
}

#[test]
fn a_switch_that_is_refused_changes_nothing() {
    let asked = [SWITCH, ASKED].concat();
    assert_eq!(wherever_segments_end_by(&requests, &asked).len(), 5);
    let refused = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno";
    let answered = [&refused[..], ANSWERED].concat();
    assert_eq!(wherever_segments_end_by(&responses, &answered).len(), 5);
}

#[test]
fn anything_else_is_noticed() {
    for other in [
        &b"HEAD / HTTP/1.1\r\n\r\n"[..],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    ] {
        assert!(!taken_by(&requests, &[other]).1, "{other:?}");
    }
    // One that ends with its connection.
    let other = b"HTTP/1.1 200 OK\r\n\r\n";
    assert!(!taken_by(&responses, &[other]).1);
    let endless = vec![b'a'; LONGEST_HEAD + 1];
    assert!(!taken_by(&requests, &[&endless]).1);
}

#[test]
fn what_is_half_there_is_no_message() {
    for length in [10, 40, 100] {
        let (found, whole) = taken_by(&requests, &[&ASKED[..length]]);
        assert!(
            whole && found.len() == usize::from(length == 100),
            "{length}"
        );
    }
}

#[test]
fn nothing_that_is_sent_brings_it_down() {
    survives_by(&requests, ASKED, b"\r\n: 0123456789abcdefGETHP/\0\x81");
    survives_by(&responses, ANSWERED, b"\r\n: 0123456789abcdefHTP/\0\x81");
    survives_by(
        &requests,
        &[SWITCH, DRAWN].concat(),
        b"\0\x01\x81\x92\xff\r\n\"user:12seq{}",
    );
    survives_by(
        &responses,
        &[SWITCHED, ECHOED].concat(),
        b"\0\x01\x81\x92\xff\r\n\"user:12seq{}",
    );
}
