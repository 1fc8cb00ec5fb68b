//! The interval file: counts and distributions of operations too frequent for a record each.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use serde_json::{Map, Value, json};

const LOWEST_NS: u64 = 1_000;
const HIGHEST_NS: u64 = 120_000_000_000;
const DIGITS: u8 = 3;

/// A distribution of durations in nanoseconds, as the contract bounds it.
#[derive(Clone, Debug)]
pub struct Durations(Histogram<u32>);

impl Default for Durations {
    fn default() -> Self {
        let histogram = Histogram::new_with_bounds(LOWEST_NS, HIGHEST_NS, DIGITS);
        Self(histogram.expect("the bounds are constants that fit"))
    }
}

impl Durations {
    /// Counts one duration; what is out of bounds counts as the nearest bound.
    pub fn add(&mut self, ns: u64) {
        self.0.saturating_record(ns);
    }

    /// Counts a duration so many times.
    pub fn add_times(&mut self, ns: u64, times: u32) {
        self.0.saturating_record_n(ns, times);
    }

    /// Durations that were found, to three digits, and how often each was.
    pub fn recorded(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let found = self.0.iter_recorded();
        found.map(|step| (step.value_iterated_to(), step.count_at_value()))
    }

    /// Number of durations.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// Forgets everything, to be used again.
    pub fn clear(&mut self) {
        self.0.reset();
    }
}

/// One second, or a tenth of it, of one operation.
#[derive(Debug)]
pub struct Interval<'a> {
    /// Seconds after tick 0, by the operations' intended times.
    pub second: u64,
    /// Tenth of the second, from 0; none of a whole one.
    pub tenth: Option<u8>,
    /// Name of the operation.
    pub operation: &'a str,
    /// Name of the step in a closed loop; empty in any other.
    pub step: &'a str,
    /// Exact counts, by name.
    pub counts: &'a [(&'a str, u64)],
    /// From the start of each operation; empty ones are left out.
    pub service: Option<&'a Durations>,
    /// From its intended time.
    pub response: Option<&'a Durations>,
}

/// Writes intervals to a file, which exists from the beginning.
pub struct Intervals {
    file: BufWriter<File>,
    serializer: V2DeflateSerializer,
}

impl Intervals {
    /// Creates the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        Ok(Self {
            file,
            serializer: V2DeflateSerializer::new(),
        })
    }

    /// Adds one line; lines of the same slot and operation add up.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, interval: &Interval<'_>) -> io::Result<()> {
        let counts: Map<String, Value> = interval
            .counts
            .iter()
            .map(|(name, n)| ((*name).to_owned(), (*n).into()))
            .collect();
        let mut line = json!({
            "second": interval.second,
            "operation": interval.operation,
            "counts": counts,
        });
        if let Some(tenth) = interval.tenth {
            line["tenth"] = tenth.into();
        }
        if !interval.step.is_empty() {
            line["step"] = interval.step.into();
        }
        if let Some(service) = interval.service.filter(|found| found.count() > 0) {
            line["service"] = self.encode(service)?.into();
        }
        if let Some(response) = interval.response.filter(|found| found.count() > 0) {
            // What has no intended time of its own is encoded once.
            line["response"] = match interval.service {
                Some(service) if std::ptr::eq(service, response) => line["service"].clone(),
                _ => self.encode(response)?.into(),
            };
        }
        let mut text = line.to_string();
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }

    fn encode(&mut self, durations: &Durations) -> io::Result<String> {
        let mut bytes = Vec::new();
        self.serializer
            .serialize(&durations.0, &mut bytes)
            .map_err(|error| io::Error::other(error.to_string()))?;
        Ok(STANDARD.encode(bytes))
    }

    /// Writes what is kept to the file, for those who read along.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// Completes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{Durations, Interval, Intervals, STANDARD};
    use base64::Engine as _;
    use hdrhistogram::Histogram;
    use hdrhistogram::serialization::Deserializer;
    use serde_json::Value;

    fn written(intervals: &[Interval<'_>]) -> Vec<Value> {
        let name = format!(
            "wirelab-intervals-{}-{}",
            std::process::id(),
            intervals.len()
        );
        let path = std::env::temp_dir().join(name);
        let mut file = Intervals::create(&path).expect("a file");
        for interval in intervals {
            file.write(interval).expect("a line");
        }
        file.finish().expect("complete");
        let text = std::fs::read_to_string(&path).expect("text");
        std::fs::remove_file(&path).expect("removed");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    #[test]
    fn durations_come_back_with_three_digits() {
        let mut service = Durations::default();
        for ns in [1_500, 270_000, 270_000, 5_000_000_000, 500_000_000_000] {
            service.add(ns);
        }
        let counts = [("received", 5), ("expected", 6)];
        let interval = Interval {
            second: 7,
            tenth: Some(4),
            operation: "delivery",
            step: "",
            counts: &counts,
            service: Some(&service),
            response: Some(&Durations::default()),
        };
        let lines = written(&[interval]);
        assert_eq!(lines[0]["second"], 7);
        assert_eq!(lines[0]["tenth"], 4);
        assert_eq!(lines[0]["counts"]["expected"], 6);
        assert!(
            lines[0].get("response").is_none(),
            "an empty one is left out"
        );
        let bytes = STANDARD
            .decode(lines[0]["service"].as_str().expect("text"))
            .expect("base64");
        let back: Histogram<u64> = Deserializer::new()
            .deserialize(&mut bytes.as_slice())
            .expect("a histogram");
        assert_eq!(back.len(), 5);
        assert!((269_000..=271_000).contains(&back.value_at_quantile(0.5)));
        assert!((119_000_000_000..=121_000_000_000).contains(&back.max()));
        assert!(back.min() <= 1_500 && back.min() > 900);
    }

    #[test]
    fn what_was_recorded_makes_the_same_distribution() {
        let mut first = Durations::default();
        for ns in [0, 1_500, 270_000, 270_000, 5_000_000_000, 500_000_000_000] {
            first.add(ns);
        }
        let mut second = Durations::default();
        for (ns, times) in first.recorded() {
            second.add_times(ns, times);
        }
        assert_eq!(second.0, first.0);
        assert_eq!(first.recorded().count(), 5);
    }

    #[test]
    fn counts_stand_alone() {
        let interval = Interval {
            second: 0,
            tenth: None,
            operation: "connect",
            step: "",
            counts: &[("dropped", 1)],
            service: None,
            response: None,
        };
        let other = Interval {
            second: 1,
            step: "users-20",
            ..interval
        };
        let interval = Interval {
            second: 0,
            step: "",
            counts: &[("dropped", 1)],
            ..other
        };
        let lines = written(&[interval, other]);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1]["counts"]["dropped"], 1);
        assert!(lines[0].get("step").is_none() && lines[0].get("tenth").is_none());
        assert_eq!(lines[1]["step"], "users-20");
        assert!(lines[0].get("service").is_none());
    }
}
