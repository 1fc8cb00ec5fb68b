//! Reading what others wrote, and what nobody should have written.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};
use wirelab_sdk::answers::{Answers, Phase};
use wirelab_sdk::batches::{Input, Task, counted};

use crate::answers::{Asked, Value, called, write};
use crate::natives::Shape;
use crate::pools::suite;
use crate::subject::Subject;

/// Longest truncated encoding that is tried.
const MOST_LENGTHS: usize = 2048;

/// Everything of this scenario that the spec asks for, for one shape.
pub(crate) fn answer<S: Shape, X: Subject<S>>(
    subject: &X,
    format: &str,
    pool: &[S],
    task: &Task,
    file: &mut Answers,
) -> Result<(), Box<dyn Error>> {
    if task.asks_for("read") {
        for input in task.inputs.iter().filter(|input| input.facts["format"] == format) {
            read(subject, input, pool.len(), file)?;
        }
    }
    if task.asks_for("truncate") {
        truncate(subject, &pool[0], file)?;
    }
    if task.asks_for("reject") {
        reject(subject, format, file)?;
    }
    file.flush()?;
    Ok(())
}

/// A line of another contender's answers file.
#[derive(Deserialize)]
struct Written {
    phase: String,
    operation: String,
    step: String,
    tick: u64,
    answer: Option<serde_json::Value>,
}

fn read<S: Shape, X: Subject<S>>(
    subject: &X,
    input: &Input,
    instances: usize,
    file: &mut Answers,
) -> Result<(), Box<dyn Error>> {
    for line in BufReader::new(File::open(&input.answers)?).lines() {
        let written: Written = serde_json::from_str(&line?)?;
        let encoded = written.answer.as_ref().and_then(|answer| answer.get("hex")?.as_str());
        let wanted = written.phase == "preflight"
            && written.operation == "encode"
            && written.step == S::STEP
            && written.tick < instances as u64;
        let (true, Some(encoded)) = (wanted, encoded) else { continue };
        let bytes = subject.hold(&from_hex(encoded)?);
        let mut asked = Asked::new(Phase::Measure, "read", S::STEP, written.tick);
        asked.from = Some(&input.contender);
        write(file, asked, called(|| subject.decode(&bytes)), None, |value| Value { value })?;
    }
    Ok(())
}

/// Length of the encoding, and of the shorter ones that were taken for whole.
#[derive(Serialize)]
struct Truncated {
    length: usize,
    accepted: Vec<usize>,
}

fn truncate<S: Shape, X: Subject<S>>(
    subject: &X,
    value: &S,
    file: &mut Answers,
) -> Result<(), Box<dyn Error>> {
    let tried = called(|| {
        let encoded = subject.encode(value)?;
        let length = encoded.len();
        let decodes = |cut: &usize| {
            let bytes = subject.hold(&encoded[..*cut]);
            called(|| subject.decode(&bytes)).outcome.is_ok()
        };
        let accepted = (0..length.min(MOST_LENGTHS)).filter(decodes).collect();
        Ok(Truncated { length, accepted })
    });
    let asked = Asked::new(Phase::Measure, "truncate", S::STEP, 0);
    write(file, asked, tried, None, |truncated| truncated)?;
    Ok(())
}

/// Bytes that are no encoding of anything.
#[derive(Deserialize)]
struct Vector {
    name: String,
    format: String,
    step: String,
    hex: String,
}

fn reject<S: Shape, X: Subject<S>>(
    subject: &X,
    format: &str,
    file: &mut Answers,
) -> Result<(), Box<dyn Error>> {
    let vectors = negative(&suite()?.join("vectors").join("negative.json"))?;
    for (tick, vector) in (0..).zip(&vectors) {
        if vector.format != format || vector.step != S::STEP {
            continue;
        }
        let bytes = subject.hold(&from_hex(&vector.hex)?);
        let (decoded, allocated) = counted(|| called(|| subject.decode(&bytes)));
        let mut asked = Asked::new(Phase::Measure, "reject", S::STEP, tick);
        asked.vector = Some(&vector.name);
        write(file, asked, decoded, Some(allocated), |value| Value { value })?;
    }
    Ok(())
}

fn negative(path: &Path) -> Result<Vec<Vector>, Box<dyn Error>> {
    let said = |error: &dyn Error| format!("{}: {error}", path.display());
    let text = std::fs::read(path).map_err(|error| said(&error))?;
    Ok(serde_json::from_slice(&text).map_err(|error| said(&error))?)
}

fn from_hex(text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return Err("a negative vector has an odd number of hex digits".into());
    }
    digits
        .chunks_exact(2)
        .map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::from_hex;

    #[test]
    fn hex_is_read_or_refused() {
        assert_eq!(from_hex("00ffA1").unwrap(), [0, 255, 0xA1]);
        assert!(from_hex("0").is_err());
        assert!(from_hex("0g").is_err());
        assert!(from_hex("é").is_err());
    }
}
