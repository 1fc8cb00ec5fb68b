//! Reading a buffer from its beginning to its end.

use super::Malformed;

/// Value that can be read from a buffer.
pub trait Extract: Sized {
    /// Bytes of the smallest encoding: no count may promise more elements than would fit.
    const LEAST: usize;

    fn extract_from(reader: &mut Reader<'_>) -> Result<Self, Malformed>;

    /// Many of them, whose number has been checked.
    #[inline]
    fn extract_all(count: usize, reader: &mut Reader<'_>) -> Result<Vec<Self>, Malformed> {
        let mut many = Vec::with_capacity(count);
        for _ in 0..count {
            many.push(Self::extract_from(reader)?);
        }
        Ok(many)
    }
}

/// A position in bytes that hold a message.
pub struct Reader<'b> {
    rest: &'b [u8],
    whole: usize,
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes, whole: bytes.len() }
    }

    /// The next value.
    #[inline]
    pub fn extract<T: Extract>(&mut self) -> Result<T, Malformed> {
        T::extract_from(self)
    }

    /// Nothing may be left.
    pub fn finish(self) -> Result<(), Malformed> {
        if self.rest.is_empty() { Ok(()) } else { Err(Malformed::Rest { offset: self.offset() }) }
    }

    #[inline]
    pub(super) fn offset(&self) -> usize {
        self.whole - self.rest.len()
    }

    /// The next bytes, as they are.
    #[inline]
    pub(super) fn take(&mut self, bytes: usize) -> Result<&'b [u8], Malformed> {
        let Some((taken, rest)) = self.rest.split_at_checked(bytes) else {
            return Err(Malformed::Truncated { offset: self.offset() });
        };
        self.rest = rest;
        Ok(taken)
    }

    /// The next bytes, as many as a number has.
    #[inline]
    pub(super) fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let Some((taken, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(Malformed::Truncated { offset: self.offset() });
        };
        self.rest = rest;
        Ok(*taken)
    }

    /// Tells whether null is next, and goes past it.
    pub(super) fn take_null(&mut self) -> bool {
        let Some(rest) = self.rest.strip_prefix(&(-1_i32).to_le_bytes()) else { return false };
        self.rest = rest;
        true
    }

    /// A number of elements of at least `least` bytes each. Memory is only ever asked for after
    /// this: what is left of the buffer bounds it.
    #[inline]
    pub(super) fn count(&mut self, least: usize) -> Result<usize, Malformed> {
        let offset = self.offset();
        let count = i32::from_le_bytes(self.take_array()?);
        match usize::try_from(count) {
            Ok(elements) if elements <= self.rest.len() / least => Ok(elements),
            Err(_) if count == -1 => Err(Malformed::Null { offset }),
            _ => Err(Malformed::Count { offset, count }),
        }
    }
}
