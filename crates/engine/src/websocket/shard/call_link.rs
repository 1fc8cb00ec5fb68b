//! One user of a server that speaks gRPC: a call whose messages go both ways, on a connection of HTTP/2
//! of its own.
//!
//! The library for HTTP/2 is asynchronous. It is asked to go on whenever its socket has something for
//! it and whenever it was given something to send, so that nobody has to wake it.

use std::cell::RefCell;
use std::future::Future;
use std::io::{self, ErrorKind, Read, Write};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use h2::client::{Builder, Connection, ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use prost::bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tungstenite::http::header::{CONTENT_TYPE, TE};
use tungstenite::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri};
use wirelab_sdk::status::Status;

use super::link::{Heard, Progress};
use super::lost::Lost;
use crate::net::connector::Connector;
use crate::net::dial::is_connected;
use crate::net::wire::{BACKLOG_BYTES, Wire};
use crate::websocket::grpc_messages::{GrpcMessages, framed};

const GRPC: &str = "application/grpc";

/// A user's connection, and its call.
pub struct CallLink {
    wire: Rc<RefCell<Wire>>,
    address: Uri,
    /// None until it is connected.
    call: Option<Call>,
    messages: GrpcMessages,
    opened: bool,
    /// Its end, behind the messages that have come.
    end: Option<Lost>,
    received: u64,
}

impl CallLink {
    /// Begins to connect, as connection `number` of the thread, for a call at `address`.
    pub fn dial(connector: &mut Connector, number: usize, address: Uri) -> Result<Self, Lost> {
        let wire = connector
            .connect(number)
            .map_err(|error| Lost::io(&error))?;
        Ok(Self {
            wire: Rc::new(RefCell::new(wire)),
            address,
            call: None,
            messages: GrpcMessages::default(),
            opened: false,
            end: None,
            received: 0,
        })
    }

    /// Goes on after the socket said that it is writable: connected, or room for more.
    pub fn writable(&mut self) -> Result<(), Lost> {
        if self.call.is_some() {
            let resumed = self.wire.borrow_mut().resume();
            return resumed.map_err(|error| Lost::io(&error));
        }
        let connected = is_connected(&self.wire.borrow().socket);
        if connected.map_err(|error| Lost::io(&error))? {
            self.call = Some(Call::begin(Socket(Rc::clone(&self.wire)), &self.address)?);
            self.proceed();
        }
        Ok(())
    }

    /// Reads what the socket has. True: there may be more.
    pub fn fill(&mut self, hangup: bool) -> Result<bool, Lost> {
        let more = {
            let mut wire = self.wire.borrow_mut();
            let more = wire.fill(hangup).map_err(|error| Lost::io(&error))?;
            self.received += wire.unread() as u64;
            more
        };
        self.proceed();
        Ok(more)
    }

    /// Bytes that have come since this was asked last.
    pub fn take_received(&mut self) -> u64 {
        std::mem::take(&mut self.received)
    }

    /// Bytes that the socket has taken since this was asked last.
    pub fn take_written(&mut self) -> u64 {
        self.wire.borrow_mut().take_written()
    }

    /// Tells whether the call has begun.
    pub fn advance(&mut self) -> Progress {
        Progress::of(&mut self.opened, self.call.is_some())
    }

    /// The next message.
    pub fn hear(&mut self) -> Result<Heard, Lost> {
        match self.messages.next_text().map_err(Lost::wrong)? {
            Some(text) => Ok(Heard::Text(text.into())),
            None => self.end.take().map_or(Ok(Heard::Nothing), Err),
        }
    }

    /// Tells whether the peer takes so little that nothing more should be handed over.
    pub fn is_clogged(&self) -> bool {
        self.wire.borrow().backlog() > BACKLOG_BYTES / 2
    }

    /// Sends a message of the call.
    pub fn send(&mut self, text: &str) -> Result<(), Lost> {
        let Some(call) = &mut self.call else {
            return Err(Lost::new(Status::Disconnected, "not connected".to_owned()));
        };
        let sent = call.sending.send_data(framed(text), false);
        sent.map_err(|error| lost(&error))?;
        self.proceed();
        Ok(())
    }

    fn proceed(&mut self) {
        if let Some(call) = &mut self.call
            && self.end.is_none()
        {
            self.end = call.proceed(&mut self.messages).err();
        }
    }
}

/// The call, once its connection has been made.
struct Call {
    connection: Connection<Socket, Bytes>,
    sending: SendStream<Bytes>,
    /// Until it has come.
    answer: Option<ResponseFuture>,
    receiving: Option<RecvStream>,
    /// The connection ends with the last of these.
    _requests: SendRequest<Bytes>,
}

