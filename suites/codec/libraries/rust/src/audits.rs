//! Loops with their audits: the same work on inputs that were changed in place (*Audits* in the
//! suite's `README.md`).
//!
//! A value is looked at at once: who owns it is the language's to decide, and nobody else can have it.
//! Bytes are looked at when the twins are gone: they may say where a value lies.

use std::hint::black_box;
use std::mem::swap;
use std::ops::DerefMut;

use wirelab_sdk::batches::{Failure, Loops, Timed};

use crate::natives::Shape;
use crate::pools::Pool;

/// The fold of a result, and one more where its native value is not the wanted one: folds see only
/// the ends of texts, comparing sees all.
pub(crate) fn looked<S: Shape>(fold: u32, native: &S, wanted: &S) -> u32 {
    fold.wrapping_add(u32::from(native != wanted))
}

/// Iterations on native values, which swap with their twins for an audit: what `work` makes of each
/// is given to `look` when they are what they were.
pub(crate) fn of_values<S: Shape, R>(
    pool: &Pool<S>,
    loops: &Loops<'_>,
    iteration: impl FnMut(&S) -> Result<u32, Failure>,
    mut work: impl FnMut(&S, &S) -> Result<R, Failure>,
    mut look: impl FnMut(R, &S) -> Result<u32, Failure>,
) -> Timed {
    let (mut values, mut twins) = (pool.values.clone(), pool.twins.clone());
    loops.audited(&mut values, iteration, |values| {
        let change = |values: &mut [S]| values.swap_with_slice(&mut twins);
        audit(values, &pool.twins, change, &mut work, &mut look)
    })
}

/// Fold of what was looked at already.
#[allow(clippy::unnecessary_wraps)] // what looks later may fail
pub(crate) fn at_once<S>(fold: u32, _wanted: &S) -> Result<u32, Failure> {
    Ok(fold)
}

/// Iterations on encodings. Those of one length are patched where they lie; others change places.
pub(crate) fn of_encodings<S: Shape, B: DerefMut<Target = [u8]>>(
    (mut encodings, mut others): (Vec<B>, Vec<B>),
    pool: &Pool<S>,
    loops: &Loops<'_>,
    iteration: impl FnMut(&B) -> Result<u32, Failure>,
    mut look: impl FnMut(&B, &S) -> Result<u32, Failure>,
) -> Timed {
    loops.audited(&mut encodings, iteration, |encodings| {
        let change = |encodings: &mut [B]| swap_contents(encodings, &mut others);
        audit(encodings, &pool.twins, change, &mut look, &mut at_once)
    })
}

/// Iterations on messages of a library, which have no twins.
pub(crate) fn of_messages<S: Shape, M>(
    mut messages: Vec<M>,
    pool: &Pool<S>,
    loops: &Loops<'_>,
    iteration: impl FnMut(&M) -> Result<u32, Failure>,
    mut look: impl FnMut(&M, &S) -> Result<u32, Failure>,
) -> Timed {
    loops.audited(&mut messages, iteration, |messages| {
        audit(messages, &pool.values, |_: &mut [M]| (), &mut look, &mut at_once)
    })
}

/// The checksum of `look` at what `work` makes of each input while `change` has put twins in their
/// places, once it has been undone.
fn audit<I, R, S>(
    inputs: &mut [I],
    wanted: &[S],
    mut change: impl FnMut(&mut [I]),
    work: &mut impl FnMut(&I, &S) -> Result<R, Failure>,
    look: &mut impl FnMut(R, &S) -> Result<u32, Failure>,
) -> Result<u32, Failure> {
    change(inputs);
    let both = inputs.iter().zip(wanted);
    let results: Result<Vec<R>, Failure> =
        both.map(|(input, wanted)| work(black_box(input), wanted)).collect();
    change(inputs);
    let mut checksum = 0_u32;
    for (result, wanted) in results?.into_iter().zip(wanted) {
        checksum = checksum.wrapping_add(look(black_box(result), wanted)?);
    }
    Ok(checksum)
}

fn swap_contents<B: DerefMut<Target = [u8]>>(encodings: &mut [B], others: &mut [B]) {
    for (one, other) in encodings.iter_mut().zip(others) {
        if one.len() == other.len() {
            one.swap_with_slice(other);
        } else {
            swap(one, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{at_once, audit, looked, swap_contents};

    #[test]
    fn encodings_of_one_length_stay_where_they_lie() {
        let mut encodings = [vec![1, 2], vec![3]];
        let mut others = [vec![1, 9], vec![4, 5]];
        let place = encodings[0].as_ptr();
        swap_contents(&mut encodings, &mut others);
        assert_eq!(encodings, [vec![1, 9], vec![4, 5]]);
        assert_eq!(encodings[0].as_ptr(), place);
        swap_contents(&mut encodings, &mut others);
        assert_eq!(encodings, [vec![1, 2], vec![3]]);
    }

    #[test]
    fn an_audit_sees_the_twins_and_leaves_the_inputs() {
        let (mut inputs, mut twins) = ([1_u32, 2], [10, 20]);
        let change = |inputs: &mut [u32]| inputs.swap_with_slice(&mut twins);
        let mut work = |one: &u32, wanted: &u32| Ok(one + u32::from(one != wanted));
        let seen = audit(&mut inputs, &[10_u32, 21], change, &mut work, &mut at_once);
        assert_eq!((seen.unwrap(), inputs, twins), (31, [1, 2], [10, 20]));
    }

    #[test]
    fn bytes_that_say_where_a_value_lies_are_looked_at_when_another_one_lies_there() {
        let (mut inputs, mut twins) = ([1_u32, 2], [10, 20]);
        let places = [&raw const inputs[0], &raw const inputs[1]];
        let change = |inputs: &mut [u32]| inputs.swap_with_slice(&mut twins);
        let mut work = |one: &u32, _: &u32| Ok(std::ptr::from_ref(one));
        let mut found = Vec::new();
        let mut look = |place: *const u32, wanted: &u32| {
            found.push((places.contains(&place), *wanted));
            Ok(0)
        };
        audit(&mut inputs, &[10, 20], change, &mut work, &mut look).unwrap();
        assert_eq!((found, inputs), (vec![(true, 10), (true, 20)], [1, 2]));
    }

    #[test]
    fn a_difference_that_no_fold_sees_is_seen() {
        let (read, wanted) = (vec!["a-c".to_owned()], vec!["abc".to_owned()]);
        assert_eq!(looked(7, &read, &wanted), 8);
        assert_eq!(looked(u32::MAX, &wanted, &wanted), u32::MAX);
    }
}
