//! Steps that the tests of all dissectors take with them.

use crate::message::{Dissector, Message};

/// The messages that a dissector finds in these pieces, and whether it could follow all of them.
pub fn taken<D: Dissector + Default>(pieces: &[&[u8]]) -> (Vec<Message>, bool) {
    taken_by(&D::default, pieces)
}

/// The same by what `make` makes.
pub fn taken_by<D: Dissector>(make: &impl Fn() -> D, pieces: &[&[u8]]) -> (Vec<Message>, bool) {
    let (mut dissector, mut found, mut position) = (make(), Vec::new(), 0);
    let mut whole = true;
    for piece in pieces {
        whole &= dissector.take(position, piece, &mut found);
        position += piece.len() as u64;
    }
    (found, whole)
}

/// The messages in these bytes, wherever segments end: at every byte, and at every byte but one.
pub fn wherever_segments_end<D: Dissector + Default>(bytes: &[u8]) -> Vec<Message> {
    wherever_segments_end_by(&D::default, bytes)
}

/// The same by what `make` makes.
pub fn wherever_segments_end_by<D: Dissector>(make: &impl Fn() -> D, bytes: &[u8]) -> Vec<Message> {
    let (expected, whole) = taken_by(make, &[bytes]);
    assert!(whole, "they can be followed");
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(
        taken_by(make, &single),
        (expected.clone(), true),
        "byte by byte"
    );
    for at in 0..=bytes.len() {
        let (first, second) = bytes.split_at(at);
        let found = taken_by(make, &[first, second]);
        assert_eq!(found, (expected.clone(), true), "split at {at}");
    }
    expected
}

/// Has a dissector take what nobody meant: bytes drawn from `alphabet`, and right ones of which some
/// were changed. It answers, whatever it is.
pub fn survives<D: Dissector + Default>(right: &[u8], alphabet: &[u8]) {
    survives_by(&D::default, right, alphabet);
}

/// The same by what `make` makes.
pub fn survives_by<D: Dissector>(make: &impl Fn() -> D, right: &[u8], alphabet: &[u8]) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut refused = 0;
    for _ in 0..3_000 {
        let mut bytes = right.to_vec();
        for _ in 0..1 + draw(4) {
            let at = draw(bytes.len());
            bytes[at] = alphabet[draw(alphabet.len())];
        }
        bytes.extend((0..draw(40)).map(|_| alphabet[draw(alphabet.len())]));
        let cut = draw(bytes.len());
        let (found, whole) = taken_by(make, &[&bytes[..cut], &bytes[cut..]]);
        refused += u32::from(!whole);
        assert!(found.len() <= bytes.len());
    }
    assert!(
        refused > 100,
        "some of it was none of the protocol's: {refused}"
    );
}
