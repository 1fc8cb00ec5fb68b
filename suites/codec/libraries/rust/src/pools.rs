//! The instances of each shape, from the suite's folder.

use std::error::Error;
use std::path::{Path, PathBuf};

use serde::{Deserialize, de::DeserializeOwned};

use crate::natives::Shape;

/// The suite's folder.
///
/// # Errors
/// When `CODEC_SUITE` does not say where it is.
pub(crate) fn suite() -> Result<PathBuf, Box<dyn Error>> {
    let folder = std::env::var_os("CODEC_SUITE").ok_or("CODEC_SUITE is not set")?;
    Ok(PathBuf::from(folder))
}

/// The instances of a shape.
pub(crate) struct Pool<S> {
    pub(crate) values: Vec<S>,
    /// The same values but for one field each.
    pub(crate) twins: Vec<S>,
}

#[derive(Deserialize)]
#[serde(bound = "S: DeserializeOwned")]
struct Instances<S> {
    pool: Vec<S>,
}

/// The pool of a shape.
///
/// # Errors
/// When its files cannot be read.
pub(crate) fn load<S: Shape>() -> Result<Pool<S>, Box<dyn Error>> {
    let shapes = suite()?.join("shapes");
    Ok(Pool { values: instances(&shapes)?, twins: instances(&shapes.join("twins"))? })
}

fn instances<S: Shape>(folder: &Path) -> Result<Vec<S>, Box<dyn Error>> {
    let path = folder.join(format!("{}.json", S::STEP));
    let said = |error: &dyn Error| format!("{}: {error}", path.display());
    let text = std::fs::read(&path).map_err(|error| said(&error))?;
    let file: Instances<S> = serde_json::from_slice(&text).map_err(|error| said(&error))?;
    if file.pool.is_empty() {
        return Err(format!("{}: no instance", path.display()).into());
    }
    Ok(file.pool)
}
