//! Framing of a body: by its length, in chunks, or up to the end of the connection.

use std::ops::Range;

/// Longest line that a chunk's size may take, and longest trailer.
const LONGEST_LINE: usize = 16 * 1024;

/// Place of the reader in a body.
#[derive(Debug)]
pub enum Framing {
    /// So many bytes are still to come.
    Length(u64),
    /// In chunks.
    Chunked(Chunks),
    /// Until the peer ends the connection.
    UntilEnd,
}

/// Place of the reader in a chunked body.
#[derive(Debug, Default)]
pub struct Chunks {
    /// Bytes that are left of the chunk under way, with the line end that follows it.
    left: u64,
    in_trailer: bool,
    /// A line that has not come as a whole.
    line: Vec<u8>,
}

/// Bytes that a step of reading has used up.
#[derive(Debug, PartialEq, Eq)]
pub struct Taken {
    /// Bytes used up.
    pub used: usize,
    /// Range of them that is content.
    pub content: Range<usize>,
    /// The body is complete.
    pub complete: bool,
}

impl Framing {
    /// Takes what it can of `bytes`, which are not empty; in words what is wrong with them.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Taken, String> {
        match self {
            Self::Length(left) => {
                let used = bytes
                    .len()
                    .min(usize::try_from(*left).unwrap_or(usize::MAX));
                *left -= used as u64;
                Ok(Taken {
                    used,
                    content: 0..used,
                    complete: *left == 0,
                })
            }
            Self::UntilEnd => Ok(Taken {
                used: bytes.len(),
                content: 0..bytes.len(),
                complete: false,
            }),
            Self::Chunked(chunks) => chunks.take(bytes),
        }
    }
}

impl Chunks {
    fn take(&mut self, bytes: &[u8]) -> Result<Taken, String> {
        if self.left == 0 {
            return self.take_line(bytes);
        }
        let used = bytes
            .len()
            .min(usize::try_from(self.left).unwrap_or(usize::MAX));
        // The last two of what is left are the line end.
        let content = usize::try_from(self.left.saturating_sub(2)).unwrap_or(usize::MAX);
        let content = content.min(used);
        let end = &bytes[content..used];
        let expected: &[u8] = if self.left == 1 { b"\n" } else { b"\r\n" };
        if !expected.starts_with(end) {
            return Err("a chunk has another length than it says".into());
        }
        self.left -= used as u64;
        Ok(Taken {
            used,
            content: 0..content,
            complete: false,
        })
    }

    /// The size of a chunk, or the trailer. A line that is cut is kept, and looked at when the rest
    /// has come.
    fn take_line(&mut self, bytes: &[u8]) -> Result<Taken, String> {
        let before = self.line.len();
        self.line.extend_from_slice(bytes);
        let parsed = if self.in_trailer {
            trailer(&self.line)
        } else {
            httparse::parse_chunk_size(&self.line)
                .map(|status| match status {
                    httparse::Status::Complete((used, size)) => Some((used, size)),
                    httparse::Status::Partial => None,
                })
                .map_err(|_| "the size of a chunk is no hexadecimal number".to_owned())
        }?;
        let Some((used, size)) = parsed else {
            if self.line.len() > LONGEST_LINE {
                return Err("the line of a chunk, or the trailer, does not end".into());
            }
            return Ok(Taken {
                used: bytes.len(),
                content: 0..0,
                complete: false,
            });
        };
        self.line.clear();
        let complete = self.in_trailer;
        if size == 0 {
            self.in_trailer = true;
        } else {
            self.left = size
                .checked_add(2)
                .ok_or_else(|| "the size of a chunk is no hexadecimal number".to_owned())?;
        }
        Ok(Taken {
            used: used - before,
            content: 0..0,
            complete,
        })
    }
}

/// The length of a trailer, fields and the empty line after them, when it has come as a whole.
fn trailer(bytes: &[u8]) -> Result<Option<(usize, u64)>, String> {
    let mut fields = [httparse::EMPTY_HEADER; 32];
    match httparse::parse_headers(bytes, &mut fields) {
        Ok(httparse::Status::Complete((used, _))) => Ok(Some((used, 0))),
        Ok(httparse::Status::Partial) => Ok(None),
        Err(error) => Err(format!("the trailer: {error}")),
    }
}
