//! Records in frames: a frame may hold several of them, and a record may lie in several frames.

use std::borrow::Cow;

use memchr::memrchr;

/// The character that ends a record, U+001E.
pub const END: char = '\x1e';

/// Bytes of a record that may come before its end.
const LONGEST: usize = 1024 * 1024;

/// A record that has no end, or one that is too far away.
#[derive(Debug, PartialEq, Eq)]
pub struct RecordTooLong;

/// The record of a connection that has begun and not ended.
#[derive(Default)]
pub struct Records {
    begun: String,
}

impl Records {
    /// The records that `text` ends, each with its [`END`].
    pub fn ended_by<'a>(&mut self, text: &'a str) -> Result<Cow<'a, str>, RecordTooLong> {
        let ended = memrchr(END as u8, text.as_bytes()).map_or(0, |at| at + 1);
        let (whole, rest) = text.split_at(ended);
        let records = if whole.is_empty() || self.begun.is_empty() {
            Cow::Borrowed(whole)
        } else {
            Cow::Owned(std::mem::take(&mut self.begun) + whole)
        };
        if self.begun.len() + rest.len() > LONGEST {
            return Err(RecordTooLong);
        }
        self.begun.push_str(rest);
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::{END, LONGEST, RecordTooLong, Records};
    use proptest::prelude::*;

    /// The records that come in these frames.
    fn read(frames: &[&str]) -> Vec<String> {
        let mut records = Records::default();
        let mut read = Vec::new();
        for frame in frames {
            let ended = records.ended_by(frame).expect("no record is that long");
            read.extend(ended.split_terminator(END).map(str::to_owned));
        }
        read
    }

    #[test]
    fn records_are_counted_and_not_frames() {
        assert_eq!(read(&["a\x1eb\x1ec\x1e"]), ["a", "b", "c"]);
        assert_eq!(read(&["a", "b\x1ec", "", "d", "\x1e"]), ["ab", "cd"]);
        assert_eq!(read(&["\x1e\x1e"]), ["", ""]);
        assert_eq!(read(&["a\x1eb"]), ["a"]);
        assert_eq!(read(&[""]), Vec::<String>::new());
    }

    #[test]
    fn a_frame_of_whole_records_is_not_copied() {
        let ended = Records::default().ended_by("a\x1eb\x1e");
        assert!(matches!(ended, Ok(std::borrow::Cow::Borrowed(_))));
    }

    #[test]
    fn a_record_without_an_end_is_refused() {
        let mut records = Records::default();
        let half = "x".repeat(LONGEST / 2);
        for _ in 0..2 {
            assert_eq!(records.ended_by(&half).as_deref(), Ok(""));
        }
        assert_eq!(records.ended_by("x"), Err(RecordTooLong));
    }

    proptest! {
        #[test]
        fn cuts_change_nothing(
            records in prop::collection::vec("[^\x1e]{0,6}", 0..6),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let text: String = records.iter().map(|record| format!("{record}{END}")).collect();
            let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            places.push(text.len());
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| *cut.get(&places)).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let frames: Vec<&str> = cuts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect();
            prop_assert_eq!(read(&frames), records);
        }
    }
}
