//! A small whiteboard by events and requests, with every vice. A thread for each connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// Defect of a server. Numbers count the events of strokes that it sends, from 1, or the requests
/// with strokes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventDefect {
    None,
    /// Events in every form that the standard allows, cut anywhere.
    Rambles,
    /// Puts a text of several lines behind one `data`.
    OneLine,
    /// Answers the request for events with this status.
    Status(&'static str),
    /// Answers it with what is no stream of events.
    Page,
    /// Answers it with what is no HTTP.
    NotHttp,
    /// Ends the stream of whom the n-th event was for.
    Ends(u64),
    /// Begins an event instead of the n-th, and does not end it.
    Endless(u64),
    /// Sends chunks that are none from the n-th event on.
    Breaks(u64),
    /// Does not send every n-th event.
    Drops(u64),
    /// Refuses every n-th stroke.
    Refuses(u64),
    /// Ends the connection for strokes after each answer, and says so.
    Closes,
    /// Ends it without having said so.
    Leaves,
    /// Ends it instead of answering the n-th stroke.
    Hangs(u64),
    /// Answers strokes twice.
    AnswersTwice,
}

/// Address at which the server listens; it serves as long as the test program lives.
pub struct EventServer {
    pub address: SocketAddr,
    boards: Arc<Boards>,
}

#[derive(Default)]
struct Boards {
    members: Mutex<Vec<(String, TcpStream)>>,
    events: AtomicU64,
    strokes: AtomicU64,
    connections: AtomicU64,
}

impl EventServer {
    pub fn start(defect: EventDefect) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let boards = Arc::new(Boards::default());
        let served = Arc::clone(&boards);
        std::thread::spawn(move || {
            for socket in listener.incoming().map_while(Result::ok) {
                let boards = Arc::clone(&served);
                std::thread::spawn(move || boards.serve(defect, socket));
            }
        });
        Self { address, boards }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}/board", self.address)
    }

    /// Connections on which something was asked.
    pub fn connections(&self) -> u64 {
        self.boards.connections.load(Ordering::SeqCst)
    }

    /// Strokes that were taken or refused.
    pub fn strokes(&self) -> u64 {
        self.boards.strokes.load(Ordering::SeqCst)
    }
}

impl Boards {
    /// Requests on one connection, until it ends or becomes a stream of events.
    fn serve(&self, defect: EventDefect, socket: TcpStream) {
        socket.set_nodelay(true).expect("an option");
        let mut reading = BufReader::new(socket.try_clone().expect("a second handle"));
        let mut asked = false;
        while let Some((line, length)) = head(&mut reading) {
            if !std::mem::replace(&mut asked, true) {
                self.connections.fetch_add(1, Ordering::SeqCst);
            }
            if let Some(query) = line.strip_prefix("GET /board?") {
                self.join(defect, query.trim_end_matches(" HTTP/1.1"), socket);
                return;
            }
            assert_eq!(line, "POST /board HTTP/1.1");
            let mut body = vec![0; length];
            if reading.read_exact(&mut body).is_err() || !self.draw(defect, &body, &socket) {
                return;
            }
        }
    }

