//! Texts with names between braces, which parameters and the request's number stand for.

use std::collections::BTreeMap;

use serde_json::Value;

/// The name that is the request's number.
const NUMBER: &str = "request";

/// A text in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Number,
}

impl Template {
    /// Reads `text`, with the values of `parameters` in it. A brace that no name and closing brace
    /// follow is itself, so that JSON can be written as it is. Says which name is unknown.
    pub fn of(text: &str, parameters: &BTreeMap<String, Value>) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            literal.push_str(&rest[..at]);
            rest = &rest[at..];
            let Some(name) = name_between_braces(rest) else {
                literal.push('{');
                rest = &rest[1..];
                continue;
            };
            rest = &rest[name.len() + 2..];
            match parameters.get(name) {
                _ if name == NUMBER => {
                    parts.push(Part::Text(std::mem::take(&mut literal)));
                    parts.push(Part::Number);
                }
                Some(Value::String(value)) => literal.push_str(value),
                Some(value) => literal.push_str(&value.to_string()),
                None => {
                    return Err(format!(
                        "`{text}` fills in {{{name}}}, which is no parameter"
                    ));
                }
            }
        }
        literal.push_str(rest);
        parts.push(Part::Text(literal));
        Ok(Self(parts))
    }

    /// Tells whether requests of different numbers are different.
    pub fn has_number(&self) -> bool {
        self.0.contains(&Part::Number)
    }

    /// The text of request `number`.
    pub fn text(&self, number: u64) -> String {
        self.0
            .iter()
            .map(|part| match part {
                Part::Text(text) => text.clone(),
                Part::Number => number.to_string(),
            })
            .collect()
    }
}

/// The name in a text that begins with a brace, if there is one.
fn name_between_braces(text: &str) -> Option<&str> {
    let name = &text[1..1 + text[1..].find('}')?];
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::Template;
    use serde_json::json;

    fn text(template: &str) -> Result<String, String> {
        let parameters = json!({ "mode": "gather", "keys": 200, "on": true });
        let parameters = serde_json::from_value(parameters).expect("parameters");
        Template::of(template, &parameters).map(|template| template.text(17))
    }

    #[test]
    fn names_stand_for_values() {
        let path = text("/predict?mode={mode}&request={request}&keys={keys}{on}");
        assert_eq!(
            path.as_deref(),
            Ok("/predict?mode=gather&request=17&keys=200true")
        );
        assert!(text("/{unknown}").is_err_and(|text| text.contains("{unknown}")));
    }

    #[test]
    fn other_braces_are_themselves() {
        let body = text(r#"{"number": {request}, "rows": [{}, {"a": "}"}]} {"#);
        let expected = r#"{"number": 17, "rows": [{}, {"a": "}"}]} {"#;
        assert_eq!(body.as_deref(), Ok(expected));
    }
}
