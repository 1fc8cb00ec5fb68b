//! Strings: UTF-16 in the buffer, UTF-8 in the program.

use std::iter::zip;

use super::{Append, Buffer, Extract, Malformed, Reader};

const UNIT: usize = size_of::<u16>();
const COUNT: usize = size_of::<i32>();

impl Append for str {
    #[inline]
    fn append_to(&self, buffer: &mut Buffer) {
        let bytes = &mut buffer.0;
        let start = bytes.len();
        // No string has more units than bytes; what is too much is cut off again.
        bytes.resize(start + COUNT + (self.len() + 1) * UNIT, 0);
        let (count, rest) = bytes[start..].split_at_mut(COUNT);
        let (slots, _) = rest.as_chunks_mut::<UNIT>();
        let units = write_units(self, slots);
        let counted = i32::try_from(units + 1).expect("a longer string than the format can count");
        count.copy_from_slice(&counted.to_le_bytes());
        slots[units] = [0; UNIT];
        bytes.truncate(start + COUNT + (units + 1) * UNIT);
    }
}

/// The number of units.
#[inline]
fn write_units(text: &str, slots: &mut [[u8; UNIT]]) -> usize {
    // A loop without branches that the compiler makes wide.
    if text.is_ascii() {
        for (slot, byte) in zip(slots, text.bytes()) {
            *slot = u16::from(byte).to_le_bytes();
        }
        return text.len();
    }
    let mut units = 0;
    for (slot, unit) in zip(slots, text.encode_utf16()) {
        *slot = unit.to_le_bytes();
        units += 1;
    }
    units
}

impl Append for String {
    #[inline]
    fn append_to(&self, buffer: &mut Buffer) {
        buffer.append(self.as_str());
    }
}

impl Extract for String {
    const LEAST: usize = COUNT + UNIT;

    #[inline]
    fn extract_from(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let offset = reader.offset();
        // The terminator is counted.
        let count = reader.count(UNIT)?;
        let (units, _) = reader.take(count * UNIT)?.as_chunks::<UNIT>();
        let Some((terminator, units)) = units.split_last() else {
            return Err(Malformed::Count { offset, count: 0 });
        };
        if *terminator != [0; UNIT] {
            return Err(Malformed::Terminator { offset: reader.offset() - UNIT });
        }
        if units.iter().fold(0, |all, unit| all | u16::from_le_bytes(*unit)) < 0x80 {
            return Ok(units.iter().map(|unit| char::from(unit[0])).collect());
        }
        let mut text = Self::with_capacity(utf8_bytes(units));
        let numbers = units.iter().map(|unit| u16::from_le_bytes(*unit));
        for scalar in char::decode_utf16(numbers) {
            text.push(scalar.map_err(|_| Malformed::Surrogate { offset })?);
        }
        Ok(text)
    }
}

/// Bytes that the units will have in UTF-8.
#[inline]
fn utf8_bytes(units: &[[u8; UNIT]]) -> usize {
    let bytes = |unit: u16| match unit {
        0..0x80 => 1,
        0x80..0x800 => 2,
        // Four for a pair.
        0xD800..0xE000 => 2,
        _ => 3,
    };
    units.iter().map(|unit| bytes(u16::from_le_bytes(*unit))).sum()
}
