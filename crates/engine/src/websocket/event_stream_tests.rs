use proptest::prelude::*;

use super::{EventStream, EventTooLong, LONGEST};

/// The events that come in these pieces.
fn read(pieces: &[&[u8]]) -> Vec<String> {
    let mut stream = EventStream::default();
    let mut events = Vec::new();
    for piece in pieces {
        stream.feed(piece);
        while let Some(event) = stream.next_event().expect("no event is that long") {
            events.push(event);
        }
    }
    events
}

fn read_at_once(text: &str) -> Vec<String> {
    read(&[text.as_bytes()])
}

#[test]
fn the_examples_of_the_standard() {
    let stocks = "data: YHOO\ndata: +2\ndata: 10\n\n";
    assert_eq!(read_at_once(stocks), ["YHOO\n+2\n10"]);
    let mixed = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n";
    assert_eq!(
        read_at_once(mixed),
        ["first event", "second event", " third event"]
    );
    assert_eq!(read_at_once("data\n\ndata\ndata\n\ndata:"), ["", "\n"]);
    assert_eq!(
        read_at_once("data:test\n\ndata: test\n\n"),
        ["test", "test"]
    );
}

#[test]
fn lines_end_in_three_ways() {
    for end in ["\n", "\r", "\r\n"] {
        let stream = format!("data: a{end}data: b{end}{end}data: c{end}{end}");
        assert_eq!(read_at_once(&stream), ["a\nb", "c"], "{end:?}");
    }
    assert_eq!(read(&[b"data: a\r", b"\n\r", b"\ndata: b\r\r"]), ["a", "b"]);
}

#[test]
fn an_event_is_given_as_soon_as_its_last_line_has_ended() {
    assert_eq!(read_at_once("data: a\r\r"), ["a"]);
    assert_eq!(read_at_once("data: a\n"), Vec::<String>::new());
}

#[test]
fn events_of_another_type_are_for_others() {
    let stream = "event: ping\ndata: a\n\nevent: message\ndata: b\n\nevent:\ndata: c\n\nevents: x\ndata: d\n\n";
    assert_eq!(read_at_once(stream), ["b", "c", "d"]);
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_beginning_alone() {
    assert_eq!(read(&[b"\xef", b"\xbb\xbfdata: a\n\n"]), ["a"]);
    assert_eq!(read(&[b"data: a\n\n\xef\xbb\xbfdata: b\n\n"]), ["a"]);
}

#[test]
fn what_is_no_utf_8_is_replaced() {
    assert_eq!(read(&[b"data: \xff\n\n"]), ["\u{fffd}"]);
}

#[test]
fn an_event_without_an_end_is_refused() {
    let piece = vec![b'x'; LONGEST / 4];
    let mut line = EventStream::default();
    let mut lines = EventStream::default();
    let mut refused = (None, None);
    for at in 0..6 {
        line.feed(&piece);
        lines.feed(&[b"data: ", piece.as_slice(), b"\n"].concat());
        let seen = (line.next_event(), lines.next_event());
        if seen.0 == Err(EventTooLong) {
            refused.0.get_or_insert(at);
        }
        if seen.1 == Err(EventTooLong) {
            refused.1.get_or_insert(at);
        }
    }
    assert_eq!(refused, (Some(4), Some(3)));
}

/// `bytes` in pieces that end at `cuts`.
fn cut<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    ends.extend([0, bytes.len()]);
    ends.sort_unstable();
    ends.windows(2)
        .map(|pair| &bytes[pair[0]..pair[1]])
        .collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        events in prop::collection::vec("[^\r]{0,12}", 0..6),
        line_end in prop::sample::select(&["\n", "\r", "\r\n"][..]),
        space in any::<bool>(),
        comments in any::<bool>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let mut written = String::new();
        for event in &events {
            if comments {
                written += &format!(": still there{line_end}retry: 3{line_end}");
            }
            for line in event.split('\n') {
                // Without one, a space that the data begin with would be taken for it.
                let space = if space || line.starts_with(' ') { " " } else { "" };
                written += &format!("data:{space}{line}{line_end}");
            }
            written += line_end;
        }
        prop_assert_eq!(read(&cut(written.as_bytes(), &cuts)), events);
    }

    #[test]
    fn cuts_change_nothing_whatever_comes(
        bytes in prop::collection::vec(
            prop_oneof![
                prop::sample::select(&b"\r\n: datevn"[..]),
                any::<u8>(),
            ],
            0..80,
        ),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        prop_assert_eq!(read(&cut(&bytes, &cuts)), read(&[&bytes]));
    }
}
