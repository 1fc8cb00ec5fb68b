//! Frames written by hand, as the clients of Aerospike send them.

use super::asked::{AS_BEFORE, DIGEST, HAS_INFO, HAS_TTL, IS_BATCH, IS_READ, OF_ONE, WITHOUT_BINS};
use super::*;
use crate::message::{READ, UNKNOWN};
use crate::names::{Hash, Names};
use crate::probing::{survives, taken, wherever_segments_end};

fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut frame = (body.len() as u64).to_be_bytes().to_vec();
    (frame[0], frame[1]) = (VERSION, kind);
    [frame, body.to_vec()].concat()
}

fn part(content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32).to_be_bytes()[..], content].concat()
}

fn field(kind: u8, value: &[u8]) -> Vec<u8> {
    part(&[&[kind][..], value].concat())
}

/// A message with these fields and operations, one behind the other.
fn message(info: [u8; 3], fields: &[Vec<u8>], operations: &[Vec<u8>]) -> Vec<u8> {
    let mut header = vec![0; MESSAGE];
    header[0] = MESSAGE as u8;
    header[1..4].copy_from_slice(&info);
    header[18..20].copy_from_slice(&(fields.len() as u16).to_be_bytes());
    header[20..22].copy_from_slice(&(operations.len() as u16).to_be_bytes());
    [header, fields.concat(), operations.concat()].concat()
}

fn digest(of: u8) -> Vec<u8> {
    vec![of; DIGEST]
}

/// A row that is to be read, of a namespace and a set.
fn row(of: u8) -> Vec<u8> {
    let fields = [field(0, b"wirelab"), field(1, b"set_1")].concat();
    let info = [HAS_INFO | HAS_TTL, 3, 0, 0, 0, 0, 0, 0];
    [
        &[0, 0, 0, 9][..],
        &digest(of),
        &info,
        &[0, 2, 0, 0],
        &fields,
    ]
    .concat()
}

fn as_before(of: u8) -> Vec<u8> {
    [&[0, 0, 0, 9][..], &digest(of), &[AS_BEFORE]].concat()
}

fn batch(rows: &[Vec<u8>]) -> Vec<u8> {
    let count = (rows.len() as u32).to_be_bytes();
    let value = [&count[..], &[1], &rows.concat()].concat();
    let body = message([IS_READ | IS_BATCH, 0, 0], &[field(41, &value)], &[]);
    frame(MESSAGES, &body)
}

fn one(info: [u8; 3]) -> Vec<u8> {
    let fields = [field(0, b"wirelab"), field(OF_ONE, &digest(7))];
    frame(MESSAGES, &message(info, &fields, &[]))
}

fn bin() -> Vec<u8> {
    part(b"\x01\x01\0\x02c0\0\0\0\0\0\0\0\x11")
}

fn names(digests: &[u8]) -> [u8; 4] {
    let mut all = Names::default();
    digests
        .iter()
        .for_each(|of| all.take(Hash::of(&digest(*of))));
    all.digest().to_le_bytes()
}

fn asked() -> Vec<u8> {
    [
        frame(TEXT, b"node\nbuild\n"),
        batch(&[row(1), as_before(2), as_before(1), row(3)]),
        one([IS_READ, 0, 0]),
        one([0, 1, 0]),
        frame(TEXT, b""),
    ]
    .concat()
}

/// Answers to these: a batch in two frames, a record, and one that was written.
fn answered() -> Vec<u8> {
    let record = message([0; 3], &[], &[bin(), bin()]);
    let last = message([0, 0, LAST], &[], &[]);
    [
        frame(TEXT, b"node\tBB9\nbuild\t8.1\n"),
        frame(MESSAGES, &[record.clone(), record.clone()].concat()),
        frame(MESSAGES, &[record.clone(), last].concat()),
        frame(MESSAGES, &record),
        frame(MESSAGES, &message([0; 3], &[field(0, b"wirelab")], &[])),
        frame(TEXT, b""),
    ]
    .concat()
}

