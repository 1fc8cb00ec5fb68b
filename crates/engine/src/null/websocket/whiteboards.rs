//! The boards of the null server, and who draws on them.

use std::cell::RefCell;
use std::io::{ErrorKind, Write};
use std::rc::Rc;

use mio::net::TcpStream;
use tungstenite::handshake::server::{NoCallback, ServerHandshake};
use tungstenite::handshake::{HandshakeError, MidHandshake};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};

use super::boards::{Asked, Boards, joined, read};
use crate::net::Ready;
use crate::net::wire::{Inbox, Wire};
use crate::null::listener::{ClientTable, NullService};

const READ_BUFFER: usize = 512;

type Shaking = MidHandshake<ServerHandshake<Wire, NoCallback>>;

/// A client, and the board it is on.
pub enum WhiteboardClient {
    Shaking(Shaking),
    Open(WebSocket<Wire>, Option<usize>),
    Gone,
}

/// Passes on what is drawn.
pub struct Whiteboards {
    inbox: Rc<RefCell<Inbox>>,
    boards: Boards,
}

impl Default for Whiteboards {
    fn default() -> Self {
        Self {
            inbox: Inbox::shared(),
            boards: Boards::default(),
        }
    }
}

impl NullService for Whiteboards {
    type NullClient = WhiteboardClient;

    fn receive(&mut self, number: usize, socket: TcpStream) -> WhiteboardClient {
        let wire = Wire::new(socket, number, Rc::clone(&self.inbox));
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0);
        // The request is read at the first event.
        WhiteboardClient::Shaking(ServerHandshake::start(wire, NoCallback, Some(config)))
    }

    fn serve(
        &mut self,
        clients: &mut ClientTable<WhiteboardClient>,
        number: usize,
        ready: Ready,
    ) -> Option<()> {
        loop {
            let client = clients.get_mut(number)?;
            let wire = client.wire()?;
            if ready.writable {
                wire.resume().ok()?;
            }
            let more = wire.fill(ready.hangup).ok()?;
            if matches!(client, WhiteboardClient::Shaking(_)) {
                client.shake()?;
            }
            self.listen(clients, number)?;
            if !more {
                return Some(());
            }
        }
    }

    fn forget(&mut self, number: usize, client: WhiteboardClient) {
        if let WhiteboardClient::Open(_, Some(board)) = client {
            self.boards.leave(board, number);
        }
    }
}

impl WhiteboardClient {
    fn wire(&mut self) -> Option<&mut Wire> {
        match self {
            Self::Shaking(shaking) => Some(shaking.get_mut().get_mut()),
            Self::Open(socket, _) => Some(socket.get_mut()),
            Self::Gone => None,
        }
    }

    fn shake(&mut self) -> Option<()> {
        *self = match std::mem::replace(self, Self::Gone) {
            Self::Shaking(shaking) => match shaking.handshake() {
                Ok(socket) => Self::Open(socket, None),
                Err(HandshakeError::Interrupted(shaking)) => Self::Shaking(shaking),
                Err(HandshakeError::Failure(_)) => return None,
            },
            other => other,
        };
        Some(())
    }
}

impl Whiteboards {
    fn listen(&mut self, clients: &mut ClientTable<WhiteboardClient>, number: usize) -> Option<()> {
        loop {
            let WhiteboardClient::Open(socket, board) = clients.get_mut(number)? else {
                return Some(());
            };
            match socket.read() {
                Ok(Message::Text(text)) => match read(&text) {
                    Asked::Draw(name) => {
                        if let Some(board) = self.boards.known(&name) {
                            self.broadcast(clients, board, &text);
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
    fn broadcast(&self, clients: &mut ClientTable<WhiteboardClient>, board: usize, text: &str) {
        let frame = encode(text);
        for member in self.boards.members(board) {
            if let Some(WhiteboardClient::Open(socket, _)) = clients.get_mut(*member) {
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
