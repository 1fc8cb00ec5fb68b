//! The library that is measured.

/// The library measured, and what it writes.
#[derive(Clone, Copy, Debug)]
pub struct Library<'a> {
    /// Name as its makers write it.
    pub name: &'a str,
    /// Version as the lock file has it.
    pub version: &'a str,
    /// A format of the suite's, or a private one named after the library.
    pub format: &'a str,
}

impl<'a> Library<'a> {
    /// A crate, in the version that the contender's `Cargo.lock` has.
    #[must_use]
    pub fn locked(lock: &'a str, name: &'a str, format: &'a str) -> Self {
        let entry = format!("name = \"{name}\"\nversion = \"");
        let version = lock
            .split_once(&entry)
            .and_then(|(_, rest)| rest.split_once('"'))
            .map_or("", |(version, _)| version);
        Self { name, version, format }
    }
}

#[cfg(test)]
mod tests {
    use super::Library;

    #[test]
    fn the_version_is_that_of_the_lock_file() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.2\"\n\n[[package]]\nname = \"ab\"\nversion = \"3.4\"\n";
        assert_eq!(Library::locked(lock, "ab", "x").version, "3.4");
        assert_eq!(Library::locked(lock, "b", "x").version, "");
    }
}
