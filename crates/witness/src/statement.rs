//! Names that a statement of PostgreSQL asks for, among its parameters or its constants.

use crate::fields::Fields;
use crate::message::UNKNOWN;
use crate::names::{Hash, Names};

/// Object identifiers of the types whose binary form is a number (`pg_type.dat` of the sources).
const WHOLE_NUMBERS: [u32; 3] = [20, 21, 23];
const MOST_DIMENSIONS: u32 = 6;
const BINARY: u16 = 1;

/// Number of names that are asked for, and their digest; 0: it is not known.
#[derive(Debug, PartialEq, Eq)]
pub struct AskedNames {
    pub items: u32,
    pub names: u32,
}

/// The names that are found.
#[derive(Default)]
struct Found {
    names: Names,
    items: u32,
    /// Something was bound whose bytes do not say what it is.
    is_vague: bool,
}

impl Found {
    fn take(&mut self, name: &[u8]) {
        self.names.take(Hash::of(name));
        self.items = self.items.saturating_add(1);
    }

    fn take_vague(&mut self) {
        self.items = self.items.saturating_add(1);
        self.is_vague = true;
    }

    fn ended(mut self) -> AskedNames {
        let names = self.names.digest();
        AskedNames {
            items: self.items,
            names: if self.is_vague { 0 } else { names },
        }
    }
}

/// The values that a Bind gives to a statement's parameters.
pub fn asked_by_bind(body: &[u8]) -> AskedNames {
    // One that is too long was not kept as a whole.
    let unknown = AskedNames {
        items: UNKNOWN,
        names: 0,
    };
    bound(body).map_or(unknown, Found::ended)
}

fn bound(body: &[u8]) -> Option<Found> {
    let mut fields = Fields(body);
    fields.text()?; // the portal
    fields.text()?; // the statement
    let formats: Vec<u16> = (0..fields.half()?)
        .map(|_| fields.half())
        .collect::<Option<_>>()?;
    let mut found = Found::default();
    for number in 0..usize::from(fields.half()?) {
        // One format stands for all parameters, none for text.
        let format = match formats[..] {
            [] => 0,
            [one] => one,
            _ => *formats.get(number)?,
        };
        match fields.value()? {
            None => {}
            Some(value) if format == BINARY => binary(value, &mut found),
            Some(value) => text(value, &mut found),
        }
    }
    Some(found)
}

/// A parameter in binary: an array says so by its form, and what a scalar is nobody knows.
fn binary(value: &[u8], found: &mut Found) {
    let mut names = Vec::new();
    if array(value, &mut names).is_none() {
        found.take_vague();
        return;
    }
    names.iter().for_each(|name| found.take(name));
}

/// Dimensions, whether there are nulls, the type of elements, size and first index of each
/// dimension, then the elements.
fn array(value: &[u8], names: &mut Vec<Vec<u8>>) -> Option<()> {
    let mut fields = Fields(value);
    let (dimensions, has_nulls, kind) = (fields.word()?, fields.word()?, fields.word()?);
    if dimensions > MOST_DIMENSIONS || has_nulls > 1 {
        return None;
    }
    let mut elements = u64::from(dimensions > 0);
    for _ in 0..dimensions {
        elements = elements.checked_mul(u64::from(fields.word()?))?;
        fields.word()?;
    }
    for _ in 0..elements {
        if let Some(element) = fields.value()? {
            let number = WHOLE_NUMBERS.contains(&kind).then(|| whole(element));
            names.push(number.flatten().unwrap_or_else(|| element.to_vec()));
        }
    }
    fields.0.is_empty().then_some(())
}

/// A whole number as it is written.
fn whole(bytes: &[u8]) -> Option<Vec<u8>> {
    let number = match bytes.len() {
        2 => i64::from(i16::from_be_bytes(bytes.try_into().ok()?)),
        4 => i64::from(i32::from_be_bytes(bytes.try_into().ok()?)),
        8 => i64::from_be_bytes(bytes.try_into().ok()?),
        _ => return None,
    };
    Some(number.to_string().into_bytes())
}

/// A value as it is written: an array between braces, or itself.
fn text(value: &[u8], found: &mut Found) {
    if !(value.starts_with(b"{") && value.ends_with(b"}")) {
        found.take(value);
        return;
    }
    let (mut element, mut quoted, mut was_quoted) = (Vec::new(), false, false);
    let mut bytes = value.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => element.extend(bytes.next()),
            b'"' => (quoted, was_quoted) = (!quoted, true),
            b'{' | b'}' | b',' if !quoted => {
                let is_null = element.eq_ignore_ascii_case(b"null") && !was_quoted;
                if (was_quoted || !element.is_empty()) && !is_null {
                    found.take(if was_quoted {
                        &element
                    } else {
                        element.trim_ascii_end()
                    });
                }
                element.clear();
                was_quoted = false;
            }
            b' ' if !quoted && element.is_empty() => {}
            byte => element.push(byte),
        }
    }
}

/// The constants of a statement's text. Where it has strings and numbers, not all of them need be
/// names, and the digest is not known.
pub fn asked_by_query(body: &[u8]) -> AskedNames {
    let text = body.strip_suffix(b"\0").unwrap_or(body);
    let (mut strings, mut numbers) = (Found::default(), Found::default());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        at += match rest[0] {
            b'\'' => string(rest, &mut strings),
            b'"' => 1 + rest[1..].iter().take_while(|byte| **byte != b'"').count() + 1,
            byte if byte.is_ascii_digit() => {
                let digits = length_of(rest, |byte| byte.is_ascii_digit() || byte == b'.');
                numbers.take(&rest[..digits]);
                digits
            }
            // A name, in which digits are no number.
            byte if is_of_word(byte) => length_of(rest, is_of_word),
            _ => 1,
        };
    }
    strings.is_vague = numbers.items > 0;
    match strings.items {
        0 => numbers.ended(),
        more => AskedNames {
            items: more.saturating_add(numbers.items),
            ..strings.ended()
        },
    }
}

/// Takes the string in with which a text begins; how long it is, with its quotes.
fn string(rest: &[u8], found: &mut Found) -> usize {
    let (mut value, mut at) = (Vec::new(), 1);
    while at < rest.len() {
        match (rest[at], rest.get(at + 1)) {
            (b'\'', Some(b'\'')) => {
                value.push(b'\'');
                at += 1;
            }
            (b'\'', _) => break,
            (byte, _) => value.push(byte),
        }
        at += 1;
    }
    text(&value, found);
    at + 1
}

fn length_of(rest: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    rest.iter().take_while(|byte| is_part(**byte)).count()
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_$".contains(&byte) || !byte.is_ascii()
}

impl<'a> Fields<'a> {
    /// Up to a zero.
    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.0.iter().position(|byte| *byte == 0)?;
        let text = self.bytes(length)?;
        self.bytes(1)?;
        Some(text)
    }

    /// A length and as many bytes; Some(None) for null, whose length is −1.
    fn value(&mut self) -> Option<Option<&'a [u8]>> {
        let length = self.word()?;
        if length == u32::MAX {
            return Some(None);
        }
        self.bytes(length as usize).map(Some)
    }
}

#[cfg(test)]
#[path = "statement_tests.rs"]
mod tests;
