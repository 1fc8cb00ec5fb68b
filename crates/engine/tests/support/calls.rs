//! A small whiteboard by gRPC, with every vice. A thread for each connection, which looks every fifth of a
//! millisecond what there is to do: the library for HTTP/2 has nobody to wake it here either.

use std::collections::VecDeque;
use std::future::Future;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use h2::server::{SendResponse, handshake};
use h2::{RecvStream, SendStream};
use prost::Message;
use prost::bytes::Bytes;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tungstenite::http::{HeaderMap, Request, Response};

const PAUSE: Duration = Duration::from_micros(200);

/// Defect of a server. Numbers count the copies of strokes that it sends, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallDefect {
    None,
    /// Each copy in two frames of HTTP/2.
    Cuts,
    /// Does not know the method.
    Unknown,
    /// Answers with this status of HTTP.
    Status(u16),
    /// Speaks something else than HTTP/2.
    NotHttp2,
    /// Ends the call instead of the n-th copy, and says why.
    Ends(u64),
    /// Ends the connection instead of the n-th copy.
    Hangs(u64),
    /// Says that the n-th copy is compressed.
    Compresses(u64),
    /// Announces a gigabyte instead of the n-th copy.
    Oversized(u64),
    /// Does not send every n-th copy.
    Drops(u64),
}

/// Address at which the server listens; it serves as long as the test program lives.
pub struct CallServer {
    pub address: SocketAddr,
}

/// Bytes that are to be written to a call; empty: its end.
type Outbox = Arc<Mutex<VecDeque<Vec<u8>>>>;

#[derive(Default)]
struct Boards {
    members: Mutex<Vec<(String, Outbox)>>,
    copies: AtomicU64,
}

impl CallServer {
    pub fn start(defect: CallDefect) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let boards = Arc::new(Boards::default());
        std::thread::spawn(move || {
            for socket in listener.incoming().map_while(Result::ok) {
                let boards = Arc::clone(&boards);
                std::thread::spawn(move || {
                    let _ = serve(defect, &boards, socket);
                });
            }
        });
        Self { address }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// A call under way.
struct Call {
    receiving: RecvStream,
    sending: SendStream<Bytes>,
    outbox: Outbox,
    begun: Vec<u8>,
}

fn serve(defect: CallDefect, boards: &Boards, mut socket: TcpStream) -> Result<(), h2::Error> {
    socket.set_nodelay(true).expect("an option");
    if defect == CallDefect::NotHttp2 {
        let _ = socket.write_all(b"220 mail ready\r\n\r\n");
        let _ = io::copy(&mut socket, &mut io::sink());
        return Ok(());
    }
    socket.set_nonblocking(true).expect("an option");
    let mut context = Context::from_waker(Waker::noop());
    let mut begun = Box::pin(handshake(Socket(socket)));
    let mut connection = loop {
        match begun.as_mut().poll(&mut context) {
            Poll::Ready(connection) => break connection?,
            Poll::Pending => std::thread::sleep(PAUSE),
        }
    };
    let mut calls = Vec::new();
    loop {
        match connection.poll_accept(&mut context) {
            Poll::Ready(Some(asked)) => calls.extend(answered(defect, asked?)?),
            Poll::Ready(None) => return Ok(()),
            Poll::Pending => std::thread::sleep(PAUSE),
        }
        for call in &mut calls {
            call.hear(defect, boards, &mut context)?;
            if !call.say(defect)? {
                return Ok(());
            }
        }
    }
}

fn answered(
    defect: CallDefect,
    (request, mut respond): (Request<RecvStream>, SendResponse<Bytes>),
) -> Result<Option<Call>, h2::Error> {
    assert_eq!(request.uri().path(), "/wirelab.whiteboard.Whiteboard/Draw");
    assert_eq!(request.headers()["te"], "trailers");
    assert_eq!(request.headers()["content-type"], "application/grpc");
    let mut answer = Response::builder().header("content-type", "application/grpc");
    match defect {
        CallDefect::Unknown => {
            answer = answer
                .header("grpc-status", "12")
                .header("grpc-message", "no such method");
        }
        CallDefect::Status(status) => answer = answer.status(status),
        _ => {}
    }
    let is_refused = matches!(defect, CallDefect::Unknown | CallDefect::Status(_));
    let answer = answer.body(()).expect("an answer");
    let sending = respond.send_response(answer, is_refused)?;
    Ok((!is_refused).then(|| Call {
        receiving: request.into_body(),
        sending,
        outbox: Outbox::default(),
        begun: Vec::new(),
    }))
}

impl Call {
    fn hear(
        &mut self,
        defect: CallDefect,
        boards: &Boards,
        context: &mut Context<'_>,
    ) -> Result<(), h2::Error> {
        while let Poll::Ready(Some(data)) = self.receiving.poll_data(context) {
            let data = data?;
            self.receiving.flow_control().release_capacity(data.len())?;
            self.begun.extend_from_slice(&data);
        }
        while let Some(([0, length @ ..], rest)) = self.begun.split_first_chunk::<5>() {
            let length = u32::from_be_bytes(*length) as usize;
            let Some(message) = rest.get(..length) else {
                break;
            };
            let text = String::decode(message).expect("a message");
            self.begun.drain(..5 + length);
            boards.take(defect, &text, &self.outbox);
        }
        Ok(())
    }

