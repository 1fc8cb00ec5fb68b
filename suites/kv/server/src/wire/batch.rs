//! The rows of a batch: an index, a digest, and what is to be done, or "as before".

use super::message::{Action, Operations, READ, read_fields};
use super::reader::Reader;
use super::{Digest, Malformed};

const REPEAT: u8 = 0x01;
const HAS_INFO: u8 = 0x02;
const HAS_GENERATION: u8 = 0x04;
const HAS_TTL: u8 = 0x08;
const HAS_INFO4: u8 = 0x10;

/// A row of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its place in the caller's list, given back in the reply.
    pub index: u32,
    /// The record.
    pub digest: Digest,
    /// Action to take with it.
    pub action: Action<'a>,
}

/// The rows of a batch, read one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    reader: Reader<'a>,
    left: u32,
    before: Option<Action<'a>>,
}

impl<'a> Rows<'a> {
    /// Reads the beginning of a batch's field.
    ///
    /// # Errors
    /// When it has none.
    pub fn read(field: &'a [u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(field);
        let left = reader.u32()?;
        // Whether to answer inline, and whether to go on after a row that failed: always.
        let _flags = reader.u8()?;
        Ok(Self {
            reader,
            left,
            before: None,
        })
    }

    /// Rows that are still to come.
    #[must_use]
    pub const fn left(&self) -> u32 {
        self.left
    }

    fn row(&mut self) -> Result<Row<'a>, Malformed> {
        let index = self.reader.u32()?;
        let digest = Digest(self.reader.array()?);
        let kind = self.reader.u8()?;
        let action = if kind & REPEAT != 0 {
            self.before.ok_or(Malformed(
                "the first row repeats the one before it, and there is none",
            ))?
        } else {
            action(&mut self.reader, kind)?
        };
        self.before = Some(action);
        Ok(Row {
            index,
            digest,
            action,
        })
    }
}

fn action<'a>(reader: &mut Reader<'a>, kind: u8) -> Result<Action<'a>, Malformed> {
    let [info1, info2, info3] = if kind & HAS_INFO != 0 {
        reader.array()?
    } else {
        // Clients of servers before 6.0 say what is read, and no more.
        [reader.u8()? | READ, 0, 0]
    };
    if kind & HAS_INFO4 != 0 {
        reader.u8()?;
    }
    let generation = if kind & HAS_GENERATION != 0 {
        u32::from(reader.u16()?)
    } else {
        0
    };
    if kind & HAS_TTL != 0 {
        reader.u32()?;
    }
    let [fields, operations] = [reader.u16()?, reader.u16()?];
    Ok(Action {
        info1,
        info2,
        info3,
        generation,
        fields: read_fields(reader, fields)?,
        operations: Operations::read(reader, operations)?,
    })
}

impl<'a> Iterator for Rows<'a> {
    type Item = Result<Row<'a>, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let row = self.row();
        if row.is_err() {
            self.left = 0;
        }
        Some(row)
    }
}
