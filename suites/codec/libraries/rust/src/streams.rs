//! Records one after the other, to a file that keeps nothing and from one that repeats itself.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use wirelab_sdk::batches::Failure;

use crate::fold::{counted, float, weighted};
use crate::large::{LargeCodec, Task, Told, Written, read};
use crate::natives::TelemetryPoint;

/// Bytes that go to a file at once, and come from one.
const CHUNK: usize = 64 << 10;

/// A file that records are written to.
pub type RecordSink = BufWriter<Ends>;

/// A file that records are read from; it has been read where [`is_over`] says so.
pub type RecordSource = BufReader<Repeated>;

/// Tells whether a file has no more bytes.
///
/// # Errors
/// When it cannot be read.
pub fn is_over(file: &mut RecordSource) -> io::Result<bool> {
    Ok(file.fill_buf()?.is_empty())
}

/// Writes the records so many times over.
pub(crate) fn writes(
    codec: &dyn LargeCodec,
    records: Vec<TelemetryPoint>,
    times: usize,
) -> Task<'_> {
    Box::new(move |told| {
        let mut file = BufWriter::with_capacity(CHUNK, Ends::default());
        for _ in 0..times {
            for record in &records {
                codec.write_record(record, &mut file)?;
            }
        }
        file.flush()?;
        let Ends { size, first, last, .. } = *file.get_ref();
        told.written = Some(Written { size, first, middle: None, last });
        Ok(weighted([(7, size as u32), (1, first.into()), (5, last.into())]))
    })
}

/// Reads them from a file that has them so many times.
///
/// # Errors
/// When the library cannot write them.
pub(crate) fn reads<'c>(
    codec: &'c dyn LargeCodec,
    records: &[TelemetryPoint],
    times: usize,
) -> Result<Task<'c>, Failure> {
    let kept = Ends { kept: Some(Vec::new()), ..Ends::default() };
    let mut file = BufWriter::with_capacity(CHUNK, kept);
    for record in records {
        codec.write_record(record, &mut file)?;
    }
    file.flush()?;
    let block = file.get_mut().kept.take().unwrap_or_default();
    Ok(Box::new(move |told: &mut Told| {
        let repeated = Repeated { block: block.clone(), left: times, at: 0 };
        let mut sum = 0_u32;
        codec.read_records(&mut BufReader::with_capacity(CHUNK, repeated), &mut |record| {
            sum = sum.wrapping_add(fold_of(record));
        })?;
        Ok(read(sum, told))
    }))
}

fn fold_of(record: &TelemetryPoint) -> u32 {
    let fields = [(3, record.time as u32), (5, float(record.value)), (7, record.quality as u32)];
    counted(1).wrapping_add(weighted(fields))
}

/// A file that keeps nothing but its length, its first byte and its last one, unless it has room.
#[derive(Default)]
pub struct Ends {
    size: u64,
    first: u8,
    last: u8,
    kept: Option<Vec<u8>>,
}

impl Write for Ends {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if let (Some(first), Some(last)) = (part.first(), part.last()) {
            if self.size == 0 {
                self.first = *first;
            }
            self.last = *last;
            self.size += part.len() as u64;
        }
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(part);
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file with the same bytes so many times, which takes the memory of one.
pub struct Repeated {
    block: Vec<u8>,
    left: usize,
    at: usize,
}

impl Read for Repeated {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        let copied = (&self.block[self.at..]).read(room)?;
        self.at += copied;
        if self.at == self.block.len() {
            self.at = 0;
            self.left -= 1;
        }
        Ok(copied)
    }
}
