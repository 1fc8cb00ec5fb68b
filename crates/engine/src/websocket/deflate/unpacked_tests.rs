use flate2::{Compress, Compression, FlushCompress};
use proptest::prelude::*;

use super::super::{Agreement, Deflater};
use super::{InflateError, LARGEST, Unpacked, frame};

/// A server's compressor, which keeps its context.
struct Packer(Compress);

impl Packer {
    fn new() -> Self {
        Self(Compress::new(Compression::default(), false))
    }

    fn payload(&mut self, plain: &[u8]) -> Vec<u8> {
        let mut packed = Vec::with_capacity(plain.len() + 128);
        self.0
            .compress_vec(plain, &mut packed, FlushCompress::Sync)
            .expect("compressed");
        assert_eq!(packed.split_off(packed.len() - 4), super::TAIL);
        packed
    }
}

fn compressed(payload: &[u8]) -> Vec<u8> {
    let mut framed = Vec::new();
    frame(0x41, payload, &mut framed);
    framed
}

fn unpack(fresh: bool, pieces: &[&[u8]]) -> Result<Vec<u8>, InflateError> {
    let mut unpacked = Unpacked::new(Agreement { fresh });
    let mut plain = Vec::new();
    for piece in pieces {
        unpacked.feed(piece, &mut plain)?;
    }
    Ok(plain)
}

fn plain(texts: &[&str]) -> Vec<u8> {
    let mut framed = Vec::new();
    for text in texts {
        frame(1, text.as_bytes(), &mut framed);
    }
    framed
}

#[test]
fn the_examples_of_the_rfc() {
    // RFC 7692, 7.2.3: "Hello" once, and again by the window of the first.
    let first = [0xc1, 7, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 7, 0];
    let again = [0xc1, 5, 0xf2, 0, 0x11, 0, 0];
    assert_eq!(
        unpack(false, &[&first, &again]),
        Ok(plain(&["Hello", "Hello"]))
    );
    // In two frames.
    let halves = [0x41, 3, 0xf2, 0x48, 0xcd, 0x80, 4, 0xc9, 0xc9, 7, 0];
    assert_eq!(unpack(false, &[&halves]), Ok(plain(&["Hello"])));
    // A block without compression, one that says that it is the last, and two blocks.
    let stored = [
        0xc1, 11, 0, 5, 0, 0xfa, 0xff, b'H', b'e', b'l', b'l', b'o', 0,
    ];
    let ending = [0xc1, 8, 0xf3, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0];
    let blocks = [
        0xc1, 13, 0xf2, 0x48, 5, 0, 0, 0, 0xff, 0xff, 0xca, 0xc9, 0xc9, 7, 0,
    ];
    for one in [&stored[..], &ending, &blocks] {
        assert_eq!(
            unpack(false, &[one, &first]),
            Ok(plain(&["Hello", "Hello"]))
        );
    }
}

#[test]
fn what_is_not_compressed_goes_through() {
    let mut stream = plain(&["as it is"]);
    stream.extend([0x89, 2, b'h', b'i', 0x01, 1, b'a', 0x80, 1, b'b', 0x88, 0]);
    assert_eq!(unpack(false, &[&stream]), Ok(stream.clone()));
}

#[test]
fn a_ping_may_come_between_the_frames_of_a_message() {
    let stream = [
        0x41, 3, 0xf2, 0x48, 0xcd, 0x89, 0, 0x80, 4, 0xc9, 0xc9, 7, 0,
    ];
    let mut expected = vec![0x89, 0];
    expected.extend(plain(&["Hello"]));
    assert_eq!(unpack(false, &[&stream]), Ok(expected));
}

#[test]
fn a_few_bytes_do_not_become_gigabytes() {
    let payload = Packer::new().payload(&vec![b'.'; 2 * LARGEST]);
    assert!(payload.len() < LARGEST / 100, "it is small on the wire");
    assert_eq!(
        unpack(false, &[&compressed(&payload)]),
        Err(InflateError::Oversized)
    );
    let longest = Packer::new().payload(&vec![b'.'; LARGEST]);
    assert!(unpack(false, &[&compressed(&longest)]).is_ok());
    let announced = [0xc1, 127, 0, 0, 0, 0, 0x40, 0, 0, 0];
    assert_eq!(unpack(false, &[&announced]), Err(InflateError::Oversized));
}

#[test]
fn what_no_server_may_send_is_garbage() {
    let nonsense = compressed(&[0xff; 40]);
    let masked = [0xc1, 0x81, 0, 0, 0, 0, 0];
    let within = [0x41, 3, 0xf2, 0x48, 0xcd, 0x81, 1, b'x'];
    for wrong in [&nonsense[..], &masked, &within] {
        assert_eq!(unpack(false, &[wrong]), Err(InflateError::Garbage));
    }
}

#[test]
fn a_window_is_kept_only_where_the_server_keeps_one() {
    let mut packer = Packer::new();
    let [first, again] = [
        packer.payload(b"Hello, hello"),
        packer.payload(b"Hello, hello"),
    ];
    let stream = [compressed(&first), compressed(&again)].concat();
    assert_eq!(unpack(false, &[&stream]), Ok(plain(&["Hello, hello"; 2])));
    // What refers to what is not there has other content, which the ledger finds wrong.
    assert_ne!(unpack(true, &[&stream]), Ok(plain(&["Hello, hello"; 2])));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_message_comes_back_however_it_is_cut(
        texts in prop::collection::vec("[ -~]{0,3000}", 1..6),
        size in 1_usize..1000,
    ) {
        let mut packer = Packer::new();
        let packed = texts.iter().map(|text| compressed(&packer.payload(text.as_bytes())));
        let stream = packed.collect::<Vec<_>>().concat();
        let pieces: Vec<_> = stream.chunks(size).collect();
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        prop_assert_eq!(unpack(false, &pieces), Ok(plain(&texts)));
    }

    #[test]
    fn what_users_send_stands_for_itself(texts in prop::collection::vec("\\PC{0,400}", 1..6)) {
        let mut deflater = Deflater::default();
        let packed = texts.iter().map(|text| compressed(&deflater.deflate(text.as_bytes())));
        let stream = packed.collect::<Vec<_>>().concat();
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        prop_assert_eq!(unpack(true, &[&stream]), Ok(plain(&texts)));
    }

    #[test]
    fn anything_may_come(
        stream in prop::collection::vec(any::<u8>(), 0..600),
        size in 1_usize..600,
        fresh: bool,
    ) {
        let _ = unpack(fresh, &stream.chunks(size).collect::<Vec<_>>());
    }

    #[test]
    fn anything_may_come_compressed(payload in prop::collection::vec(any::<u8>(), 0..600)) {
        if let Ok(plain) = unpack(false, &[&compressed(&payload)]) {
            prop_assert!(plain.len() <= LARGEST + 10);
        }
    }
}
