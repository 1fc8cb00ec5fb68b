//! Bytes written by hand, by the protocol's own description.

use super::*;
use crate::probing::{survives, taken, wherever_segments_end};

const ASKED: &[u8] = b"version\r\n\
    get a bb  ccc\r\n\
    set k 0 0 4 noreply\r\nx\r\ny\r\n\
    set k 0 0 0\r\n\r\n\
    gets a\r\n\
    cas k 0 0 2 17\r\nxy\r\n\
    quit\r\n";

const ANSWERED: &[u8] = b"VERSION 1.6.18\r\n\
    VALUE a 0 5\r\nEND\r\n\r\n\
    VALUE ccc 0 0\r\n\r\n\
    END\r\n\
    STORED\r\n\
    STAT pid 7\r\nSTAT curr_items 0\r\nEND\r\n\
    END\r\n\
    CLIENT_ERROR bad data chunk\r\n";

#[test]
fn commands_say_what_they_read_and_how_much() {
    let found = wherever_segments_end::<MemcachedCommands>(ASKED);
    let said: Vec<_> = found
        .iter()
        .map(|one| (one.request, one.service, one.items))
        .collect();
    // One that wants no answer is none that is looked for, nor is the last word.
    let expected = [
        (0, 0, UNKNOWN),
        (1, READ, 3),
        (2, 0, UNKNOWN),
        (3, READ, 1),
        (4, 0, UNKNOWN),
    ];
    assert_eq!(said, expected);
    let places: Vec<_> = found.iter().map(|one| (one.position, one.size)).collect();
    assert_eq!(places, [(0, 9), (9, 15), (51, 15), (66, 8), (74, 20)]);
}

#[test]
fn the_same_names_have_one_digest_in_any_order() {
    let asks = |line: &str| wherever_segments_end::<MemcachedCommands>(line.as_bytes())[0].kind;
    assert_eq!(asks("get k1 b k1\r\n"), asks("gets b  k1\r\n"));
    assert_ne!(asks("get k1 b\r\n"), asks("get k1 c\r\n"));
    // FNV-1a of "foobar" is 85944171f73967e8, by the table of its authors.
    assert_eq!(
        asks("get foobar\r\n"),
        (0x8594_4171_u32 ^ 0xf739_67e8).to_le_bytes()
    );
}

#[test]
fn answers_are_counted_whatever_their_values_hold() {
    let found = wherever_segments_end::<Replies>(ANSWERED);
    let said: Vec<_> = found.iter().map(|one| (one.request, one.items)).collect();
    assert_eq!(said, [(0, 0), (1, 2), (2, 0), (3, 0), (4, 0), (5, 0)]);
    assert_eq!((found[1].position, found[1].size), (16, 42));
}

#[test]
fn a_command_of_many_keys_says_all_of_them() {
    let keys: String = (0..200)
        .map(|key| format!(" wirelab:set_1:{key:03}"))
        .collect();
    let bytes = format!("get{keys}\r\n").into_bytes();
    let (found, whole) = taken::<MemcachedCommands>(&[&bytes]);
    assert!(whole && found.len() == 1);
    assert_eq!((found[0].items, found[0].size as usize), (200, bytes.len()));
}

#[test]
fn anything_else_is_noticed() {
    for other in [
        &b"mg k v\r\n"[..],
        b"set k 0 0\r\n",
        b"set k 0 0 x\r\n",
        b"\x80\0\r\n",
        b"\r\n",
    ] {
        assert!(!taken::<MemcachedCommands>(&[other]).1, "{other:?}");
    }
    for other in [&b"VALUE a 0\r\n"[..], b"VALUE a 0 -1\r\n", b"\r\n"] {
        assert!(!taken::<Replies>(&[other]).1, "{other:?}");
    }
}

#[test]
fn nothing_that_is_sent_brings_it_down() {
    survives::<MemcachedCommands>(ASKED, b"getsacs 0123456789\r\nnoreply");
    survives::<Replies>(ANSWERED, b"VALUESTATEND 0123456789\r\n");
}
