//! `stomp`: STOMP 1.2 in text frames.

use std::borrow::Cow;

use memchr::memmem;

use super::{Adapter, BoardUser, ServerMessage, joined};

const CONNECTING: u8 = 0;
const JOINING: u8 = 1;

pub struct Stomp;

impl Adapter for Stomp {
    fn subprotocol(&self) -> Option<&'static str> {
        Some("v12.stomp")
    }

    fn hello(&self, _member: BoardUser<'_>) -> Option<String> {
        Some(write(
            "CONNECT",
            &[
                ("accept-version", "1.2"),
                ("host", "wirelab"),
                ("heart-beat", "0,0"),
            ],
            "",
        ))
    }

    fn hear<'a>(&self, member: BoardUser<'_>, state: &mut u8, text: &'a str) -> ServerMessage<'a> {
        let frame = match read(text) {
            Ok(Some(frame)) => frame,
            Ok(None) => return ServerMessage::Nothing,
            Err(NotAFrame) => return ServerMessage::Garbage,
        };
        match frame.command {
            // Nearly everything is a draw; whether it is one, the ledger finds out.
            "MESSAGE" if memmem::find(frame.body.as_bytes(), b"join").is_none() => {
                ServerMessage::Draw(Cow::Borrowed(frame.body))
            }
            "MESSAGE" => match joined(member, "join", frame.body) {
                Some(true) => ServerMessage::Joined,
                // Everybody on the board sees everybody's join.
                Some(false) => ServerMessage::Nothing,
                None => ServerMessage::Draw(Cow::Borrowed(frame.body)),
            },
            "CONNECTED" if *state == CONNECTING => {
                *state = JOINING;
                let topic = format!("/topic/{}", member.board);
                let subscribe = write(
                    "SUBSCRIBE",
                    &[("id", "0"), ("destination", &topic), ("ack", "auto")],
                    "",
                );
                ServerMessage::Reply(vec![subscribe, send_join(member)])
            }
            "CONNECTED" | "RECEIPT" => ServerMessage::Nothing,
            "ERROR" => {
                let message = frame.header("message").unwrap_or_default();
                ServerMessage::Refused(
                    format!("ERROR {message} {}", frame.body)
                        .trim_end()
                        .to_owned(),
                )
            }
            _ => ServerMessage::Garbage,
        }
    }

    fn draw(&self, board: &str, text: String) -> String {
        let destination = format!("/app/draw/{board}");
        write(
            "SEND",
            &[
                ("destination", &destination),
                ("content-type", "application/json"),
            ],
            &text,
        )
    }

    fn insists(&self) -> bool {
        true
    }

    fn insist(&self, member: BoardUser<'_>, state: u8) -> Option<String> {
        (state == JOINING).then(|| send_join(member))
    }
}

fn send_join(member: BoardUser<'_>) -> String {
    let destination = format!("/app/join/{}", member.board);
    write(
        "SEND",
        &[
            ("destination", &destination),
            ("content-type", "application/json"),
        ],
        &member.join(),
    )
}

/// Text that is no STOMP frame.
#[derive(Debug, PartialEq, Eq)]
struct NotAFrame;

/// A frame, its headers still as they came.
#[derive(Debug, PartialEq, Eq)]
struct Frame<'a> {
    command: &'a str,
    head: &'a str,
    body: &'a str,
}

impl Frame<'_> {
    /// The value of the first header of that name, which is the one that counts.
    fn header(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut pairs = self.head.lines().filter_map(|line| line.split_once(':'));
        pairs
            .find(|(key, _)| *key == name)
            .map(|(_, value)| unescape(value))
    }
}

/// The frame in `text`; None for a heart-beat.
fn read(text: &str) -> Result<Option<Frame<'_>>, NotAFrame> {
    let text = text.trim_start_matches(['\r', '\n']);
    if text.is_empty() {
        return Ok(None);
    }
    let (command, rest) = text.split_once('\n').ok_or(NotAFrame)?;
    let command = command.strip_suffix('\r').unwrap_or(command);
    let (head, rest) = split_head(rest).ok_or(NotAFrame)?;
    let mut frame = Frame {
        command,
        head,
        body: "",
    };
    let length = match frame.header("content-length") {
        Some(length) => length.trim().parse().map_err(|_| NotAFrame)?,
        None => memchr::memchr(0, rest.as_bytes()).ok_or(NotAFrame)?,
    };
    // A length that is beyond the text, or cuts a character, is not one.
    frame.body = rest.get(..length).ok_or(NotAFrame)?;
    let after = rest[length..].strip_prefix('\0').ok_or(NotAFrame)?;
    let ends = after.trim_start_matches(['\r', '\n']).is_empty();
    if ends {
        Ok(Some(frame))
    } else {
        Err(NotAFrame)
    }
}

/// Headers, and what follows the empty line after them.
fn split_head(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    loop {
        let end = at + memchr::memchr(b'\n', &text.as_bytes()[at..])?;
        if matches!(&text[at..end], "" | "\r") {
            return Some((&text[..at], &text[end + 1..]));
        }
        at = end + 1;
    }
}

fn write(command: &str, headers: &[(&str, &str)], body: &str) -> String {
    let mut frame = String::with_capacity(160 + body.len());
    frame.push_str(command);
    frame.push('\n');
    for (name, value) in headers {
        for part in [name, ":", value, "\n"] {
            frame.push_str(part);
        }
    }
    if !body.is_empty() {
        frame.push_str("content-length:");
        frame.push_str(&body.len().to_string());
        frame.push('\n');
    }
    frame.push('\n');
    frame.push_str(body);
    frame.push('\0');
    frame
}

fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('c') => ':',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    Cow::Owned(plain)
}

#[cfg(test)]
#[path = "stomp_tests.rs"]
mod tests;
