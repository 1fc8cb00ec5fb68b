//! Fields of a message, read one after the other; None behind its end.

/// The bytes that are still to be read.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// So many bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// One byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|one| one[0])
    }

    /// A number of 2 bytes, the highest first.
    pub fn half(&mut self) -> Option<u16> {
        self.bytes(2)
            .map(|two| u16::from_be_bytes([two[0], two[1]]))
    }

    /// A number of 4 bytes, the highest first.
    pub fn word(&mut self) -> Option<u32> {
        self.bytes(4)
            .map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]))
    }
}
