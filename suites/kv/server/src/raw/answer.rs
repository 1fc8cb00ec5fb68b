//! Answers that came back: counted at once, and summed up for the verifier.

use crate::data::{BINS, INTEGERS};
use crate::wire::message::{Operations, PARTICLE_DOUBLE, PARTICLE_INTEGER, Reply};
use crate::wire::reader::Reader;
use crate::wire::{Malformed, result};

const PRIME: u64 = 0x0000_0100_0000_01B3;
const ABSENT: u64 = u64::MAX;

/// Figures that are looked at in every reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows.
    pub rows: u32,
    /// Rows with a record.
    pub found: u32,
    /// Sum of the first bin of all records.
    pub sum: u64,
    /// Rows, or batches as a whole, with another result than "found" and "not found".
    pub failed: u32,
}

/// Records by their place in the batch.
pub type Records = Vec<Option<[u64; BINS]>>;

/// Adds the body of a reply to `tally`, and its records to those that are kept in full.
///
/// # Errors
/// When it is no reply to a batch of the suite.
pub fn read(
    body: &[u8],
    tally: &mut Tally,
    mut kept: Option<&mut Records>,
) -> Result<(), Malformed> {
    let mut reader = Reader::new(body);
    loop {
        let (reply, bins) = Reply::read(&mut reader)?;
        if reply.last {
            tally.failed += u32::from(reply.result != result::OK);
            return Ok(());
        }
        tally.rows += 1;
        match reply.result {
            result::OK => {
                tally.found += 1;
                tally.sum = tally.sum.wrapping_add(first_bin(bins)?);
                if let Some(kept) = kept.as_deref_mut() {
                    let place = kept.get_mut(reply.index as usize);
                    *place.ok_or(Malformed("a row that was not asked for"))? = Some(values(bins)?);
                }
            }
            result::NOT_FOUND => {}
            _ => tally.failed += 1,
        }
    }
}

fn first_bin(mut bins: Operations<'_>) -> Result<u64, Malformed> {
    let first = bins.next().filter(|bin| bin.name == b"c0");
    let value = first.and_then(|bin| bin.value.try_into().ok());
    value
        .map(u64::from_be_bytes)
        .ok_or(Malformed("a record without c0"))
}

fn values(bins: Operations<'_>) -> Result<[u64; BINS], Malformed> {
    let mut values = [None; BINS];
    for bin in bins {
        let place = crate::data::BIN_NAMES
            .iter()
            .position(|name| name.as_bytes() == bin.name);
        let place = place.ok_or(Malformed("a bin of another name"))?;
        let particle = if place < INTEGERS {
            PARTICLE_INTEGER
        } else {
            PARTICLE_DOUBLE
        };
        let value = bin
            .value
            .try_into()
            .ok()
            .filter(|_| bin.particle == particle);
        values[place] = Some(u64::from_be_bytes(
            value.ok_or(Malformed("a value of another type"))?,
        ));
    }
    if values.contains(&None) {
        return Err(Malformed("a record without some bins"));
    }
    Ok(values.map(Option::unwrap_or_default))
}

/// The checksum of the replies to a batch of so many keys, in words.
pub fn checksum_of(replies: &[Vec<u8>], keys: u64) -> String {
    let mut records = vec![None; keys as usize];
    let mut each = replies.iter();
    match each.try_for_each(|body| read(body, &mut Tally::default(), Some(&mut records))) {
        Ok(()) => format!("{:016x}", checksum(&records)),
        Err(Malformed(what)) => what.to_owned(),
    }
}

/// The checksum of the suite's `README.md`, section "Answers".
fn checksum(records: &Records) -> u64 {
    let of_one = |(i, record): (u64, &Option<[u64; BINS]>)| {
        let bins = record.unwrap_or([ABSENT; BINS]);
        let h = bins
            .iter()
            .fold(i + 1, |h, bits| h.wrapping_mul(PRIME).wrapping_add(*bits));
        // Odd factors, so that rows in each other's place are another sum.
        h.wrapping_mul(2 * i + 1)
    };
    (0_u64..)
        .zip(records)
        .map(of_one)
        .fold(0, u64::wrapping_add)
}
