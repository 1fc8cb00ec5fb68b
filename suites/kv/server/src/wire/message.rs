//! The message of one record: a header of 22 bytes, fields, and operations on bins.

use super::reader::Reader;
use super::{Digest, Malformed};

/// Bytes of a message's header.
pub const HEADER: usize = 22;

/// info1: the record is read.
pub const READ: u8 = 1;
/// info1: with all its bins.
pub const GET_ALL: u8 = 2;
/// info1: the message is a batch.
pub const BATCH: u8 = 8;
/// info1: whether it exists, without bins.
pub const NO_BINS: u8 = 32;

/// info2: the record is written.
pub const WRITE: u8 = 1;
/// info2: it is deleted.
pub const DELETE: u8 = 2;
/// info2: only where its generation is the given one.
pub const IF_GENERATION: u8 = 4;
/// info2: only where its generation is below the given one.
pub const IF_OLDER: u8 = 8;
/// info2: only where there is none.
pub const CREATE_ONLY: u8 = 32;

/// info3: nothing follows (in a reply).
pub const LAST: u8 = 1;
/// info3: only where there is one.
pub const UPDATE_ONLY: u8 = 8;
/// info3: other bins go.
pub const REPLACE: u8 = 16;
/// info3: other bins go, and only where there is one.
pub const REPLACE_ONLY: u8 = 32;

/// Particle type of integers of 64 bits.
pub const PARTICLE_INTEGER: u8 = 1;
/// Particle type of doubles.
pub const PARTICLE_DOUBLE: u8 = 2;
/// Particle type of strings.
pub const PARTICLE_STRING: u8 = 3;

/// Operation: read a bin.
pub const OP_READ: u8 = 1;
/// Operation: write a bin.
pub const OP_WRITE: u8 = 2;

const FIELD_NAMESPACE: u8 = 0;
const FIELD_SET: u8 = 1;
const FIELD_KEY: u8 = 2;
const FIELD_DIGEST: u8 = 4;
const FIELD_SOCKET_TIMEOUT: u8 = 9;
const FIELD_BATCH: u8 = 41;

/// Action that is to be done with a record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Action<'a> {
    /// Flags of what is read.
    pub info1: u8,
    /// Flags of what is written.
    pub info2: u8,
    /// Conditions of writing.
    pub info3: u8,
    /// The generation that a condition names.
    pub generation: u32,
    /// Place of the record.
    pub fields: Fields<'a>,
    /// Operations on its bins.
    pub operations: Operations<'a>,
}

impl Action<'_> {
    /// Tells whether it changes the record.
    #[must_use]
    pub const fn writes(&self) -> bool {
        self.info2 & (WRITE | DELETE) != 0
    }
}

/// The fields of a message, or of a row of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fields<'a> {
    /// Empty where there is none.
    pub namespace: &'a [u8],
    /// Known by its digest.
    pub digest: Option<Digest>,
    /// The rows of a batch.
    pub batch: Option<&'a [u8]>,
    /// A scan, a query, a function, a filter or a transaction: something else than records by key.
    pub others: bool,
}

/// Operations on bins, whole and well formed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Operations<'a> {
    count: u16,
    bytes: &'a [u8],
}

/// An operation on a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation<'a> {
    /// [`OP_READ`], [`OP_WRITE`] or another.
    pub kind: u8,
    /// Type of the value; 0 where there is none.
    pub particle: u8,
    /// Name of the bin.
    pub name: &'a [u8],
    /// Bytes as they are on the wire.
    pub value: &'a [u8],
}

impl<'a> Operations<'a> {
    /// Reads `count` operations.
    ///
    /// # Errors
    /// When they are not whole.
    pub fn read(reader: &mut Reader<'a>, count: u16) -> Result<Self, Malformed> {
        let begin = reader.rest();
        for _ in 0..count {
            operation(reader)?;
        }
        let bytes = &begin[..begin.len() - reader.rest().len()];
        Ok(Self { count, bytes })
    }

    /// Operations that were encoded here.
    #[must_use]
    pub const fn encoded(count: u16, bytes: &'a [u8]) -> Self {
        Self { count, bytes }
    }

    /// Number of them.
    #[must_use]
    pub const fn count(self) -> u16 {
        self.count
    }

    /// Bytes as they are on the wire.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }
}

impl<'a> Iterator for Operations<'a> {
    type Item = Operation<'a>;

