//! `socket.io`: Socket.IO 5 over Engine.IO 4. Packets are digits, then JSON: the first digit is
//! Engine.IO's (0 open, 1 close, 2 ping, 3 pong, 4 message, 6 noop), after a 4 the second is
//! Socket.IO's (0 connect, 1 disconnect, 2 event, 3 acknowledgement, 4 refusal).

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::{Adapter, BoardUser, ServerMessage, joined};

const CONNECTING: u8 = 0;
const JOINING: u8 = 1;

/// Number of the one acknowledgement asked for.
const JOIN_ACK: &str = "0";

pub struct SocketIo;

impl Adapter for SocketIo {
    fn hello(&self, _member: BoardUser<'_>) -> Option<String> {
        None
    }

    fn hear<'a>(&self, member: BoardUser<'_>, state: &mut u8, text: &'a str) -> ServerMessage<'a> {
        let (kind, rest) = split_at_byte(text, 1);
        match kind {
            "4" => hear_message(member, state, rest),
            "2" => ServerMessage::Reply(vec![format!("3{rest}")]),
            "0" if *state == CONNECTING => ServerMessage::Reply(vec!["40".into()]),
            "1" => ServerMessage::Refused("the server closed the session".into()),
            "3" | "6" => ServerMessage::Nothing,
            _ => ServerMessage::Garbage,
        }
    }

    fn draw(&self, _board: &str, text: String) -> String {
        format!(r#"42["draw",{text}]"#)
    }
}

fn hear_message<'a>(member: BoardUser<'_>, state: &mut u8, packet: &'a str) -> ServerMessage<'a> {
    let (kind, rest) = split_at_byte(packet, 1);
    match kind {
        "2" => event(rest),
        "0" if *state == CONNECTING => {
            *state = JOINING;
            ServerMessage::Reply(vec![format!(r#"42{JOIN_ACK}["join",{}]"#, member.join())])
        }
        "3" => acknowledged(member, rest),
        "4" => ServerMessage::Refused(format!("CONNECT_ERROR {rest}")),
        "1" => ServerMessage::Refused("the server ended the session".into()),
        _ => ServerMessage::Garbage,
    }
}

/// `["draw",{…}]`; other events are none of this suite's business.
fn event(text: &str) -> ServerMessage<'_> {
    // As the reference server writes it: worth not parsing, since the ledger compares the text.
    let plain = text
        .strip_prefix(r#"["draw","#)
        .and_then(|rest| rest.strip_suffix(']'));
    if let Some(object) = plain {
        return ServerMessage::Draw(Cow::Borrowed(object));
    }
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(parts) if parts.len() == 2 && parts[0].get() == r#""draw""# => {
            ServerMessage::Draw(Cow::Borrowed(parts[1].get()))
        }
        Ok(parts) if !parts.is_empty() => ServerMessage::Nothing,
        _ => ServerMessage::Garbage,
    }
}

/// `0[{"type":"joined",…}]`.
fn acknowledged<'a>(member: BoardUser<'_>, text: &str) -> ServerMessage<'a> {
    let Some(arguments) = text.strip_prefix(JOIN_ACK) else {
        return ServerMessage::Garbage;
    };
    let object = serde_json::from_str::<(&RawValue,)>(arguments);
    match object
        .ok()
        .and_then(|(object,)| joined(member, "joined", object.get()))
    {
        Some(true) => ServerMessage::Joined,
        _ => ServerMessage::Garbage,
    }
}

/// Both parts; the first is empty where `at` is not between two characters of the text.
fn split_at_byte(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or(("", text))
}

#[cfg(test)]
#[path = "socketio_tests.rs"]
mod tests;
