//! Absolute times of ticks, lanes and joins.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// Part of a cycle by which each further lane is shifted, in billionths: the golden ratio.
const GOLDEN: u64 = 618_033_989;
const WHOLE: u64 = 1_000_000_000;

/// Event that the next operation of a lane waits for.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Loop {
    /// Its tick alone.
    #[default]
    Open,
    /// Its tick, and the end of the one before.
    Paced,
    /// The end of the one before alone.
    Closed,
}

/// Times at which operations are due, relative to the start.
#[derive(Clone, Debug, Deserialize)]
pub struct Schedule {
    /// Event that lanes wait for.
    #[serde(default, rename = "loop")]
    pub kind: Loop,
    /// From the start to tick 0, in nanoseconds.
    pub first_ns: u64,
    /// From tick to tick, in nanoseconds.
    pub period_ns: u64,
    /// Number of ticks; 0 for a server, which serves until `stop`.
    pub count: u64,
    /// First ticks that the core leaves out.
    #[serde(default)]
    pub warmup: u64,
    /// Ticks of a cycle in which each lane is due for a part only.
    #[serde(default)]
    pub cycle: Cycle,
    /// Steps of a load that changes; none: one lane.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// Cycle of `length` ticks, in which a lane is due at `active` in a row.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub struct Cycle {
    /// Ticks of a cycle.
    pub length: u64,
    /// Ticks of it at which a lane is due.
    pub active: u64,
}

impl Default for Cycle {
    fn default() -> Self {
        Self {
            length: 1,
            active: 1,
        }
    }
}

/// A part of the schedule with one load.
#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    /// Its name in the suite.
    pub name: String,
    /// Its first tick.
    pub first: u64,
    /// Number of its ticks.
    pub count: u64,
    /// Ticks after which the lanes that it adds are due.
    #[serde(default)]
    pub settle: u64,
    /// Users connected.
    pub users: u64,
    /// Users that send.
    pub lanes: u64,
    /// Time within which the users it adds connect, in nanoseconds.
    #[serde(default)]
    pub join_ns: u64,
    /// Time that the step of a ramp takes, in nanoseconds; the engine alone is asked for one.
    #[serde(default)]
    pub ramp_ns: u64,
    /// Parameters of this step, before those of the spec.
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
}

impl Step {
    /// The only step of a schedule that has none: one lane, for all of its ticks.
    #[must_use]
    pub fn whole(schedule: &Schedule) -> Self {
        Self {
            name: String::new(),
            first: 0,
            count: schedule.count,
            settle: 0,
            users: 1,
            lanes: 1,
            join_ns: 0,
            ramp_ns: 0,
            parameters: BTreeMap::new(),
        }
    }
}

/// The place of a lane in every period and in the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Its number, which is its user's.
    pub number: u64,
    /// Nanoseconds after each tick.
    pub phase_ns: u64,
    /// Whole ticks by which its cycle is shifted.
    pub ticks: u64,
}

/// A user that a step adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Join {
    /// The user.
    pub user: u64,
    /// Time at which it is to connect, in nanoseconds after the start.
    pub offset_ns: u64,
}

impl Schedule {
    /// Checks the numbers.
    ///
    /// # Errors
    /// Says which rule of the contract is broken.
    pub fn check(&self) -> Result<(), String> {
        let Cycle { length, active } = self.cycle;
        if self.period_ns == 0 && self.count > 0 {
            return Err("schedule.period_ns must not be 0".into());
        }
        if length == 0 || active > length {
            return Err(format!(
                "schedule.cycle: {active} of {length} ticks cannot be active"
            ));
        }
        let mut next = 0;
        for step in &self.steps {
            if step.first != next {
                return Err(format!(
                    "step {} begins at {}, not {next}",
                    step.name, step.first
                ));
            }
            if step.lanes > step.users {
                return Err(format!("step {} has more lanes than users", step.name));
            }
            next = step.first.saturating_add(step.count);
        }
        Ok(())
    }

