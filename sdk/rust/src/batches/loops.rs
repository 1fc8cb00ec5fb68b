//! The loop of an operation, and its batches.

use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::allocations;
use super::failure::Failure;
use super::file::{Batch, BatchPhase, Timed};
use super::pace::Pace;
use super::task::Plan;
use crate::clock::now_ns;

/// Passes over the inputs in which allocations are counted.
const ALLOCATION_PASSES: u64 = 4;
/// A batch is longer by this much than the most iterations before its audit.
const AUDITED_PART: u64 = 8;

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

    /// All batches of an operation whose iteration i gets input i modulo their number.
    ///
    /// # Errors
    /// What an iteration failed or panicked with.
    pub fn run<I>(&self, inputs: &[I], iteration: impl FnMut(&I) -> Result<u32, Failure>) -> Timed {
        self.timed(Plain { inputs, iteration })
    }

    /// The same, with an `audit` after each batch that counts: what the suite defines as one of all
    /// inputs, which it leaves as they were.
    ///
    /// # Errors
    /// What an iteration or an audit failed or panicked with.
    pub fn audited<I>(
        &self,
        inputs: &mut [I],
        iteration: impl FnMut(&I) -> Result<u32, Failure>,
        audit: impl FnMut(&mut [I]) -> Result<u32, Failure>,
    ) -> Timed {
        self.timed(Audited {
            inputs,
            iteration,
            audit,
        })
    }

    fn timed(&self, mut repeating: impl Repeating) -> Timed {
        let mut batches = Vec::new();
        match catch_unwind(AssertUnwindSafe(|| {
            self.repeat(&mut repeating, &mut batches)
        })) {
            Ok(Ok(())) => Ok(batches),
            Ok(Err(failure)) => Err(failure.said()),
            Err(payload) => Err(Failure::of_panic(&*payload).said()),
        }
    }

    fn repeat(
        &self,
        repeating: &mut impl Repeating,
        batches: &mut Vec<Batch>,
    ) -> Result<(), Failure> {
        let stopping = || self.stopping.load(Relaxed);
        let pace = Pace {
            plan: self.plan,
            inputs: repeating.inputs(),
            now: &now_ns,
        };
        pace.keep::<Failure>(&stopping, &mut |phase, iterations| {
            let batch = timed(phase, iterations, repeating)?;
            let took_ns = batch.took_ns();
            batches.push(batch);
            if phase == BatchPhase::Measure && self.plan.iterations == 0 {
                batches.extend(looked_after(iterations, repeating)?);
            }
            Ok(took_ns)
        })?;
        if !stopping() {
            batches.push(allocating(repeating)?);
        }
        Ok(())
    }
}

/// An operation on its inputs.
trait Repeating {
    fn inputs(&self) -> u64;

    fn iterate(&mut self, iterations: u64) -> Result<u32, Failure>;

    /// The checksum of an audit, where there is one.
    fn audit(&mut self) -> Option<Result<u32, Failure>> {
        None
    }
}

struct Plain<'i, I, R> {
    inputs: &'i [I],
    iteration: R,
}

impl<I, R: FnMut(&I) -> Result<u32, Failure>> Repeating for Plain<'_, I, R> {
    fn inputs(&self) -> u64 {
        self.inputs.len() as u64
    }

    fn iterate(&mut self, iterations: u64) -> Result<u32, Failure> {
        repeated(self.inputs, iterations, &mut self.iteration)
    }
}

struct Audited<'i, I, R, A> {
    inputs: &'i mut [I],
    iteration: R,
    audit: A,
}

impl<I, R, A> Repeating for Audited<'_, I, R, A>
where
    R: FnMut(&I) -> Result<u32, Failure>,
    A: FnMut(&mut [I]) -> Result<u32, Failure>,
{
    fn inputs(&self) -> u64 {
        self.inputs.len() as u64
    }

    fn iterate(&mut self, iterations: u64) -> Result<u32, Failure> {
        repeated(self.inputs, iterations, &mut self.iteration)
    }

    fn audit(&mut self) -> Option<Result<u32, Failure>> {
        Some((self.audit)(self.inputs))
    }
}

fn timed(
    phase: BatchPhase,
    iterations: u64,
    repeating: &mut impl Repeating,
) -> Result<Batch, Failure> {
    let start_ns = now_ns();
    let checksum = repeating.iterate(iterations)?;
    let end_ns = now_ns();
    Ok(Batch {
        phase,
        start_ns,
        end_ns,
        iterations,
        checksum,
        allocated_bytes: None,
    })
}

