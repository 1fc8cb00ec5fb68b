//! `json`: the objects themselves.

use std::borrow::Cow;

use memchr::memmem;

use super::{Adapter, Said, Seat, joined};

pub struct Json;

impl Adapter for Json {
    fn hello(&self, seat: Seat<'_>) -> Option<String> {
        Some(seat.join())
    }

    fn hear<'a>(&self, seat: Seat<'_>, _stage: &mut u8, text: &'a str) -> Said<'a> {
        // Nearly everything is a draw as it was sent; whether it is one, the ledger finds out.
        if text.starts_with(r#"{"type":"draw""#)
            || memmem::find(text.as_bytes(), b"joined").is_none()
        {
            return Said::Draw(Cow::Borrowed(text));
        }
        match joined(seat, "joined", text) {
            Some(true) => Said::Joined,
            Some(false) => Said::Garbage,
            None => Said::Draw(Cow::Borrowed(text)),
        }
    }

    fn draw(&self, _board: &str, text: String) -> String {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Adapter, Said, Seat};
    use super::Json;
    use proptest::prelude::*;

    const SEAT: Seat<'_> = Seat {
        board: "b0007",
        user: 12,
    };

    fn hear(text: &str) -> Said<'_> {
        Json.hear(SEAT, &mut 0, text)
    }

    #[test]
    fn joins_and_draws() {
        let join = r#"{"type":"join","board":"b0007","user":12}"#;
        assert_eq!(Json.hello(SEAT).as_deref(), Some(join));
        let spaced = r#"{ "user": 12, "type": "joined", "board": "b0007" }"#;
        assert_eq!(hear(spaced), Said::Joined);
        let draw = r#"{"type": "draw", "pad": "joined"}"#;
        assert_eq!(hear(draw), Said::Draw(draw.into()));
    }

    #[test]
    fn the_answer_to_somebody_else_is_garbage() {
        for (board, user) in [("b0007", 13), ("b0008", 12)] {
            let text = format!(r#"{{"type":"joined","board":"{board}","user":{user}}}"#);
            assert_eq!(hear(&text), Said::Garbage);
        }
    }

    proptest! {
        #[test]
        fn what_is_no_answer_to_the_join_is_for_the_ledger(text in any::<String>()) {
            prop_assert_eq!(hear(&text), Said::Draw(text.as_str().into()));
        }
    }
}
