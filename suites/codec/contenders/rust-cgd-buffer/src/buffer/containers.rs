//! Lists, maps, and what may be null.

use std::collections::BTreeMap;

use super::{Append, Buffer, Extract, Malformed, Reader};

/// Bytes of a count.
const COUNT: usize = size_of::<i32>();

/// A count that says that there is nothing at all.
const NULL: i32 = -1;

impl Append for Option<String> {
    fn append_to(&self, buffer: &mut Buffer) {
        match self {
            Some(text) => buffer.append(text),
            None => buffer.append(&NULL),
        }
    }
}

impl Extract for Option<String> {
    const LEAST: usize = COUNT;

    fn extract_from(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        if reader.take_null() { Ok(None) } else { Ok(Some(reader.extract()?)) }
    }
}

impl<T: Append> Append for [T] {
    #[inline]
    fn append_to(&self, buffer: &mut Buffer) {
        buffer.append_count(self.len());
        T::append_all(self, buffer);
    }
}

impl<T: Append> Append for Vec<T> {
    #[inline]
    fn append_to(&self, buffer: &mut Buffer) {
        buffer.append(self.as_slice());
    }
}

impl<T: Extract> Extract for Vec<T> {
    const LEAST: usize = COUNT;

    #[inline]
    fn extract_from(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let count = reader.count(T::LEAST)?;
        T::extract_all(count, reader)
    }
}

impl<K: Append, V: Append> Append for BTreeMap<K, V> {
    #[inline]
    fn append_to(&self, buffer: &mut Buffer) {
        buffer.append_count(self.len());
        for (key, value) in self {
            buffer.append(key);
            buffer.append(value);
        }
    }
}

impl<K: Extract + Ord, V: Extract> Extract for BTreeMap<K, V> {
    const LEAST: usize = COUNT;

    #[inline]
    fn extract_from(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let count = reader.count(K::LEAST + V::LEAST)?;
        let mut map = Self::new();
        for _ in 0..count {
            map.insert(reader.extract()?, reader.extract()?);
        }
        Ok(map)
    }
}
