//! `json`: the objects themselves.

use std::borrow::Cow;

use memchr::memmem;

use super::{Adapter, BoardUser, ServerMessage, joined};

pub struct Json;

impl Adapter for Json {
    fn hello(&self, member: BoardUser<'_>) -> Option<String> {
        Some(member.join())
    }

    fn hear<'a>(&self, member: BoardUser<'_>, _state: &mut u8, text: &'a str) -> ServerMessage<'a> {
        // Nearly everything is a draw as it was sent; whether it is one, the ledger finds out.
        if memmem::find(text.as_bytes(), b"joined").is_none() {
            return ServerMessage::Draw(Cow::Borrowed(text));
        }
        match joined(member, "joined", text) {
            Some(true) => ServerMessage::Joined,
            Some(false) => ServerMessage::Garbage,
            None => ServerMessage::Draw(Cow::Borrowed(text)),
        }
    }

    fn draw(&self, _board: &str, text: String) -> String {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Adapter, BoardUser, ServerMessage};
    use super::Json;
    use proptest::prelude::*;

    const MEMBER: BoardUser<'_> = BoardUser {
        board: "b0007",
        user: 12,
    };

    fn hear(text: &str) -> ServerMessage<'_> {
        Json.hear(MEMBER, &mut 0, text)
    }

    #[test]
    fn joins_and_draws() {
        let join = r#"{"type":"join","board":"b0007","user":12}"#;
        assert_eq!(Json.hello(MEMBER).as_deref(), Some(join));
        let spaced = r#"{ "user": 12, "type": "joined", "board": "b0007" }"#;
        assert_eq!(hear(spaced), ServerMessage::Joined);
        let draw = r#"{"type": "draw", "pad": "joined"}"#;
        assert_eq!(hear(draw), ServerMessage::Draw(draw.into()));
    }

    #[test]
    fn the_answer_to_somebody_else_is_garbage() {
        for (board, user) in [("b0007", 13), ("b0008", 12)] {
            let text = format!(r#"{{"type":"joined","board":"{board}","user":{user}}}"#);
            assert_eq!(hear(&text), ServerMessage::Garbage);
        }
    }

    proptest! {
        #[test]
        fn what_is_no_answer_to_the_join_is_for_the_ledger(text in any::<String>()) {
            prop_assert_eq!(hear(&text), ServerMessage::Draw(text.as_str().into()));
        }
    }
}
