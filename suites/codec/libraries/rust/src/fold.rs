//! Checksums of values and bytes. All arithmetic is modulo 2^32.

use crate::natives::{Chat, T1, T2, T3, T4, T5, Telemetry};

/// Sum that every field of a value adds to; `README.md` of the suite defines it.
pub trait Fold {
    /// The checksum.
    fn fold(&self) -> u32;
}

/// A string, in units of UTF-8.
#[inline]
#[must_use]
pub fn string(text: &str) -> u32 {
    let units = text.as_bytes();
    let (Some(first), Some(last)) = (units.first(), units.last()) else { return 0 };
    let ends = 31 * u32::from(*first) + 17 * u32::from(*last);
    (units.len() as u32).wrapping_add(ends)
}

/// A float, truncated towards zero.
#[inline]
#[must_use]
pub fn float(value: f64) -> u32 {
    value as i64 as u32
}

/// The sum of (2i+1) times the i-th.
#[inline]
pub fn positions(folded: impl IntoIterator<Item = u32>) -> u32 {
    folded.into_iter().enumerate().fold(0, |sum, (i, one)| {
        let weight = (2 * i + 1) as u32;
        sum.wrapping_add(weight.wrapping_mul(one))
    })
}

/// The sum of weights times folds.
#[inline]
#[must_use]
pub fn weighted<const N: usize>(parts: [(u32, u32); N]) -> u32 {
    parts.iter().fold(0, |sum, (weight, one)| sum.wrapping_add(weight.wrapping_mul(*one)))
}

/// The sum of folds.
#[inline]
pub fn total(folded: impl IntoIterator<Item = u32>) -> u32 {
    folded.into_iter().fold(0, u32::wrapping_add)
}

/// 101 times a number of elements.
#[inline]
#[must_use]
pub fn counted(elements: usize) -> u32 {
    101_u32.wrapping_mul(elements as u32)
}

/// An encoding.
#[inline]
pub(crate) fn bytes(encoded: &[u8]) -> u32 {
    let (Some(first), Some(last)) = (encoded.first(), encoded.last()) else { return 0 };
    let middle = encoded[encoded.len() / 2];
    let some = u32::from(*first) + 3 * u32::from(middle) + 5 * u32::from(*last);
    7_u32.wrapping_mul(encoded.len() as u32).wrapping_add(some)
}

impl Fold for T1 {
    #[inline]
    fn fold(&self) -> u32 {
        positions([
            self.c as u32,
            self.uc.into(),
            self.i16 as u32,
            self.u16.into(),
            self.i32 as u32,
            self.u32,
            self.i64 as u32,
            self.u64 as u32,
            float(self.f.into()),
            float(self.d),
        ])
    }
}

impl Fold for T2 {
    #[inline]
    fn fold(&self) -> u32 {
        let fields =
            [&self.s1, &self.s2, &self.s3, &self.s4, &self.s5, &self.s6, &self.s7, &self.s8];
        positions(fields.map(|text| string(text)))
    }
}

impl Fold for T3 {
    #[inline]
    fn fold(&self) -> u32 {
        counted(self.len()).wrapping_add(positions(self.iter().map(|one| *one as u32)))
    }
}

impl Fold for T4 {
    #[inline]
    fn fold(&self) -> u32 {
        counted(self.len()).wrapping_add(positions(self.iter().map(|text| string(text))))
    }
}

impl Fold for T5 {
    #[inline]
    fn fold(&self) -> u32 {
        let entries = self.iter().map(|(key, list)| {
            weighted([(3, string(key)), (5, positions(list.iter().map(|one| *one as u32)))])
        });
        counted(self.len()).wrapping_add(total(entries))
    }
}

impl Fold for Telemetry {
    #[inline]
    fn fold(&self) -> u32 {
        let points = self.points.iter().map(|point| {
            weighted([(3, point.time as u32), (5, float(point.value)), (7, point.quality as u32)])
        });
        counted(self.points.len()).wrapping_add(total(points))
    }
}

impl Fold for Chat {
    #[inline]
    fn fold(&self) -> u32 {
        let strokes = self.strokes.iter().map(|stroke| {
            let points = stroke
                .points
                .iter()
                .map(|point| weighted([(21, point.x as u32), (23, point.y as u32)]));
            weighted([(17, string(&stroke.color)), (19, float(stroke.width)), (1, total(points))])
        });
        weighted([
            (3, string(&self.id)),
            (5, self.sent as u32),
            (7, string(&self.board)),
            (9, self.author.id),
            (11, string(&self.author.name)),
            (13, self.author.active.into()),
            (15, string(&self.text)),
            (1, counted(self.mentions.len() + self.strokes.len())),
            (1, positions(self.mentions.iter().map(|name| string(name)))),
            (1, total(strokes)),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, float, positions, string};
    use crate::Fold;

    #[test]
    fn strings_are_lengths_and_ends() {
        assert_eq!(string(""), 0);
        assert_eq!(string("A"), 1 + 31 * 65 + 17 * 65);
        // Two bytes of UTF-8: C3 A9.
        assert_eq!(string("é"), 2 + 31 * 0xC3 + 17 * 0xA9);
    }

    #[test]
    fn numbers_enter_with_their_low_bits() {
        assert_eq!(float(-1.75), u32::MAX);
        assert_eq!(float(4_294_967_297.0), 1);
        assert_eq!(positions([10, 10, u32::MAX]), 10 + 30 - 5);
        assert_eq!(vec![-1, 2].fold(), 202 - 1 + 6);
    }

    #[test]
    fn bytes_are_their_number_ends_and_middle() {
        assert_eq!(bytes(&[]), 0);
        assert_eq!(bytes(&[9]), 7 + 9 + 27 + 45);
        assert_eq!(bytes(&[1, 2, 3, 4]), 28 + 1 + 9 + 20);
    }
}
