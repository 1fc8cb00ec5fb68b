//! The ports of the nodes, kept for a server that comes again: the core names that of node 0 alone.

use std::fs;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::path::Path;

const FILE: &str = "nodes.txt";

/// Addresses for `count` nodes, of which `first` is the first one: with a port of its own it has
/// been here before, and the others are where they were. Else they have port 0.
///
/// # Errors
/// When what was kept in `folder` cannot be read.
pub fn wanted(first: SocketAddr, count: usize, folder: &Path) -> io::Result<Vec<SocketAddr>> {
    if first.port() != 0 {
        let kept = kept(&folder.join(FILE))?;
        if kept.first() == Some(&first) && kept.len() == count {
            return Ok(kept);
        }
    }
    let mut addresses = vec![SocketAddr::new(first.ip(), 0); count];
    addresses[0] = first;
    Ok(addresses)
}

/// Keeps the addresses that the nodes really got, an address a line.
///
/// # Errors
/// When the file cannot be written.
pub fn keep(addresses: &[SocketAddr], folder: &Path) -> io::Result<()> {
    let lines: String = addresses.iter().map(|a| format!("{a}\n")).collect();
    fs::write(folder.join(FILE), lines)
}

/// None where there is no file: somebody else chose the port.
fn kept(path: &Path) -> io::Result<Vec<SocketAddr>> {
    match fs::read_to_string(path) {
        Ok(text) => text
            .lines()
            .map(|line| line.parse().map_err(io::Error::other))
            .collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