    /// False: the connection is to end.
    fn say(&mut self, defect: CallDefect) -> Result<bool, h2::Error> {
        let waiting = std::mem::take(&mut *self.outbox.lock().expect("no panic"));
        for mut message in waiting {
            if message.is_empty() {
                if matches!(defect, CallDefect::Hangs(_)) {
                    return Ok(false);
                }
                let mut trailers = HeaderMap::new();
                trailers.insert("grpc-status", "13".parse().expect("a value"));
                trailers.insert("grpc-message", "out of chalk".parse().expect("a value"));
                self.sending.send_trailers(trailers)?;
                continue;
            }
            if defect == CallDefect::Cuts {
                let second = message.split_off(message.len() / 2);
                self.sending
                    .send_data(std::mem::replace(&mut message, second).into(), false)?;
            }
            self.sending.send_data(message.into(), false)?;
        }
        Ok(true)
    }
}

impl Boards {
    fn take(&self, defect: CallDefect, text: &str, outbox: &Outbox) {
        let Ok(object) = serde_json::from_str::<Value>(text) else {
            return;
        };
        let board = object["board"].as_str().expect("a board");
        let mut members = self.members.lock().expect("no panic");
        if object["type"] == "join" {
            members.push((board.to_owned(), Arc::clone(outbox)));
            let joined = framed(&text.replacen("join", "joined", 1));
            outbox.lock().expect("no panic").push_back(joined);
            return;
        }
        for (_, outbox) in members.iter().filter(|(on, _)| on == board) {
            let number = self.copies.fetch_add(1, Ordering::SeqCst) + 1;
            let mut message = framed(text);
            match defect {
                CallDefect::Drops(n) if number.is_multiple_of(n) => continue,
                CallDefect::Ends(n) | CallDefect::Hangs(n) if number == n => message.clear(),
                CallDefect::Compresses(n) if number == n => message[0] = 1,
                CallDefect::Oversized(n) if number == n => message = vec![0, 0x40, 0, 0, 0],
                _ => {}
            }
            outbox.lock().expect("no panic").push_back(message);
        }
    }
}

fn framed(text: &str) -> Vec<u8> {
    let message = text.to_owned().encode_to_vec();
    let length = u32::try_from(message.len()).expect("no message is that long");
    [&[0][..], &length.to_be_bytes(), &message].concat()
}

struct Socket(TcpStream);

/// Makes pending what would block.
fn polled<T>(done: io::Result<T>) -> Poll<io::Result<T>> {
    match done {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Poll::Pending,
        done => Poll::Ready(done),
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        polled(self.0.read(into.initialize_unfilled())).map_ok(|size| into.advance(size))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        polled(self.0.write(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.shutdown(std::net::Shutdown::Both))
    }
}
