//! `sse`: the objects themselves, as events of a stream that is asked for by board and user.

use super::json::Json;
use super::{Adapter, BoardUser, Carrier, ServerMessage};

pub struct Events;

impl Adapter for Events {
    fn carrier(&self) -> Carrier {
        Carrier::Events
    }

    fn address(&self, endpoint: String, _connection: &str, member: BoardUser<'_>) -> String {
        let with = if endpoint.contains('?') { '&' } else { '?' };
        let BoardUser { board, user } = member;
        format!("{endpoint}{with}board={board}&user={user}")
    }

    /// The request for the stream has said everything.
    fn hello(&self, _member: BoardUser<'_>) -> Option<String> {
        None
    }

    fn hear<'a>(&self, member: BoardUser<'_>, state: &mut u8, text: &'a str) -> ServerMessage<'a> {
        Json.hear(member, state, text)
    }

    fn draw(&self, board: &str, text: String) -> String {
        Json.draw(board, text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Adapter, BoardUser, ServerMessage};
    use super::Events;

    const MEMBER: BoardUser<'_> = BoardUser {
        board: "b0007",
        user: 12,
    };

    #[test]
    fn who_asks_for_the_stream_joins_by_it() {
        let at = |endpoint: &str| Events.address(endpoint.to_owned(), "7-1", MEMBER);
        assert_eq!(
            at("http://h:1/board"),
            "http://h:1/board?board=b0007&user=12"
        );
        assert_eq!(at("http://h:1/?x=1"), "http://h:1/?x=1&board=b0007&user=12");
        assert_eq!(Events.hello(MEMBER), None);
        let joined = r#"{"type":"joined","board":"b0007","user":12}"#;
        assert_eq!(Events.hear(MEMBER, &mut 0, joined), ServerMessage::Joined);
    }
}
