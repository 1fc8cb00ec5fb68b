//! The null server of the HTTP generator: every request gets the same response.
//!
//! It reads heads with the library that the generator reads them with, and passes over bodies by
//! their length. Requests may follow each other without waiting; their responses go out in one
//! write where they came in one read.

use std::io::{ErrorKind, Read};
use std::process::ExitCode;

use mio::net::TcpStream;

use super::listener::{ClientTable, NullService};
use crate::Failure;
use crate::net::{Ready, push};

const BUFFER_BYTES: usize = 64 * 1024;
const LARGEST_HEAD: usize = 64 * 1024;
/// Most bytes of responses that wait for a peer that does not read.
const LARGEST_BACKLOG: usize = 1024 * 1024;

const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\n\
    Content-Type: application/json\r\n\
    Content-Length: 11\r\n\
    Server-Timing: total;dur=0.001\r\n\
    \r\n\
    {\"ok\":true}";

/// Serves until told to stop.
pub fn serve() -> Result<ExitCode, Failure> {
    super::serve::<Responder>(|address| format!("http://{address}"), "http")
}

/// Answers every request. What a client sends is read through one buffer.
struct Responder {
    buffer: Box<[u8]>,
}

impl Default for Responder {
    fn default() -> Self {
        Self {
            buffer: vec![0; BUFFER_BYTES].into(),
        }
    }
}

#[derive(Debug)]
struct NullHttpClient {
    socket: TcpStream,
    /// A head that has not come as a whole.
    head: Vec<u8>,
    /// Bytes of a body that are still to come.
    body: u64,
    /// Bytes that the socket did not take.
    unsent: Vec<u8>,
}

impl NullService for Responder {
    type NullClient = NullHttpClient;

    fn receive(&mut self, _number: usize, socket: TcpStream) -> NullHttpClient {
        NullHttpClient {
            socket,
            head: Vec::new(),
            body: 0,
            unsent: Vec::new(),
        }
    }

    fn serve(
        &mut self,
        clients: &mut ClientTable<NullHttpClient>,
        number: usize,
        ready: Ready,
    ) -> Option<()> {
        clients
            .get_mut(number)?
            .serve(&mut self.buffer, ready.hangup)
    }
}

impl NullHttpClient {
    /// Reads and answers what there is. `hangup`: the client has ended its side. None: it has gone,
    /// or is to go.
    fn serve(&mut self, buffer: &mut [u8], hangup: bool) -> Option<()> {
        self.push()?;
        loop {
            match self.socket.read(buffer) {
                Ok(0) => return None,
                Ok(size) => {
                    self.take(&buffer[..size])?;
                    self.push()?;
                    if size < buffer.len() && !hangup {
                        return Some(());
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Some(()),
                Err(_) => return None,
            }
        }
    }

    fn take(&mut self, mut bytes: &[u8]) -> Option<()> {
        while !bytes.is_empty() {
            let skipped = bytes
                .len()
                .min(usize::try_from(self.body).unwrap_or(usize::MAX));
            self.body -= skipped as u64;
            bytes = &bytes[skipped..];
            if bytes.is_empty() {
                break;
            }
            let before = self.head.len();
            let joined = (before > 0).then(|| {
                self.head.extend_from_slice(bytes);
                std::mem::take(&mut self.head)
            });
            let Some((used, body)) = read_head(joined.as_deref().unwrap_or(bytes))? else {
                self.head = joined.unwrap_or_else(|| bytes.to_vec());
                return (self.head.len() <= LARGEST_HEAD).then_some(());
            };
            bytes = &bytes[used - before..];
            self.body = body;
            self.unsent.extend_from_slice(RESPONSE);
        }
        (self.unsent.len() <= LARGEST_BACKLOG).then_some(())
    }

    fn push(&mut self) -> Option<()> {
        let taken = push(&mut self.socket, &self.unsent).ok()?;
        self.unsent.drain(..taken);
        Some(())
    }
}

/// The length of a head and of the body after it, when the head has come as a whole. None outside:
/// it is none.
fn read_head(bytes: &[u8]) -> Option<Option<(usize, u64)>> {
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut fields);
    match request.parse(bytes) {
        Ok(httparse::Status::Partial) => Some(None),
        Ok(httparse::Status::Complete(used)) => {
            let length = request
                .headers
                .iter()
                .find(|field| field.name.eq_ignore_ascii_case("content-length"));
            let body = match length {
                None => 0,
                Some(field) => std::str::from_utf8(field.value).ok()?.trim().parse().ok()?,
            };
            Some(Some((used, body)))
        }
        Err(_) => None,
    }
}
