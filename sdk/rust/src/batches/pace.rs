//! Number of batches and of their iterations: *Batch loops* of the contract.

use super::file::BatchPhase;
use super::task::Plan;

/// Batches are made a little longer than asked for, so that noise does not make them shorter.
const MARGIN: f64 = 1.05;
const MOST_GROWTH: f64 = 10.0;
/// Most iterations of a batch: what takes no time however often it is repeated was deleted by the
/// compiler.
const MOST_ITERATIONS: u64 = 1_000_000_000_000;

/// The pace of one loop. It is asked once a batch, so nothing here is compiled for each loop.
pub(super) struct Pace<'p> {
    pub(super) plan: &'p Plan,
    pub(super) inputs: u64,
    pub(super) now: &'p dyn Fn() -> u64,
}

/// Takes a batch: nanoseconds that its iterations took.
type Take<'t, E> = &'t mut dyn FnMut(BatchPhase, u64) -> Result<u64, E>;

impl Pace<'_> {
    /// Calibrates and warms up, unless the plan gives the iterations; then measures.
    pub(super) fn keep<E>(&self, stopping: &dyn Fn() -> bool, take: Take<'_, E>) -> Result<(), E> {
        let mut iterations = self.plan.iterations;
        if iterations == 0 {
            let end = (self.now)() + self.plan.warmup_ns;
            iterations = self.calibrated(stopping, take)?;
            if iterations < MOST_ITERATIONS {
                iterations = self.warm(iterations, end, stopping, take)?;
            }
        }
        for _ in 0..self.plan.count {
            if stopping() {
                break;
            }
            take(BatchPhase::Measure, iterations)?;
        }
        Ok(())
    }

    fn calibrated<E>(&self, stopping: &dyn Fn() -> bool, take: Take<'_, E>) -> Result<u64, E> {
        let mut iterations = 1;
        while !stopping() {
            let took = take(BatchPhase::Warmup, iterations)?;
            if took >= self.plan.batch_ns || iterations == MOST_ITERATIONS {
                break;
            }
            iterations = self.longer(iterations, took);
        }
        Ok(iterations)
    }

    fn warm<E>(
        &self,
        mut iterations: u64,
        end: u64,
        stopping: &dyn Fn() -> bool,
        take: Take<'_, E>,
    ) -> Result<u64, E> {
        let mut iteration_ns = Vec::new();
        while (self.now)() < end && !stopping() && !agree(&iteration_ns, self.plan.agree) {
            let took = take(BatchPhase::Warmup, iterations)?;
            iteration_ns.push(took as f64 / iterations as f64);
            if took < self.plan.batch_ns {
                // The code became faster.
                iterations = self.longer(iterations, took);
            }
        }
        Ok(iterations)
    }

    /// Iterations that take as long as asked for, by some that took less; whole passes.
    fn longer(&self, iterations: u64, took_ns: u64) -> u64 {
        let growth = MARGIN * self.plan.batch_ns as f64 / took_ns.max(1) as f64;
        let wanted = (iterations as f64 * growth.min(MOST_GROWTH)).ceil() as u64;
        let mut wanted = wanted.max(iterations + 1);
        if wanted > self.inputs {
            wanted = wanted.next_multiple_of(self.inputs);
        }
        wanted.min(MOST_ITERATIONS)
    }
}

/// Tells whether iterations of the last three took the same time, but for the part `within` of the
/// median.
fn agree(iteration_ns: &[f64], within: f64) -> bool {
    let Some(last) = iteration_ns.last_chunk::<3>() else {
        return false;
    };
    let mut last = *last;
    last.sort_by(f64::total_cmp);
    let [least, median, most] = last;
    median - least <= within * median && most - median <= within * median
}

#[cfg(test)]
mod tests {
    use super::{BatchPhase, Pace, Plan};
    use serde::Deserialize;
    use std::cell::Cell;

    #[derive(Deserialize)]
    struct Vectors {
        loops: Vec<Vector>,
    }

    #[derive(Deserialize)]
    struct Vector {
        name: String,
        plan: Plan,
        inputs: u64,
        cost_ns: Vec<u64>,
        batches: Vec<(String, u64)>,
    }

    #[test]
    fn the_vectors_of_the_contract() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/batches.json");
        let text = std::fs::read_to_string(path).expect("vectors");
        let vectors: Vectors = serde_json::from_str(&text).expect("loops");
        for vector in &vectors.loops {
            let clock = Cell::new(0);
            let mut taken = Vec::new();
            let now = || clock.get();
            let pace = Pace {
                plan: &vector.plan,
                inputs: vector.inputs,
                now: &now,
            };
            let kept = pace.keep::<()>(&|| false, &mut |phase, iterations| {
                let last = vector.cost_ns.len() - 1;
                let took = iterations * vector.cost_ns[taken.len().min(last)];
                let phase = if phase == BatchPhase::Warmup {
                    "warmup"
                } else {
                    "measure"
                };
                taken.push((phase.to_owned(), iterations));
                clock.set(clock.get() + took);
                Ok(took)
            });
            assert_eq!(kept, Ok(()));
            // Audits are no matter of pace.
            let mut expected = vector.batches.clone();
            expected.retain(|(phase, _)| phase != "audit");
            assert_eq!(taken, expected, "{}", vector.name);
        }
        assert_eq!(vectors.loops.len(), 11);
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        let text = r#"{"rounds": 0, "batch_ns": 9, "count": 3, "warmup_ns": 9, "agree": 0.02}"#;
        let plan: Plan = serde_json::from_str(text).expect("a plan");
        let (taken, now) = (Cell::new(0), || 0);
        let pace = Pace {
            plan: &plan,
            inputs: 1,
            now: &now,
        };
        let kept = pace.keep::<()>(&|| taken.get() == 2, &mut |_, _| {
            taken.set(taken.get() + 1);
            Ok(1)
        });
        assert_eq!((kept, taken.get()), (Ok(()), 2));
    }
}
