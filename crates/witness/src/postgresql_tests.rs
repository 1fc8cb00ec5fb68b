//! Messages written by hand, by the description of the protocol.

use super::*;
use crate::message::UNKNOWN;
use crate::names::{Hash, Names};
use crate::probing::{survives, taken, wherever_segments_end};

fn message(letter: &[u8], body: &[u8]) -> Vec<u8> {
    let length = (LENGTH + body.len()) as u32;
    [letter, &length.to_be_bytes(), body].concat()
}

fn startup() -> Vec<u8> {
    message(b"", b"\0\x03\0\0user\0wirelab\0\0")
}

fn with_tls() -> Vec<u8> {
    message(b"", &WITH_TLS.to_be_bytes())
}

/// A Bind of keys, in an array as it is written.
fn bind(keys: &str) -> Vec<u8> {
    let mut body = b"\0s1\0\0\0\0\x01".to_vec();
    body.extend((keys.len() as u32).to_be_bytes());
    body.extend(keys.bytes());
    body.extend([0, 0]);
    message(b"B", &body)
}

fn execute() -> Vec<u8> {
    message(b"E", b"\0\0\0\0\0")
}

fn sync() -> Vec<u8> {
    message(b"S", b"")
}

fn parse() -> Vec<u8> {
    message(b"P", b"s1\0SELECT c0 FROM t WHERE key = ANY($1)\0\0\0")
}

fn query(text: &str) -> Vec<u8> {
    message(b"Q", format!("{text}\0").as_bytes())
}

fn ready() -> Vec<u8> {
    message(b"Z", b"I")
}

fn completed() -> Vec<u8> {
    message(b"C", b"SELECT 1\0")
}

fn row() -> Vec<u8> {
    message(b"D", b"\0\x01\0\0\0\x02k1")
}

fn digest(names: &[&[u8]]) -> [u8; 4] {
    let mut all = Names::default();
    names.iter().for_each(|name| all.take(Hash::of(name)));
    all.digest().to_le_bytes()
}

/// A client that prepares, asks, asks twice at once, and asks simply.
fn asked() -> Vec<u8> {
    [
        [with_tls(), startup(), message(b"p", b"md5\0")].concat(),
        [parse(), message(b"D", b"Ss1\0"), sync()].concat(),
        [bind("{k1,k2}"), execute(), sync()].concat(),
        [
            bind("{k3}"),
            execute(),
            bind("{k4,k5,k6}"),
            execute(),
            sync(),
        ]
        .concat(),
        query("SELECT c0 FROM t WHERE key IN ('k1')"),
        message(b"X", b""),
    ]
    .concat()
}

fn answered() -> Vec<u8> {
    [
        b"N".to_vec(),
        [
            message(b"R", b"\0\0\0\0"),
            message(b"S", b"a\0b\0"),
            ready(),
        ]
        .concat(),
        [
            message(b"1", b""),
            message(b"t", b"\0\0"),
            message(b"T", b"\0\0"),
            ready(),
        ]
        .concat(),
        [message(b"2", b""), row(), row(), completed(), ready()].concat(),
        [
            message(b"2", b""),
            completed(),
            message(b"2", b""),
            row(),
            completed(),
            ready(),
        ]
        .concat(),
        [message(b"T", b"\0\0"), row(), completed(), ready()].concat(),
    ]
    .concat()
}

fn numbers(cycle: u32, places: u32) -> Vec<u32> {
    (0..places).map(|place| cycle * PLACES + place).collect()
}

#[test]
fn requests_say_what_they_ask_for_and_which_one_of_which_cycle_they_are() {
    let found = wherever_segments_end::<PostgresqlRequests>(&asked());
    let said: Vec<_> = found
        .iter()
        .map(|one| (one.request, one.items, one.kind))
        .collect();
    let expected = [
        (2 * PLACES, 2, digest(&[b"k1", b"k2"])),
        (3 * PLACES, 1, digest(&[b"k3"])),
        (3 * PLACES + 1, 3, digest(&[b"k4", b"k5", b"k6"])),
        (4 * PLACES, 1, digest(&[b"k1"])),
    ];
    assert_eq!(said, expected);
    assert!(found.iter().all(|one| one.service == READ && one.readable));
}

#[test]
fn a_request_begins_where_the_one_before_it_ended() {
    let (first, second) = (
        [bind("{k1}"), execute()].concat(),
        [bind("{k2}"), execute()].concat(),
    );
    let bytes = [startup(), first.clone(), second.clone(), sync()].concat();
    let found = wherever_segments_end::<PostgresqlRequests>(&bytes);
    let begin = startup().len();
    assert_eq!(
        (found[0].position, found[0].size),
        (begin as u64, first.len() as u32)
    );
    let begin = begin + first.len();
    assert_eq!(
        (found[1].position, found[1].size),
        (begin as u64, second.len() as u32)
    );
}

