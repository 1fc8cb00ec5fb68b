//! The wire format of `CGD::buffer`, written anew from its description.
//!
//! No header, no tags, no padding; little-endian. Numbers are their bytes, `bool` is one byte.
//! A string is the number of its UTF-16 units plus one, the units, and a NUL unit. Lists and maps
//! are their number of elements and the elements. Counts are `i32`; −1 is null, which an
//! `Option<String>` can hold and anything else refuses.
//!
//! ```ignore
//! let mut buffer = Buffer::default();
//! buffer.append(&3_i8);
//! buffer.append("text");
//!
//! let mut reader = Reader::new(&buffer.into_bytes());
//! let number: i8 = reader.extract()?;
//! let text: String = reader.extract()?;
//! ```

mod containers;
mod error;
mod numbers;
mod reader;
mod strings;
#[cfg(test)]
mod tests;

pub use error::Malformed;
pub use reader::{Extract, Reader};

/// Value that can be written to a buffer.
pub trait Append {
    fn append_to(&self, buffer: &mut Buffer);

    /// Many of them without their number; numbers are copied in one go.
    #[inline]
    fn append_all(many: &[Self], buffer: &mut Buffer)
    where
        Self: Sized,
    {
        for one in many {
            one.append_to(buffer);
        }
    }
}

/// A growing buffer of bytes.
#[derive(Default)]
pub struct Buffer(Vec<u8>);

impl Buffer {
    /// A buffer that does not have to grow until it holds this many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// Writes a value after the others.
    #[inline]
    pub fn append<T: Append + ?Sized>(&mut self, value: &T) {
        value.append_to(self);
    }

    /// Bytes that have been written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Writes a number of elements.
    ///
    /// # Panics
    /// When there are more than the format can count: 2,147,483,647.
    #[inline]
    fn append_count(&mut self, elements: usize) {
        let count = i32::try_from(elements).expect("more elements than the format can count");
        count.append_to(self);
    }
}

/// Writing and reading of a struct: its fields, in the order given.
macro_rules! fields {
    ($($name:ty { $($field:ident: $type:ty),* $(,)? })*) => {$(
        impl $crate::buffer::Append for $name {
            #[inline]
            fn append_to(&self, buffer: &mut $crate::buffer::Buffer) {
                $(buffer.append(&self.$field);)*
            }
        }

        impl $crate::buffer::Extract for $name {
            const LEAST: usize = 0 $(+ <$type as $crate::buffer::Extract>::LEAST)*;

            #[inline]
            fn extract_from(
                reader: &mut $crate::buffer::Reader<'_>,
            ) -> Result<Self, $crate::buffer::Malformed> {
                Ok(Self { $($field: reader.extract()?),* })
            }
        }
    )*};
}

pub(crate) use fields;
