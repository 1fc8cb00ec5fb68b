//! Lines of a response, of which bytes come bit by bit.

use memchr::memchr;

/// Bytes of a line that may come before its end.
const LONGEST: usize = 1024 * 1024;

/// A line that has no end, or one that is too far away.
#[derive(Debug, PartialEq, Eq)]
pub struct LineTooLong;

/// Lines, each with a line feed behind it.
#[derive(Debug, Default)]
pub struct LineStream {
    bytes: Vec<u8>,
    /// Offset of the line that is read next.
    at: usize,
    /// No line ends between its beginning and here.
    searched: usize,
}

impl LineStream {
    /// Takes what has come.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.searched -= self.at;
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next line that has come as a whole; what is no UTF-8 in it is replaced, as browsers do.
    pub fn next_line(&mut self) -> Result<Option<String>, LineTooLong> {
        let from = self.at;
        let Some(length) = memchr(b'\n', &self.bytes[self.searched..]) else {
            self.searched = self.bytes.len();
            return if self.searched - from > LONGEST {
                Err(LineTooLong)
            } else {
                Ok(None)
            };
        };
        let end = self.searched + length;
        (self.at, self.searched) = (end + 1, end + 1);
        Ok(Some(
            String::from_utf8_lossy(&self.bytes[from..end]).into_owned(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, LineStream, LineTooLong};
    use proptest::prelude::*;

    /// The lines that come in these parts.
    fn read<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut lines = LineStream::default();
        let mut read = Vec::new();
        for part in parts {
            lines.feed(part);
            while let Some(line) = lines.next_line().expect("no line is that long") {
                read.push(line);
            }
        }
        read
    }

    #[test]
    fn a_line_ends_with_a_line_feed_and_nothing_else() {
        assert_eq!(read([&b"o\na[\"x\r\"]\n\nh"[..]]), ["o", "a[\"x\r\"]", ""]);
        assert_eq!(read([&b"\xff\n"[..]]), ["\u{fffd}"]);
    }

    #[test]
    fn a_line_without_an_end_is_not_waited_for_for_ever() {
        let mut lines = LineStream::default();
        lines.feed(&vec![b'x'; LONGEST]);
        assert_eq!(lines.next_line(), Ok(None));
        lines.feed(b"x");
        assert_eq!(lines.next_line(), Err(LineTooLong));
    }

    proptest! {
        #[test]
        fn where_bytes_are_divided_is_of_no_matter(
            lines in prop::collection::vec("[a-zé]{0,9}", 0..9), size in 1_usize..7,
        ) {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            prop_assert_eq!(read(text.as_bytes().chunks(size)), lines);
        }
    }
}
