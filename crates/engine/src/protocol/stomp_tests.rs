use proptest::prelude::*;

use super::super::{Adapter, BoardUser, ServerMessage};
use super::{CONNECTING, JOINING, NotAFrame, Stomp, read, write};

const MEMBER: BoardUser<'_> = BoardUser {
    board: "b0007",
    user: 12,
};
const JOIN: &str = r#"{"type":"join","board":"b0007","user":12}"#;

fn message(body: &str) -> String {
    write(
        "MESSAGE",
        &[
            ("destination", "/topic/b0007"),
            ("message-id", "1"),
            ("subscription", "0"),
        ],
        body,
    )
}

fn hear(state: u8, text: &str) -> (u8, ServerMessage<'_>) {
    let mut state = state;
    let said = Stomp.hear(MEMBER, &mut state, text);
    (state, said)
}

#[test]
fn a_user_connects_subscribes_and_joins() {
    let hello = Stomp.hello(MEMBER).expect("CONNECT");
    assert_eq!(
        read(&hello)
            .expect("a frame")
            .expect("no heart-beat")
            .command,
        "CONNECT"
    );
    let (state, said) = hear(CONNECTING, "CONNECTED\nversion:1.2\nheart-beat:0,0\n\n\0");
    let ServerMessage::Reply(texts) = said else {
        panic!("{said:?}")
    };
    assert_eq!(state, JOINING);
    let frames: Vec<_> = texts
        .iter()
        .map(|text| read(text).expect("a frame").expect("one"))
        .collect();
    assert_eq!(frames[0].command, "SUBSCRIBE");
    assert_eq!(
        frames[0].header("destination").as_deref(),
        Some("/topic/b0007")
    );
    assert_eq!(
        frames[1].header("destination").as_deref(),
        Some("/app/join/b0007")
    );
    assert_eq!(frames[1].body, JOIN);
    assert_eq!(
        Stomp.insist(MEMBER, state).as_deref(),
        Some(texts[1].as_str())
    );
    assert_eq!(Stomp.insist(MEMBER, CONNECTING), None);
    assert_eq!(hear(state, &message(JOIN)).1, ServerMessage::Joined);
}

#[test]
fn the_joins_of_others_are_no_news() {
    let other = r#"{"type":"join","board":"b0007","user":13}"#;
    assert_eq!(hear(JOINING, &message(other)).1, ServerMessage::Nothing);
}

#[test]
fn draws_go_out_and_come_back() {
    let draw = r#"{"type":"draw","board":"b0007","user":1,"seq":0,"pad":"ö"}"#;
    let sent = Stomp.draw("b0007", draw.to_owned());
    let frame = read(&sent).expect("a frame").expect("no heart-beat");
    assert_eq!((frame.command, frame.body), ("SEND", draw));
    assert_eq!(
        frame.header("content-length").as_deref(),
        Some(draw.len().to_string().as_str())
    );
    assert_eq!(
        hear(JOINING, &message(draw)).1,
        ServerMessage::Draw(draw.into())
    );
    let spaced = r#"{ "type" : "draw" }"#;
    assert_eq!(
        hear(JOINING, &message(spaced)).1,
        ServerMessage::Draw(spaced.into())
    );
}

#[test]
fn errors_are_told_in_the_servers_words() {
    let (_, said) = hear(JOINING, "ERROR\nmessage:no\\csuch\\nthing\n\nbody\0");
    assert_eq!(
        said,
        ServerMessage::Refused("ERROR no:such\nthing body".into())
    );
}

#[test]
fn frames_that_are_none() {
    for text in [
        "MESSAGE",
        "MESSAGE\n",
        "MESSAGE\n\n",
        "MESSAGE\n\nbody",
        "MESSAGE\nx\n\n\0MORE",
    ] {
        assert_eq!(read(text), Err(NotAFrame), "{text:?}");
    }
    for length in ["4", "6", "-1", "x", "99999999999999999999"] {
        let text = format!("MESSAGE\ncontent-length:{length}\n\nhallo\0");
        assert_eq!(read(&text), Err(NotAFrame), "{length}");
    }
    // The length would cut a letter in two.
    assert_eq!(read("MESSAGE\ncontent-length:1\n\nö\0"), Err(NotAFrame));
    assert_eq!(hear(JOINING, "DANCE\n\n\0").1, ServerMessage::Garbage);
    assert_eq!(hear(JOINING, "hello").1, ServerMessage::Garbage);
}

#[test]
fn line_ends_and_heart_beats() {
    assert_eq!(read("\n"), Ok(None));
    assert_eq!(read("\r\n\r\n"), Ok(None));
    let frame = read("\nMESSAGE\r\na:b\r\n\r\nhallo\0\r\n")
        .expect("a frame")
        .expect("one");
    assert_eq!((frame.command, frame.body), ("MESSAGE", "hallo"));
    assert_eq!(frame.header("a").as_deref(), Some("b"));
}

proptest! {
    #[test]
    fn what_is_written_is_read(body in "[^\0]{1,80}", value in "[a-z0-9/]{0,20}") {
        let text = write("SEND", &[("destination", &value)], &body);
        let frame = read(&text).expect("a frame").expect("no heart-beat");
        prop_assert_eq!(frame.body, body);
        prop_assert_eq!(frame.header("destination"), Some(value.as_str().into()));
    }

    #[test]
    fn a_body_with_its_length_may_hold_anything(body in any::<String>()) {
        let text = write("SEND", &[], &body);
        let frame = read(&text).expect("a frame").expect("no heart-beat");
        prop_assert_eq!((frame.command, frame.body), ("SEND", body.as_str()));
    }

    #[test]
    fn anything_may_come(text in any::<String>(), state in 0_u8..3) {
        let mut state = state;
        let _ = Stomp.hear(MEMBER, &mut state, &text);
    }

    #[test]
    fn frames_with_anything_in_them_may_come(
        head in "(a:b|content-length:[0-9]{1,3}|\\\\|:|\r){0,4}\n?\n", rest in "[a\0\nö]{0,12}",
    ) {
        let mut state = 0;
        let _ = Stomp.hear(MEMBER, &mut state, &format!("MESSAGE\n{head}{rest}"));
    }
}
