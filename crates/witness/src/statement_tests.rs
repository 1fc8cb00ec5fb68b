//! Bodies of messages written by hand, by the description of the protocol.

use super::*;

fn digest(names: &[&[u8]]) -> u32 {
    let mut all = Names::default();
    names.iter().for_each(|name| all.take(Hash::of(name)));
    all.digest()
}

/// A Bind of the nameless portal and statement.
fn bind(formats: &[u16], values: &[Option<&[u8]>]) -> Vec<u8> {
    let mut body = vec![0, 0];
    body.extend((formats.len() as u16).to_be_bytes());
    formats
        .iter()
        .for_each(|one| body.extend(one.to_be_bytes()));
    body.extend((values.len() as u16).to_be_bytes());
    for value in values {
        body.extend(value.map_or(u32::MAX, |it| it.len() as u32).to_be_bytes());
        body.extend(value.unwrap_or_default());
    }
    body.extend([0, 1, 0, 1]); // results in binary
    body
}

fn array_of(kind: u32, elements: &[Option<&[u8]>]) -> Vec<u8> {
    let mut value = Vec::new();
    for word in [1, 0, kind, elements.len() as u32, 1] {
        value.extend(word.to_be_bytes());
    }
    for element in elements {
        value.extend(element.map_or(u32::MAX, |it| it.len() as u32).to_be_bytes());
        value.extend(element.unwrap_or_default());
    }
    value
}

fn bound_to(formats: &[u16], values: &[Option<&[u8]>]) -> (u32, u32) {
    let asked = asked_by_bind(&bind(formats, values));
    (asked.items, asked.names)
}

const TEXT: u32 = 25;
const INT4: u32 = 23;
const INT8: u32 = 20;

#[test]
fn arrays_of_texts_are_names_in_either_format() {
    let binary = array_of(TEXT, &[Some(b"k1"), None, Some(b"k\"2"), Some(b"null")]);
    let written = br#"{k1,NULL,"k\"2","null"}"#;
    let expected = (3, digest(&[b"k1", b"k\"2", b"null"]));
    assert_eq!(bound_to(&[1], &[Some(&binary)]), expected);
    assert_eq!(bound_to(&[0], &[Some(written)]), expected);
    assert_eq!(bound_to(&[], &[Some(written)]), expected);
    assert_eq!(bound_to(&[1, 0], &[Some(&binary), Some(b"k1")]).0, 4);
}

#[test]
fn numbers_are_names_as_they_are_written() {
    let four = array_of(
        INT4,
        &[Some(&17_i32.to_be_bytes()), Some(&(-4_i32).to_be_bytes())],
    );
    let eight = array_of(
        INT8,
        &[Some(&17_i64.to_be_bytes()), Some(&(-4_i64).to_be_bytes())],
    );
    let expected = (2, digest(&[b"17", b"-4"]));
    assert_eq!(bound_to(&[1], &[Some(&four)]), expected);
    assert_eq!(bound_to(&[1], &[Some(&eight)]), expected);
    assert_eq!(bound_to(&[0], &[Some(b"{ 17 , -4}")]), expected);
    assert_eq!(bound_to(&[0], &[Some(b"17"), None, Some(b"-4")]), expected);
}

#[test]
fn a_scalar_in_binary_is_counted_and_not_named() {
    let one = array_of(TEXT, &[Some(b"k1")]);
    assert_eq!(
        bound_to(&[1], &[Some(&one), Some(&7_i64.to_be_bytes())]),
        (2, 0)
    );
    let empty: Vec<u8> = [0, 0, TEXT]
        .iter()
        .flat_map(|one| one.to_be_bytes())
        .collect();
    assert_eq!(bound_to(&[1], &[Some(&empty)]), (0, 0));
}

#[test]
fn a_bind_that_is_not_whole_says_nothing() {
    let array = array_of(TEXT, &[Some(b"k1"), Some(b"k2")]);
    let body = bind(&[1], &[Some(&array)]);
    assert_eq!(asked_by_bind(&body).items, 2);
    let unknown = AskedNames {
        items: UNKNOWN,
        names: 0,
    };
    // The formats of results at its end are not looked at.
    for end in 0..body.len() - 4 {
        assert_eq!(asked_by_bind(&body[..end]), unknown, "{end} bytes");
    }
}

#[test]
fn sizes_that_no_array_has_end_where_its_bytes_do() {
    let mut value = Vec::new();
    for word in [2, 0, TEXT, u32::MAX, 1, u32::MAX, 1, 2] {
        value.extend(word.to_be_bytes());
    }
    assert_eq!(bound_to(&[1], &[Some(&value)]), (1, 0));
}

#[test]
fn constants_of_a_query_are_names() {
    let asked = |text: &str| {
        let asked = asked_by_query(text.as_bytes());
        (asked.items, asked.names)
    };
    let two = (2, digest(&[b"k1", b"k'2"]));
    let columns = "SELECT key, c0, \"7\" FROM wirelab.set_1 WHERE key";
    assert_eq!(asked(&format!("{columns} IN ('k1', 'k''2')\0")), two);
    assert_eq!(asked(&format!("{columns} = ANY('{{k1,k''2}}')")), two);
    assert_eq!(asked(&format!("{columns} = $1")), (0, 0));
    assert_eq!(asked("SELECT 17, 4.5"), (2, digest(&[b"17", b"4.5"])));
    assert_eq!(asked("SELECT 'k1' LIMIT 1"), (2, 0));
    assert_eq!(asked("SELECT 'cut of"), (1, digest(&[b"cut of"])));
}
