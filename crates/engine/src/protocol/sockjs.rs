//! SockJS: frames of its own around those of another protocol, over WebSocket or by HTTP alone.

use super::{Adapter, BoardUser, Carrier, ServerMessage, StreamForm};

const OPENED: &str = "o";
/// Also what begins a stream of lines, as a line of many: browsers keep the first bytes back.
const HEARTBEAT: char = 'h';
const BEFORE: u8 = 0;
/// End of the endpoint at which SockJS speaks WebSocket without frames of its own.
const PLAIN: &str = "/websocket";

/// Transport of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A WebSocket.
    WebSocket,
    /// Server-sent events, and requests.
    EventSource,
    /// Responses with many frames each, and requests.
    XhrStreaming,
    /// Responses that end with the first frame, and requests.
    Xhr,
}

impl Transport {
    /// Last segment of the path of a session.
    fn segment(self) -> &'static str {
        match self {
            Self::WebSocket => "websocket",
            Self::EventSource => "eventsource",
            Self::XhrStreaming => "xhr_streaming",
            Self::Xhr => "xhr",
        }
    }
}

/// `inner` inside SockJS. Its states are above ours, which is the one before the session is open.
pub struct SockJs<A> {
    /// Protocol of the messages.
    pub inner: A,
    /// Transport of the frames.
    pub transport: Transport,
}

impl<A: Adapter> Adapter for SockJs<A> {
    fn carrier(&self) -> Carrier {
        match self.transport {
            Transport::WebSocket => Carrier::WebSocket,
            Transport::EventSource => Carrier::Responses(StreamForm::Events),
            Transport::XhrStreaming | Transport::Xhr => Carrier::Responses(StreamForm::Lines),
        }
    }

    fn hello(&self, _member: BoardUser<'_>) -> Option<String> {
        None
    }

    /// A frame opens the session, holds messages, keeps the connection alive, or ends the session.
    fn unwrapped(&self, frame: &str) -> Option<Vec<String>> {
        if !frame.is_empty() && frame.chars().all(|letter| letter == HEARTBEAT) {
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
            let hello = self.inner.hello(member);
            return ServerMessage::Reply(hello.iter().map(|hello| wrapped(hello)).collect());
        }
        if text == OPENED {
            // The server knows nothing of the session any more, and began another of its name.
            return ServerMessage::Refused("SockJS has opened the session anew".to_owned());
        }
        if let Some(why) = text.strip_prefix("c[") {
            return ServerMessage::Refused(format!(
                "closed by SockJS: {}",
                why.trim_end_matches(']')
            ));
        }
        let mut inner = *state - 1;
        let said = self.inner.hear(member, &mut inner, text);
        *state = inner + 1;
        match said {
            ServerMessage::Reply(texts) => {
                ServerMessage::Reply(texts.iter().map(|text| wrapped(text)).collect())
            }
            other => other,
        }
    }

    fn draw(&self, board: &str, text: String) -> String {
        wrapped(&self.inner.draw(board, text))
    }

    fn insists(&self) -> bool {
        self.inner.insists()
    }

    fn insist(&self, member: BoardUser<'_>, state: u8) -> Option<String> {
        let inner = state.checked_sub(1)?;
        self.inner.insist(member, inner).map(|text| wrapped(&text))
    }

    /// The endpoint is that without sessions, of which a connection has one of its own; the server's
    /// number before it says nothing.
    fn address(&self, endpoint: String, connection: &str, _member: BoardUser<'_>) -> String {
        let base = endpoint.strip_suffix(PLAIN).unwrap_or(&endpoint);
        format!("{base}/000/{connection}/{}", self.transport.segment())
    }

    fn sends_to(&self, address: &str) -> Option<String> {
        let session = address.strip_suffix(self.transport.segment())?;
        Some(format!("{session}xhr_send"))
    }
}

/// A list of one message, as clients send it.
fn wrapped(text: &str) -> String {
    serde_json::json!([text]).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::stomp::Stomp;
    use super::super::{Adapter, BoardUser, Carrier, ServerMessage, StreamForm};
    use super::{SockJs, Transport};

    const MEMBER: BoardUser<'_> = BoardUser {
        board: "b0007",
        user: 12,
    };
    const ADAPTER: SockJs<Stomp> = by(Transport::WebSocket);

    const fn by(transport: Transport) -> SockJs<Stomp> {
        SockJs {
            inner: Stomp,
            transport,
        }
    }

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
        assert!(of("hhhh").is_empty());
        for other in ["o", "", "c[3000,\"Go away!\"]", "a[1]", "nonsense"] {
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
        let told = "SockJS has opened the session anew".to_owned();
        assert_eq!(
            ADAPTER.hear(MEMBER, &mut 1, "o"),
            ServerMessage::Refused(told)
        );
    }

    #[test]
    fn without_websocket_a_session_is_asked_for_and_sent_to() {
        let of = |transport| {
            let adapter = by(transport);
            let address = adapter.address("http://h:1/stomp".to_owned(), "7-1", MEMBER);
            let sends_to = adapter.sends_to(&address).expect("an address to send to");
            assert_eq!(sends_to, "http://h:1/stomp/000/7-1/xhr_send");
            (address, adapter.carrier())
        };
        let at = |segment| format!("http://h:1/stomp/000/7-1/{segment}");
        let (events, lines) = (
            Carrier::Responses(StreamForm::Events),
            Carrier::Responses(StreamForm::Lines),
        );
        assert_eq!(of(Transport::EventSource), (at("eventsource"), events));
        assert_eq!(of(Transport::XhrStreaming), (at("xhr_streaming"), lines));
        assert_eq!(of(Transport::Xhr), (at("xhr"), lines));
        assert_eq!(ADAPTER.carrier(), Carrier::WebSocket);
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
