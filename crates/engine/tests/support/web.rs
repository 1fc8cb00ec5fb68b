//! A small HTTP server that does what its script says. A thread for each connection.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use wirelab_sdk::clock::now_ns;

/// Treatment of a request by the server. Requests are counted from 1, those of the preflight too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// A body with its length.
    Plain,
    /// Two chunks and a trailer, in three writes.
    Chunked,
    /// `Connection: close`, and ends it.
    Closes,
    /// Ends the connection after each response, without having said so.
    Leaves,
    /// No length: up to the end of the connection.
    UntilEnd,
    /// 103, then the response.
    Hints,
    /// Nothing but a status.
    NoContent,
    /// 503 to every n-th request.
    Busy(u64),
    /// Ends the connection instead of the n-th response, and of every n-th after.
    Drops(u64),
    /// Does not answer from the n-th request on.
    Silent(u64),
    /// Something else than HTTP to every n-th request.
    Garbage(u64),
    /// More bytes than were asked for, with every n-th response.
    Excess(u64),
    /// `Server-Timing` with every n-th response.
    Timed(u64),
    /// `Server-Timing` that says a day of each request.
    TimedTooLong,
    /// A body without an end.
    Floods,
    /// A body that is no JSON.
    Text,
    /// Answers nobody for this many milliseconds after the n-th request.
    Stalls { from: u64, ms: u64 },
}

/// Requests, connections and the stall.
#[derive(Default)]
pub struct Seen {
    pub targets: Mutex<Vec<String>>,
    pub connections: AtomicU64,
    requests: AtomicU64,
    /// Times from which and until which nobody was answered, by CLOCK_MONOTONIC.
    pub stall: Mutex<Option<(u64, u64)>>,
}

/// Address at which the server listens; it serves as long as the test program lives.
pub struct Web {
    pub address: SocketAddr,
    pub seen: Arc<Seen>,
}

impl Web {
    pub fn start(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let seen = Arc::new(Seen::default());
        let served = Arc::clone(&seen);
        std::thread::spawn(move || {
            for socket in listener.incoming().map_while(Result::ok) {
                served.connections.fetch_add(1, Ordering::SeqCst);
                let seen = Arc::clone(&served);
                std::thread::spawn(move || serve(script, &seen, socket));
            }
        });
        Self { address, seen }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn connections(&self) -> u64 {
        self.seen.connections.load(Ordering::SeqCst)
    }

    /// Waits until so many connections have come.
    pub fn wait_for_connections(&self, count: u64) {
        let until = Instant::now() + Duration::from_secs(20);
        while self.connections() < count {
            assert!(Instant::now() < until, "{} of {count}", self.connections());
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// None: the connection has ended.
fn serve(script: Script, seen: &Seen, mut socket: TcpStream) -> Option<()> {
    socket.set_nodelay(true).ok()?;
    let mut bytes = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") {
                break end + 4;
            }
            let mut buffer = [0; 4096];
            let size = socket.read(&mut buffer).ok().filter(|size| *size > 0)?;
            bytes.extend_from_slice(&buffer[..size]);
        };
        let head = String::from_utf8(bytes.drain(..end).collect()).expect("a head");
        let length = head.split("Content-Length: ").nth(1);
        let length = length.map_or(0, |rest| {
            rest.split("\r\n")
                .next()
                .expect("a line")
                .parse()
                .expect("a length")
        });
        while bytes.len() < length {
            let mut buffer = [0; 4096];
            let size = socket.read(&mut buffer).ok().filter(|size| *size > 0)?;
            bytes.extend_from_slice(&buffer[..size]);
        }
        let body = String::from_utf8(bytes.drain(..length).collect()).expect("text");
        let target = head.split(' ').nth(1).expect("a target");
        seen.targets
            .lock()
            .expect("a list")
            .push(format!("{target}{body}"));
        let number = seen.requests.fetch_add(1, Ordering::SeqCst) + 1;
        respond(script, seen, number, &mut socket)?;
    }
}

fn respond(script: Script, seen: &Seen, number: u64, socket: &mut TcpStream) -> Option<()> {
    let every = |n: u64| number.is_multiple_of(n);
    let plain = |socket: &mut TcpStream, fields: &str, body: &str| {
        let length = body.len();
        let text = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n{fields}\r\n{body}");
        socket.write_all(text.as_bytes()).ok()
    };
    let body = format!("{{\"number\":{number}}}");
    match script {
        Script::Chunked => {
            socket
                .write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r")
                .ok()?;
            std::thread::sleep(Duration::from_millis(1));
            socket.write_all(b"\n3\r\n   \r\n0").ok()?;
            std::thread::sleep(Duration::from_millis(1));
            socket.write_all(b"\r\nX: y\r\n\r\n").ok()
        }
        Script::Closes => {
            plain(socket, "Connection: close\r\n", &body)?;
            None
        }
        Script::Leaves => {
            plain(socket, "", &body)?;
            None
        }
        Script::UntilEnd => {
            let text = format!("HTTP/1.0 200 OK\r\n\r\n{body}");
            socket.write_all(text.as_bytes()).ok()?;
            None
        }
        Script::Hints => {
            socket
                .write_all(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
                .ok()?;
            plain(socket, "", &body)
        }
        Script::NoContent => socket.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").ok(),
        Script::Busy(n) if every(n) => {
            let text =
                b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\nServer-Timing: keys;dur=1\r\n\r\nbusy";
            socket.write_all(text).ok()
        }
        Script::Drops(n) if every(n) => None,
        Script::Silent(n) if number >= n => {
            // The other side gives up first.
            let mut buffer = [0; 64];
            while socket.read(&mut buffer).ok()? > 0 {}
            None
        }
        Script::Garbage(n) if every(n) => socket.write_all(b"SSH-2.0-nothing\r\n\r\n").ok(),
        // In one write: what comes later cannot be told from the next response.
        Script::Excess(n) if every(n) => {
            let text = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK";
            socket.write_all(text).ok()
        }
        Script::Timed(n) if every(n) => {
            let fields = "Server-Timing: keys;dur=0.5;desc=\"a, b\", total;dur=0.001\r\n";
            plain(socket, fields, &body)
        }
        Script::TimedTooLong => plain(socket, "Server-Timing: total;dur=86400000\r\n", &body),
        Script::Floods => {
            socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
            loop {
                socket.write_all(&[b'x'; 65_536]).ok()?;
            }
        }
        Script::Text => plain(socket, "", "no JSON"),
        Script::Stalls { from, ms } => {
            let until_ns = {
                let mut stall = seen.stall.lock().expect("a stall");
                if number >= from && stall.is_none() {
                    let now = now_ns();
                    *stall = Some((now, now + ms * 1_000_000));
                }
                stall.map_or(0, |(_, until_ns)| until_ns)
            };
            let now = now_ns();
            if number >= from && now < until_ns {
                std::thread::sleep(Duration::from_nanos(until_ns - now));
            }
            plain(socket, "", &body)
        }
        _ => plain(socket, "", &body),
    }
}
