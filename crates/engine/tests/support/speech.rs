//! Words of a server of each protocol.

/// Meaning of a text from the engine to a server.
pub enum EngineMessage<'a> {
    /// The object of a join or a draw.
    Object(&'a str),
    /// To be answered so.
    Asks(&'static str),
    /// The client is still there.
    Ping,
    Nothing,
}

/// First words of a server.
pub fn greetings(protocol: &str) -> &'static [&'static str] {
    match protocol {
        "socket.io" => &[
            r#"0{"sid":"x","upgrades":[],"pingInterval":9,"pingTimeout":9}"#,
            "2",
        ],
        _ => &[],
    }
}

pub fn understand<'a>(protocol: &str, text: &'a str) -> EngineMessage<'a> {
    match protocol {
        "stomp" => match text.split_once("\n\n") {
            Some((head, _)) if head.starts_with("CONNECT\n") => {
                EngineMessage::Asks("CONNECTED\nversion:1.2\n\n\0")
            }
            Some((head, body)) if head.starts_with("SEND\n") => {
                EngineMessage::Object(body.trim_end_matches('\0'))
            }
            _ => EngineMessage::Nothing,
        },
        "socket.io" => match text {
            "40" => EngineMessage::Asks(r#"40{"sid":"y"}"#),
            _ => match text.find(",{") {
                Some(at) => EngineMessage::Object(text[at + 1..].trim_end_matches(']')),
                None => EngineMessage::Nothing,
            },
        },
        "signalr" => match text.strip_suffix('\x1e').expect("an ended record") {
            // The answer and a ping in one frame.
            r#"{"protocol":"json","version":1}"# => EngineMessage::Asks("{}\x1e{\"type\":6}\x1e"),
            r#"{"type":6}"# => EngineMessage::Ping,
            record => match record.split_once(r#""arguments":["#) {
                Some((_, rest)) => EngineMessage::Object(rest.strip_suffix("]}").expect("its end")),
                None => EngineMessage::Nothing,
            },
        },
        _ => EngineMessage::Object(text),
    }
}

/// The answer to a join.
pub fn joined(protocol: &str, body: &str) -> String {
    let joined = body.replacen("join", "joined", 1);
    match protocol {
        "stomp" => drawn(protocol, body),
        "socket.io" => format!("430[{joined}]"),
        "signalr" => {
            format!("{{\"type\":3,\"invocationId\":\"0\",\"result\":{joined}}}\x1e")
        }
        _ => joined,
    }
}

/// Text that a member of the board gets.
pub fn drawn(protocol: &str, body: &str) -> String {
    match protocol {
        "stomp" => {
            format!("MESSAGE\ndestination:/topic/x\nmessage-id:1\nsubscription:0\n\n{body}\0")
        }
        "socket.io" => format!(r#"42["draw",{body}]"#),
        "signalr" => {
            format!("{{\"type\":1,\"target\":\"Draw\",\"arguments\":[{body}]}}\x1e")
        }
        _ => body.to_owned(),
    }
}
