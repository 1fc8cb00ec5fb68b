//! Frames over a connection: whatever comes, the service answers or says that it has to be closed.

use kv_bench_server::cluster::Cluster;
use kv_bench_server::data::Secret;
use kv_bench_server::faults::Faults;
use kv_bench_server::service::Service;
use kv_bench_server::store::Store;
use kv_bench_server::wire::batch::Rows;
use kv_bench_server::wire::frame::{self, HEADER, Kind, LARGEST};
use kv_bench_server::wire::message::{self, BATCH, GET_ALL, Operations, READ, Reply, WRITE};
use kv_bench_server::wire::reader::Reader;
use kv_bench_server::wire::{Digest, result};
use proptest::prelude::*;
use wirelab_sdk::spec::Spec;

fn service(parameters: serde_json::Value) -> Service {
    let spec = serde_json::json!({
        "contract": 2, "trial": "t", "suite": "kv", "scenario": "s", "role": "server",
        "parameters": parameters, "operations": {},
        "schedule": { "first_ns": 0, "period_ns": 1, "count": 0 },
        "paths": { "samples": "", "answers": "", "scratch": "" },
        "limits": { "ready_ns": 0, "operation_ns": 0, "stop_ns": 0 },
    });
    let spec: Spec = serde_json::from_value(spec).unwrap();
    let cluster = Cluster::new(&["127.0.0.1:3000".parse().unwrap()], 1, Vec::new());
    let faults = Faults::read(&spec, 1).unwrap();
    Service::new(
        cluster,
        faults,
        Store::computed(20, false, &Secret::default()),
    )
}

fn field(kind: u8, value: &[u8]) -> Vec<u8> {
    let size = (1 + value.len() as u32).to_be_bytes();
    [&size[..], &[kind], value].concat()
}

fn request(info1: u8, info2: u8, fields: &[Vec<u8>], operations: &[Vec<u8>]) -> Vec<u8> {
    let mut body = vec![0; message::HEADER];
    (body[0], body[1], body[2]) = (22, info1, info2);
    (body[19], body[21]) = (fields.len() as u8, operations.len() as u8);
    body.extend(fields.concat());
    body.extend(operations.concat());
    body
}

fn row(index: u32, digest: Digest, repeats: bool) -> Vec<u8> {
    let mut row = [&index.to_be_bytes()[..], &digest.0].concat();
    if repeats {
        row.push(1);
    } else {
        row.extend([0x0a, READ | GET_ALL, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0]);
        row.extend(field(0, b"wirelab"));
        row.extend(field(1, b"set_1"));
    }
    row
}

fn batch(rows: &[Vec<u8>]) -> Vec<u8> {
    let count = (rows.len() as u32).to_be_bytes();
    let field_of_rows = field(41, &[&count[..], &[0x0d], &rows.concat()].concat());
    request(READ | BATCH, 0, &[field_of_rows], &[])
}

fn digest(key: u32) -> Digest {
    Digest::of_string("set_1", &format!("k{key}"))
}

fn answer(service: &Service, kind: Kind, body: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let sending = service.answer(0, kind, body, 1, &mut out);
    let (_, length) = frame::heading(&out).unwrap().unwrap();
    sending.ok().map(|_| {
        // What is answered is one whole frame.
        assert_eq!(length, out.len());
        out.split_off(HEADER)
    })
}

