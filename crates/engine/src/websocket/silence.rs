//! Users who fall silent, and the time at which they do.

use wirelab_sdk::schedule::Schedule;

/// The last users of all, from a time of the schedule on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Silence {
    /// Number of the first of them.
    first: u32,
    /// Number of users.
    users: u32,
    /// Time at which they fall silent, in nanoseconds after the start.
    pub offset_ns: u64,
}

impl Silence {
    /// The last `silent` of `users` users, once the last step has settled; in words why they cannot
    /// be.
    pub fn of(silent: u32, users: u32, schedule: &Schedule) -> Result<Self, String> {
        let quiet = u64::from(users).saturating_sub(schedule.lanes());
        if u64::from(silent) > quiet {
            return Err(format!(
                "silent_users {silent}: of {users} users only {quiet} never send"
            ));
        }
        let settled = schedule
            .steps
            .last()
            .map_or(schedule.warmup, |step| step.first + step.settle);
        Ok(Self {
            first: users - silent,
            users,
            offset_ns: schedule.first_ns + settled * schedule.period_ns,
        })
    }

    /// Tells whether user `number` is one of them.
    pub fn is_of(&self, number: u32) -> bool {
        (self.first..self.users).contains(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::Silence;
    use serde_json::json;
    use wirelab_sdk::schedule::Schedule;

    fn schedule(lanes: u64) -> Schedule {
        serde_json::from_value(json!({
            "first_ns": 7, "period_ns": 10, "count": 200,
            "steps": [{ "name": "all", "first": 100, "count": 100, "settle": 20, "users": 10, "lanes": lanes }],
        }))
        .expect("a schedule")
    }

    #[test]
    fn the_last_users_fall_silent_when_the_last_step_has_settled() {
        let silence = Silence::of(2, 10, &schedule(8)).expect("two who never send");
        let who: Vec<_> = (0..12).filter(|number| silence.is_of(*number)).collect();
        assert_eq!(who, [8, 9]);
        assert_eq!(silence.offset_ns, 7 + 120 * 10);
    }

    #[test]
    fn nobody_is_silent_unless_asked_for_and_nobody_who_sends() {
        let none = Silence::of(0, 10, &schedule(10)).expect("nobody");
        assert!((0..12).all(|number| !none.is_of(number)));
        let said = Silence::of(3, 10, &schedule(8)).expect_err("one too many");
        assert!(said.contains("only 2 never send"), "{said}");
    }
}
