use proptest::prelude::*;

use super::super::{Adapter, BoardUser, ServerMessage};
use super::{CONNECTING, JOINING, SocketIo};

const MEMBER: BoardUser<'_> = BoardUser {
    board: "b0007",
    user: 12,
};

fn hear(state: u8, text: &str) -> (u8, ServerMessage<'_>) {
    let mut state = state;
    let said = SocketIo.hear(MEMBER, &mut state, text);
    (state, said)
}

#[test]
fn a_user_connects_and_joins() {
    assert_eq!(SocketIo.hello(MEMBER), None);
    let open = r#"0{"sid":"x","upgrades":[],"pingInterval":25000,"pingTimeout":20000}"#;
    assert_eq!(
        hear(CONNECTING, open),
        (CONNECTING, ServerMessage::Reply(vec!["40".into()]))
    );
    let join = r#"420["join",{"type":"join","board":"b0007","user":12}]"#;
    assert_eq!(
        hear(CONNECTING, r#"40{"sid":"y"}"#),
        (JOINING, ServerMessage::Reply(vec![join.into()]))
    );
    let joined = r#"430[{"type":"joined","board":"b0007","user":12}]"#;
    assert_eq!(hear(JOINING, joined).1, ServerMessage::Joined);
}

#[test]
fn an_answer_to_somebody_else_is_garbage() {
    let other = r#"430[{"type":"joined","board":"b0007","user":13}]"#;
    assert_eq!(hear(JOINING, other).1, ServerMessage::Garbage);
    assert_eq!(hear(JOINING, "431[]").1, ServerMessage::Garbage);
    assert_eq!(hear(JOINING, "430[]").1, ServerMessage::Garbage);
}

#[test]
fn draws_go_out_and_come_back() {
    let draw = r#"{"type":"draw","board":"b0007","user":1,"seq":0}"#;
    assert_eq!(
        SocketIo.draw("b0007", draw.into()),
        format!(r#"42["draw",{draw}]"#)
    );
    let plain = format!(r#"42["draw",{draw}]"#);
    assert_eq!(hear(JOINING, &plain).1, ServerMessage::Draw(draw.into()));
    let spaced = format!(r#"42[ "draw" , {draw} ]"#);
    assert_eq!(hear(JOINING, &spaced).1, ServerMessage::Draw(draw.into()));
    assert_eq!(hear(JOINING, r#"42["hello",1]"#).1, ServerMessage::Nothing);
}

#[test]
fn pings_are_answered_at_any_time() {
    assert_eq!(hear(JOINING, "2").1, ServerMessage::Reply(vec!["3".into()]));
    assert_eq!(
        hear(CONNECTING, "2probe").1,
        ServerMessage::Reply(vec!["3probe".into()])
    );
}

#[test]
fn refusals_and_garbage() {
    assert_eq!(
        hear(CONNECTING, r#"44{"message":"no"}"#).1,
        ServerMessage::Refused(r#"CONNECT_ERROR {"message":"no"}"#.into())
    );
    assert!(matches!(hear(JOINING, "41").1, ServerMessage::Refused(_)));
    assert!(matches!(hear(JOINING, "1").1, ServerMessage::Refused(_)));
    for text in ["", "9", "4", "42", "42{}", "42[", "451-[]", "ö", "4ö"] {
        assert_eq!(hear(JOINING, text).1, ServerMessage::Garbage, "{text}");
    }
}

proptest! {
    #[test]
    fn anything_may_come(text in any::<String>(), kind in "[0-6]{0,2}", state in 0_u8..3) {
        let mut state = state;
        let _ = SocketIo.hear(MEMBER, &mut state, &text);
        let _ = SocketIo.hear(MEMBER, &mut state, &format!("{kind}{text}"));
    }

    #[test]
    fn any_object_is_carried(object in r#"\{("[a-z]{1,5}":[0-9]{1,3})?\}"#) {
        let sent = SocketIo.draw("b", object.clone());
        prop_assert_eq!(hear(JOINING, &sent).1, ServerMessage::Draw(object.into()));
    }
}