#[test]
fn requests_say_which_records_they_read() {
    let found = wherever_segments_end::<AerospikeRequests>(&asked());
    let said: Vec<_> = found
        .iter()
        .map(|one| (one.request, one.service, one.items, one.kind))
        .collect();
    let expected = [
        (0, 0, UNKNOWN, [0; 4]),
        // Of four rows, three different ones.
        (1, READ, 3, names(&[1, 2, 3])),
        (2, READ, 1, names(&[7])),
        (3, 0, UNKNOWN, [0; 4]),
        (4, 0, UNKNOWN, [0; 4]),
    ];
    assert_eq!(said, expected);
    let ends: Vec<_> = found
        .iter()
        .map(|one| one.position + u64::from(one.size))
        .collect();
    let begins: Vec<_> = found.iter().map(|one| one.position).collect();
    assert_eq!((begins[0], &begins[1..]), (0, &ends[..4]));
    assert_eq!(ends[4], asked().len() as u64);
}

#[test]
fn answers_end_where_the_last_message_says_so() {
    let found = wherever_segments_end::<AerospikeAnswers>(&answered());
    let numbers: Vec<_> = found.iter().map(|one| one.request).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
    let record = (MESSAGE + 2 * bin().len()) as u32;
    assert_eq!(
        found[1].size,
        2 * HEADER as u32 + 3 * record + MESSAGE as u32
    );
    assert_eq!(found[2].size, HEADER as u32 + record);
}

#[test]
fn the_same_records_have_one_digest_in_any_order() {
    let asks =
        |rows: &[Vec<u8>]| wherever_segments_end::<AerospikeRequests>(&batch(rows))[0].clone();
    let [one, other] = [
        asks(&[row(1), as_before(2)]),
        asks(&[row(2), row(1), row(1)]),
    ];
    assert_eq!((one.kind, one.items), (other.kind, other.items));
    assert_ne!(one.kind, asks(&[row(1), as_before(3)]).kind);
}

#[test]
fn who_does_something_else_reads_nothing() {
    for info in [
        [IS_READ | WITHOUT_BINS, 0, 0],
        [IS_READ, 1, 0],
        [0, 2, 0],
        [0; 3],
    ] {
        let (found, whole) = taken::<AerospikeRequests>(&[&one(info)]);
        assert!(whole);
        assert_eq!(found[0].service, 0, "{info:?}");
    }
    let writes = [
        &[0, 0, 0, 9][..],
        &digest(1),
        &[HAS_INFO, 0, 1, 0, 0, 0, 0, 0],
    ]
    .concat();
    let (found, whole) = taken::<AerospikeRequests>(&[&batch(&[row(2), writes])]);
    assert!(whole);
    assert_eq!(found[0].service, 0);
}

#[test]
fn rows_of_older_clients_are_read() {
    let old = [&[0, 0, 0, 9][..], &digest(1), &[0, 2, 0, 0, 0, 0]].concat();
    let found = wherever_segments_end::<AerospikeRequests>(&batch(&[old, as_before(2)]));
    assert_eq!((found[0].service, found[0].items), (READ, 2));
}

#[test]
fn anything_else_is_noticed() {
    let compressed = frame(4, b"1234567812345678");
    let logs_in = frame(2, b"");
    let too_long = [&[VERSION, MESSAGES, 0, 0, 1][..], &[0; 3]].concat();
    let other_version = frame(TEXT, b"x")[1..].to_vec();
    let cut_off = {
        let mut whole = batch(&[row(1)]);
        whole[7] -= 1;
        whole
    };
    let without_rows = frame(MESSAGES, &message([IS_BATCH, 0, 0], &[], &[]));
    for other in [
        &compressed,
        &logs_in,
        &too_long,
        &other_version,
        &cut_off,
        &without_rows,
    ] {
        assert!(!taken::<AerospikeRequests>(&[other]).1, "{other:?}");
    }
    let half = frame(MESSAGES, &message([0; 3], &[], &[bin()])[..30]);
    for other in [&compressed, &half, &frame(MESSAGES, b"")] {
        assert!(!taken::<AerospikeAnswers>(&[other]).1, "{other:?}");
    }
}

#[test]
fn nothing_that_is_sent_brings_it_down() {
    survives::<AerospikeRequests>(&asked(), b"\0\x01\x02\x03\x04\x16\x29\xff");
    survives::<AerospikeAnswers>(&answered(), b"\0\x01\x02\x03\x04\x16\x29\xff");
}
