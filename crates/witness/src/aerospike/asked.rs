//! Records that a request asks for, each known by a digest.

use super::header::Header;
use crate::fields::Fields;
use crate::message::{READ, UNKNOWN};
use crate::names::{Hash, Names};

/// In bytes 1 and 2 of a message's header.
pub const IS_READ: u8 = 1;
pub const IS_BATCH: u8 = 8;
pub const WITHOUT_BINS: u8 = 32;
const WRITES: u8 = 1 | 2;

pub const DIGEST: usize = 20;
pub const OF_ONE: u8 = 4;
const OF_BATCH: [u8; 2] = [41, 42];

/// In the byte that says what is to be done with a row of a batch.
pub const AS_BEFORE: u8 = 1;
pub const HAS_INFO: u8 = 2;
const HAS_GENERATION: u8 = 4;
pub const HAS_TTL: u8 = 8;
const HAS_MORE_INFO: u8 = 16;

/// Records that a request asks for.
pub struct AskedRecords {
    pub service: u32,
    /// Different records.
    pub items: u32,
    pub names: u32,
}

impl AskedRecords {
    pub const NOTHING: Self = Self {
        service: 0,
        items: UNKNOWN,
        names: 0,
    };

    /// Reads what the message of a request asks for; None where it is none.
    pub fn by(body: &[u8]) -> Option<Self> {
        let mut fields = Fields(body);
        let header = Header::read(&mut fields)?;
        let (mut of_one, mut of_batch) = (None, None);
        for _ in 0..header.fields {
            let (kind, value) = fields.part()?.split_first()?;
            match *kind {
                OF_ONE => of_one = Some(value),
                one if OF_BATCH.contains(&one) => of_batch = Some(value),
                _ => {}
            }
        }
        if header.info[0] & IS_BATCH != 0 {
            return Self::by_rows(of_batch?);
        }
        let asked = of_one.filter(|_| reads(header.info));
        Some(asked.map_or(Self::NOTHING, |digest| Self::read(&[digest])))
    }

    /// Reads what the rows of a batch ask for; nothing where one of them does something else than to
    /// read.
    fn by_rows(field: &[u8]) -> Option<Self> {
        let mut fields = Fields(field);
        let count = fields.word()?;
        fields.bytes(1)?;
        let mut digests = Vec::new();
        let mut all_read = true;
        for _ in 0..count {
            fields.bytes(4)?;
            digests.push(fields.bytes(DIGEST)?);
            let kind = fields.byte()?;
            if kind & AS_BEFORE == 0 {
                all_read &= reads(fields.row(kind)?);
            }
        }
        Some(if all_read {
            Self::read(&digests)
        } else {
            Self::NOTHING
        })
    }

    fn read(digests: &[&[u8]]) -> Self {
        let mut different = digests.to_vec();
        different.sort_unstable();
        different.dedup();
        let mut names = Names::default();
        different.iter().for_each(|one| names.take(Hash::of(one)));
        Self {
            service: READ,
            items: different.len() as u32,
            names: names.digest(),
        }
    }
}

fn reads(info: [u8; 3]) -> bool {
    info[0] & (IS_READ | WITHOUT_BINS) == IS_READ && info[1] & WRITES == 0
}

impl<'a> Fields<'a> {
    /// A field or an operation, without its length.
    fn part(&mut self) -> Option<&'a [u8]> {
        let size = self.word()?;
        self.bytes(size as usize)
    }

    /// Reads what is to be done with a row; its fields and operations are passed over.
    fn row(&mut self, kind: u8) -> Option<[u8; 3]> {
        let info = if kind & HAS_INFO != 0 {
            [self.byte()?, self.byte()?, self.byte()?]
        } else {
            // Who speaks to older servers says what is read, and no more.
            [self.byte()? | IS_READ, 0, 0]
        };
        for (has, size) in [(HAS_MORE_INFO, 1), (HAS_GENERATION, 2), (HAS_TTL, 4)] {
            if kind & has != 0 {
                self.bytes(size)?;
            }
        }
        let parts = u32::from(self.half()?) + u32::from(self.half()?);
        for _ in 0..parts {
            self.part()?;
        }
        Some(info)
    }
}
