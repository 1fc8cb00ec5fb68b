//! The wire witness: what left and what arrived on the loopback, by the kernel's own stamps.
//!
//! `wirelab-witness ROWS FRAMES [PROTOCOL]` writes rows (see `rows`) to the inherited descriptor
//! `ROWS`, and the frames themselves to `FRAMES`, where that is not `-`. `websocket` is told the two
//! fields of a message's mark. It runs in the network whose loopback it looks at. On standard input
//! it is told `ports N…`: from then on it sees their traffic, and it says `watching` once that is so.
//! It ends with its input.

mod aerospike;
mod clock;
mod fields;
mod filter;
mod frames;
mod http;
mod lines;
mod marks;
mod memcached;
mod message;
mod names;
mod opc_tcp;
mod packet;
mod postgresql;
#[cfg(test)]
mod probing;
mod replies;
mod resp;
mod ring;
mod rows;
mod statement;
mod streams;
mod websocket;
mod witness;

use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use self::frames::FramesFile;
use self::message::Framing;
use self::ring::Ring;
use self::rows::Rows;
use self::witness::Witness;

const USAGE: &str = "usage: wirelab-witness ROWS FRAMES|- \
    [opc-tcp|resp|memcached|postgresql|aerospike|http|websocket WHO WHICH]";

fn main() -> ExitCode {
    match look() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // On standard output: whoever waits for `ready` hears it there.
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn look() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let rows = arguments.next().ok_or_else(|| io::Error::other(USAGE))?;
    let frames = arguments.next().ok_or_else(|| io::Error::other(USAGE))?;
    let framing = match arguments.next() {
        None => Framing::None,
        Some(name) => {
            let told: Vec<String> = arguments.collect();
            Framing::named(&name, &told).ok_or_else(|| io::Error::other(USAGE))?
        }
    };
    let frames = match frames.as_str() {
        "-" => None,
        inherited => Some(FramesFile::to(opened(inherited)?)),
    };
    let rows = Rows::to(opened(&rows)?, frames);
    let ring = Ring::of_loopback()?;
    println!("ready");
    io::stdout().flush()?;
    Witness::new(ring, rows, framing).run()
}

/// An inherited file, opened anew: nothing else that has the descriptor shares its place in it.
fn opened(descriptor: &str) -> io::Result<File> {
    File::options()
        .write(true)
        .open(format!("/proc/self/fd/{descriptor}"))
}
