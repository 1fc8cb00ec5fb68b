//! Rows as they are written: 48 bytes, little-endian, which `wirelab.witness.rows` reads.
//!
//! `kind u8, way u8, side u8, flags u8, connection u32, stamp u64, a u64, b u64, c u32, d u32,
//! e u32, f u32`. Stamps are of CLOCK_REALTIME, in ns. `way`: 0 to the server, 1 from it.
//! `side`: 0 departed, 1 arrived.
//!
//! | kind | stamp | what it holds |
//! |---|---|---|
//! | 1 packet | of the kernel | `a` position in the stream, `b` payload, `c` TCP's flags, `d` bytes of the frame; flags 1: sent again |
//! | 2 message | of the packet with its end | `a` position, `b` bytes, `c` type or names, `d` request, `e` service, `f` items; flags 1: unreadable |
//! | 3 clocks | time of day | `a` CLOCK_MONOTONIC, `b` how long reading took |
//! | 4 counts | when they were read | `a` packets, `b` packets that the kernel dropped, `c` rows left out |
//! | 5 connection | of its first packet | `a` server's port, `b` client's, `c` version of IP, `d` protocol; flags 1: its beginning was seen |
//! | 6 gap | when the stream could not be followed any more | `a` when it could again; flags 1: bytes of it were missing |
//! | 7 cut | of the first packet of its period for whose rows there was no room | |

use std::fs::File;
use std::io::{self, BufWriter, Write};

use crate::clock::Pair;
use crate::frames::FramesFile;
use crate::message::Message;
use crate::ring::RingFrame;

/// More in a tenth of a second are left out, and counted.
pub const MOST_IN_A_PERIOD: u64 = 10_000;

/// Over a whole trial (192 MB).
pub const MOST_ROWS: u64 = 4_000_000;

/// The way of a packet: to the server or from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    ToServer = 0,
    FromServer = 1,
}

/// Time at which a stream was lost: behind bytes that were not seen, or for what it said.
#[derive(Clone, Copy)]
pub struct Lost {
    pub since: u64,
    pub has_hole: bool,
}

/// A row before it is encoded.
#[derive(Default)]
pub struct Row {
    pub kind: u8,
    pub way: u8,
    pub side: u8,
    pub flags: u8,
    pub connection: u32,
    pub stamp: u64,
    pub wide: [u64; 2],
    pub narrow: [u32; 4],
}

/// The file of rows.
pub struct Rows {
    file: BufWriter<File>,
    frames: Option<FramesFile>,
    in_period: u64,
    written: u64,
    left_out: u32,
    is_cut: bool,
}

impl Rows {
    /// Rows that are written to `file`, and frames where they are to be kept.
    pub fn to(file: File, frames: Option<FramesFile>) -> Self {
        Self {
            file: BufWriter::new(file),
            frames,
            in_period: 0,
            written: 0,
            left_out: 0,
            is_cut: false,
        }
    }

    /// Writes the row of a packet, and keeps its frame.
    pub fn packet(&mut self, frame: &RingFrame<'_>, row: &Row) -> io::Result<()> {
        if let Some(frames) = &mut self.frames {
            frames.keep(frame, row)?;
        }
        self.traffic(row)
    }

    /// Writes a row of traffic, or counts it where there are too many, and says since when.
    pub fn traffic(&mut self, row: &Row) -> io::Result<()> {
        if self.in_period >= MOST_IN_A_PERIOD || self.written >= MOST_ROWS {
            self.left_out = self.left_out.saturating_add(1);
            return self.cut(row.stamp);
        }
        self.in_period += 1;
        self.written += 1;
        self.write(row)
    }

    fn cut(&mut self, stamp: u64) -> io::Result<()> {
        if std::mem::replace(&mut self.is_cut, true) {
            return Ok(());
        }
        self.write(&Row {
            kind: 7,
            stamp,
            ..Row::default()
        })
    }

