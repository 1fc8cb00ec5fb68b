//! SockJS over its WebSocket transport: frames of its own around those of another protocol.

use super::{Adapter, BoardUser, ServerMessage};

const OPENED: &str = "o";
const HEARTBEAT: &str = "h";
const BEFORE: u8 = 0;
/// End of the endpoint at which SockJS speaks WebSocket without frames of its own.
const PLAIN: &str = "/websocket";

/// `inner` inside SockJS. Its states are above ours, which is the one before the session is open.
pub struct SockJs<A>(pub A);

impl<A: Adapter> Adapter for SockJs<A> {
    fn hello(&self, _member: BoardUser<'_>) -> Option<String> {
        None
    }

    /// A frame opens the session, holds messages, keeps the connection alive, or ends the session.
    fn unwrapped(&self, frame: &str) -> Option<Vec<String>> {
        if frame == HEARTBEAT {
            return Some(Vec::new());
        }
        let messages = frame
            .strip_prefix('a')
            .and_then(|list| serde_json::from_str(list).ok());
        Some(messages.unwrap_or_else(|| vec![frame.to_owned()]))
    }

    fn hear<'a>(&self, member: BoardUser<'_>, state: &mut u8, text: &'a str) -> ServerMessage<'a> {
        if *state == BEFORE {
            if text != OPENED {
                return ServerMessage::Garbage;
            }
            *state = BEFORE + 1;
            let hello = self.0.hello(member);
            return ServerMessage::Reply(hello.iter().map(|hello| wrapped(hello)).collect());
        }
        if let Some(why) = text.strip_prefix("c[") {
            return ServerMessage::Refused(format!(
                "closed by SockJS: {}",
                why.trim_end_matches(']')
            ));
        }
        let mut inner = *state - 1;
        let said = self.0.hear(member, &mut inner, text);
        *state = inner + 1;
        match said {
            ServerMessage::Reply(texts) => {
                ServerMessage::Reply(texts.iter().map(|text| wrapped(text)).collect())
            }
            other => other,
        }
    }

    fn draw(&self, board: &str, text: String) -> String {
        wrapped(&self.0.draw(board, text))
    }

    fn insists(&self) -> bool {
        self.0.insists()
    }

    fn insist(&self, member: BoardUser<'_>, state: u8) -> Option<String> {
        let inner = state.checked_sub(1)?;
        self.0.insist(member, inner).map(|text| wrapped(&text))
    }

    /// The endpoint is that without sessions, of which a connection has one of its own; the server's
    /// number before it says nothing.
    fn address(&self, endpoint: String, connection: &str, _member: BoardUser<'_>) -> String {
        let base = endpoint.strip_suffix(PLAIN).unwrap_or(&endpoint);
        format!("{base}/000/{connection}{PLAIN}")
    }
}

/// A list of one message, as clients send it.
fn wrapped(text: &str) -> String {
    serde_json::json!([text]).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::stomp::Stomp;
    use super::super::{Adapter, BoardUser, ServerMessage};
    use super::SockJs;

    const MEMBER: BoardUser<'_> = BoardUser {
        board: "b0007",
        user: 12,
    };
    const ADAPTER: SockJs<Stomp> = SockJs(Stomp);

    #[test]
    fn a_session_opens_before_anything_is_said() {
        assert_eq!(ADAPTER.hello(MEMBER), None);
        assert_eq!(ADAPTER.insist(MEMBER, 0), None);
        let mut state = 0;
        let ServerMessage::Reply(hello) = ADAPTER.hear(MEMBER, &mut state, "o") else {
            panic!("no answer to an opened session");
        };
        assert_eq!(hello.len(), 1);
        assert!(hello[0].starts_with(r#"["CONNECT\n"#) && hello[0].ends_with(r#"\u0000"]"#));
        let connected = "CONNECTED\nversion:1.2\n\n\0";
        let ServerMessage::Reply(texts) = ADAPTER.hear(MEMBER, &mut state, connected) else {
            panic!("RabbitMQ did not answer a login");
        };
        assert_eq!(texts.len(), 2);
        assert!(texts.iter().all(|text| text.starts_with(r#"[""#)));
        assert!(ADAPTER.insist(MEMBER, state).is_some());
    }

    #[test]
    fn frames_hold_messages() {
        let of = |frame| ADAPTER.unwrapped(frame).expect("SockJS has frames");
        assert_eq!(of(r#"a["x\n","y"]"#), ["x\n", "y"]);
        assert!(of("h").is_empty());
        for other in ["o", "c[3000,\"Go away!\"]", "a[1]", "nonsense"] {
            assert_eq!(of(other), [other]);
        }
    }

    #[test]
    fn what_is_no_frame_of_its_protocol_is_garbage_and_an_end_is_refused() {
        assert_eq!(ADAPTER.hear(MEMBER, &mut 0, "x"), ServerMessage::Garbage);
        assert_eq!(ADAPTER.hear(MEMBER, &mut 1, "x"), ServerMessage::Garbage);
        let said = ADAPTER.hear(MEMBER, &mut 1, r#"c[3000,"Go away!"]"#);
        let told = r#"closed by SockJS: 3000,"Go away!""#.to_owned();
        assert_eq!(said, ServerMessage::Refused(told));
    }

    #[test]
    fn each_connection_has_a_session_of_its_own() {
        let at = |endpoint: &str| ADAPTER.address(endpoint.to_owned(), "7-1", MEMBER);
        let session = "ws://h:1/stomp/000/7-1/websocket";
        assert_eq!(at("ws://h:1/stomp/websocket"), session);
        assert_eq!(at("ws://h:1/stomp"), session);
        assert_eq!(
            Stomp.address("ws://h:1/stomp".to_owned(), "7-1", MEMBER),
            "ws://h:1/stomp"
        );
        assert_eq!(Stomp.unwrapped("o"), None);
    }
}
