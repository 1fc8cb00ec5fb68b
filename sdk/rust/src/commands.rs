//! Commands of the contract on standard input.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;

/// Command of the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Tick 0 is at this time of CLOCK_MONOTONIC.
    Start(u64),
    /// Write down what an operation brought.
    Answer(Asking),
    /// Finish or give up, write everything, say `done`.
    Stop,
}

/// An answer that the core wants: of the operation of that name which the lane has finished last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    /// Number of the asking.
    pub asked: u64,
    /// Name of the operation.
    pub operation: String,
    /// The lane.
    pub lane: u64,
}

/// The commands of this process, read by a thread of their own; the last is always `Stop`.
#[must_use]
pub fn commands() -> Receiver<Command> {
    let (sender, receiver) = channel();
    listen(move |command| {
        // Nobody listening any more: the process is about to end.
        let _ = sender.send(command);
    });
    receiver
}

/// Calls `deliver` with each command on a thread of its own; the last is always `Stop`.
pub fn listen(deliver: impl FnMut(Command) + Send + 'static) {
    std::thread::spawn(move || read(std::io::stdin(), deliver));
}

/// Reads commands until `stop` or the end of input, which means the same.
fn read(input: impl Read, mut deliver: impl FnMut(Command)) {
    for line in BufReader::new(input).split(b'\n') {
        let Ok(line) = line else { break };
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match parse(&line) {
            Some(Command::Stop) => break,
            Some(command) => deliver(command),
            None => eprintln!("not a command: {}", String::from_utf8_lossy(&line)),
        }
    }
    deliver(Command::Stop);
}

fn parse(line: &[u8]) -> Option<Command> {
    let command: Value = serde_json::from_slice(line).ok()?;
    let number = |key| command.get(key)?.as_u64();
    match command.get("command")?.as_str()? {
        "start" => Some(Command::Start(number("monotonic_ns")?)),
        "answer" => Some(Command::Answer(Asking {
            asked: number("asked")?,
            operation: command.get("operation")?.as_str()?.to_owned(),
            lane: number("lane")?,
        })),
        "stop" => Some(Command::Stop),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Asking, Command, read};

    fn read_all(input: &str) -> Vec<Command> {
        let mut seen = Vec::new();
        read(input.as_bytes(), |command| seen.push(command));
        seen
    }

    #[test]
    fn the_vectors_of_the_contract() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/events.json");
        let text = std::fs::read_to_string(path).expect("vectors");
        let cases: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let commands = cases["commands"].as_array().expect("a list");
        for command in commands {
            let seen = read_all(command["line"].as_str().expect("text"));
            let start = command["start_ns"].as_u64().map(Command::Start);
            let expected: Vec<_> = start.into_iter().chain([Command::Stop]).collect();
            assert_eq!(seen, expected, "{command}");
        }
        assert_eq!(commands.len(), 10);
    }

    #[test]
    fn start_and_stop() {
        let input = "{\"command\":\"start\",\"monotonic_ns\":5}\n{\"command\":\"stop\"}\n";
        assert_eq!(read_all(input), [Command::Start(5), Command::Stop]);
    }

    #[test]
    fn an_answer_that_is_asked_for() {
        let whole = r#"{"command":"answer","asked":17,"operation":"read","lane":3}"#;
        let operation = "read".to_owned();
        let asking = Asking {
            asked: 17,
            operation,
            lane: 3,
        };
        assert_eq!(read_all(whole), [Command::Answer(asking), Command::Stop]);
        let lacking = r#"{"command":"answer","asked":17,"operation":"read"}"#;
        assert_eq!(read_all(lacking), [Command::Stop]);
    }

    #[test]
    fn end_of_input_means_stop() {
        assert_eq!(read_all(""), [Command::Stop]);
        assert_eq!(
            read_all("{\"command\":\"start\",\"monotonic_ns\":5}").len(),
            2
        );
    }

    #[test]
    fn other_lines_are_passed_over() {
        let input = "hello\n\n{\"command\":\"dance\"}\n{\"command\":\"start\"}\n\u{0}\n";
        assert_eq!(read_all(input), [Command::Stop]);
    }

    #[test]
    fn nothing_is_read_after_stop() {
        let input = "{\"command\":\"stop\"}\n{\"command\":\"start\",\"monotonic_ns\":5}\n";
        assert_eq!(read_all(input), [Command::Stop]);
    }
}
