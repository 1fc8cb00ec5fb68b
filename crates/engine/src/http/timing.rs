//! `Server-Timing`: what a server says of the spans of a request (W3C).

/// Calls `found` with the name and the duration in nanoseconds of each metric that has one.
///
/// Metrics are separated by commas, their parameters by semicolons; a quoted value, as of `desc`,
/// may hold both. A duration that is no number from 0 is passed over.
pub fn durations(value: &[u8], mut found: impl FnMut(&[u8], u64)) {
    let mut rest = value;
    while !rest.is_empty() {
        let metric = until(&mut rest, b',');
        let mut parameters = metric;
        let name = until(&mut parameters, b';').trim_ascii();
        while !parameters.is_empty() {
            let parameter = until(&mut parameters, b';');
            let Some(equals) = memchr::memchr(b'=', parameter) else {
                continue;
            };
            let (key, value) = (&parameter[..equals], &parameter[equals + 1..]);
            if key.trim_ascii().eq_ignore_ascii_case(b"dur") {
                if let Some(ns) = nanoseconds(value.trim_ascii()) {
                    found(name, ns);
                }
                // The first of a kind counts, by the standard.
                break;
            }
        }
    }
}

/// Cuts off what comes before `separator` outside of quotes, and the separator.
fn until<'a>(rest: &mut &'a [u8], separator: u8) -> &'a [u8] {
    let (mut quoted, mut escaped) = (false, false);
    let end = rest.iter().position(|byte| {
        if std::mem::take(&mut escaped) {
            return false;
        }
        match byte {
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            byte => return *byte == separator && !quoted,
        }
        false
    });
    let (part, after) = end.map_or((*rest, &[][..]), |end| (&rest[..end], &rest[end + 1..]));
    *rest = after;
    part
}

/// Milliseconds, as a number in quotes or not, in nanoseconds.
fn nanoseconds(value: &[u8]) -> Option<u64> {
    let plain = value
        .strip_prefix(b"\"")
        .and_then(|value| value.strip_suffix(b"\""))
        .unwrap_or(value);
    let milliseconds: f64 = std::str::from_utf8(plain).ok()?.parse().ok()?;
    let known = milliseconds.is_finite() && milliseconds >= 0.0;
    // A longer one saturates, and the histogram's bound is lower still.
    known.then_some((milliseconds * 1e6).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::durations;
    use proptest::prelude::*;

    fn read(value: &str) -> Vec<(String, u64)> {
        let mut found = Vec::new();
        durations(value.as_bytes(), |name, ns| {
            found.push((String::from_utf8_lossy(name).into_owned(), ns));
        });
        found
    }

    fn pairs(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
        expected
            .iter()
            .map(|(name, ns)| ((*name).to_owned(), *ns))
            .collect()
    }

    #[test]
    fn durations_by_name() {
        assert_eq!(
            read(
                "keys;dur=0.25, hop-out;dur=4.6,client;dur=61;desc=\"a, b; dur=7\" , x_y ; dur=\"2\""
            ),
            pairs(&[
                ("keys", 250_000),
                ("hop-out", 4_600_000),
                ("client", 61_000_000),
                ("x_y", 2_000_000)
            ]),
        );
        assert_eq!(
            read("db;desc=\"\\\"q\\\", r\";DUR=1e1"),
            pairs(&[("db", 10_000_000)])
        );
    }

    #[test]
    fn what_has_no_duration_is_passed_over() {
        for nothing in [
            "",
            "miss",
            "a;dur=",
            "a;dur=-1",
            "a;dur=NaN",
            "a;dur=inf",
            ",,;;",
            "a;desc=\"dur=1",
        ] {
            assert_eq!(read(nothing), [], "{nothing}");
        }
        assert_eq!(
            read("miss, total;dur=3;dur=4"),
            pairs(&[("total", 3_000_000)])
        );
    }

    proptest! {
        #[test]
        fn anything_may_come(value in proptest::collection::vec(any::<u8>(), 0..80)) {
            durations(&value, |_, _| {});
        }
    }
}