    fn join(&self, defect: EventDefect, query: &str, mut socket: TcpStream) {
        let (board, user) = query
            .strip_prefix("board=")
            .and_then(|rest| rest.split_once("&user="))
            .expect("a board and a user");
        let (status, kind) = match defect {
            EventDefect::Status(status) => (status, "text/event-stream"),
            EventDefect::Page => ("200 OK", "text/html"),
            _ => ("200 OK", "text/event-stream; charset=utf-8"),
        };
        let head = if defect == EventDefect::NotHttp {
            "220 mail ready\r\n\r\n".to_owned()
        } else {
            format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
        };
        let joined = format!(r#"{{"type":"joined","board":"{board}","user":{user}}}"#);
        let mut members = self.members.lock().expect("no panic");
        let written = socket
            .write_all(head.as_bytes())
            .and_then(|()| chunk(&mut socket, format!("data: {joined}\n\n").as_bytes()));
        if written.is_ok() {
            members.push((board.to_owned(), socket));
        }
    }

    /// False: the connection is to end.
    fn draw(&self, defect: EventDefect, body: &[u8], mut socket: &TcpStream) -> bool {
        let number = self.strokes.fetch_add(1, Ordering::SeqCst) + 1;
        let mut answer = "HTTP/1.1 204 No Content\r\n\r\n".to_owned();
        match defect {
            EventDefect::Refuses(n) if number.is_multiple_of(n) => {
                let refused = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy";
                return socket.write_all(refused.as_bytes()).is_ok();
            }
            EventDefect::Hangs(n) if number == n => return false,
            EventDefect::Closes => {
                answer = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".to_owned();
            }
            EventDefect::AnswersTwice => answer = answer.repeat(2),
            _ => {}
        }
        let text = std::str::from_utf8(body).expect("UTF-8");
        match serde_json::from_str::<Value>(text) {
            Ok(stroke) => self.spread(defect, stroke["board"].as_str().expect("a board"), text),
            Err(_) => answer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".to_owned(),
        }
        let answered = socket.write_all(answer.as_bytes()).is_ok();
        answered && !matches!(defect, EventDefect::Closes | EventDefect::Leaves)
    }

    fn spread(&self, defect: EventDefect, board: &str, text: &str) {
        let mut members = self.members.lock().expect("no panic");
        members.retain_mut(|(on, socket)| {
            if on != board {
                return true;
            }
            let number = self.events.fetch_add(1, Ordering::SeqCst) + 1;
            match defect {
                EventDefect::Drops(n) if number.is_multiple_of(n) => true,
                EventDefect::Ends(n) if number == n => {
                    let _ = socket.write_all(b"0\r\n\r\n");
                    false
                }
                EventDefect::Endless(n) if number == n => {
                    let piece = format!("data: {}\n", "x".repeat(60_000));
                    (0..20).all(|_| chunk(socket, piece.as_bytes()).is_ok())
                }
                EventDefect::Breaks(n) if number == n => socket.write_all(b"no size\r\n").is_ok(),
                EventDefect::Rambles => rambled(socket, text, number).is_ok(),
                EventDefect::OneLine => {
                    chunk(socket, format!("data: {text}\n\n").as_bytes()).is_ok()
                }
                _ => chunk(socket, event(text, "\n", "data: ").as_bytes()).is_ok(),
            }
        });
    }
}

/// The first line of a request, and the length of its body.
fn head(reading: &mut impl BufRead) -> Option<(String, usize)> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reading.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let length = lines
        .iter()
        .find_map(|line| line.strip_prefix("Content-Length: "));
    let length = length.map_or(0, |length| length.parse().expect("a length"));
    Some((lines.swap_remove(0), length))
}

/// A text as an event, a field for each of its lines.
fn event(text: &str, line_end: &str, field: &str) -> String {
    let lines: String = text
        .split('\n')
        .map(|line| format!("{field}{line}{line_end}"))
        .collect();
    lines + line_end
}

/// An event between others that are nobody's business, in pieces that end anywhere.
fn rambled(socket: &mut TcpStream, text: &str, number: u64) -> std::io::Result<()> {
    let line_end = ["\n", "\r", "\r\n"][(number % 3) as usize];
    let field = if number.is_multiple_of(2) {
        "data:"
    } else {
        "data: "
    };
    let whole = format!(
        ": still there{line_end}{line_end}event: ping{line_end}data: 1{line_end}{line_end}id: {number}{line_end}{}",
        event(text, line_end, field)
    );
    whole
        .as_bytes()
        .chunks(1 + (number % 97) as usize)
        .try_for_each(|piece| chunk(socket, piece))
}

fn chunk(socket: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    let head = format!("{:x}\r\n", bytes.len());
    socket.write_all(&[head.as_bytes(), bytes, b"\r\n"].concat())
}
