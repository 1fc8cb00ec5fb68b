use std::fs::File;
use std::net::{IpAddr, Ipv4Addr};

use super::Streams;
use crate::message::Framing;
use crate::packet::{FIN, Packet, RST, SYN, TCP};
use crate::ring::RingFrame;
use crate::rows::Rows;

const SERVER: u16 = 80;
const CONNECTION: u8 = 5;
const GAP: u8 = 6;

/// Streams that have room for so many connections, and a file of rows.
struct Seen {
    streams: Streams,
    rows: Rows,
    path: std::path::PathBuf,
    now_ns: u64,
}

impl Seen {
    fn of(name: &str, most: usize) -> Self {
        let file = format!("wirelab-witness-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(file);
        let mut streams = Streams::new(Framing::Resp);
        streams.most = most;
        Self {
            streams,
            rows: Rows::to(File::create(&path).expect("a file"), None),
            path,
            now_ns: 0,
        }
    }

    /// A packet of the client at a port; `from` is where its payload begins. Each has a stamp of its
    /// own, from 1 on.
    fn packet(&mut self, port: u16, flags: u8, from: u32, payload: &[u8]) {
        self.now_ns += 1;
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let frame = RingFrame {
            stamp_ns: self.now_ns,
            departs: true,
            length: 0,
            bytes: &[],
        };
        let packet = Packet {
            protocol: TCP,
            source: (here, port),
            target: (here, SERVER),
            sequence: 1_000 + from,
            flags,
            length: payload.len() as u32,
            payload,
        };
        self.streams
            .see(&frame, &packet, &[SERVER], &mut self.rows)
            .expect("written");
    }

    /// A connection of which bytes are missing.
    fn lost(&mut self, port: u16) {
        self.packet(port, SYN, 0, b"");
        self.packet(port, 0, 500, b"*1\r\n$4\r\nPING\r\n");
    }

    /// The rows of a kind: connection, stamp and what follows it.
    fn told(mut self, kind: u8) -> Vec<(u32, u64, u64)> {
        self.streams.end(&mut self.rows).expect("written");
        drop(self.rows);
        let bytes = std::fs::read(&self.path).expect("rows");
        std::fs::remove_file(&self.path).expect("removed");
        let wide = |row: &[u8], at: usize| u64::from_le_bytes(row[at..at + 8].try_into().unwrap());
        bytes
            .chunks_exact(48)
            .filter(|row| row[0] == kind)
            .map(|row| {
                let number = u32::from_le_bytes(row[4..8].try_into().unwrap());
                (number, wide(row, 8), wide(row, 16))
            })
            .collect()
    }
}

#[test]
fn a_gap_that_never_ended_is_told_when_its_port_is_used_again() {
    let mut seen = Seen::of("again", 8);
    seen.lost(5_000);
    seen.packet(5_000, RST, 0, b"");
    seen.packet(5_000, SYN, 77, b"");
    assert_eq!(seen.told(GAP), [(0, 2, 4)]);
}

#[test]
fn a_gap_of_a_connection_that_is_there_has_no_end() {
    let mut seen = Seen::of("there", 8);
    seen.lost(5_000);
    assert_eq!(seen.told(GAP), [(0, 2, u64::MAX)]);
}

#[test]
fn room_is_made_by_those_that_have_ended_and_then_by_the_most_silent() {
    let mut seen = Seen::of("room", 3);
    for port in 1..=3 {
        seen.lost(port);
    }
    // Of the second one both ends have gone, the first one is heard of again.
    seen.packet(2, FIN | RST, 0, b"");
    seen.packet(1, 0, 900, b"");
    seen.packet(4, SYN, 0, b"");
    seen.packet(5, SYN, 0, b"");
    let told = seen.told(GAP);
    assert_eq!(told, [(1, 4, 9), (2, 6, 10), (0, 2, u64::MAX)]);
}

#[test]
fn who_is_known_keeps_its_number_when_room_is_made() {
    let mut seen = Seen::of("known", 2);
    for port in [1, 2] {
        seen.packet(port, SYN, 0, b"");
    }
    seen.packet(1, 0, 0, b"");
    seen.packet(3, SYN, 0, b"");
    seen.packet(1, 0, 0, b"");
    let numbers: Vec<u32> = seen.told(CONNECTION).iter().map(|row| row.0).collect();
    assert_eq!(numbers, [0, 1, 2]);
}
