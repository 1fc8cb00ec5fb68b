//! Messages read from their first byte on.

/// Bytes of a message's header.
pub const MESSAGE: usize = 22;

/// The header of a message.
pub struct Header {
    /// Its bytes 1, 2 and 3.
    pub info: [u8; 3],
    pub fields: u32,
    pub operations: u32,
}

impl Header {
    pub fn read(reader: &mut Reader<'_>) -> Option<Self> {
        if usize::from(reader.byte()?) != MESSAGE {
            return None;
        }
        let info = [reader.byte()?, reader.byte()?, reader.byte()?];
        reader.take(14)?; // more of it, the result, generation, and times
        Some(Self {
            info,
            fields: reader.number(2)?,
            operations: reader.number(2)?,
        })
    }
}

/// Bytes that are read one after the other; None behind their end.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    pub fn number(&mut self, size: usize) -> Option<u32> {
        let bytes = self.take(size)?.iter();
        Some(bytes.fold(0, |so_far, byte| so_far << 8 | u32::from(*byte)))
    }

    /// A field or an operation, without its length.
    pub fn part(&mut self) -> Option<&'a [u8]> {
        let size = self.number(4)?;
        self.take(size as usize)
    }
}
