//! `signalr`: SignalR's JSON hub protocol, version 1. Records of JSON, the first of each side a
//! handshake without a type; `type` of the others: 1 invocation, 3 completion, 6 ping, 7 close.
//! The WebSocket is opened at once: `negotiate` only finds out whether there could be one.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::value::RawValue;

use super::{Adapter, BoardUser, ServerMessage, joined};

const CONNECTING: u8 = 0;
const JOINING: u8 = 1;

/// Number of the one invocation whose completion is asked for.
const JOIN_INVOCATION: &str = r#""0""#;

pub struct SignalR;

impl Adapter for SignalR {
    fn records(&self) -> bool {
        true
    }

    fn ping(&self) -> Option<&'static str> {
        Some("{\"type\":6}\x1e")
    }

    fn hello(&self, _member: BoardUser<'_>) -> Option<String> {
        Some("{\"protocol\":\"json\",\"version\":1}\x1e".to_owned())
    }

    fn hear<'a>(&self, member: BoardUser<'_>, state: &mut u8, text: &'a str) -> ServerMessage<'a> {
        // As the reference server writes it: worth not parsing, since the ledger compares the text.
        let plain = text
            .strip_prefix(r#"{"type":1,"target":"Draw","arguments":["#)
            .and_then(|rest| rest.strip_suffix("]}"));
        if let Some(object) = plain {
            return ServerMessage::Draw(Cow::Borrowed(object));
        }
        let Ok(record) = serde_json::from_str::<Record<'a>>(text) else {
            return ServerMessage::Garbage;
        };
        if *state == CONNECTING {
            return shaken(member, state, &record);
        }
        match raw(&record, "type") {
            "1" => invoked(&record),
            "3" if raw(&record, "invocationId") == JOIN_INVOCATION => completed(member, &record),
            "6" => ServerMessage::Nothing,
            "7" => {
                ServerMessage::Refused(format!("Close {}", words(&record)).trim_end().to_owned())
            }
            _ => ServerMessage::Garbage,
        }
    }

    fn draw(&self, _board: &str, text: String) -> String {
        format!("{{\"type\":1,\"target\":\"Draw\",\"arguments\":[{text}]}}\x1e")
    }
}

type Record<'a> = HashMap<String, &'a RawValue>;

/// A value of a record as it was written; empty where there is none.
fn raw<'a>(record: &Record<'a>, name: &str) -> &'a str {
    record.get(name).map_or("", |value| value.get())
}

/// Words of a record about its error.
fn words(record: &Record<'_>) -> String {
    serde_json::from_str(raw(record, "error")).unwrap_or_default()
}

/// The answer to the handshake: `{}`, or why not.
fn shaken<'a>(member: BoardUser<'_>, state: &mut u8, answer: &Record<'a>) -> ServerMessage<'a> {
    if answer.contains_key("error") {
        return ServerMessage::Refused(format!("handshake: {}", words(answer)));
    }
    if answer.contains_key("type") {
        return ServerMessage::Garbage;
    }
    *state = JOINING;
    ServerMessage::Reply(vec![format!(
        "{{\"type\":1,\"invocationId\":{JOIN_INVOCATION},\"target\":\"Join\",\"arguments\":[{}]}}\x1e",
        member.join()
    )])
}

/// `"target":"Draw"`, in whatever case, with one argument; other targets are none of this suite's
/// business.
fn invoked<'a>(record: &Record<'a>) -> ServerMessage<'a> {
    let Ok(arguments) = serde_json::from_str::<Vec<&'a RawValue>>(raw(record, "arguments")) else {
        return ServerMessage::Garbage;
    };
    let is_draw = raw(record, "target").eq_ignore_ascii_case(r#""draw""#);
    match arguments.as_slice() {
        [object] if is_draw => ServerMessage::Draw(Cow::Borrowed(object.get())),
        _ if is_draw || !record.contains_key("target") => ServerMessage::Garbage,
        _ => ServerMessage::Nothing,
    }
}

/// `"result":{"type":"joined",…}`, or why not.
fn completed<'a>(member: BoardUser<'_>, record: &Record<'a>) -> ServerMessage<'a> {
    if record.contains_key("error") {
        return ServerMessage::Refused(format!("Join: {}", words(record)));
    }
    match joined(member, "joined", raw(record, "result")) {
        Some(true) => ServerMessage::Joined,
        _ => ServerMessage::Garbage,
    }
}

#[cfg(test)]
#[path = "signalr_tests.rs"]
mod tests;