    /// Tells whether lanes wait for their results. Batches, whose loop is closed too, have no
    /// lanes.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.kind == Loop::Closed && !self.steps.is_empty()
    }

    /// Tells whether the steps of its closed loop take times, in which lanes come and go one by
    /// one.
    #[must_use]
    pub fn is_ramp(&self) -> bool {
        self.is_closed() && self.steps.iter().all(|step| step.ramp_ns > 0)
    }

    /// The place of lane `number`.
    #[must_use]
    pub fn lane(&self, number: u64) -> Lane {
        let part = u128::from(number) * u128::from(GOLDEN) % u128::from(WHOLE);
        let cycle = u128::from(self.cycle.length) * u128::from(self.period_ns);
        // Below one cycle, which is a time of this schedule and fits.
        let shift = u64::try_from(part * cycle / u128::from(WHOLE)).unwrap_or(u64::MAX);
        let period = self.period_ns.max(1);
        Lane {
            number,
            phase_ns: shift % period,
            ticks: shift / period,
        }
    }

    /// The step that `tick` belongs to, and the one before it.
    #[must_use]
    pub fn step_at(&self, tick: u64) -> Option<(Option<&Step>, &Step)> {
        let at = self
            .steps
            .iter()
            .position(|s| s.first <= tick && tick - s.first < s.count)?;
        Some((
            at.checked_sub(1).map(|before| &self.steps[before]),
            &self.steps[at],
        ))
    }

    /// Tells whether `lane` is due at `tick`.
    #[must_use]
    pub fn is_due(&self, lane: Lane, tick: u64) -> bool {
        if tick >= self.count || !self.has_lane(lane.number, tick) {
            return false;
        }
        let Cycle { length, active } = self.cycle;
        // The lane's shift is below one cycle: adding a cycle keeps the difference positive.
        (tick + length - lane.ticks) % length < active
    }

    /// Tells whether the step of `tick` has the lane, and it has settled.
    fn has_lane(&self, lane: u64, tick: u64) -> bool {
        if self.steps.is_empty() {
            return lane == 0;
        }
        self.step_at(tick).is_some_and(|(before, step)| {
            let known = before.map_or(0, |before| before.lanes);
            lane < step.lanes && (lane < known || tick >= step.first + step.settle)
        })
    }

    /// Time at which `lane` is due at `tick`, in nanoseconds after the start.
    #[must_use]
    pub fn offset_ns(&self, lane: Lane, tick: u64) -> u64 {
        self.first_ns + tick * self.period_ns + lane.phase_ns
    }

    /// Longest time that `ticks` of a closed loop may take, in nanoseconds; as long as 64 bits can
    /// say where that is longer.
    #[must_use]
    pub fn at_most_ns(&self, ticks: u64, operation_ns: u64) -> u64 {
        ticks
            .saturating_mul(self.period_ns)
            .saturating_add(operation_ns)
    }

    /// Number of lanes that are due at any time.
    #[must_use]
    pub fn lanes(&self) -> u64 {
        self.steps.iter().map(|step| step.lanes).max().unwrap_or(1)
    }

    /// Lanes of the step that `tick` belongs to.
    #[must_use]
    pub fn lanes_at(&self, tick: u64) -> u64 {
        self.step_at(tick).map_or(1, |(_, step)| step.lanes)
    }

    /// Number of users that the steps connect; none without steps.
    #[must_use]
    pub fn users(&self) -> Option<u64> {
        self.steps.iter().map(|step| step.users).max()
    }

    /// Every user that a step adds, in the order in which they connect.
    #[must_use]
    pub fn joins(&self) -> Vec<Join> {
        let mut joins = Vec::new();
        let mut known = 0;
        for step in &self.steps {
            let added = step.users.saturating_sub(known);
            let begin = self.first_ns + step.first * self.period_ns;
            for k in 0..added {
                let spread = u128::from(k) * u128::from(step.join_ns) / u128::from(added);
                let offset_ns = begin + u64::try_from(spread).unwrap_or(u64::MAX);
                joins.push(Join {
                    user: known + k,
                    offset_ns,
                });
            }
            known = known.max(step.users);
        }
        joins
    }
}
