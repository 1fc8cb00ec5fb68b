//! Plain rows, and the sums they are checked by.

use std::fmt;

const INTEGERS: usize = 5;
const DOUBLES: usize = 8;
const PRIME: u64 = 0x100_0000_01B3;

/// Bytes of a packed record.
const PACKED: usize = 8 * (INTEGERS + DOUBLES);

/// Values that are stored under a key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// Bins `c0` … `c4`.
    pub c: [i64; INTEGERS],
    /// Bins `d0` … `d7`.
    pub d: [f64; DOUBLES],
}

/// The results of a multi-get, in the order of its keys.
pub type Rows = Vec<Option<Row>>;

/// A packed record does not have 104 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongLength(pub usize);

impl fmt::Display for WrongLength {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a record of {} bytes, not {PACKED}", self.0)
    }
}

impl std::error::Error for WrongLength {}

/// Reads a row as Redis and memcached hold it: 104 bytes, little-endian.
///
/// # Errors
/// For any other length.
pub fn unpack(packed: &[u8]) -> Result<Row, WrongLength> {
    let (words, rest) = packed.as_chunks::<8>();
    if words.len() != INTEGERS + DOUBLES || !rest.is_empty() {
        return Err(WrongLength(packed.len()));
    }
    let mut row = Row::default();
    for (value, word) in row.c.iter_mut().zip(words) {
        *value = i64::from_le_bytes(*word);
    }
    for (value, word) in row.d.iter_mut().zip(&words[INTEGERS..]) {
        *value = f64::from_le_bytes(*word);
    }
    Ok(row)
}

/// The suite's checksum, over the rows and their places.
pub(crate) fn checksum(rows: &[Option<Row>]) -> u64 {
    let fold = |h: u64, bits: u64| h.wrapping_mul(PRIME).wrapping_add(bits);
    let mut sum = 0_u64;
    for (row, place) in rows.iter().zip(1..) {
        let h = match row {
            None => (0..INTEGERS + DOUBLES).fold(place, |h, _| fold(h, u64::MAX)),
            Some(row) => {
                let h = row.c.iter().fold(place, |h, value| fold(h, value.cast_unsigned()));
                row.d.iter().fold(h, |h, value| fold(h, value.to_bits()))
            }
        };
        // Odd factors, so that rows in each other's place are another sum.
        sum = sum.wrapping_add(h.wrapping_mul(2 * place - 1));
    }
    sum
}

/// Digest that every operation is checked by: cheap, and another one for nearly every mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AnswerDigest {
    pub(crate) found: u32,
    pub(crate) sum_c0: i64,
}

impl AnswerDigest {
    pub(crate) fn at(rows: &[Option<Row>]) -> Self {
        let there = rows.iter().flatten();
        there.fold(Self { found: 0, sum_c0: 0 }, |seen, row| Self {
            found: seen.found + 1,
            sum_c0: seen.sum_c0.wrapping_add(row.c[0]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{AnswerDigest, PACKED, Row, WrongLength, checksum, unpack};

    fn some() -> Row {
        Row { c: [1, -2, 3, 4, 5], d: [0.5, 0.25, 0.0, -1.0, 2.0, 3.0, 4.0, f64::MAX] }
    }

    #[test]
    fn a_packed_row_comes_back() {
        let row = some();
        let mut packed: Vec<u8> = row.c.iter().flat_map(|value| value.to_le_bytes()).collect();
        packed.extend(row.d.iter().flat_map(|value| value.to_le_bytes()));
        assert_eq!(unpack(&packed), Ok(row));
        packed.push(0);
        assert_eq!(unpack(&packed), Err(WrongLength(PACKED + 1)));
        assert_eq!(unpack(&packed[..96]), Err(WrongLength(96)));
    }

    #[test]
    fn the_checksum_is_the_readmes() {
        // Computed by the suite's verifier for the same rows.
        assert_eq!(checksum(&[Some(some()), None]), 0xc25d_78de_1d51_3560);
        assert_ne!(checksum(&[None, Some(some())]), checksum(&[Some(some()), None]));
        assert_eq!(checksum(&[]), 0);
    }

    #[test]
    fn a_summary_sees_who_is_missing() {
        assert_eq!(AnswerDigest::at(&[None, Some(some())]), AnswerDigest { found: 1, sum_c0: 1 });
        assert_eq!(AnswerDigest::at(&[None]), AnswerDigest { found: 0, sum_c0: 0 });
    }
}
