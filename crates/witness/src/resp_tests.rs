//! Bytes written by hand, by the specification of the protocol.

use super::*;
use crate::probing::{survives, taken, wherever_segments_end};

const ASKED: &[u8] = b"*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n\
    *3\r\n$4\r\nMGET\r\n$2\r\nk1\r\n$3\r\nk\r\n\r\n\
    *2\r\n$3\r\nget\r\n$0\r\n\r\n\
    *0\r\n\
    *1\r\n$4\r\nPING\r\n";

const ANSWERED: &[u8] = b"%1\r\n$6\r\nserver\r\n$5\r\nredis\r\n\
    *3\r\n$3\r\na\r\n\r\n$-1\r\n_\r\n\
    >2\r\n$10\r\ninvalidate\r\n*1\r\n$2\r\nk1\r\n\
    |1\r\n+ttl\r\n:3600\r\n$0\r\n\r\n\
    *-1\r\n\
    *2\r\n*0\r\n*2\r\n:1\r\n,1.5\r\n\
    -ERR unknown command\r\n\
    +PONG\r\n";

#[test]
fn commands_say_what_they_read_and_how_much() {
    let found = wherever_segments_end::<RespCommands>(ASKED);
    let said: Vec<_> = found
        .iter()
        .map(|one| (one.request, one.service, one.items))
        .collect();
    assert_eq!(
        said,
        [(0, 0, UNKNOWN), (1, READ, 2), (2, READ, 1), (3, 0, UNKNOWN)]
    );
}

#[test]
fn the_same_names_have_one_digest_in_any_order() {
    let asks = |keys: &[&str]| -> [u8; 4] {
        let mut bytes = format!("*{}\r\n$4\r\nMGET\r\n", keys.len() + 1);
        for key in keys {
            bytes += &format!("${}\r\n{key}\r\n", key.len());
        }
        wherever_segments_end::<RespCommands>(bytes.as_bytes())[0].kind
    };
    assert_eq!(asks(&["k1", "a\nb", "k1"]), asks(&["a\nb", "k1"]));
    assert_ne!(asks(&["k1", "a\nb"]), asks(&["k1", "a\nc"]));
    // FNV-1a of "foobar" is 85944171f73967e8, by the table of its authors.
    assert_eq!(
        asks(&["foobar"]),
        (0x8594_4171_u32 ^ 0xf739_67e8).to_le_bytes()
    );
}

#[test]
fn commands_follow_each_other_without_a_gap() {
    let found = wherever_segments_end::<RespCommands>(ASKED);
    let places: Vec<_> = found.iter().map(|one| (one.position, one.size)).collect();
    // The empty array between the third and the last is none.
    assert_eq!(places, [(0, 22), (22, 31), (53, 19), (76, 14)]);
    assert_eq!(ASKED.len(), 90);
}

#[test]
fn replies_are_counted_and_pushes_are_none() {
    let found = wherever_segments_end::<Replies>(ANSWERED);
    let said: Vec<_> = found.iter().map(|one| (one.request, one.items)).collect();
    let expected = [
        (0, UNKNOWN),
        (1, 3),
        (2, UNKNOWN),
        (3, 0),
        (4, 2),
        (5, UNKNOWN),
        (6, UNKNOWN),
    ];
    assert_eq!(said, expected);
    let ends: Vec<_> = found
        .iter()
        .map(|one| one.position + u64::from(one.size))
        .collect();
    assert_eq!(ends.last(), Some(&(ANSWERED.len() as u64)));
}

#[test]
fn a_command_of_many_keys_says_all_of_them() {
    let mut bytes = b"*201\r\n$4\r\nMGET\r\n".to_vec();
    for key in 0..200 {
        bytes.extend(format!("$17\r\nwirelab:set_1:{key:03}\r\n").bytes());
    }
    let (found, whole) = taken::<RespCommands>(&[&bytes]);
    assert!(whole && found.len() == 1);
    assert_eq!((found[0].items, found[0].size as usize), (200, bytes.len()));
}

#[test]
fn what_is_half_there_is_no_message() {
    for asked in [&ASKED[..21], &ASKED[..4]] {
        assert_eq!(taken::<RespCommands>(&[asked]), (vec![], true));
    }
    assert_eq!(taken::<Replies>(&[&ANSWERED[..26]]), (vec![], true));
}

#[test]
fn anything_else_is_noticed() {
    for other in [
        &b"PING\r\n"[..],
        b"GET / HTTP/1.1\r\n",
        b"*x\r\n",
        b"*1\r\n:5\r\n",
        b"\r\n",
    ] {
        assert!(!taken::<RespCommands>(&[other]).1, "{other:?}");
    }
    for other in [
        &b"HTTP/1.1 200 OK\r\n"[..],
        b"$99999999999\r\n",
        b"*?\r\n",
        b"$-2\r\n",
    ] {
        assert!(!taken::<Replies>(&[other]).1, "{other:?}");
    }
}

#[test]
fn nothing_that_is_sent_brings_it_down() {
    survives::<RespCommands>(ASKED, b"*$0123456789-\r\n GETmk");
    survives::<Replies>(ANSWERED, b"*$%>|~_+-:#,(=!0123456789\r\n ?x");
}
