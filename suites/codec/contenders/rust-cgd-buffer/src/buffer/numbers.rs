//! Numbers and bools.

use super::{Append, Buffer, Extract, Malformed, Reader};

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Append for $number {
            #[inline]
            fn append_to(&self, buffer: &mut Buffer) {
                buffer.0.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn append_all(many: &[Self], buffer: &mut Buffer) {
                buffer.0.extend(many.iter().flat_map(|one| one.to_le_bytes()));
            }
        }

        impl Extract for $number {
            const LEAST: usize = size_of::<Self>();

            #[inline]
            fn extract_from(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
                Ok(Self::from_le_bytes(reader.take_array()?))
            }

            #[inline]
            fn extract_all(count: usize, reader: &mut Reader<'_>) -> Result<Vec<Self>, Malformed> {
                let (numbers, _) = reader.take(count * Self::LEAST)?.as_chunks();
                Ok(numbers.iter().map(|bytes| Self::from_le_bytes(*bytes)).collect())
            }
        }
    )*};
}

numbers!(i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);

impl Append for bool {
    #[inline]
    fn append_to(&self, buffer: &mut Buffer) {
        u8::from(*self).append_to(buffer);
    }
}

impl Extract for bool {
    const LEAST: usize = 1;

    #[inline]
    fn extract_from(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let offset = reader.offset();
        match u8::extract_from(reader)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed::Bool { offset }),
        }
    }
}
