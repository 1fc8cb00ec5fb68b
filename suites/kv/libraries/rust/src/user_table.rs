//! The records of YCSB's user table: ten fields of 100 bytes, each of which says who wrote it.

use std::sync::LazyLock;

use crate::multi_gets::mix;

/// Fields of a record.
pub const FIELDS: usize = 10;

/// Fields of a record, in order.
pub type Fields = Vec<Vec<u8>>;

const FIELD_BYTES: usize = 100;
const NUMBER_DIGITS: usize = 12;
const HEAD: usize = NUMBER_DIGITS + 1 + 12;
const OFFSETS: usize = 1009;

/// Letters that fill a field that is written.
static LETTERS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let letter = |i| b'a' + (mix(i) % 26) as u8;
    (0..(OFFSETS + FIELD_BYTES - HEAD) as u64).map(letter).collect()
});

/// The key of a record: numbers are hashed, so that neighbours in order are strangers.
pub(crate) fn name_of(record: u64) -> String {
    format!("user{:020}", mix(record))
}

/// Bytes that the write with that sequence number puts into a field; 0: the insert.
pub(crate) fn value(record: u64, field: usize, sequence: u64) -> Vec<u8> {
    let offset = (record as usize * 31 + field * 7 + sequence as usize) % OFFSETS;
    let mut value = head(record, field, sequence).into_bytes();
    value.extend_from_slice(&LETTERS[offset..offset + FIELD_BYTES - HEAD]);
    value
}

fn head(record: u64, field: usize, sequence: u64) -> String {
    format!("{record:012}{field}{sequence:012}")
}

/// Sequence number of the write of this field; `None` where nobody ever wrote what it holds. Of what the
/// first `loaded` records were loaded with, a client knows the head alone.
pub(crate) fn sequence_of(content: &[u8], record: u64, field: usize, loaded: u64) -> Option<u64> {
    let digits = content.get(NUMBER_DIGITS + 1..HEAD)?;
    let sequence = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let is_right = if sequence == 0 && record < loaded {
        content.len() == FIELD_BYTES && content.starts_with(head(record, field, 0).as_bytes())
    } else {
        content == value(record, field, sequence)
    };
    is_right.then_some(sequence)
}

#[cfg(test)]
mod tests {
    use super::{HEAD, name_of, sequence_of, value};

    #[test]
    fn a_field_says_who_wrote_it() {
        assert_eq!(name_of(7), "user07191089600892374487");
        let written = value(7, 3, 12);
        assert!(written.starts_with(b"0000000000073000000000012udkbbytiqqfqhnb"), "{written:?}");
        let mut loaded = value(7, 3, 0);
        loaded[HEAD..].fill(b'0');
        assert_eq!(sequence_of(&written, 7, 3, 8), Some(12));
        assert_eq!(sequence_of(&loaded, 7, 3, 8), Some(0));
        assert_eq!(sequence_of(&loaded, 7, 3, 7), None);
        assert_eq!(sequence_of(&written, 7, 4, 8), None);
        assert_eq!(sequence_of(&written[1..], 7, 3, 8), None);
    }
}
