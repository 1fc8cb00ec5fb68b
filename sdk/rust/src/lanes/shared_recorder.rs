//! The sample file of several lanes.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::recorder::{Record, Recorder};

/// So many are written together.
const KEPT: usize = 4096;

/// Keeps records of any number of lanes: none waits for the disk but the one that has filled the
/// memory for them.
pub(super) struct SharedRecorder {
    kept: Mutex<Kept>,
    /// Taken before the other.
    file: Mutex<RecordFile>,
}

struct Kept {
    records: Vec<Record>,
    /// Number of all that were recorded.
    count: u64,
}

struct RecordFile {
    recorder: Recorder,
    spare: Vec<Record>,
}

impl SharedRecorder {
    pub(super) fn of(recorder: Recorder) -> Self {
        let file = RecordFile {
            recorder,
            spare: Vec::with_capacity(KEPT),
        };
        let kept = Kept {
            records: Vec::with_capacity(KEPT),
            count: 0,
        };
        Self {
            kept: Mutex::new(kept),
            file: Mutex::new(file),
        }
    }

    /// Keeps one operation. While another lane writes, it waits in memory.
    pub(super) fn record(&self, record: &Record) -> io::Result<()> {
        let is_full = {
            let mut kept = locked(&self.kept);
            kept.records.push(*record);
            kept.count += 1;
            kept.records.len() >= KEPT
        };
        if !is_full {
            return Ok(());
        }
        match self.file.try_lock() {
            Ok(mut file) => self.write(&mut file),
            Err(TryLockError::Poisoned(file)) => self.write(&mut file.into_inner()),
            Err(TryLockError::WouldBlock) => Ok(()),
        }
    }

    /// Writes what is kept to the file, for those who look at it; returns how many records that has
    /// then.
    pub(super) fn publish(&self) -> io::Result<u64> {
        let mut file = locked(&self.file);
        self.write(&mut file)?;
        file.recorder.publish()
    }

    /// Records so far, written or not.
    pub(super) fn count(&self) -> u64 {
        locked(&self.kept).count
    }

    fn write(&self, file: &mut RecordFile) -> io::Result<()> {
        let RecordFile { recorder, spare } = file;
        std::mem::swap(&mut locked(&self.kept).records, spare);
        spare
            .drain(..)
            .try_for_each(|record| recorder.record(&record))
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Record, Recorder, SharedRecorder};
    use crate::lanes::tests::folder;
    use crate::status::Status;

    const LANES: u16 = 4;
    const EACH: u64 = 3 * KEPT as u64;

    /// Records of several lanes at a time, numbered from a number on.
    fn record(recorder: &SharedRecorder, from: u64) {
        std::thread::scope(|threads| {
            for lane in 0..LANES {
                threads.spawn(move || {
                    for number in from..from + EACH {
                        let record = Record {
                            intended_ns: number,
                            start_ns: number,
                            end_ns: number,
                            size: 0,
                            op: 1,
                            status: Status::Ok,
                            lane,
                        };
                        recorder.record(&record).unwrap();
                    }
                });
            }
        });
    }

    #[test]
    fn nobody_waits_for_a_write_of_another() {
        let folder = folder("shared");
        let path = folder.join("samples");
        let shared = SharedRecorder::of(Recorder::create(&path).unwrap());
        let all = u64::from(LANES) * EACH;
        {
            let _somebody_is_at_the_file = shared.file.lock().unwrap();
            record(&shared, 0);
        }
        assert_eq!(shared.count(), all);
        record(&shared, EACH);
        assert_eq!(shared.publish().unwrap(), 2 * all);

        let written = std::fs::read(&path).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        let mut next = [0; LANES as usize];
        for record in written[32..].chunks(32) {
            let number = u64::from_le_bytes(record[..8].try_into().unwrap());
            let lane = usize::from(u16::from_le_bytes([record[30], record[31]]));
            assert_eq!(number, next[lane], "lane {lane}");
            next[lane] += 1;
        }
        assert_eq!(next, [2 * EACH; LANES as usize]);
    }
}