    fn next(&mut self) -> Option<Operation<'a>> {
        self.count = self.count.checked_sub(1)?;
        let mut reader = Reader::new(self.bytes);
        let next = operation(&mut reader).ok()?;
        self.bytes = reader.rest();
        Some(next)
    }
}

fn operation<'a>(reader: &mut Reader<'a>) -> Result<Operation<'a>, Malformed> {
    let size = reader.u32()? as usize;
    let mut body = Reader::new(reader.take(size)?);
    let [kind, particle, _version, length] = body.array()?;
    let name = body.take(usize::from(length))?;
    Ok(Operation {
        kind,
        particle,
        name,
        value: body.rest(),
    })
}

/// Writes an operation on a bin; names have at most 255 bytes.
pub fn write_operation(out: &mut Vec<u8>, kind: u8, particle: u8, name: &[u8], value: &[u8]) {
    out.extend_from_slice(&((4 + name.len() + value.len()) as u32).to_be_bytes());
    out.extend_from_slice(&[kind, particle, 0, name.len() as u8]);
    out.extend_from_slice(name);
    out.extend_from_slice(value);
}

/// Reads the body of a frame that is one message.
///
/// # Errors
/// When it is not whole.
pub fn read(body: &[u8]) -> Result<Action<'_>, Malformed> {
    let mut reader = Reader::new(body);
    if usize::from(reader.u8()?) != HEADER {
        return Err(Malformed("a message whose header has not 22 bytes"));
    }
    let [info1, info2, info3, _info4, _result] = reader.array()?;
    let generation = reader.u32()?;
    let [_ttl, _timeout] = [reader.u32()?, reader.u32()?];
    let [fields, operations] = [reader.u16()?, reader.u16()?];
    Ok(Action {
        info1,
        info2,
        info3,
        generation,
        fields: read_fields(&mut reader, fields)?,
        operations: Operations::read(&mut reader, operations)?,
    })
}

/// Reads the fields of a message or of a row of a batch.
///
/// # Errors
/// When they are not whole.
pub fn read_fields<'a>(reader: &mut Reader<'a>, count: u16) -> Result<Fields<'a>, Malformed> {
    let mut fields = Fields::default();
    for _ in 0..count {
        let size = reader.u32()? as usize;
        let Some((kind, value)) = reader.take(size)?.split_first() else {
            return Err(Malformed("a field without a type"));
        };
        match *kind {
            FIELD_NAMESPACE => fields.namespace = value,
            FIELD_DIGEST => {
                let digest = value.try_into();
                fields.digest = Some(Digest(
                    digest.map_err(|_| Malformed("a digest that has not 20 bytes"))?,
                ));
            }
            FIELD_BATCH => fields.batch = Some(value),
            // The digest says what set and key say.
            FIELD_SET | FIELD_KEY | FIELD_SOCKET_TIMEOUT => {}
            _ => fields.others = true,
        }
    }
    Ok(fields)
}

/// The header of a reply, with room for what a batch wants in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reply {
    /// One of [`super::result`].
    pub result: u8,
    /// Generation of the record.
    pub generation: u32,
    /// Place in the batch, 0 outside of one.
    pub index: u32,
    /// Operations that follow.
    pub operations: u16,
    /// Nothing follows in a batch.
    pub last: bool,
}

impl Reply {
    /// Writes the header; the operations come after it.
    pub fn write(self, out: &mut Vec<u8>) {
        let mut header = [0; HEADER];
        header[0] = HEADER as u8;
        header[3] = if self.last { LAST } else { 0 };
        header[5] = self.result;
        header[6..10].copy_from_slice(&self.generation.to_be_bytes());
        // Time to live stays 0: records never expire.
        header[14..18].copy_from_slice(&self.index.to_be_bytes());
        header[20..22].copy_from_slice(&self.operations.to_be_bytes());
        out.extend_from_slice(&header);
    }

    /// Reads a reply and its operations.
    ///
    /// # Errors
    /// When it is not whole.
    pub fn read<'a>(reader: &mut Reader<'a>) -> Result<(Self, Operations<'a>), Malformed> {
        let header: [u8; HEADER] = reader.array()?;
        let word = |at: usize| u32::from_be_bytes(std::array::from_fn(|i| header[at + i]));
        let [fields, operations] =
            [18, 20].map(|at| u16::from_be_bytes([header[at], header[at + 1]]));
        let reply = Self {
            result: header[5],
            generation: word(6),
            index: word(14),
            operations,
            last: header[3] & LAST != 0,
        };
        read_fields(reader, fields)?;
        Ok((reply, Operations::read(reader, operations)?))
    }
}
