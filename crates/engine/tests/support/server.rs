//! A small server with every vice. A thread for each connection; boards are shared.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::HeaderValue;
use tungstenite::{Message, accept_hdr};

use super::speech::{self, EngineMessage};

/// Defect of a server. Numbers count the copies it sends, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerDefect {
    None,
    /// Does not send every n-th copy.
    Drops(u64),
    /// Sends every n-th copy twice.
    Doubles(u64),
    /// Sends each message after the next one of its sender.
    Swaps,
    /// Sends to everybody, whatever their board.
    AllBoards,
    /// Answers nobody but the sender.
    OnlySender,
    /// Writes each object again, with spaces.
    Rewrites,
    /// Changes the content.
    Changes,
    /// Sends something else instead of every n-th copy.
    Babbles(u64),
    /// Sends a binary message instead of every n-th copy.
    Binary(u64),
    /// Begins a frame of a gigabyte instead of the n-th copy.
    Oversized(u64),
    /// Sends half a frame instead of the n-th copy, then ends the connection.
    Halves(u64),
    /// Ends the connection with a close frame instead of the n-th copy.
    Closes(u64),
    /// Does not take messages that come while it rests from what it sent before.
    Tires,
    /// Sends without end once a user has joined.
    Floods,
    /// Takes connections and says nothing.
    Silent,
    /// Answers the handshake with an error of HTTP.
    Refuses,
    /// Answers the handshake with something else.
    NotHttp,
    /// Agrees to compress, and then sends these frames before anything else.
    Packs(&'static [u8]),
    /// Never answers a join.
    NeverJoins,
    /// Answers a join, and lets the user on the board only later.
    JoinsLate,
    /// Sends what is no message to the board of who sent it.
    PassesOn,
    /// Begins a record instead of the n-th copy, and does not end it.
    Endless(u64),
    /// Sends each copy in two frames, with other records before and after it.
    Cuts,
    /// Ends the connection of this user when a message with this number comes.
    Ends {
        user: u64,
        at: u64,
    },
}

/// Rest of a server that tires, after it has sent something.
const REST: Duration = Duration::from_millis(50);

type Clients = Mutex<Vec<(u64, String, TcpStream)>>;

struct ConnectedUsers {
    vice: ServerDefect,
    clients: Clients,
    copies: AtomicU64,
    held: Mutex<HashMap<u64, String>>,
    /// Time at which it began to send last.
    sent: Mutex<Instant>,
    numbers: AtomicU64,
    pings: AtomicU64,
    /// The connection that is to be ended.
    doomed: Mutex<Option<TcpStream>>,
}

/// Address at which the server listens; it serves as long as the test program lives.
pub struct Server {
    pub address: SocketAddr,
    connected: Arc<ConnectedUsers>,
}

impl Server {
    pub fn start(protocol: &'static str, vice: ServerDefect) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let connected = Arc::new(ConnectedUsers {
            vice,
            clients: Mutex::default(),
            copies: AtomicU64::new(0),
            held: Mutex::default(),
            sent: Mutex::new(Instant::now()),
            numbers: AtomicU64::new(0),
            pings: AtomicU64::new(0),
            doomed: Mutex::default(),
        });
        let served = Arc::clone(&connected);
        std::thread::spawn(move || {
            for socket in listener.incoming().map_while(Result::ok) {
                let connected = Arc::clone(&served);
                std::thread::spawn(move || connected.serve(protocol, socket));
            }
        });
        Self { address, connected }
    }

    pub fn endpoint(&self) -> String {
        format!("ws://{}/board", self.address)
    }

    /// Copies it sent or should have sent.
    pub fn copies(&self) -> u64 {
        self.connected.copies.load(Ordering::SeqCst)
    }

    /// Times that a client said that it is still there.
    pub fn pings(&self) -> u64 {
        self.connected.pings.load(Ordering::SeqCst)
    }
}

