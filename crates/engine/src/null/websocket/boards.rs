//! Texts that the null server understands, and the members of each board.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::memmem;
use serde_json::value::RawValue;

/// Request that a text makes.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked<'a> {
    /// To be on this board; the rest of the object says who.
    Join(&'a str),
    /// To be sent to everybody on this board.
    Draw(Cow<'a, str>),
    /// Nothing this server knows.
    Nothing,
}

/// Understands a text: a join as the engine writes it, type first, board second, and a draw in
/// whatever form it is written.
pub fn read(text: &str) -> Asked<'_> {
    if let Some(rest) = text.strip_prefix(r#"{"type":"join","board":""#) {
        let end = memmem::find(rest.as_bytes(), b"\"");
        return end.map_or(Asked::Nothing, |end| Asked::Join(&rest[..end]));
    }
    draw(text).map_or(Asked::Nothing, Asked::Draw)
}

/// The board of a draw.
fn draw(text: &str) -> Option<Cow<'_, str>> {
    let fields = serde_json::from_str(text).ok()?;
    (word(&fields, "type")? == "draw").then(|| word(&fields, "board"))?
}

/// The text that a field has.
fn word<'a>(fields: &HashMap<String, &'a RawValue>, name: &str) -> Option<Cow<'a, str>> {
    let raw = fields.get(name)?.get();
    let plain = raw.strip_prefix('"')?.strip_suffix('"')?;
    if plain.contains('\\') {
        return serde_json::from_str(raw).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(plain))
}

/// The answer to a join.
pub fn joined(join: &str) -> String {
    join.replacen("join", "joined", 1)
}

/// Members of boards, by the numbers of their connections.
#[derive(Debug, Default)]
pub struct Boards {
    numbers: HashMap<String, usize>,
    members: Vec<Vec<usize>>,
}

impl Boards {
    /// The number of a board, new or known.
    pub fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.members.push(Vec::new());
        self.numbers.insert(name.to_owned(), self.members.len() - 1);
        self.members.len() - 1
    }

    /// The board of that name, if anybody was ever on it.
    pub fn known(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Adds a connection.
    pub fn enter(&mut self, board: usize, connection: usize) {
        self.members[board].push(connection);
    }

    /// Takes a connection out.
    pub fn leave(&mut self, board: usize, connection: usize) {
        self.members[board].retain(|member| *member != connection);
    }

    /// Members of a board.
    pub fn members(&self, board: usize) -> &[usize] {
        &self.members[board]
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Boards, joined, read};
    use proptest::prelude::*;

    #[test]
    fn joins_and_draws() {
        let join = r#"{"type":"join","board":"b0007","user":123}"#;
        assert_eq!(read(join), Asked::Join("b0007"));
        assert_eq!(
            joined(join),
            r#"{"type":"joined","board":"b0007","user":123}"#
        );
        assert_eq!(
            read(r#"{"type":"draw","board":"b1","user":1}"#),
            Asked::Draw("b1".into())
        );
        assert_eq!(
            read(r#"{"user": 1, "board": "\u00621", "points": [[1]], "type": "\u0064raw"}"#),
            Asked::Draw("b1".into())
        );
        assert_eq!(read(r#"{"type":"draw","board":"b1"#), Asked::Nothing);
    }

    proptest! {
        #[test]
        fn anything_may_come(text in ".{0,60}") {
            prop_assert_eq!(read(&text), Asked::Nothing);
        }
    }

    #[test]
    fn members_come_and_go() {
        let mut boards = Boards::default();
        let board = boards.number("a");
        assert_eq!(boards.number("a"), board);
        boards.enter(board, 3);
        boards.enter(board, 5);
        boards.leave(board, 3);
        assert_eq!(boards.members(board), [5]);
        assert_eq!(boards.known("b"), None);
    }
}
