//! A second address of a server, beside the one that its spec has.

use std::io;
use std::path::PathBuf;

use wirelab_sdk::spec::Spec;

/// An address that a restarted server takes again, for its clients look for it there.
pub struct SecondAddress {
    /// HOST:PORT to bind; port 0 lets the system choose.
    pub wanted: String,
    remembered: PathBuf,
}

impl SecondAddress {
    /// The address that the server had before it was restarted, or else the system's choice.
    #[must_use]
    pub fn of(spec: &Spec, name: &str) -> Self {
        let remembered = spec.paths.scratch.join(name);
        let (host, port) = spec.listen.split_once(':').unwrap_or((&spec.listen, "0"));
        let kept = std::fs::read_to_string(&remembered).ok().filter(|_| port != "0");
        Self { wanted: kept.unwrap_or_else(|| format!("{host}:0")), remembered }
    }

    /// Keeps the address at which the server listens now.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn taken(&self, address: &str) -> io::Result<()> {
        std::fs::write(&self.remembered, address)
    }
}