    /// Writes a message that was found in a stream.
    pub fn message(
        &mut self,
        connection: u32,
        way: Way,
        stamp: u64,
        found: &Message,
    ) -> io::Result<()> {
        self.traffic(&Row {
            kind: 2,
            way: way as u8,
            flags: u8::from(!found.readable),
            connection,
            stamp,
            wide: [found.position, u64::from(found.size)],
            narrow: [
                u32::from_le_bytes(found.kind),
                found.request,
                found.service,
                found.items,
            ],
            ..Row::default()
        })
    }

    /// Writes that a stream could not be followed until `until`.
    pub fn gap(&mut self, connection: u32, way: Way, lost: Lost, until: u64) -> io::Result<()> {
        self.write(&Row {
            kind: 6,
            way: way as u8,
            flags: u8::from(lost.has_hole),
            connection,
            stamp: lost.since,
            wide: [until, 0],
            ..Row::default()
        })
    }

    /// Ends a period: writes the clocks and the counters, and hands everything to the file.
    pub fn period(&mut self, clocks: Pair, packets: u64, drops: u64) -> io::Result<()> {
        self.write(&Row {
            kind: 3,
            stamp: clocks.realtime_ns,
            wide: [clocks.monotonic_ns, clocks.spread_ns],
            ..Row::default()
        })?;
        self.write(&Row {
            kind: 4,
            stamp: clocks.realtime_ns,
            wide: [packets, drops],
            narrow: [self.left_out, 0, 0, 0],
            ..Row::default()
        })?;
        self.in_period = 0;
        self.is_cut = false;
        if let Some(frames) = &mut self.frames {
            frames.flush()?;
        }
        self.file.flush()
    }

    /// Writes a row, whatever else there is.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        let mut bytes = [0; 48];
        bytes[..4].copy_from_slice(&[row.kind, row.way, row.side, row.flags]);
        bytes[4..8].copy_from_slice(&row.connection.to_le_bytes());
        bytes[8..16].copy_from_slice(&row.stamp.to_le_bytes());
        for (place, value) in bytes[16..32].chunks_exact_mut(8).zip(row.wide) {
            place.copy_from_slice(&value.to_le_bytes());
        }
        for (place, value) in bytes[32..].chunks_exact_mut(4).zip(row.narrow) {
            place.copy_from_slice(&value.to_le_bytes());
        }
        self.file.write_all(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;

    use super::{MOST_IN_A_PERIOD, Row, Rows};
    use crate::clock::Pair;

    const PACKET: u8 = 1;
    const CUT: u8 = 7;
    const BYTES: usize = 48;

    fn stamps_of(kind: u8, rows: &[u8]) -> Vec<u64> {
        rows.chunks_exact(BYTES)
            .filter(|row| row[0] == kind)
            .map(|row| u64::from_le_bytes(row[8..16].try_into().expect("eight bytes")))
            .collect()
    }

    #[test]
    fn says_once_a_period_since_when_rows_are_left_out() -> io::Result<()> {
        let path = std::env::temp_dir().join(format!("rows-{}", std::process::id()));
        let mut rows = Rows::to(fs::File::create(&path)?, None);
        for first in [0, 100_000] {
            for number in 0..MOST_IN_A_PERIOD + 3 {
                rows.traffic(&Row {
                    kind: PACKET,
                    stamp: first + number,
                    ..Row::default()
                })?;
            }
            rows.period(Pair::now(), 0, 0)?;
        }
        let written = fs::read(&path)?;
        fs::remove_file(&path)?;
        let kept = 2 * usize::try_from(MOST_IN_A_PERIOD).expect("a small number");
        assert_eq!(stamps_of(PACKET, &written).len(), kept);
        let cuts = [MOST_IN_A_PERIOD, 100_000 + MOST_IN_A_PERIOD];
        assert_eq!(stamps_of(CUT, &written), cuts);
        Ok(())
    }
}
