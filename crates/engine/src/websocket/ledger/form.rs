//! Form in which a message is written: one of those in which JSON can say the same.
//!
//! A server that looks for a board at a fixed place, or between two words, finds it in few of them.

/// The form of one message.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Number of the field that comes first; the others follow in order.
    first: usize,
    after_colon: &'static str,
    after_comma: &'static str,
    /// The field whose text has its first letter as an escape.
    escaped: Option<&'static str>,
}

impl Form {
    /// By a drawn number: `n mod 8` is the field that comes first, counted round where there are
    /// fewer; `n div 8 mod 2` and `n div 16
    /// mod 4` are what comes after a colon and after a comma; `n div 64 mod 4` what is escaped.
    pub fn of(drawn: u32) -> Self {
        let [first, colon, comma, escaped] =
            [(0, 8), (3, 2), (4, 4), (6, 4)].map(|(bits, of)| (drawn >> bits) as usize % of);
        Self {
            first,
            after_colon: ["", " "][colon],
            after_comma: ["", " ", "\n", "\t"][comma],
            escaped: [None, Some("type"), Some("board"), Some("color")][escaped],
        }
    }

    /// `value` as a string of JSON, as the field of this name has it.
    pub fn quoted(self, name: &str, value: &str) -> String {
        let mut letters = value.chars();
        match letters.next() {
            Some(first) if self.escaped == Some(name) => {
                format!("\"\\u{:04x}{}\"", u32::from(first), letters.as_str())
            }
            _ => format!("\"{value}\""),
        }
    }
}

/// Writes an object of these fields and an empty `pad`, and returns where that is to be filled.
pub fn write_fields(text: &mut String, form: Form, fields: &[(&str, String)]) -> usize {
    let mut pad_at = 0;
    let count = fields.len() + 1;
    for nth in 0..count {
        text.push_str(if nth == 0 { "{" } else { "," });
        if nth > 0 {
            text.push_str(form.after_comma);
        }
        let field = fields.get((form.first + nth) % count);
        let (name, value) = field.map_or(("pad", "\"\""), |(name, value)| (*name, value));
        for part in ["\"", name, "\":", form.after_colon, value] {
            text.push_str(part);
        }
        if field.is_none() {
            pad_at = text.len() - 1;
        }
    }
    text.push('}');
    pad_at
}