#[test]
fn answers_have_the_numbers_of_their_requests() {
    let found = wherever_segments_end::<PostgresqlAnswers>(&answered());
    let said: Vec<_> = found.iter().map(|one| one.request).collect();
    let asked: Vec<_> = wherever_segments_end::<PostgresqlRequests>(&asked())
        .iter()
        .map(|one| one.request)
        .collect();
    assert_eq!(said, asked);
    let with_rows = [message(b"2", b""), row(), row(), completed()].concat();
    assert_eq!(found[0].size as usize, with_rows.len());
}

#[test]
fn an_error_leaves_those_behind_it_without_an_answer() {
    let failed = [
        [ready(), message(b"2", b""), completed(), message(b"2", b"")].concat(),
        [message(b"E", b"SERROR\0\0"), ready()].concat(),
        [message(b"2", b""), completed(), ready()].concat(),
    ]
    .concat();
    let found = wherever_segments_end::<PostgresqlAnswers>(&failed);
    let said: Vec<_> = found.iter().map(|one| one.request).collect();
    assert_eq!(said, [numbers(1, 2), numbers(2, 1)].concat());
}

#[test]
fn the_statements_of_a_simple_query_are_one_request() {
    let asked = [
        startup(),
        query("CLOSE ALL; UNLISTEN *; RESET ALL"),
        query("SELECT 1"),
    ]
    .concat();
    let answers = [
        ready(),
        completed(),
        completed(),
        completed(),
        ready(),
        completed(),
        ready(),
    ];
    let found = wherever_segments_end::<PostgresqlAnswers>(&answers.concat());
    let said: Vec<_> = found.iter().map(|one| one.request).collect();
    assert_eq!(said, [PLACES, PLACES, PLACES, 2 * PLACES]);
    let asked: Vec<_> = wherever_segments_end::<PostgresqlRequests>(&asked)
        .iter()
        .map(|one| (one.request, one.items))
        .collect();
    assert_eq!(asked, [(PLACES, 0), (2 * PLACES, 1)]);
}

#[test]
fn who_executes_again_asks_for_nothing_new() {
    let bytes = [
        startup(),
        bind("{k1}"),
        execute(),
        sync(),
        execute(),
        sync(),
    ]
    .concat();
    let items: Vec<_> = wherever_segments_end::<PostgresqlRequests>(&bytes)
        .iter()
        .map(|one| one.items)
        .collect();
    assert_eq!(items, [1, 0]);
}

#[test]
fn a_bind_too_long_to_be_kept_says_nothing_of_its_names() {
    let keys: Vec<String> = (0..40_000).map(|key| format!("k{key:08}")).collect();
    let bytes = [
        startup(),
        bind(&format!("{{{}}}", keys.join(","))),
        execute(),
        sync(),
    ]
    .concat();
    let (found, whole) = taken::<PostgresqlRequests>(&[&bytes]);
    assert!(whole && found.len() == 1);
    assert_eq!((found[0].items, found[0].kind), (UNKNOWN, [0; 4]));
}

#[test]
fn what_is_encrypted_is_told_of_as_that() {
    let mut answers = PostgresqlAnswers::default();
    let mut found = Vec::new();
    assert!(answers.take(0, b"S\x16\x03\x03", &mut found));
    assert!(answers.secured() && found.len() == 1 && !found[0].readable);
    let mut requests = PostgresqlRequests::default();
    assert!(requests.take(0, &with_tls(), &mut found) && found.len() == 1);
    requests.secure();
    assert!(requests.take(8, b"\x16\x03\x01", &mut found));
    assert!(!found[1].readable && found[1].position == 8);
}

#[test]
fn anything_else_is_noticed() {
    for other in [
        &b"GET / HTTP/1.1\r\n"[..],
        b"\0\0\0\x08\0\x02\0\0",
        b"\0\0\0\x03",
        b"\x16\x03\x01\x02\0",
    ] {
        assert!(!taken::<PostgresqlRequests>(&[other]).1, "{other:?}");
    }
    let other = [startup(), message(b"y", b"")].concat();
    assert!(!taken::<PostgresqlRequests>(&[&other]).1);
    for other in [&b"HTTP/1.1 200 OK\r\n"[..], b"Z\0\0\0\x03", b"q\0\0\0\x04"] {
        assert!(!taken::<PostgresqlAnswers>(&[other]).1, "{other:?}");
    }
}

#[test]
fn nothing_that_is_sent_brings_it_down() {
    survives::<PostgresqlRequests>(&asked(), b"\0\x01\x02\x03\xffBEQSPDC{},\"k1");
    survives::<PostgresqlAnswers>(&answered(), b"\0\x01\x04\xff12CDEZTNSRk");
}
