//! The sample file: one record of 32 bytes for each operation.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::status::Status;

const RECORD_SIZE: usize = 32;
const CLOCK_MONOTONIC: u32 = 1;
const BUFFER: usize = 4096 * RECORD_SIZE;

/// One operation; times are nanoseconds of CLOCK_MONOTONIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Time at which it was due.
    pub intended_ns: u64,
    /// Just before the call into the library.
    pub start_ns: u64,
    /// Time at which its result was in the caller's hands.
    pub end_ns: u64,
    /// Bytes of payload, 0 when unknown.
    pub size: u32,
    /// The operation's code.
    pub op: u8,
    /// Status with which it ended.
    pub status: Status,
    /// Connection, user or thread.
    pub lane: u16,
}

impl Record {
    fn bytes(&self) -> [u8; RECORD_SIZE] {
        let mut bytes = [0; RECORD_SIZE];
        bytes[0..8].copy_from_slice(&self.intended_ns.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.start_ns.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.end_ns.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.size.to_le_bytes());
        bytes[28] = self.op;
        bytes[29] = self.status as u8;
        bytes[30..32].copy_from_slice(&self.lane.to_le_bytes());
        bytes
    }
}

/// Writes records to a file, which exists with its header from the beginning.
pub struct Recorder {
    file: BufWriter<File>,
    count: u64,
}

impl Recorder {
    /// Creates the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut header = [0; RECORD_SIZE];
        header[0..8].copy_from_slice(b"WLSAMPLE");
        header[8..10].copy_from_slice(&1_u16.to_le_bytes());
        header[10..12].copy_from_slice(&(RECORD_SIZE as u16).to_le_bytes());
        header[12..16].copy_from_slice(&CLOCK_MONOTONIC.to_le_bytes());
        let mut file = BufWriter::with_capacity(BUFFER, File::create(path)?);
        file.write_all(&header)?;
        file.flush()?;
        Ok(Self { file, count: 0 })
    }

    /// Keeps one operation.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn record(&mut self, record: &Record) -> io::Result<()> {
        self.count += 1;
        self.file.write_all(&record.bytes())
    }

    /// Writes what is kept to the file, for those who look at it; returns how many records that has
    /// then.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn publish(&mut self) -> io::Result<u64> {
        self.file.flush()?;
        Ok(self.count)
    }

    /// Records kept so far, written to the file or not.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Completes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<u64> {
        self.publish()
    }
}
