use proptest::prelude::*;

use super::super::records::END;
use super::super::{Adapter, BoardUser, ServerMessage};
use super::{CONNECTING, JOINING, SignalR};

const MEMBER: BoardUser<'_> = BoardUser {
    board: "b0007",
    user: 12,
};

fn hear(state: u8, text: &str) -> (u8, ServerMessage<'_>) {
    let mut state = state;
    let said = SignalR.hear(MEMBER, &mut state, text);
    (state, said)
}

#[test]
fn a_user_shakes_hands_and_joins() {
    let hello = "{\"protocol\":\"json\",\"version\":1}\u{1e}";
    assert_eq!(SignalR.hello(MEMBER).as_deref(), Some(hello));
    let join = concat!(
        r#"{"type":1,"invocationId":"0","target":"Join","#,
        r#""arguments":[{"type":"join","board":"b0007","user":12}]}"#,
        "\u{1e}"
    );
    for answer in ["{}", r#"{"minorVersion":0}"#] {
        assert_eq!(
            hear(CONNECTING, answer),
            (JOINING, ServerMessage::Reply(vec![join.into()]))
        );
    }
    let joined =
        r#"{"type":3,"invocationId":"0","result":{"type":"joined","board":"b0007","user":12}}"#;
    assert_eq!(hear(JOINING, joined).1, ServerMessage::Joined);
}

#[test]
fn a_handshake_may_be_refused_or_be_none() {
    let refused = r#"{"error":"The protocol 'json' is not supported."}"#;
    let words = "handshake: The protocol 'json' is not supported.";
    assert_eq!(
        hear(CONNECTING, refused),
        (CONNECTING, ServerMessage::Refused(words.into()))
    );
    for text in [r#"{"type":6}"#, "", "[]", "{"] {
        assert_eq!(hear(CONNECTING, text), (CONNECTING, ServerMessage::Garbage));
    }
}

#[test]
fn an_answer_to_somebody_else_is_garbage() {
    let answer = |rest: &str| format!(r#"{{"type":3,{rest}}}"#);
    for rest in [
        r#""invocationId":"0","result":{"type":"joined","board":"b0007","user":13}"#,
        r#""invocationId":"1","result":{"type":"joined","board":"b0007","user":12}"#,
        r#""invocationId":"0""#,
        r#""result":{"type":"joined","board":"b0007","user":12}"#,
    ] {
        assert_eq!(
            hear(JOINING, &answer(rest)).1,
            ServerMessage::Garbage,
            "{rest}"
        );
    }
    let failed = answer(r#""invocationId":"0","error":"no such board""#);
    assert_eq!(
        hear(JOINING, &failed).1,
        ServerMessage::Refused("Join: no such board".into())
    );
}

#[test]
fn draws_go_out_and_come_back() {
    let draw = r#"{"type":"draw","board":"b0007","user":1,"seq":0}"#;
    assert_eq!(
        SignalR.draw("b0007", draw.into()),
        format!("{{\"type\":1,\"target\":\"Draw\",\"arguments\":[{draw}]}}\u{1e}")
    );
    for text in [
        format!(r#"{{"type":1,"target":"Draw","arguments":[{draw}]}}"#),
        format!(r#"{{ "arguments" : [ {draw} ], "target" : "draw", "type" : 1 }}"#),
    ] {
        assert_eq!(hear(JOINING, &text).1, ServerMessage::Draw(draw.into()));
    }
    let other = r#"{"type":1,"target":"hello","arguments":[]}"#;
    assert_eq!(hear(JOINING, other).1, ServerMessage::Nothing);
}

#[test]
fn pings_say_nothing_and_a_close_says_why() {
    assert_eq!(SignalR.ping(), Some("{\"type\":6}\u{1e}"));
    assert_eq!(hear(JOINING, r#"{"type":6}"#).1, ServerMessage::Nothing);
    assert_eq!(
        hear(
            JOINING,
            r#"{"type":7,"error":"Connection closed with an error."}"#
        )
        .1,
        ServerMessage::Refused("Close Connection closed with an error.".into())
    );
    assert_eq!(
        hear(JOINING, r#"{"type":7,"allowReconnect":true}"#).1,
        ServerMessage::Refused("Close".into())
    );
}

#[test]
fn garbage() {
    for text in [
        "",
        "{}",
        "7",
        "{",
        r#"{"type":"1"}"#,
        r#"{"type":2,"invocationId":"0","item":1}"#,
        r#"{"type":9,"sequenceId":1}"#,
        r#"{"type":1,"arguments":[]}"#,
        r#"{"type":1,"target":"draw"}"#,
        r#"{"type":1,"target":"draw","arguments":[{},{}],"headers":{}}"#,
        "{\"type\":6}\u{1e}",
    ] {
        assert_eq!(hear(JOINING, text).1, ServerMessage::Garbage, "{text}");
    }
}

proptest! {
    #[test]
    fn anything_may_come(text in any::<String>(), state in 0_u8..3) {
        let mut state = state;
        let _ = SignalR.hear(MEMBER, &mut state, &text);
    }

    #[test]
    fn records_with_anything_in_them_may_come(
        kind in "[0-9]{1,2}|\"[a-z]\"|null", target in "\"draw\"|\"[a-z]{0,3}\"|[0-9]",
        arguments in r#"\[(\{\},?){0,2}\]?|"[^"]{0,4}""#, rest in r#"(,"(error|result|invocationId)":("0"|\{\}|1)){0,3}"#,
        state in 0_u8..3,
    ) {
        let mut state = state;
        let record = format!(r#"{{"type":{kind},"target":{target},"arguments":{arguments}{rest}}}"#);
        let _ = SignalR.hear(MEMBER, &mut state, &record);
    }

    #[test]
    fn any_object_is_carried(object in r#"\{("[a-z]{1,5}":[0-9]{1,3})?\}"#) {
        let sent = SignalR.draw("b", object.clone());
        let record = sent.strip_suffix(END).expect("a whole record");
        prop_assert_eq!(hear(JOINING, record).1, ServerMessage::Draw(object.into()));
    }
}
