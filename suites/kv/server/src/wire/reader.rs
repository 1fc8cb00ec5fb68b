//! Reading numbers and parts from the front of a slice.

use super::Malformed;

/// Rest of a slice.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads from the beginning of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Bytes that have not been read.
    #[must_use]
    pub const fn rest(self) -> &'a [u8] {
        self.0
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(Malformed("the message ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self
            .0
            .split_first_chunk()
            .ok_or(Malformed("the message ends too early"))?;
        self.0 = rest;
        Ok(*taken)
    }

    /// The next byte.
    ///
    /// # Errors
    /// When there is none.
    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    /// The next two bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn u16(&mut self) -> Result<u16, Malformed> {
        self.array().map(u16::from_be_bytes)
    }

    /// The next four bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn u32(&mut self) -> Result<u32, Malformed> {
        self.array().map(u32::from_be_bytes)
    }
}
