//! Users to whom the messages of a phase are owed.

use wirelab_sdk::schedule::Step;

/// By the number of a sender's message: to how many users, the first ones, it is owed. In an open loop
/// users join while others send: what is sent while a step settles is owed to those of the step
/// before it. Without bounds everything is owed to everybody.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owed {
    /// Numbers from which on so many users are owed a message.
    bounds: Vec<(u64, u64)>,
}

impl Owed {
    /// To users of these steps, at each of whose ticks a sender has so many messages.
    pub(crate) fn within(steps: &[Step], per_tick: u64) -> Self {
        let mut bounds = Vec::with_capacity(2 * steps.len());
        let mut before = 0;
        for step in steps {
            bounds.push((step.first * per_tick, step.users.min(before)));
            bounds.push(((step.first + step.settle) * per_tick, step.users));
            before = step.users;
        }
        Self { bounds }
    }

    /// Number of users to whom this message of a sender is owed.
    pub(crate) fn to(&self, number: u64) -> u64 {
        let is_its = |bound: &&(u64, u64)| bound.0 <= number;
        self.bounds.iter().rev().find(is_its).map_or(u64::MAX, |bound| bound.1)
    }
}

#[cfg(test)]
mod tests {
    use super::Owed;
    use serde_json::json;
    use wirelab_sdk::schedule::Step;

    #[test]
    fn what_is_sent_while_a_step_settles_is_owed_to_those_of_the_step_before() {
        let step = |first: u64, users: u64| -> Step {
            let said = json!({
                "name": "s", "first": first, "count": 10, "settle": 4, "users": users, "lanes": users
            });
            serde_json::from_value(said).expect("a step")
        };
        let owed = Owed::within(&[step(0, 2), step(10, 8)], 3);
        let bounds = [0, 11, 12, 30, 41, 42, 59].map(|number| owed.to(number));
        assert_eq!(bounds, [0, 0, 2, 2, 2, 8, 8]);
        assert_eq!(Owed::default().to(7), u64::MAX);
    }
}
