//! The requests of a step, as bytes made before anything is timed.

use std::collections::BTreeMap;

use serde_json::Value;
use tungstenite::http::uri::PathAndQuery;
use wirelab_sdk::spec::Spec;

use super::template::Template;

/// Each is kept as bytes.
const MOST_REQUESTS: u64 = 10_000;
const LARGEST_BODY: usize = 1024 * 1024;
/// All bodies of a step together, in bytes.
const LARGEST_BODIES: usize = 256 * 1024 * 1024;

/// The requests of one step.
#[derive(Debug)]
pub struct Requests {
    bytes: Vec<Box<[u8]>>,
    requests: u64,
    /// The response to a HEAD has no body, whatever its head says.
    pub bodiless: bool,
}

impl Requests {
    /// Requests of `spec` to `host` (and port), with the `own` parameters of a step before its
    /// others; says what is wrong with them.
    pub fn of(spec: &Spec, own: &BTreeMap<String, Value>, host: &str) -> Result<Self, String> {
        let mut parameters = spec.parameters.clone();
        parameters.extend(own.clone());
        let text = |name: &str, default: &str| match parameters.get(name) {
            None => Ok(default.to_owned()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => Err(format!("parameter {name} is {other}: expected a text")),
        };
        let requests = match parameters.get("requests") {
            None => 64,
            Some(value) => value
                .as_u64()
                .filter(|count| (1..=MOST_REQUESTS).contains(count))
                .ok_or_else(|| format!("requests is {value}: expected 1 to {MOST_REQUESTS}"))?,
        };
        let method = text("http_method", "GET")?;
        if method.is_empty()
            || method == "CONNECT"
            || !method.bytes().all(|b| b.is_ascii_uppercase())
        {
            return Err(format!(
                "http_method is {method:?}: expected a method in capitals, such as GET"
            ));
        }
        let path = Template::of(&text("http_path", "/")?, &parameters)?;
        let body = match parameters.get("http_body") {
            None => None,
            Some(_) => Some(Template::of(&text("http_body", "")?, &parameters)?),
        };
        let kind = text("http_content_type", "application/json")?;
        if kind.bytes().any(|byte| !(b' '..=b'~').contains(&byte)) {
            return Err(format!(
                "http_content_type is {kind:?}: expected a type, such as application/json"
            ));
        }
        let differ = path.has_number() || body.as_ref().is_some_and(Template::has_number);
        let mut bytes = Vec::new();
        let mut bodies = 0;
        for number in 0..if differ { requests } else { 1 } {
            let path = path.text(number);
            if !path.starts_with('/') || path.parse::<PathAndQuery>().is_err() {
                return Err(format!(
                    "http_path is {path:?}: expected a path that begins with /"
                ));
            }
            let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n").into_bytes();
            if let Some(body) = &body {
                let body = body.text(number);
                bodies += body.len();
                if body.len() > LARGEST_BODY || bodies > LARGEST_BODIES {
                    return Err("http_body is longer than 1 MiB, or 256 MiB in all".into());
                }
                let head = format!(
                    "Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
                    body.len()
                );
                request.extend_from_slice(head.as_bytes());
                request.extend_from_slice(body.as_bytes());
            } else {
                request.extend_from_slice(b"\r\n");
            }
            bytes.push(request.into());
        }
        Ok(Self {
            bytes,
            requests,
            bodiless: method == "HEAD",
        })
    }

    /// The request of a tick and lane.
    pub fn at(&self, tick: u64, lane: u64) -> &[u8] {
        let number = number(tick, lane, self.requests) as usize;
        // One alone where they do not differ.
        &self.bytes[number.min(self.bytes.len() - 1)]
    }
}

/// The number of the request that is due at `tick` on `lane`, below `requests`.
fn number(tick: u64, lane: u64, requests: u64) -> u64 {
    mix(tick << 16 | lane) % requests
}

/// The finaliser of splitmix64.
fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::{mix, number};

    #[test]
    fn numbers_are_those_of_splitmix64() {
        // The first two numbers of the generator whose state begins at 0.
        assert_eq!(mix(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix(0x9E37_79B9_7F4A_7C15), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(number(0, 0, 64), 0xAF % 64);
        assert_eq!(number(3, 2, 1000), mix(3 * 65_536 + 2) % 1000);
    }
}