impl ConnectedUsers {
    fn serve(&self, protocol: &str, mut socket: TcpStream) {
        socket.set_nodelay(true).expect("an option");
        match self.vice {
            ServerDefect::Silent => {
                let _ = std::io::copy(&mut socket, &mut std::io::sink());
                return;
            }
            ServerDefect::NotHttp => {
                let _ = socket.read(&mut [0; 1024]);
                let _ = socket.write_all(b"220 mail ready\r\n\r\n");
                return;
            }
            _ => {}
        }
        let refuses = self.vice == ServerDefect::Refuses;
        #[expect(
            clippy::result_large_err,
            reason = "the library's callback is like that"
        )]
        let answer = |request: &Request, mut response: Response| {
            if refuses {
                let mut error = ErrorResponse::new(Some("full".to_owned()));
                *error.status_mut() = tungstenite::http::StatusCode::SERVICE_UNAVAILABLE;
                return Err(error);
            }
            if let ServerDefect::Packs(_) = self.vice {
                let agreed = HeaderValue::from_static("permessage-deflate");
                response
                    .headers_mut()
                    .insert("Sec-WebSocket-Extensions", agreed);
            }
            if request.headers().contains_key("Sec-WebSocket-Protocol") {
                let name = HeaderValue::from_static("v12.stomp");
                response
                    .headers_mut()
                    .insert("Sec-WebSocket-Protocol", name);
            }
            Ok(response)
        };
        let client = self.numbers.fetch_add(1, Ordering::SeqCst);
        let writing = socket.try_clone().expect("a second handle");
        let Ok(mut reading) = accept_hdr(socket, answer) else {
            return;
        };
        if let ServerDefect::Packs(frames) = self.vice {
            let _ = (&writing).write_all(frames);
        }
        for text in speech::greetings(protocol) {
            say(&writing, text);
        }
        // A ping is answered by the library, as it reads on.
        while let Ok(message @ (Message::Text(_) | Message::Ping(_))) = reading.read() {
            if let Message::Text(text) = message {
                self.hear(protocol, client, &writing, &text);
            }
        }
        self.clients
            .lock()
            .expect("no panic")
            .retain(|(number, ..)| *number != client);
    }

    fn hear(&self, protocol: &str, client: u64, writing: &TcpStream, text: &str) {
        let body = match speech::understand(protocol, text) {
            EngineMessage::Object(body) => body,
            EngineMessage::Asks(answer) => return say(writing, answer),
            EngineMessage::Ping => {
                self.pings.fetch_add(1, Ordering::SeqCst);
                return;
            }
            EngineMessage::Nothing => return,
        };
        let Ok(object) = serde_json::from_str::<Value>(body) else {
            if self.vice == ServerDefect::PassesOn {
                self.spread(protocol, client, &self.board_of(client), body);
            }
            return;
        };
        let board = object["board"].as_str().expect("a board").to_owned();
        if let ServerDefect::Ends { user, at } = self.vice {
            if object["type"] == "join" && object["user"] == user {
                let socket = writing.try_clone().expect("another handle");
                *self.doomed.lock().expect("no panic") = Some(socket);
            } else if object["seq"] == at
                && let Some(socket) = self.doomed.lock().expect("no panic").take()
            {
                let _ = socket.shutdown(std::net::Shutdown::Both);
            }
        }
        if object["type"] == "draw" {
            self.draw(protocol, client, &board, body);
        } else if self.vice != ServerDefect::NeverJoins {
            let socket = writing.try_clone().expect("a third handle");
            if self.vice == ServerDefect::JoinsLate {
                say(writing, &speech::joined(protocol, body));
                std::thread::sleep(REST);
            }
            self.clients
                .lock()
                .expect("no panic")
                .push((client, board, socket));
            *self.sent.lock().expect("no panic") = Instant::now();
            if self.vice != ServerDefect::JoinsLate {
                say(writing, &speech::joined(protocol, body));
            }
            // Many empty text messages.
            let flood = [0x81, 0].repeat(32 * 1024);
            while self.vice == ServerDefect::Floods && (&*writing).write_all(&flood).is_ok() {}
        }
    }

    fn board_of(&self, client: u64) -> String {
        let clients = self.clients.lock().expect("no panic");
        let found = clients.iter().find(|(number, ..)| *number == client);
        found.map_or_else(String::new, |(_, board, _)| board.clone())
    }

    fn draw(&self, protocol: &str, sender: u64, board: &str, body: &str) {
        let sent = std::mem::replace(&mut *self.sent.lock().expect("no panic"), Instant::now());
        if self.vice == ServerDefect::Tires && sent.elapsed() < REST {
            return;
        }
        let body = match self.vice {
            ServerDefect::Swaps => {
                let mut held = self.held.lock().expect("no panic");
                match held.remove(&sender) {
                    Some(before) => {
                        drop(held);
                        self.spread(protocol, sender, board, body);
                        before
                    }
                    None => {
                        held.insert(sender, body.to_owned());
                        return;
                    }
                }
            }
            ServerDefect::Rewrites => body.replace("\":", "\" : "),
            ServerDefect::Changes => {
                let mut object: Value = serde_json::from_str(body).expect("it was read before");
                object["width"] = 17.into();
                object.to_string()
            }
            _ => body.to_owned(),
        };
        self.spread(protocol, sender, board, &body);
    }

    fn spread(&self, protocol: &str, sender: u64, board: &str, body: &str) {
        let text = speech::drawn(protocol, body);
        for (client, place, socket) in self.clients.lock().expect("no panic").iter() {
            let on_board = place == board || self.vice == ServerDefect::AllBoards;
            if on_board && (self.vice != ServerDefect::OnlySender || *client == sender) {
                let number = self.copies.fetch_add(1, Ordering::SeqCst) + 1;
                self.copy(socket, &text, number);
            }
        }
    }

    fn copy(&self, mut socket: &TcpStream, text: &str, number: u64) {
        // The engine may have left: what it does not read, it does not miss.
        let _ = match self.vice {
            ServerDefect::Drops(n) if number.is_multiple_of(n) => Ok(()),
            ServerDefect::Doubles(n) if number.is_multiple_of(n) => {
                say(socket, text);
                say(socket, text);
                Ok(())
            }
            ServerDefect::Babbles(n) if number.is_multiple_of(n) => {
                say(socket, "bla {");
                Ok(())
            }
            ServerDefect::Binary(n) if number.is_multiple_of(n) => {
                socket.write_all(&[0x82, 2, 1, 2])
            }
            ServerDefect::Oversized(n) if number == n => {
                socket.write_all(&[0x81, 127, 0, 0, 0, 0, 0x40, 0, 0, 0, b'x'])
            }
            ServerDefect::Halves(n) if number == n => socket
                .write_all(&[0x81, 126, 1, 0, b'{'])
                .and_then(|()| socket.shutdown(std::net::Shutdown::Both)),
            ServerDefect::Endless(n) if number == n => {
                for _ in 0..20 {
                    say(socket, &"x".repeat(60_000));
                }
                Ok(())
            }
            ServerDefect::Cuts => {
                let (first, second) = text.split_at(text.len() / 2);
                say(socket, &format!("{{\"type\":6}}\x1e{first}"));
                say(socket, &format!("{second}{{\"type\":6}}\x1e"));
                Ok(())
            }
            ServerDefect::Closes(n) if number == n => socket.write_all(&[0x88, 2, 0x03, 0xe9]),
            _ => {
                say(socket, text);
                Ok(())
            }
        };
    }
}

/// Writes a text frame in one piece.
fn say(mut socket: &TcpStream, text: &str) {
    let mut frame = vec![0x81];
    match u8::try_from(text.len()) {
        Ok(short) if short < 126 => frame.push(short),
        _ => {
            frame.push(126);
            let length = u16::try_from(text.len()).expect("no message is that long");
            frame.extend_from_slice(&length.to_be_bytes());
        }
    }
    frame.extend_from_slice(text.as_bytes());
    let _ = socket.write_all(&frame);
}
