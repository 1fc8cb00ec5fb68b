//! Tests of what is written and what is refused.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::{Append, Buffer, Extract, Malformed, Reader};

fn written<T: Append + ?Sized>(value: &T) -> Vec<u8> {
    let mut buffer = Buffer::default();
    buffer.append(value);
    buffer.into_bytes()
}

fn read<T: Extract>(bytes: &[u8]) -> Result<T, Malformed> {
    let mut reader = Reader::new(bytes);
    let value = reader.extract()?;
    reader.finish()?;
    Ok(value)
}

/// The value comes back, and no shorter input is taken for it.
fn comes_back<T: Append + Extract + PartialEq + Debug>(value: T) {
    let bytes = written(&value);
    assert_eq!(read::<T>(&bytes), Ok(value));
    for end in 0..bytes.len() {
        assert!(read::<T>(&bytes[..end]).is_err(), "{end} bytes of {bytes:?}");
    }
}

#[test]
fn strings_are_counted_units_with_a_nul() {
    assert_eq!(written(""), [1, 0, 0, 0, 0, 0]);
    assert_eq!(written("a가"), [3, 0, 0, 0, 0x61, 0, 0x00, 0xAC, 0, 0]);
    assert_eq!(written("😀"), [3, 0, 0, 0, 0x3D, 0xD8, 0x00, 0xDE, 0, 0]);
}

#[test]
fn everything_comes_back() {
    comes_back(-1_i64);
    comes_back(1.25_f32);
    comes_back(true);
    comes_back(String::new());
    comes_back("plain, é, 가나다, 😀😀 and \0 within".to_owned());
    for length in 0..400 {
        comes_back("a".repeat(length) + "가" + &"b".repeat(length) + "é😀");
    }
    comes_back(vec![1_i32, -2, 3]);
    comes_back(vec![String::new(), "x".to_owned()]);
    comes_back(BTreeMap::from([("a".to_owned(), vec![1_i32]), ("b".to_owned(), vec![])]));
}

#[test]
fn counts_are_checked_before_anything_is_allocated() {
    let huge = i32::MAX.to_le_bytes();
    let count = Malformed::Count { offset: 0, count: i32::MAX };
    assert_eq!(read::<Vec<i32>>(&huge), Err(count));
    assert_eq!(read::<Vec<String>>(&huge), Err(count));
    assert_eq!(read::<BTreeMap<String, Vec<i32>>>(&huge), Err(count));
    assert_eq!(read::<String>(&huge), Err(count));
    // Two strings need twelve bytes; eleven are left.
    let mut two = 2_i32.to_le_bytes().to_vec();
    two.extend([0; 11]);
    assert_eq!(read::<Vec<String>>(&two), Err(Malformed::Count { offset: 0, count: 2 }));
}

#[test]
fn null_and_counts_below_it_are_refused() {
    let (null, below) = ((-1_i32).to_le_bytes(), (-2_i32).to_le_bytes());
    assert_eq!(read::<String>(&null), Err(Malformed::Null { offset: 0 }));
    assert_eq!(read::<Vec<i32>>(&null), Err(Malformed::Null { offset: 0 }));
    assert_eq!(read::<String>(&below), Err(Malformed::Count { offset: 0, count: -2 }));
    let none = 0_i32.to_le_bytes();
    assert_eq!(read::<String>(&none), Err(Malformed::Count { offset: 0, count: 0 }));
    assert_eq!(read::<Vec<i32>>(&none), Ok(vec![]));
}

#[test]
fn broken_strings_are_refused() {
    let no_nul = [2, 0, 0, 0, 0x61, 0, 0x62, 0];
    assert_eq!(read::<String>(&no_nul), Err(Malformed::Terminator { offset: 6 }));
    for lone in [[0x3D, 0xD8, 0x61, 0], [0x00, 0xDE, 0x61, 0], [0x61, 0, 0x3D, 0xD8]] {
        let mut bytes = vec![3, 0, 0, 0];
        bytes.extend(lone);
        bytes.extend([0, 0]);
        assert_eq!(read::<String>(&bytes), Err(Malformed::Surrogate { offset: 0 }));
    }
}

#[test]
fn other_bools_and_bytes_that_are_left_are_refused() {
    assert_eq!(read::<bool>(&[2]), Err(Malformed::Bool { offset: 0 }));
    assert_eq!(read::<u8>(&[1, 2]), Err(Malformed::Rest { offset: 1 }));
}