/// An audit, after as many iterations as chance wants, so that no call tells when it is one.
fn looked_after(iterations: u64, repeating: &mut impl Repeating) -> Result<Option<Batch>, Failure> {
    let start_ns = now_ns();
    repeating.iterate(RandomState::new().hash_one(start_ns) % (iterations / AUDITED_PART + 1))?;
    let Some(checksum) = repeating.audit().transpose()? else {
        return Ok(None);
    };
    Ok(Some(Batch {
        phase: BatchPhase::Audit,
        start_ns,
        end_ns: now_ns(),
        iterations: repeating.inputs(),
        checksum,
        allocated_bytes: None,
    }))
}

/// Some passes over the inputs, with what they allocate.
fn allocating(repeating: &mut impl Repeating) -> Result<Batch, Failure> {
    let iterations = ALLOCATION_PASSES * repeating.inputs();
    let (batch, bytes) =
        allocations::counted(|| timed(BatchPhase::Allocation, iterations, repeating));
    Ok(Batch {
        allocated_bytes: Some(bytes),
        ..batch?
    })
}

/// The loop itself; a function of its own, so that nothing around it changes how it is compiled.
#[inline(never)]
fn repeated<I>(
    inputs: &[I],
    iterations: u64,
    iteration: &mut impl FnMut(&I) -> Result<u32, Failure>,
) -> Result<u32, Failure> {
    let mut checksum = 0_u32;
    let mut left = iterations;
    loop {
        for input in inputs {
            if left == 0 {
                return Ok(checksum);
            }
            left -= 1;
            checksum = checksum.wrapping_add(iteration(black_box(input))?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Loops, repeated};
    use crate::batches::{BatchPhase, Failure, Plan};
    use std::sync::atomic::AtomicBool;

    fn plan(iterations: u64) -> Plan {
        let (batch_ns, warmup_ns) = (200_000, 2_000_000);
        Plan {
            steps: vec![],
            iterations,
            batch_ns,
            count: 4,
            warmup_ns,
            agree: 0.02,
        }
    }

    #[test]
    fn iterations_take_the_inputs_in_turn() {
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
        assert_eq!(batches[0].iterations, 1);
        assert!(of(BatchPhase::Warmup).any(|one| one.took_ns() >= plan.batch_ns));
        assert_eq!(of(BatchPhase::Measure).count(), 4);
        assert_eq!(of(BatchPhase::Allocation).count(), 1);
        for one in &batches {
            assert_eq!(one.checksum, 7_u32.wrapping_mul(one.iterations as u32));
        }
    }

    #[test]
    fn each_batch_that_counts_is_audited_and_no_other() {
        let (plan, stopping) = (plan(0), AtomicBool::new(false));
        let mut inputs = [1_u32, 2];
        let audit = |inputs: &mut [u32]| {
            inputs.swap(0, 1);
            Ok(inputs[0])
        };
        let batches = Loops::new(&plan, &stopping)
            .audited(&mut inputs, |input| Ok(*input), audit)
            .unwrap();
        let counted: Vec<_> = batches
            .iter()
            .filter(|one| matches!(one.phase, BatchPhase::Measure | BatchPhase::Audit))
            .map(|one| one.phase)
            .collect();
        assert_eq!(counted, [BatchPhase::Measure, BatchPhase::Audit].repeat(4));
        let audits: Vec<_> = batches
            .iter()
            .filter(|one| one.phase == BatchPhase::Audit)
            .map(|one| (one.iterations, one.checksum))
            .collect();
        assert_eq!(audits, [(2, 2), (2, 1), (2, 2), (2, 1)]);
    }

    #[test]
    fn given_iterations_are_kept_and_nothing_is_warmed_up() {
        let (plan, stopping) = (plan(3), AtomicBool::new(false));
        let batches = Loops::new(&plan, &stopping)
            .run(&[1_u32, 2], |input| {
                std::hint::black_box(vec![0_u8; 64]);
                Ok(*input)
            })
            .unwrap();
        let measured: Vec<_> = batches
            .iter()
            .filter(|one| one.phase == BatchPhase::Measure)
            .collect();
        assert_eq!(measured.len(), 4);
        assert!(
            measured
                .iter()
                .all(|one| one.iterations == 3 && one.checksum == 4)
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