/// Index and result of each row, and the result of the batch.
fn rows_of(reply: &[u8]) -> (Vec<(u32, u8)>, u8) {
    let mut reader = Reader::new(reply);
    let mut rows = Vec::new();
    loop {
        let (reply, _): (Reply, Operations<'_>) = Reply::read(&mut reader).unwrap();
        if reply.last {
            assert!(reader.rest().is_empty());
            return (rows, reply.result);
        }
        rows.push((reply.index, reply.result));
    }
}

#[test]
fn a_batch_is_answered_row_by_row() {
    let service = service(serde_json::json!({}));
    let rows = [
        row(9, digest(0), false),
        row(4, digest(0), true),
        row(5, digest(100), true),
    ];
    let (rows, result) = rows_of(&answer(&service, Kind::Message, &batch(&rows)).unwrap());
    // `k0` of set 1 exists, and there is no `k100` in a universe of 20.
    assert_eq!(
        rows,
        [(9, result::OK), (4, result::OK), (5, result::NOT_FOUND)]
    );
    assert_eq!(result, result::OK);
    let answered = service.answered();
    assert_eq!(
        (
            answered.batches,
            answered.rows,
            answered.different,
            answered.singles,
            answered.foreign
        ),
        (1, 3, 2, 0, 0)
    );
}

#[test]
fn a_batch_that_is_too_large_is_refused_as_a_whole() {
    let service = service(serde_json::json!({ "most_batch": 2 }));
    let rows: Vec<_> = (0..3).map(|n| row(n, digest(n), n > 0)).collect();
    let refused = rows_of(&answer(&service, Kind::Message, &batch(&rows)).unwrap());
    assert_eq!(refused, (Vec::new(), result::BATCH_TOO_LARGE));
    let (taken, _) = rows_of(&answer(&service, Kind::Message, &batch(&rows[..2])).unwrap());
    assert_eq!(taken.len(), 2);
}

#[test]
fn a_batch_that_says_more_rows_than_it_has_breaks_the_connection() {
    let service = service(serde_json::json!({}));
    let mut body = batch(&[row(0, digest(0), false)]);
    let count = message::HEADER + 5;
    body[count..count + 4].copy_from_slice(&5_u32.to_be_bytes());
    assert_eq!(answer(&service, Kind::Message, &body), None);
    let first_repeats = batch(&[row(0, digest(0), true)]);
    assert_eq!(answer(&service, Kind::Message, &first_repeats), None);
}

#[test]
fn what_the_server_does_not_do_has_a_result_code_of_its_own() {
    let service = service(serde_json::json!({}));
    let key = [field(0, b"wirelab"), field(4, &digest(0).0)];
    let result = |body: &[u8]| answer(&service, Kind::Message, body).unwrap()[5];
    assert_eq!(result(&request(READ | GET_ALL, 0, &key, &[])), result::OK);
    let scan = [key.to_vec(), vec![field(8, &[0, 100])]].concat();
    assert_eq!(
        result(&request(READ | GET_ALL, 0, &scan, &[])),
        result::UNSUPPORTED
    );
    let elsewhere = [field(0, b"other"), field(4, &digest(0).0)];
    assert_eq!(
        result(&request(READ | GET_ALL, 0, &elsewhere, &[])),
        result::NO_NAMESPACE
    );
    let mut add = Vec::new();
    message::write_operation(&mut add, 5, 1, b"c0", &1_u64.to_be_bytes());
    assert_eq!(
        result(&request(0, WRITE, &key, &[add])),
        result::UNSUPPORTED
    );
}

#[test]
fn a_record_that_would_be_too_large_is_refused() {
    let service = service(serde_json::json!({}));
    let key = [field(0, b"wirelab"), field(4, &digest(0).0)];
    let put = |size: usize| {
        let mut operation = Vec::new();
        message::write_operation(&mut operation, 2, 4, b"b", &vec![7; size]);
        answer(
            &service,
            Kind::Message,
            &request(0, WRITE, &key, &[operation]),
        )
        .unwrap()[5]
    };
    assert_eq!(put(100_000), result::OK);
    assert_eq!(put(200_000), result::TOO_BIG);
}

proptest! {
    #[test]
    fn any_heading_is_a_frame_or_an_end(bytes in prop::collection::vec(any::<u8>(), 0..32)) {
        if let Ok(Some((_, length))) = frame::heading(&bytes) {
            prop_assert!(length <= HEADER + LARGEST);
        }
    }

    #[test]
    fn any_body_is_answered_or_ends_the_connection(body in prop::collection::vec(any::<u8>(), 0..400)) {
        let service = service(serde_json::json!({ "universe": 0 }));
        answer(&service, Kind::Message, &body);
        answer(&service, Kind::Info, &body);
    }

    #[test]
    fn bytes_that_were_changed_are_answered_or_end_the_connection(
        keys in prop::collection::vec(0_u32..200, 1..20),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        whole in any::<bool>(),
    ) {
        let service = service(serde_json::json!({}));
        let rows: Vec<_> = keys.iter().enumerate().map(|(n, key)| {
            row(n as u32, digest(*key), n > 0)
        }).collect();
        let mut body = batch(&rows);
        for (place, byte) in &changes {
            let place = place.index(body.len());
            body[place] = *byte;
        }
        if !whole {
            body.truncate(cut.index(body.len()));
        }
        if let Some(reply) = answer(&service, Kind::Message, &body) {
            // A header and 13 bins a row are the most that can come of it.
            prop_assert!(reply.len() <= (keys.len() + 1) * 300);
            if changes.is_empty() {
                prop_assert_eq!(rows_of(&reply).0.len(), keys.len());
            }
        } else {
            prop_assert!(!changes.is_empty() || !whole);
        }
    }

    #[test]
    fn rows_never_outrun_their_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(rows) = Rows::read(&bytes) {
            // Each row takes 25 bytes at least, and the first one that is broken is the last.
            prop_assert!(rows.count() <= bytes.len() / 25 + 1);
        }
    }
}