impl Call {
    fn begin(socket: Socket, address: &Uri) -> Result<Self, Lost> {
        let mut context = Context::from_waker(Waker::noop());
        // What is written is taken at once, and nothing is read before it.
        let begun = pin!(
            Builder::new()
                .enable_push(false)
                .handshake::<_, Bytes>(socket)
        );
        let Poll::Ready(begun) = begun.poll(&mut context) else {
            return Err(Lost::new(
                Status::Error,
                "the server does not begin HTTP/2".to_owned(),
            ));
        };
        let (mut requests, connection) = begun.map_err(|error| lost(&error))?;
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        *request.uri_mut() = address.clone();
        let head = request.headers_mut();
        head.insert(CONTENT_TYPE, HeaderValue::from_static(GRPC));
        head.insert(TE, HeaderValue::from_static("trailers"));
        let (answer, sending) = requests
            .send_request(request, false)
            .map_err(|error| lost(&error))?;
        Ok(Self {
            connection,
            sending,
            answer: Some(answer),
            receiving: None,
            _requests: requests,
        })
    }

    /// Goes on as far as it can without waiting.
    fn proceed(&mut self, messages: &mut GrpcMessages) -> Result<(), Lost> {
        let mut context = Context::from_waker(Waker::noop());
        let connection = self.go_on(&mut context);
        self.read(&mut context, messages)?;
        connection?;
        // What has been read makes room, which the server is told.
        self.go_on(&mut context)
    }

    fn go_on(&mut self, context: &mut Context<'_>) -> Result<(), Lost> {
        match Pin::new(&mut self.connection).poll(context) {
            Poll::Pending => Ok(()),
            Poll::Ready(Ok(())) => Err(ended("the server has ended the connection")),
            Poll::Ready(Err(error)) => Err(lost(&error)),
        }
    }

    fn read(&mut self, context: &mut Context<'_>, messages: &mut GrpcMessages) -> Result<(), Lost> {
        if let Some(answer) = &mut self.answer
            && let Poll::Ready(answer) = Pin::new(answer).poll(context)
        {
            self.answer = None;
            self.receiving = Some(body_of(answer.map_err(|error| lost(&error))?)?);
        }
        let Some(receiving) = &mut self.receiving else {
            return Ok(());
        };
        loop {
            match receiving.poll_data(context) {
                Poll::Pending => return Ok(()),
                Poll::Ready(Some(data)) => {
                    let data = data.map_err(|error| lost(&error))?;
                    messages.feed(&data);
                    let read = receiving.flow_control().release_capacity(data.len());
                    read.map_err(|error| lost(&error))?;
                }
                Poll::Ready(None) => break,
            }
        }
        match receiving.poll_trailers(context) {
            Poll::Pending => Ok(()),
            Poll::Ready(trailers) => {
                let trailers = trailers.map_err(|error| lost(&error))?;
                Err(refused(trailers.as_ref())
                    .unwrap_or_else(|| ended("the server has ended the call")))
            }
        }
    }
}

/// The messages of an answer, unless it is none of gRPC's or says that there are none.
fn body_of(answer: Response<RecvStream>) -> Result<RecvStream, Lost> {
    let status = answer.status();
    if status != StatusCode::OK {
        return Err(Lost::new(
            Status::Error,
            format!("HTTP {}", status.as_u16()),
        ));
    }
    if let Some(refused) = refused(Some(answer.headers())) {
        return Err(refused);
    }
    let kind = answer.headers().get(CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(GRPC.as_bytes())) {
        return Err(Lost::new(
            Status::Error,
            "the answer is not of gRPC: its content-type differs".to_owned(),
        ));
    }
    Ok(answer.into_body())
}

/// End of a call as a head or a trailer tells it, where it says anything.
fn refused(fields: Option<&HeaderMap>) -> Option<Lost> {
    let fields = fields?;
    let words = |name| fields.get(name).and_then(|value| value.to_str().ok());
    let code = words("grpc-status")?;
    if code == "0" {
        return None;
    }
    let why = words("grpc-message").unwrap_or_default();
    let message = format!("gRPC status {code} {why}").trim_end().to_owned();
    Some(Lost::new(Status::Error, message))
}

fn ended(message: &str) -> Lost {
    Lost::new(Status::Disconnected, message.to_owned())
}

fn lost(error: &h2::Error) -> Lost {
    match error.get_io() {
        Some(error) => Lost::io(error),
        // What the server says, and what is no HTTP/2.
        None if error.is_remote() => Lost::new(Status::Disconnected, error.to_string()),
        None => Lost::wrong(("Garbage", error.to_string())),
    }
}

/// The socket as the library sees it.
struct Socket(Rc<RefCell<Wire>>);

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.0.borrow_mut().read(into.initialize_unfilled()) {
            Ok(size) => {
                into.advance(size);
                Poll::Ready(Ok(()))
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.borrow_mut().write(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
