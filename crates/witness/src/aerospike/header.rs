//! The header of a message.

use crate::fields::Fields;

/// Its bytes.
pub const MESSAGE: usize = 22;

/// Facts that it tells.
pub struct Header {
    /// Its bytes 1, 2 and 3.
    pub info: [u8; 3],
    pub fields: u32,
    pub operations: u32,
}

impl Header {
    pub fn read(bytes: &mut Fields<'_>) -> Option<Self> {
        if usize::from(bytes.byte()?) != MESSAGE {
            return None;
        }
        let info = [bytes.byte()?, bytes.byte()?, bytes.byte()?];
        bytes.bytes(14)?; // more of it, the result, generation, and times
        Some(Self {
            info,
            fields: bytes.half()?.into(),
            operations: bytes.half()?.into(),
        })
    }
}
