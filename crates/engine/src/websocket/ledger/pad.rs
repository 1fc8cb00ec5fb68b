//! Filling of a message up to its length: text that compresses well, or hardly.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Letters of six bits in one number.
const LETTERS: u32 = 10;

/// The parameter `pad`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pad {
    /// Dots.
    #[default]
    Dots,
    /// Letters without a pattern.
    Letters,
    /// The same, also in place of colour, width and points.
    Random,
}

impl Pad {
    /// By its name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "dots" => Some(Self::Dots),
            "letters" => Some(Self::Letters),
            "random" => Some(Self::Random),
            _ => None,
        }
    }
}

/// Letters without end: ten of each number of a xorshift generator (13, 7, 17) that begins with
/// `high` and `low`, the lowest six bits first.
pub fn letters(high: u32, low: u32) -> impl Iterator<Item = char> {
    let seed = (u64::from(high) << 32 | u64::from(low)).max(1);
    let numbers = std::iter::successors(Some(seed), |x| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 7);
        Some(x ^ (x << 17))
    });
    numbers.skip(1).flat_map(|number| {
        (0..LETTERS).map(move |at| ALPHABET[(number >> (6 * at)) as usize % 64].into())
    })
}
