//! Chunks by the encoding of OPC 10000-6, written down byte by byte.

use super::*;
use crate::probing::survives;

fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut bytes = kind.to_vec();
    bytes.extend((8 + body.len() as u32).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Channel 1, token 1, a number of the sequence, and the request.
fn conversation(request: u32) -> Vec<u8> {
    [1, 1, 9, request]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect()
}

fn read_request(request: u32, items: u32) -> Vec<u8> {
    let mut body = conversation(request);
    body.extend([1, 0, 0x77, 0x02]); // i=631
    body.extend([2, 0, 0, 5, 0, 0, 0]); // a token, i=5
    body.extend([0; 16]); // time, handle, diagnostics
    body.extend([0xff; 4]); // no audit entry
    body.extend([0; 4]); // timeout
    body.extend([0, 0, 0]); // no additional header
    body.extend([0; 8]); // age
    body.extend([0; 4]); // timestamps
    body.extend(items.to_le_bytes());
    body.extend(vec![7; items as usize * 16]);
    chunk(b"MSGF", &body)
}

fn read_response(request: u32, items: u32) -> Vec<u8> {
    let mut body = conversation(request);
    body.extend([1, 0, 0x7a, 0x02]); // i=634
    body.extend([0; 16]); // time, handle, result
    body.extend([0]); // no diagnostics
    body.extend([0xff; 4]); // no texts
    body.extend([0, 0, 0]); // no additional header
    body.extend(items.to_le_bytes());
    body.extend(vec![7; items as usize * 9]);
    chunk(b"MSGF", &body)
}

/// `again`: numbers that may be asked for once more.
fn publish_response(request: u32, again: u32, changes: Option<u32>) -> Vec<u8> {
    let mut body = conversation(request);
    body.extend([1, 0, 0x3d, 0x03]); // i=829
    body.extend([0; 16]); // time, handle, result
    body.extend([0]); // no diagnostics
    body.extend([0xff; 4]); // no texts
    body.extend([0, 0, 0]); // no additional header
    body.extend([3, 0, 0, 0]); // the subscription
    body.extend(again.to_le_bytes());
    body.extend(vec![1; again as usize * 4]);
    body.extend([0]); // no more to come
    body.extend([2; 12]); // number, time
    body.extend(u32::from(changes.is_some()).to_le_bytes());
    if let Some(count) = changes {
        body.extend([1, 0, 0x2b, 0x03, 1]); // i=811, in bytes
        body.extend((8 + count * 20).to_le_bytes());
        body.extend(count.to_le_bytes());
        body.extend(vec![7; count as usize * 20]);
    }
    body.extend([0xff; 8]); // no results, no diagnostics
    chunk(b"MSGF", &body)
}

fn all(pieces: &[&[u8]]) -> (Vec<Message>, bool) {
    let (mut chunks, mut found, mut position) = (Chunks::default(), Vec::new(), 0);
    let mut whole = true;
    for piece in pieces {
        whole &= chunks.take(position, piece, &mut found);
        position += piece.len() as u64;
    }
    (found, whole)
}

#[test]
fn a_request_and_a_response_say_service_request_and_items() {
    let (found, whole) = all(&[&read_request(77, 2000)]);
    assert!(whole && found.len() == 1);
    assert_eq!(
        (found[0].service, found[0].request, found[0].items),
        (631, 77, 2000)
    );
    let (found, _) = all(&[&read_response(77, 2000)]);
    assert_eq!(
        (found[0].service, found[0].request, found[0].items),
        (634, 77, 2000)
    );
}

#[test]
fn a_publishing_says_how_many_values_have_changed() {
    for (again, changes, expected) in [(0, Some(500), 500), (7, Some(1), 1), (2, None, 0)] {
        let (found, whole) = all(&[&publish_response(9, again, changes)]);
        assert!(whole && found.len() == 1);
        assert_eq!(
            (found[0].service, found[0].request, found[0].items),
            (829, 9, expected)
        );
    }
}

#[test]
fn it_does_not_matter_where_segments_end() {
    let bytes = [
        read_request(1, 3),
        read_request(2, 40),
        chunk(b"CLOF", &conversation(3)),
    ]
    .concat();
    let (expected, _) = all(&[&bytes]);
    assert_eq!(
        expected.iter().map(|one| one.items).collect::<Vec<_>>(),
        [3, 40, UNKNOWN]
    );
    for size in [1, 2, 7, 8, 9, 31, 500] {
        let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
        assert_eq!(
            all(&pieces),
            (expected.clone(), true),
            "pieces of {size} bytes"
        );
    }
}

#[test]
fn positions_are_those_of_first_bytes() {
    let (first, second) = (read_request(1, 3), read_request(2, 4));
    let (found, _) = all(&[&[first.clone(), second].concat()]);
    assert_eq!(found[1].position, first.len() as u64);
    assert_eq!(found[0].size as usize, first.len());
}

#[test]
fn what_continues_a_message_has_no_service() {
    let mut first = read_request(5, 2);
    first[3] = b'C';
    let last = chunk(b"MSGF", &[conversation(5), vec![1, 0, 0x77, 0x02]].concat());
    let (found, _) = all(&[&first, &last, &read_request(6, 1)]);
    let seen: Vec<_> = found.iter().map(|one| (one.request, one.service)).collect();
    assert_eq!(seen, [(5, 631), (5, 0), (6, 631)]);
}

#[test]
fn a_channel_with_a_policy_is_not_read() {
    for (policy, readable) in [("http://x#None", true), ("http://x#Basic256Sha256", false)] {
        let mut body = 0u32.to_le_bytes().to_vec();
        body.extend((policy.len() as u32).to_le_bytes());
        body.extend(policy.as_bytes());
        let (found, _) = all(&[&chunk(b"OPNF", &body), &read_request(1, 2)]);
        assert_eq!(found[1].readable, readable, "{policy}");
    }
}

#[test]
fn anything_else_is_noticed() {
    assert!(!all(&[b"GET / HTTP/1.1\r\n"]).1);
    assert!(
        !all(&[b"MSGF\x07\0\0\0"]).1,
        "a size that its own header exceeds"
    );
    assert!(!all(&[b"MSGX\x20\0\0\0"]).1);
    let (found, whole) = all(&[&chunk(b"MSGF", b"short")]);
    assert!(whole && !found[0].readable);
}

#[test]
fn whatever_nobody_meant_is_survived() {
    let policy = b"http://x#None";
    let opened = [&[0, 0, 0, 0, policy.len() as u8, 0, 0, 0], &policy[..]].concat();
    let said = [
        chunk(b"OPNF", &opened),
        read_request(1, 2),
        read_response(1, 2),
        publish_response(2, 1, Some(3)),
        chunk(b"CLOF", &conversation(3)),
    ]
    .concat();
    survives::<Chunks>(&said, b"\0\x01\x02\x03\x77\x7a\x3d\xffMSGOPNCFA");
}
