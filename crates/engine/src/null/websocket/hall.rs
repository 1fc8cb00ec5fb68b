//! The null server's event loop.

use std::cell::RefCell;
use std::io::{self, ErrorKind, Write};
use std::net::SocketAddr;
use std::rc::Rc;

use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};
use tungstenite::handshake::server::{NoCallback, ServerHandshake};
use tungstenite::handshake::{HandshakeError, MidHandshake};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};

use super::boards::{Asked, Boards, joined, read};
use crate::net::wire::{Inbox, Wire};
use crate::null::Open;

const LISTENER: Token = Token(0);
const WAKER: Token = Token(1);
const FIRST_GUEST: usize = 2;
const READ_BUFFER: usize = 512;

type Shaking = MidHandshake<ServerHandshake<Wire, NoCallback>>;

enum Guest {
    None,
    Shaking(Shaking),
    Open(WebSocket<Wire>, Option<usize>),
}

/// A listening socket and its guests.
pub struct Hall {
    poll: Poll,
    listener: TcpListener,
    address: SocketAddr,
}

impl Open for Hall {
    fn open(listen: &str) -> io::Result<Self> {
        let listen = listen.parse().map_err(io::Error::other)?;
        let mut listener = TcpListener::bind(listen)?;
        let address = listener.local_addr()?;
        let poll = Poll::new()?;
        poll.registry()
            .register(&mut listener, LISTENER, Interest::READABLE)?;
        Ok(Self {
            poll,
            listener,
            address,
        })
    }

    fn address(&self) -> SocketAddr {
        self.address
    }

    fn closer(&self) -> io::Result<Waker> {
        Waker::new(self.poll.registry(), WAKER)
    }

    fn serve(mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(1024);
        let mut guests = Guests {
            inbox: Inbox::shared(),
            guests: Vec::new(),
            free: Vec::new(),
            boards: Boards::default(),
        };
        loop {
            match self.poll.poll(&mut events, None) {
                Err(error) if error.kind() != ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
            for event in &events {
                match event.token() {
                    LISTENER => self.accept(&mut guests)?,
                    WAKER => return Ok(()),
                    Token(token) => {
                        let hangup = event.is_read_closed() || event.is_error();
                        guests.happened(token - FIRST_GUEST, event.is_writable(), hangup);
                    }
                }
            }
        }
    }
}

impl Hall {
    fn accept(&self, guests: &mut Guests) -> io::Result<()> {
        loop {
            match self.listener.accept() {
                Ok((socket, _)) => guests.enter(socket, &self.poll)?,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => eprintln!("accept: {error}"),
            }
        }
    }
}

struct Guests {
    inbox: Rc<RefCell<Inbox>>,
    guests: Vec<Guest>,
    free: Vec<usize>,
    boards: Boards,
}

impl Guests {
    fn enter(&mut self, mut socket: TcpStream, poll: &Poll) -> io::Result<()> {
        socket.set_nodelay(true)?;
        let number = self.free.pop().unwrap_or_else(|| {
            self.guests.push(Guest::None);
            self.guests.len() - 1
        });
        let token = Token(number + FIRST_GUEST);
        poll.registry()
            .register(&mut socket, token, Interest::READABLE | Interest::WRITABLE)?;
        let wire = Wire::new(socket, token.0, Rc::clone(&self.inbox));
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0);
        // The request is read at the first event.
        self.guests[number] =
            Guest::Shaking(ServerHandshake::start(wire, NoCallback, Some(config)));
        Ok(())
    }

    fn happened(&mut self, number: usize, writable: bool, hangup: bool) {
        if self.serve(number, writable, hangup).is_none() {
            if let Guest::Open(_, Some(board)) = self.guests[number] {
                self.boards.leave(board, number);
            }
            if !matches!(self.guests[number], Guest::None) {
                self.guests[number] = Guest::None;
                self.free.push(number);
            }
        }
    }

    /// None: the guest has gone.
    fn serve(&mut self, number: usize, writable: bool, hangup: bool) -> Option<()> {
        loop {
            let wire = match &mut self.guests[number] {
                Guest::None => return Some(()),
                Guest::Shaking(shaking) => shaking.get_mut().get_mut(),
                Guest::Open(socket, _) => socket.get_mut(),
            };
            if writable {
                wire.resume().ok()?;
            }
            let more = wire.fill(hangup).ok()?;
            if matches!(self.guests[number], Guest::Shaking(_)) {
                self.shake(number)?;
            }
            self.listen(number)?;
            if !more {
                return Some(());
            }
        }
    }

    fn shake(&mut self, number: usize) -> Option<()> {
        let guest = std::mem::replace(&mut self.guests[number], Guest::None);
        let Guest::Shaking(shaking) = guest else {
            return Some(());
        };
        self.guests[number] = match shaking.handshake() {
            Ok(socket) => Guest::Open(socket, None),
            Err(HandshakeError::Interrupted(shaking)) => Guest::Shaking(shaking),
            Err(HandshakeError::Failure(_)) => {
                self.free.push(number);
                return Some(());
            }
        };
        Some(())
    }

    fn listen(&mut self, number: usize) -> Option<()> {
        loop {
            let Guest::Open(socket, board) = &mut self.guests[number] else {
                return Some(());
            };
            match socket.read() {
                Ok(Message::Text(text)) => match read(&text) {
                    Asked::Draw(name) => {
                        if let Some(board) = self.boards.known(name) {
                            self.broadcast(board, &text);
                        }
                    }
                    Asked::Join(name) => {
                        let (before, now) = (*board, self.boards.number(name));
                        *board = Some(now);
                        socket.send(Message::text(joined(&text))).ok()?;
                        if let Some(before) = before {
                            self.boards.leave(before, number);
                        }
                        self.boards.enter(now, number);
                    }
                    Asked::Nothing => {}
                },
                Ok(_) => {}
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return Some(()),
                Err(_) => return None,
            }
        }
    }

    /// Encodes once and writes to everybody. The wires keep what a socket does not take, so a
    /// frame is never cut by another.
    fn broadcast(&mut self, board: usize, text: &str) {
        let frame = encode(text);
        for member in self.boards.members(board) {
            if let Guest::Open(socket, _) = &mut self.guests[*member] {
                // Whoever cannot be written to is found out when its socket says so.
                let _ = socket.get_mut().write(&frame);
            }
        }
    }
}

/// A text frame as servers send it: final, not masked.
fn encode(text: &str) -> Vec<u8> {
    let mut frame = Vec::with_capacity(text.len() + 10);
    frame.push(0x81);
    match text.len() {
        short @ 0..=125 => frame.push(short as u8),
        middle @ 126..=0xffff => {
            frame.push(126);
            frame.extend_from_slice(&(middle as u16).to_be_bytes());
        }
        long => {
            frame.push(127);
            frame.extend_from_slice(&(long as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(text.as_bytes());
    frame
}
