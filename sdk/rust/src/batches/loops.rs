//! The loop of an operation, and its batches.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::allocations;
use super::failure::Failure;
use super::file::{Batch, Phase, Timed};
use super::pace::Pace;
use super::task::Plan;
use crate::clock::now_ns;

/// Passes over the inputs in which allocations are counted.
const COUNTED_PASSES: u64 = 4;

/// Repeats one operation. Every call of [`Self::run`] with another closure is a loop of its own
/// for the compiler.
pub struct Loops<'p> {
    plan: &'p Plan,
    stopping: &'p AtomicBool,
}

impl<'p> Loops<'p> {
    /// Loops of a plan, which end early once `stopping` is true.
    #[must_use]
    pub fn new(plan: &'p Plan, stopping: &'p AtomicBool) -> Self {
        Self { plan, stopping }
    }

    /// All batches of an operation whose round r gets input r modulo their number.
    ///
    /// # Errors
    /// What a round failed or panicked with.
    pub fn run<I>(&self, inputs: &[I], mut round: impl FnMut(&I) -> Result<u32, Failure>) -> Timed {
        let mut batches = Vec::new();
        match catch_unwind(AssertUnwindSafe(|| {
            self.repeat(inputs, &mut round, &mut batches)
        })) {
            Ok(Ok(())) => Ok(batches),
            Ok(Err(failure)) => Err(failure.said()),
            Err(payload) => Err(Failure::of_panic(&*payload).said()),
        }
    }

    fn repeat<I>(
        &self,
        inputs: &[I],
        round: &mut impl FnMut(&I) -> Result<u32, Failure>,
        batches: &mut Vec<Batch>,
    ) -> Result<(), Failure> {
        let stopping = || self.stopping.load(Relaxed);
        let pace = Pace {
            plan: self.plan,
            inputs: inputs.len() as u64,
            now: &now_ns,
        };
        pace.keep::<Failure>(&stopping, &mut |phase, rounds| {
            let batch = timed(phase, inputs, rounds, round)?;
            let took_ns = batch.took_ns();
            batches.push(batch);
            Ok(took_ns)
        })?;
        if !stopping() {
            batches.push(allocating(inputs, round)?);
        }
        Ok(())
    }
}

fn timed<I>(
    phase: Phase,
    inputs: &[I],
    rounds: u64,
    round: &mut impl FnMut(&I) -> Result<u32, Failure>,
) -> Result<Batch, Failure> {
    let start_ns = now_ns();
    let checksum = repeated(inputs, rounds, round)?;
    let end_ns = now_ns();
    Ok(Batch {
        phase,
        start_ns,
        end_ns,
        rounds,
        checksum,
        allocated_bytes: None,
    })
}

/// Some passes over the inputs, with what they allocate.
fn allocating<I>(
    inputs: &[I],
    round: &mut impl FnMut(&I) -> Result<u32, Failure>,
) -> Result<Batch, Failure> {
    let rounds = COUNTED_PASSES * inputs.len() as u64;
    let (batch, bytes) = allocations::counted(|| timed(Phase::Allocation, inputs, rounds, round));
    Ok(Batch {
        allocated_bytes: Some(bytes),
        ..batch?
    })
}

/// The loop itself; a function of its own, so that nothing around it changes how it is compiled.
#[inline(never)]
fn repeated<I>(
    inputs: &[I],
    rounds: u64,
    round: &mut impl FnMut(&I) -> Result<u32, Failure>,
) -> Result<u32, Failure> {
    let mut checksum = 0_u32;
    let mut left = rounds;
    loop {
        for input in inputs {
            if left == 0 {
                return Ok(checksum);
            }
            left -= 1;
            checksum = checksum.wrapping_add(round(black_box(input))?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Loops, repeated};
    use crate::batches::{Failure, Phase, Plan};
    use std::sync::atomic::AtomicBool;

    fn plan(rounds: u64) -> Plan {
        let (batch_ns, warmup_ns) = (200_000, 2_000_000);
        Plan {
            steps: vec![],
            rounds,
            batch_ns,
            count: 4,
            warmup_ns,
            agree: 0.02,
        }
    }

    #[test]
    fn rounds_take_the_inputs_in_turn() {
        let mut seen = Vec::new();
        let sum = repeated(&[1, 10, 100], 5, &mut |input| {
            seen.push(*input);
            Ok(*input)
        });
        assert_eq!(seen, [1, 10, 100, 1, 10]);
        assert_eq!(sum.unwrap(), 122);
    }

    #[test]
    fn calibrated_batches_are_as_long_as_asked_for_and_then_counted() {
        let (plan, stopping) = (plan(0), AtomicBool::new(false));
        let batches = Loops::new(&plan, &stopping)
            .run(&[7_u32], |input| Ok(*input))
            .unwrap();
        let of = |phase| batches.iter().filter(move |one| one.phase == phase);
        assert_eq!(batches[0].rounds, 1);
        assert!(of(Phase::Warmup).any(|one| one.took_ns() >= plan.batch_ns));
        assert_eq!(of(Phase::Measure).count(), 4);
        assert_eq!(of(Phase::Allocation).count(), 1);
        for one in &batches {
            assert_eq!(one.checksum, 7_u32.wrapping_mul(one.rounds as u32));
        }
    }

    #[test]
    fn given_rounds_are_kept_and_nothing_is_warmed_up() {
        let (plan, stopping) = (plan(3), AtomicBool::new(false));
        let batches = Loops::new(&plan, &stopping)
            .run(&[1_u32, 2], |input| {
                std::hint::black_box(vec![0_u8; 64]);
                Ok(*input)
            })
            .unwrap();
        let measured: Vec<_> = batches
            .iter()
            .filter(|one| one.phase == Phase::Measure)
            .collect();
        assert_eq!(measured.len(), 4);
        assert!(
            measured
                .iter()
                .all(|one| one.rounds == 3 && one.checksum == 4)
        );
        assert_eq!(batches.len(), 5);
        assert!(batches[4].allocated_bytes.unwrap() >= 8 * 64);
    }

    #[test]
    fn what_fails_or_panics_is_said_once() {
        let (plan, stopping) = (plan(1), AtomicBool::new(false));
        let loops = Loops::new(&plan, &stopping);
        let failed = loops
            .run(&[()], |()| Err(Failure::from(std::fmt::Error)))
            .unwrap_err();
        assert_eq!(failed.class, "core::fmt::Error");
        let panicked = loops.run(&[()], |()| panic!("no")).unwrap_err();
        assert_eq!(
            (panicked.class.as_str(), panicked.message.as_str()),
            ("panic", "no")
        );
    }
}
