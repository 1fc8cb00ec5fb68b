//! The records in memory, encoded as they go over the wire.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::data::{self, Secret};
use crate::wire::message::{
    Action, CREATE_ONLY, DELETE, GET_ALL, IF_GENERATION, IF_OLDER, NO_BINS, OP_READ, OP_WRITE,
    Operation, Operations, PARTICLE_DOUBLE, PARTICLE_INTEGER, PARTICLE_STRING, READ, REPLACE,
    REPLACE_ONLY, Reply, UPDATE_ONLY, write_operation,
};
use crate::wire::{Digest, result};

/// Bytes of the largest record that can be written.
pub const LARGEST_RECORD: usize = 128 * 1024;
/// Bytes that all written records may have together.
const MOST_WRITTEN: usize = 256 * 1024 * 1024;
/// Bins of a record, and of a request: they are looked through one by one.
const MOST_BINS: usize = 512;
/// Bytes that a small record takes beside its bins.
const OVERHEAD: usize = 64;

/// All records, by digest.
#[derive(Default)]
pub struct Store {
    records: HashMap<Digest, Record, BuildHasherDefault<DigestHasher>>,
    written: usize,
}

struct Record {
    generation: u16,
    bins: u16,
    encoded: Box<[u8]>,
}

impl Record {
    fn bin(&self, name: &[u8]) -> Option<Operation<'_>> {
        self.operations().find(|bin| bin.name == name)
    }

    fn operations(&self) -> Operations<'_> {
        Operations::encoded(self.bins, &self.encoded)
    }
}

/// A digest is a hash already.
#[derive(Default)]
struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, part: u64) {
        self.0 = part;
    }
}

impl Store {
    /// The records of all sets, of the keys `k0` to `k(universe − 1)`. With `wrong_type` their first
    /// bin is its number as a text.
    #[must_use]
    pub fn computed(universe: u64, wrong_type: bool, secret: &Secret) -> Self {
        let mut store = Self::default();
        for set in 1..=data::SETS {
            let name = format!("set_{set}");
            for key in (0..universe).filter(|key| data::exists(set, *key)) {
                let digest = Digest::of_string(&name, &format!("k{key}"));
                store
                    .records
                    .insert(digest, computed_record(set, key, wrong_type, secret));
            }
        }
        store
    }

    /// Number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Tells whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Writes the reply to an action that reads.
    pub fn read(&self, digest: &Digest, action: &Action<'_>, index: u32, out: &mut Vec<u8>) {
        let mut reply = Reply {
            index,
            ..Reply::default()
        };
        let Some(record) = self.records.get(digest) else {
            reply.result = result::NOT_FOUND;
            return reply.write(out);
        };
        reply.generation = u32::from(record.generation);
        if usize::from(action.operations.count()) > MOST_BINS {
            reply.result = result::PARAMETER;
            reply.write(out);
        } else if action.info1 & READ == 0 || action.operations.clone().any(|op| op.kind != OP_READ)
        {
            reply.result = result::UNSUPPORTED;
            reply.write(out);
        } else if action.info1 & NO_BINS != 0 {
            reply.write(out);
        } else if action.info1 & GET_ALL != 0 || action.operations.count() == 0 {
            reply.operations = record.bins;
            reply.write(out);
            out.extend_from_slice(&record.encoded);
        } else {
            let wanted = || action.operations.filter_map(|op| record.bin(op.name));
            reply.operations = wanted().count() as u16;
            reply.write(out);
            for bin in wanted() {
                write_operation(out, OP_READ, bin.particle, bin.name, bin.value);
            }
        }
    }

    /// Does what an action writes or deletes, and writes the reply.
    pub fn write(&mut self, digest: Digest, action: &Action<'_>, index: u32, out: &mut Vec<u8>) {
        let done = if action.info2 & DELETE != 0 {
            self.delete(&digest, action)
        } else {
            self.put(digest, action)
        };
        let (result, generation) = match done {
            Ok(generation) => (result::OK, u32::from(generation)),
            Err(code) => (code, 0),
        };
        let reply = Reply {
            result,
            generation,
            index,
            ..Reply::default()
        };
        reply.write(out);
    }

