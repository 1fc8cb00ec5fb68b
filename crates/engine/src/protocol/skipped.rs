//! Messages that a server tells a member it leaves out, where the scenario lets it do so.

use memchr::memmem;
use serde_json::Value;

use super::BoardUser;

/// The messages that `text` says will not come to `member`, each by its sender and its number; None for
/// any other text.
pub fn skipped(member: BoardUser<'_>, text: &str) -> Option<Vec<(u32, u32)>> {
    memmem::find(text.as_bytes(), b"skipped")?;
    let mut told: Value = serde_json::from_str(text).ok()?;
    (told.get("type")? == "skipped" && told.get("board")? == member.board).then_some(())?;
    serde_json::from_value(told.get_mut("strokes")?.take()).ok()
}

#[cfg(test)]
mod tests {
    use super::super::BoardUser;
    use super::skipped;

    const MEMBER: BoardUser<'_> = BoardUser {
        board: "b0007",
        user: 12,
    };

    #[test]
    fn what_is_left_out_is_told_for_this_board_alone() {
        let told = r#"{"type":"skipped","board":"b0007","strokes":[[12,5],[13,0]]}"#;
        assert_eq!(skipped(MEMBER, told), Some(vec![(12, 5), (13, 0)]));
        for other in [
            told.replace("b0007", "b0008"),
            told.replace("[13,0]", "[13]"),
            told.replace("[13,0]", "[13,-1]"),
            r#"{"type":"draw","board":"b0007","pad":"skipped"}"#.to_owned(),
            "skipped".to_owned(),
        ] {
            assert_eq!(skipped(MEMBER, &other), None, "{other}");
        }
    }
}
