//! The loop: blocks of packets, what is told on standard input, and a look at the clocks.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::clock::Pair;
use crate::filter;
use crate::message::Framing;
use crate::packet;
use crate::ring::{HANDED_OVER_AFTER_MS, Ring};
use crate::rows::Rows;
use crate::streams::Streams;

/// Time after which clocks and counters are read again.
const PERIOD: Duration = Duration::from_millis(100);
/// Long enough for the kernel to hand the last block over.
const LAST_WAIT: Duration = Duration::from_millis(HANDED_OVER_AFTER_MS as u64 + 15);
const LONGEST_LINE: usize = 4096;

/// All that it knows while it looks.
pub struct Witness {
    ring: Ring,
    rows: Rows,
    streams: Streams,
    with_payload: bool,
    ports: Vec<u16>,
    heard: Vec<u8>,
    packets: u64,
    drops: u64,
}

impl Witness {
    /// One that looks at nothing yet.
    pub fn new(ring: Ring, rows: Rows, framing: Framing) -> Self {
        Self {
            ring,
            rows,
            with_payload: !matches!(framing, Framing::None),
            streams: Streams::new(framing),
            ports: Vec::new(),
            heard: Vec::new(),
            packets: 0,
            drops: 0,
        }
    }

    /// Looks until standard input ends.
    pub fn run(mut self) -> io::Result<()> {
        self.end_period()?;
        let mut due = Instant::now() + PERIOD;
        loop {
            let asked = self.wait(due.saturating_duration_since(Instant::now()))?;
            self.take()?;
            if asked && !self.hear()? {
                break;
            }
            if Instant::now() >= due {
                self.end_period()?;
                due = Instant::now() + PERIOD;
            }
        }
        let until = Instant::now() + LAST_WAIT;
        while Instant::now() < until {
            self.wait_for_blocks(until.saturating_duration_since(Instant::now()))?;
            self.take()?;
        }
        self.streams.end(&mut self.rows)?;
        self.end_period()
    }

    /// Waits for packets or a word; whether one was said.
    fn wait(&self, patience: Duration) -> io::Result<bool> {
        let input = io::stdin();
        let mut both = [
            PollFd::new(&input, PollFlags::IN),
            PollFd::new(&self.ring, PollFlags::IN),
        ];
        ready(&mut both, patience)?;
        Ok(!both[0].revents().is_empty())
    }

    fn wait_for_blocks(&self, patience: Duration) -> io::Result<()> {
        ready(&mut [PollFd::new(&self.ring, PollFlags::IN)], patience)
    }

    fn take(&mut self) -> io::Result<()> {
        let Self {
            ring,
            rows,
            streams,
            ports,
            packets,
            ..
        } = self;
        ring.take(|frame| {
            *packets += 1;
            match packet::read(frame.bytes, frame.length) {
                Some(found) => streams.see(&frame, &found, ports, rows),
                None => Ok(()),
            }
        })?;
        Ok(())
    }

    fn end_period(&mut self) -> io::Result<()> {
        self.drops += self.ring.drops()?;
        self.rows.period(Pair::now(), self.packets, self.drops)
    }

    /// Obeys what was said; false once nothing will be said any more.
    fn hear(&mut self) -> io::Result<bool> {
        let mut buffer = [0; LONGEST_LINE];
        // Not through a buffered reader, which would hide lines from `poll`.
        let read = rustix::io::read(io::stdin(), &mut buffer)?;
        self.heard.extend_from_slice(&buffer[..read]);
        while let Some(end) = self.heard.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.heard.drain(..=end).collect();
            self.obey(&String::from_utf8_lossy(&line))?;
        }
        Ok(read > 0 && self.heard.len() <= LONGEST_LINE)
    }

    fn obey(&mut self, line: &str) -> io::Result<()> {
        let Some(ports) = line.strip_prefix("ports ") else {
            return Ok(());
        };
        self.ports = ports
            .split_whitespace()
            .filter_map(|one| one.parse().ok())
            .collect();
        self.ports.truncate(filter::MOST_PORTS);
        self.ring
            .let_through(&filter::of_ports(&self.ports, self.with_payload))?;
        let mut output = io::stdout().lock();
        output.write_all(b"watching\n")?;
        output.flush()
    }
}

fn ready(descriptors: &mut [PollFd<'_>], patience: Duration) -> io::Result<()> {
    let patience = Timespec {
        tv_sec: patience.as_secs() as i64,
        tv_nsec: i64::from(patience.subsec_nanos()),
    };
    match poll(descriptors, Some(&patience)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
