//! Responses of every shape, whole and in pieces.

use proptest::prelude::*;

use super::{LARGEST_KEPT, Response, Timings};

/// Status, size of the body, whether the connection is kept, what was kept, bytes left over.
type Read = (u16, u64, bool, Option<Vec<u8>>, usize);

/// Reads `bytes` in pieces of `piece`; None: it is not complete.
fn read(bytes: &[u8], piece: usize, bodiless: bool) -> Result<Option<Read>, &'static str> {
    let mut response = Response::default();
    response.begin(bodiless, true);
    let spans = [Box::from(&b"keys"[..])];
    let mut timings = Timings::default();
    let mut used = 0;
    for part in bytes.chunks(piece) {
        if response.is_complete() {
            break;
        }
        used += response
            .read(part, &spans, &mut timings)
            .map_err(|(class, _)| class)?;
    }
    if !response.is_complete() && !response.end() {
        return Ok(None);
    }
    let (status, size, keeps) = (response.status, response.size, response.keeps);
    let left = bytes.len() - used;
    Ok(Some((status, size, keeps, response.kept, left)))
}

fn read_whole(text: &str) -> Option<Read> {
    read(text.as_bytes(), text.len(), false).expect("a response")
}

const SHAPES: [(&str, u16, &str, bool); 9] = [
    (
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        200,
        "hello",
        true,
    ),
    (
        "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
        200,
        "",
        true,
    ),
    (
        "HTTP/1.1 204 No Content\r\nServer: x\r\n\r\n",
        204,
        "",
        true,
    ),
    (
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
        304,
        "",
        true,
    ),
    (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\nA\r\n, world!!!\r\n0\r\nX: y\r\n\r\n",
        200,
        "hello, world!!!",
        true,
    ),
    (
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno",
        503,
        "no",
        true,
    ),
    (
        "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nok",
        200,
        "ok",
        false,
    ),
    (
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok",
        200,
        "ok",
        true,
    ),
    (
        "HTTP/1.0 200 OK\r\n\r\nuntil the end",
        200,
        "until the end",
        false,
    ),
];

#[test]
fn every_shape_however_it_is_cut() {
    for (text, status, body, keeps) in SHAPES {
        let body = body.as_bytes();
        let expected = (status, body.len() as u64, keeps, Some(body.to_vec()), 0);
        for piece in 1..=text.len() {
            let found = read(text.as_bytes(), piece, false).expect("a response");
            assert_eq!(found, Some(expected.clone()), "{text:?} by {piece}");
        }
    }
}

#[test]
fn what_follows_a_response_is_not_of_it() {
    for (text, ..) in &SHAPES[..8] {
        let more = format!("{text}HTTP/1.1");
        let left = read_whole(&more).map(|(.., left)| left);
        assert_eq!(left, Some(8), "{text:?}");
    }
}

#[test]
fn a_response_that_is_cut_off_is_none() {
    for (text, ..) in &SHAPES[..8] {
        for end in 0..text.len() {
            assert_eq!(
                read(&text.as_bytes()[..end], 1_000, false),
                Ok(None),
                "{:?}",
                &text[..end]
            );
        }
    }
}

#[test]
fn the_response_to_head_has_no_body() {
    for text in [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    ] {
        let found = read(text.as_bytes(), 1_000, true).expect("a response");
        assert_eq!(found, Some((200, 0, true, Some(Vec::new()), 0)));
    }
}

#[test]
fn what_is_none_is_said() {
    let long = format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(70_000));
    for (text, class) in [
        ("SSH-2.0-OpenSSH\r\n", "Garbage"),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", "Garbage"),
        ("HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n", "Garbage"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "Garbage",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            "Garbage",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "Garbage",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "Garbage",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokXX",
            "Garbage",
        ),
        (&long, "OversizedHead"),
    ] {
        assert_eq!(
            read(text.as_bytes(), 100_000, false),
            Err(class),
            "{:?}",
            &text[..20]
        );
    }
}

#[test]
fn a_body_that_is_too_long_is_read_and_not_kept() {
    let size = LARGEST_KEPT + 1;
    let text = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n{}",
        "x".repeat(size)
    );
    assert_eq!(read_whole(&text), Some((200, size as u64, true, None, 0)));
}

#[test]
fn stages_are_read_from_every_field_of_the_name() {
    let text =
        b"HTTP/1.1 200 OK\r\nServer-Timing: keys;dur=1.5, other;dur=2\r\nContent-Length: 0\r\n\
        server-timing: total;dur=3\r\n\r\n";
    let spans = [Box::from(&b"keys"[..]), Box::from(&b"absent"[..])];
    // What an earlier response had is forgotten.
    let mut timings = Timings {
        found: vec![Some(1), Some(1)],
        total: Some(1),
    };
    let mut response = Response::default();
    response.begin(false, false);
    assert_eq!(response.read(text, &spans, &mut timings), Ok(text.len()));
    assert_eq!(timings.found, [Some(1_500_000), None]);
    assert_eq!(timings.total, Some(3_000_000));
}

proptest! {
    #[test]
    fn anything_may_come(
        bytes in proptest::collection::vec(any::<u8>(), 1..200), piece in 1_usize..50,
        shape in 0..SHAPES.len(), at in any::<proptest::sample::Index>(),
    ) {
        // Alone, and in the middle of a response.
        let _ = read(&bytes, piece, false);
        let mut mixed = SHAPES[shape].0.as_bytes().to_vec();
        let at = at.index(mixed.len());
        mixed.splice(at..at, bytes);
        let _ = read(&mixed, piece, false);
    }
}
