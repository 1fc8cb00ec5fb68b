//! Room for as many connections as there are users, said before anything is connected.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit of open files to the hard one; in words what is missing when that is below
/// `needed`.
pub fn raise(needed: u64) -> Result<(), String> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // None is no limit.
    let enough = |limit: Option<u64>| limit.is_none_or(|limit| limit >= needed);
    if current != maximum {
        let raised = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: maximum,
                maximum,
            },
        );
        if raised.is_err() && enough(current) {
            return Ok(());
        }
    }
    if enough(maximum) {
        return Ok(());
    }
    let limit = maximum.unwrap_or(u64::MAX);
    Err(format!(
        "at most {limit} files can be open (hard limit), {needed} are needed: \
         run `ulimit -n {needed}` first, or ask for fewer users"
    ))
}

#[cfg(test)]
mod tests {
    use super::raise;

    #[test]
    fn what_is_missing_is_said_with_the_remedy() {
        assert_eq!(raise(8), Ok(()));
        let text = raise(u64::MAX - 1).expect_err("no process may open so many");
        assert!(
            text.contains(&format!("ulimit -n {}", u64::MAX - 1)),
            "{text}"
        );
    }
}
