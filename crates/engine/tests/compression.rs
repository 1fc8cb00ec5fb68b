//! Servers that say more of compression than they keep.

mod support;

use serde_json::json;
use support::core::{Folder, Outcome, Worker, load};
use support::server::{Server, ServerDefect};

const CONNECT: u8 = 3;
const USERS: u64 = 8;
const ERROR: u8 = 1;

/// A run against a server that says of itself that it compresses, or says nothing of it.
fn run(vice: ServerDefect, compression: Option<&str>) -> Outcome {
    let server = Server::start("json", vice);
    let folder = Folder::new();
    let mut asked = load(&folder, &server.endpoint(), "json", USERS, 20);
    if let Some(compression) = compression {
        asked["facts"]["server"]["compression"] = json!(compression);
    }
    let outcome = Worker::start("websocket", folder, asked).run();
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.statuses(CONNECT), [(ERROR, USERS as usize)].into());
    outcome
}

fn run_compressed(vice: ServerDefect) -> Outcome {
    run(vice, Some("permessage-deflate"))
}

#[test]
fn compression_that_a_server_says_and_does_not_speak_is_no_connection() {
    let outcome = run_compressed(ServerDefect::None);
    let lost = outcome.errors("ConnectFailed");
    assert!(lost[0].contains("did not accept it"), "{lost:?}");
}

#[test]
fn compression_that_nobody_asked_for_is_no_connection() {
    let outcome = run(ServerDefect::Packs(&[]), None);
    let lost = outcome.errors("ConnectFailed");
    assert!(lost[0].contains("was not offered"), "{lost:?}");
}

#[test]
fn compressed_data_that_are_none_are_a_lost_connection() {
    let outcome = run_compressed(ServerDefect::Packs(&[0xc1, 4, 0xff, 0xff, 0xff, 0xff]));
    assert_eq!(outcome.errors("Garbage").len(), USERS as usize);
    let lost = outcome.errors("ConnectFailed");
    assert!(
        lost[0].contains("the message cannot be decompressed"),
        "{lost:?}"
    );
}

#[test]
fn a_frame_that_announces_a_gigabyte_is_a_lost_connection() {
    let outcome = run_compressed(ServerDefect::Packs(&[0xc1, 127, 0, 0, 0, 0, 0x40, 0, 0, 0]));
    assert_eq!(outcome.errors("OversizedFrame").len(), USERS as usize);
}
