//! Data of one version of the record read by code of another: the scenario `evolution`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value as Json;
use wirelab_sdk::answers::{Answers, Phase};
use wirelab_sdk::batches::{Failure, Outcome};

use crate::answers::{Asked, Value, called, write};
use crate::codec::NativeCodec;
use crate::pools::suite;
use crate::versions::{
    Added, Base, Enumeration, Removed, Renamed, Reordered, Required, Retyped, VersionCodecs,
    Widened,
};

/// Answers everything about one change.
pub(crate) fn answer(codec: &dyn VersionCodecs, change: &str, file: &mut Answers) -> Outcome {
    match change {
        "added" => between::<Added, _>(codec, change, file),
        "removed" => between::<Removed, _>(codec, change, file),
        "reordered" => between::<Reordered, _>(codec, change, file),
        "renamed" => between::<Renamed, _>(codec, change, file),
        "widened" => between::<Widened, _>(codec, change, file),
        "retyped" => between::<Retyped, _>(codec, change, file),
        "enumeration" => between::<Enumeration, _>(codec, change, file),
        "required" => between::<Required, _>(codec, change, file),
        _ => Err(format!("no change is called {change}").into()),
    }
}

/// Values that are written in each version.
#[derive(Deserialize)]
#[serde(bound = "N: DeserializeOwned")]
struct Values<N> {
    old: Vec<Base>,
    new: Vec<N>,
}

fn between<N, C>(codec: &C, change: &str, file: &mut Answers) -> Outcome
where
    N: Serialize + DeserializeOwned,
    C: NativeCodec<Base> + NativeCodec<N> + ?Sized,
{
    let path = suite()?.join("vectors").join("evolution.json");
    let mut changes: BTreeMap<String, Json> = serde_json::from_slice(&std::fs::read(path)?)?;
    let values = changes
        .remove(change)
        .ok_or_else(|| format!("evolution.json has no values for {change}"))?;
    let Values { old, new } = serde_json::from_value::<Values<N>>(values)?;
    for (tick, value) in (0..).zip(&old) {
        let read = || NativeCodec::<N>::decode(codec, &codec.encode(value)?);
        say(file, "backward", change, tick, read)?;
    }
    for (tick, value) in (0..).zip(&new) {
        let read = || NativeCodec::<Base>::decode(codec, &codec.encode(value)?);
        say(file, "forward", change, tick, read)?;
        let handed_on = || {
            let between = NativeCodec::<Base>::decode(codec, &codec.encode(value)?)?;
            NativeCodec::<N>::decode(codec, &codec.encode(&between)?)
        };
        say(file, "rewrite", change, tick, handed_on)?;
    }
    file.flush()?;
    Ok(())
}

fn say<T: Serialize>(
    file: &mut Answers,
    operation: &str,
    change: &str,
    tick: u64,
    read: impl FnOnce() -> Result<T, Failure>,
) -> Outcome {
    let asked = Asked::new(Phase::Measure, operation, change, tick);
    write(file, asked, called(read), None, |value| Value { value })?;
    Ok(())
}
