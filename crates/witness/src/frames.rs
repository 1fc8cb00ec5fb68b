//! Frames as they were kept, one behind the other, each behind 40 bytes that say whose it is
//! (`wirelab.witness.pcapng`).

use std::fs::File;
use std::io::{self, BufWriter, Write};

use crate::ring::RingFrame;
use crate::rows::Row;

/// More are left out.
const MOST_BYTES: u64 = 1 << 30;
const HEADER: usize = 40;

/// The file of frames.
pub struct FramesFile {
    file: BufWriter<File>,
    left: u64,
}

impl FramesFile {
    /// Frames that are written to `file`.
    pub fn to(file: File) -> Self {
        Self {
            file: BufWriter::new(file),
            left: MOST_BYTES,
        }
    }

    /// Writes a frame, of which `row` tells, as long as there is room.
    pub fn keep(&mut self, frame: &RingFrame<'_>, row: &Row) -> io::Result<()> {
        let size = (HEADER + frame.bytes.len()) as u64;
        self.left = self.left.saturating_sub(size);
        if self.left == 0 {
            return Ok(());
        }
        let [position, payload] = row.wide;
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&frame.stamp_ns.to_le_bytes());
        header[8..16].copy_from_slice(&position.to_le_bytes());
        let words = [
            row.connection,
            frame.length,
            frame.bytes.len() as u32,
            payload as u32,
        ];
        for (place, word) in header[16..32].chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        header[32..34].copy_from_slice(&[row.way, row.side]);
        self.file.write_all(&header)?;
        self.file.write_all(frame.bytes)
    }

    /// Hands everything to the file.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