    fn delete(&mut self, digest: &Digest, action: &Action<'_>) -> Result<u16, u8> {
        let record = self.records.get(digest).ok_or(result::NOT_FOUND)?;
        check_generation(record, action)?;
        self.written = self.written.saturating_sub(record.encoded.len() + OVERHEAD);
        self.records.remove(digest);
        Ok(0)
    }

    /// Returns the record's new generation, or a result code.
    fn put(&mut self, digest: Digest, action: &Action<'_>) -> Result<u16, u8> {
        if action.info1 != 0 || action.operations.clone().any(|op| op.kind != OP_WRITE) {
            return Err(result::UNSUPPORTED);
        }
        if usize::from(action.operations.count()) > MOST_BINS {
            return Err(result::PARAMETER);
        }
        let before = self.records.get(&digest);
        if before.is_some() && action.info2 & CREATE_ONLY != 0 {
            return Err(result::EXISTS);
        }
        if before.is_none() && action.info3 & (UPDATE_ONLY | REPLACE_ONLY) != 0 {
            return Err(result::NOT_FOUND);
        }
        if let Some(record) = before {
            check_generation(record, action)?;
        }
        let kept = before.filter(|_| action.info3 & (REPLACE | REPLACE_ONLY) == 0);
        let (bins, encoded) = merged(kept, action.operations);
        let generation = before.map_or(1, |record| record.generation.checked_add(1).unwrap_or(1));
        if bins == 0 {
            // A record lives as long as its last bin.
            self.records.remove(&digest);
            return Ok(generation);
        }
        if encoded.len() > LARGEST_RECORD || usize::from(bins) > MOST_BINS {
            return Err(result::TOO_BIG);
        }
        let size = encoded.len() + OVERHEAD;
        let freed = before.map_or(0, |record| record.encoded.len() + OVERHEAD);
        if self.written + size > MOST_WRITTEN {
            return Err(result::FULL);
        }
        self.written = (self.written + size).saturating_sub(freed);
        let record = Record {
            generation,
            bins,
            encoded: encoded.into_boxed_slice(),
        };
        self.records.insert(digest, record);
        Ok(generation)
    }
}

fn check_generation(record: &Record, action: &Action<'_>) -> Result<(), u8> {
    let has = u32::from(record.generation);
    let unequal = action.info2 & IF_GENERATION != 0 && has != action.generation;
    let not_older = action.info2 & IF_OLDER != 0 && has >= action.generation;
    if unequal || not_older {
        return Err(result::GENERATION);
    }
    Ok(())
}

/// The bins of a record after a write: those it had, those written; a bin written as nothing goes.
fn merged(before: Option<&Record>, written: Operations<'_>) -> (u16, Vec<u8>) {
    let mut bins: Vec<Operation<'_>> = Vec::new();
    for bin in before
        .into_iter()
        .flat_map(Record::operations)
        .chain(written)
    {
        match bins.iter_mut().find(|known| known.name == bin.name) {
            Some(known) => *known = bin,
            None => bins.push(bin),
        }
    }
    bins.retain(|bin| bin.particle != 0);
    let mut encoded = Vec::new();
    for bin in &bins {
        write_operation(&mut encoded, OP_READ, bin.particle, bin.name, bin.value);
    }
    (bins.len() as u16, encoded)
}

fn computed_record(set: u64, key: u64, wrong_type: bool, secret: &Secret) -> Record {
    let mut encoded = Vec::with_capacity(18 * data::BINS);
    for (j, bits) in data::bins(secret, set, key).into_iter().enumerate() {
        let name = data::BIN_NAMES[j].as_bytes();
        if j == 0 && wrong_type {
            let text = bits.to_string();
            write_operation(
                &mut encoded,
                OP_READ,
                PARTICLE_STRING,
                name,
                text.as_bytes(),
            );
            continue;
        }
        let particle = if j < data::INTEGERS {
            PARTICLE_INTEGER
        } else {
            PARTICLE_DOUBLE
        };
        write_operation(&mut encoded, OP_READ, particle, name, &bits.to_be_bytes());
    }
    Record {
        generation: 1,
        bins: data::BINS as u16,
        encoded: encoded.into_boxed_slice(),
    }
}
