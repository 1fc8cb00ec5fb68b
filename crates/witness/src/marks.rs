//! Marks of a suite's own messages: two whole numbers of an object of JSON, whatever lies around it
//! and in whatever order its fields are.

use std::array;

use crate::names::{Hash, Names};

/// Sender of a message, and its number among theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The digest of the first number as it is written.
    pub who: u32,
    pub which: u64,
}

/// Finds marks in texts that come byte by byte.
#[derive(Clone)]
pub struct Marks {
    fields: [Vec<u8>; 2],
    at: MarkPart,
    values: [Option<Value>; 2],
    found: Vec<Mark>,
}

#[derive(Clone, Copy)]
enum MarkPart {
    Outside,
    /// In a string of so many bytes, which may still be one of the fields.
    Text {
        may_be: [bool; 2],
        length: usize,
        escaped: bool,
    },
    /// Behind a field's name.
    Named(usize),
    /// Before its value.
    Valued(usize),
    Digits(usize),
}

#[derive(Clone, Copy)]
struct Value {
    written: Hash,
    number: u64,
}

impl Marks {
    /// Marks of messages that have fields of these names.
    pub fn of(fields: [&str; 2]) -> Self {
        Self {
            fields: fields.map(|one| one.as_bytes().to_vec()),
            at: MarkPart::Outside,
            values: [None; 2],
            found: Vec::new(),
        }
    }

    /// Takes the next byte in.
    pub fn take(&mut self, byte: u8) {
        self.at = match self.at {
            MarkPart::Text {
                may_be,
                length,
                escaped: false,
            } => self.in_text(byte, may_be, length),
            MarkPart::Text { length, .. } => MarkPart::Text {
                may_be: [false; 2],
                length,
                escaped: false,
            },
            MarkPart::Named(field) if byte.is_ascii_whitespace() => MarkPart::Named(field),
            MarkPart::Named(field) if byte == b':' => MarkPart::Valued(field),
            MarkPart::Valued(field) if byte.is_ascii_whitespace() => MarkPart::Valued(field),
            MarkPart::Valued(field) if byte.is_ascii_digit() => {
                self.values[field] = None;
                self.add(field, byte)
            }
            MarkPart::Digits(field) if byte.is_ascii_digit() => self.add(field, byte),
            _ => self.outside(byte),
        };
    }

    /// The marks of the text that has ended.
    pub fn ended(&mut self) -> Vec<Mark> {
        self.outside(b' ');
        self.values = [None; 2];
        self.at = MarkPart::Outside;
        std::mem::take(&mut self.found)
    }

    fn in_text(&self, byte: u8, may_be: [bool; 2], length: usize) -> MarkPart {
        match byte {
            b'"' => (0..may_be.len())
                .find(|field| may_be[*field] && length == self.fields[*field].len())
                .map_or(MarkPart::Outside, MarkPart::Named),
            b'\\' => MarkPart::Text {
                may_be: [false; 2],
                length,
                escaped: true,
            },
            byte => MarkPart::Text {
                may_be: array::from_fn(|field| {
                    may_be[field] && self.fields[field].get(length) == Some(&byte)
                }),
                length: length + 1,
                escaped: false,
            },
        }
    }

    fn add(&mut self, field: usize, digit: u8) -> MarkPart {
        let value = self.values[field].get_or_insert(Value {
            written: Hash::EMPTY,
            number: 0,
        });
        value.written.take(digit);
        value.number = value
            .number
            .wrapping_mul(10)
            .wrapping_add(u64::from(digit - b'0'));
        MarkPart::Digits(field)
    }

    /// Takes in a byte that is in no string and of no value.
    fn outside(&mut self, byte: u8) -> MarkPart {
        if let [Some(who), Some(which)] = self.values {
            let mut names = Names::default();
            names.take(who.written);
            self.found.push(Mark {
                who: names.digest(),
                which: which.number,
            });
            self.values = [None; 2];
        }
        match byte {
            b'"' => {
                return MarkPart::Text {
                    may_be: [true; 2],
                    length: 0,
                    escaped: false,
                };
            }
            // Numbers of two objects are no mark.
            b'{' | b'}' => self.values = [None; 2],
            _ => {}
        }
        MarkPart::Outside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Mark> {
        let mut marks = Marks::of(["user", "seq"]);
        text.bytes().for_each(|byte| marks.take(byte));
        marks.ended()
    }

    fn mark(who: &str, which: u64) -> Mark {
        let mut names = Names::default();
        names.take(Hash::of(who.as_bytes()));
        Mark {
            who: names.digest(),
            which,
        }
    }

    #[test]
    fn a_mark_is_found_in_any_order_and_spacing() {
        let expected = [mark("12", 345)];
        for text in [
            r#"{"type":"draw","board":"b1","user":12,"seq":345,"points":[[1,2]]}"#,
            r#"{ "seq" : 345 , "pad" : "user\"", "user" : 12 }"#,
            r#"42["draw",{"user":12,"seq":345}]"#,
            "MESSAGE\nuser:7\n\n{\"seq\":345,\n\"user\":12}\0",
            r#"{"user":9,"user":12,"seq":345"#,
            r#""user":12,"seq":345"#,
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn several_objects_have_a_mark_each() {
        let text = "{\"user\":1,\"seq\":2}\u{1e}{\"seq\":4,\"user\":3}\u{1e}{\"a\":[{\"user\":5,\"seq\":6}]}";
        assert_eq!(found(text), [mark("1", 2), mark("3", 4), mark("5", 6)]);
    }

    #[test]
    fn numbers_of_two_objects_are_none() {
        for text in [
            r#"{"type":"join","user":1}{"seq":2}"#,
            r#"{"user":"12","seq":345}"#,
            r#"{"user":-1,"seq":345}"#,
            r#"{"users":1,"seq":345}"#,
            r#"{"use":1,"seq":345}"#,
            r#"{"text":"\"user\":1","seq":345}"#,
            r#"["user",1,"seq",345]"#,
            "",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn a_text_leaves_nothing_to_the_next_one() {
        let mut marks = Marks::of(["user", "seq"]);
        br#"{"user":1"#.iter().for_each(|byte| marks.take(*byte));
        assert_eq!(marks.ended(), []);
        br#","seq":2}"#.iter().for_each(|byte| marks.take(*byte));
        assert_eq!(marks.ended(), []);
    }
}
