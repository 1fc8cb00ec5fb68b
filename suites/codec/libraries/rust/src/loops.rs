//! Batch loops: calibrate, warm up, measure, count allocations.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use wirelab_sdk::clock::now_ns;

use crate::allocations;
use crate::batches::{Batch, Phase};
use crate::failure::{Failure, Said};
use crate::spec::Batches;

/// Batches shorter than this part of what is asked for are made longer again.
const TOO_SHORT: f64 = 0.8;
/// A little more than needed, so that calibration does not creep up to its aim.
const SCALED: f64 = 1.05;
const AT_MOST: f64 = 10.0;

/// Repeats one operation. Every call of [`Self::run`] with another closure is a loop of its own
/// for the compiler.
pub(crate) struct Loops<'p> {
    plan: &'p Batches,
    stopping: &'p AtomicBool,
}

impl<'p> Loops<'p> {
    pub(crate) fn new(plan: &'p Batches, stopping: &'p AtomicBool) -> Self {
        Self { plan, stopping }
    }

    /// All batches of an operation whose round r gets input r modulo their number.
    pub(crate) fn run<I>(
        &self,
        inputs: &[I],
        mut round: impl FnMut(&I) -> Result<u32, Failure>,
    ) -> Result<Vec<Batch>, Said> {
        let mut batches = Vec::new();
        match catch_unwind(AssertUnwindSafe(|| self.repeat(inputs, &mut round, &mut batches))) {
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
        let mut rounds = self.plan.rounds;
        if rounds == 0 {
            rounds = self.warm_up(inputs, round, batches)?;
        }
        for _ in 0..self.plan.count {
            if self.stopping.load(Relaxed) {
                return Ok(());
            }
            batches.push(timed(Phase::Measure, inputs, rounds, round)?);
        }
        batches.push(allocating(inputs, round)?);
        Ok(())
    }

    /// Calibrates and warms up: the number of rounds of a batch.
    fn warm_up<I>(
        &self,
        inputs: &[I],
        round: &mut impl FnMut(&I) -> Result<u32, Failure>,
        batches: &mut Vec<Batch>,
    ) -> Result<u64, Failure> {
        let wanted = self.plan.batch_ns;
        let end = now_ns() + self.plan.warmup_ns;
        let mut rounds = 1;
        loop {
            let batch = timed(Phase::Warmup, inputs, rounds, round)?;
            let took = batch.took_ns();
            batches.push(batch);
            if took >= wanted || self.stopping.load(Relaxed) {
                break;
            }
            rounds = scaled(rounds, took, wanted);
        }
        let calibrated = batches.len();
        while now_ns() < end && !self.stopping.load(Relaxed) {
            let batch = timed(Phase::Warmup, inputs, rounds, round)?;
            if (batch.took_ns() as f64) < TOO_SHORT * wanted as f64 {
                rounds = scaled(rounds, batch.took_ns(), wanted);
            }
            batches.push(batch);
            if agree(&batches[calibrated..], self.plan.agree) {
                break;
            }
        }
        Ok(rounds)
    }
}

/// The rounds that would take what is wanted, by what the last ones took.
fn scaled(rounds: u64, took_ns: u64, wanted_ns: u64) -> u64 {
    let factor = SCALED * wanted_ns as f64 / took_ns.max(1) as f64;
    ((rounds as f64 * factor.min(AT_MOST)) as u64).max(rounds + 1)
}

/// Whether the last three took the same time a round, but for the part `within` of their median.
fn agree(batches: &[Batch], within: f64) -> bool {
    let Some(last) = batches.last_chunk::<3>() else { return false };
    let mut times = last.each_ref().map(Batch::round_ns);
    times.sort_by(f64::total_cmp);
    let [least, median, most] = times;
    median - least <= within * median && most - median <= within * median
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
    Ok(Batch { phase, start_ns, end_ns, rounds, checksum, allocated_bytes: None })
}

/// One round of each input, with what they allocate.
fn allocating<I>(
    inputs: &[I],
    round: &mut impl FnMut(&I) -> Result<u32, Failure>,
) -> Result<Batch, Failure> {
    let rounds = inputs.len() as u64;
    let (batch, bytes) = allocations::counted(|| timed(Phase::Allocation, inputs, rounds, round));
    Ok(Batch { allocated_bytes: Some(bytes), ..batch? })
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
    use super::{Loops, agree, repeated, scaled};
    use crate::batches::{Batch, Phase};
    use crate::failure::Failure;
    use crate::spec::Batches;
    use std::sync::atomic::AtomicBool;

    fn plan(rounds: u64) -> Batches {
        let (batch_ns, warmup_ns) = (200_000, 2_000_000);
        Batches { steps: vec![], rounds, batch_ns, count: 4, warmup_ns, agree: 0.02 }
    }

    fn batch(took: u64) -> Batch {
        let phase = Phase::Warmup;
        Batch {
            phase,
            start_ns: 5,
            end_ns: 5 + took,
            rounds: 1,
            checksum: 0,
            allocated_bytes: None,
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
        let batches = Loops::new(&plan, &stopping).run(&[7_u32], |input| Ok(*input)).unwrap();
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
        let measured: Vec<_> = batches.iter().filter(|one| one.phase == Phase::Measure).collect();
        assert_eq!(measured.len(), 4);
        assert!(measured.iter().all(|one| one.rounds == 3 && one.checksum == 4));
        assert_eq!(batches.len(), 5);
        assert!(batches[4].allocated_bytes.unwrap() >= 128);
    }

    #[test]
    fn what_fails_or_panics_is_said_once() {
        let (plan, stopping) = (plan(1), AtomicBool::new(false));
        let loops = Loops::new(&plan, &stopping);
        let failed = loops.run(&[()], |()| Err(Failure::from(std::fmt::Error))).unwrap_err();
        assert_eq!(failed.class, "core::fmt::Error");
        let panicked = loops.run(&[()], |()| panic!("no")).unwrap_err();
        assert_eq!((panicked.class.as_str(), panicked.message.as_str()), ("panic", "no"));
    }

    #[test]
    fn scaling_is_at_most_tenfold_and_never_stands_still() {
        assert_eq!(scaled(1, 0, 1_000_000), 10);
        assert_eq!(scaled(100, 500, 1000), 210);
        assert_eq!(scaled(1, 999, 1000), 2);
    }

    #[test]
    fn three_that_agree() {
        let batches = |times: [u64; 4]| times.map(batch);
        assert!(agree(&batches([500, 100, 101, 99]), 0.02));
        assert!(!agree(&batches([100, 100, 101, 97]), 0.02));
        assert!(!agree(&batches([100; 4])[..2], 0.02));
    }
}
