//! Work of a contender in each step, from the names of the spec to the types of the shapes.

use std::process::ExitCode;

use wirelab_sdk::batches::{BatchWorker, Loops, Outcome, Timed};

use crate::answers;
use crate::baseline::{self, Baseline};
use crate::codec::{BorrowedCodec, MessageCodec, NativeCodec};
use crate::conformance;
use crate::evolution;
use crate::large::{Large, LargeCodec};
use crate::library::Library;
use crate::natives::{Chat, Shape, T1, T2, T3, T4, T5, Telemetry};
use crate::pools::{self, Pool};
use crate::subject::{Messages, Natives, Operations, Subject, Views};
use crate::versions::VersionCodecs;
use crate::worker::run;

macro_rules! for_every_shape {
    ($($(#[$doc:meta])* $visible:vis trait $every:ident: $one:ident;)*) => {$(
        $(#[$doc])*
        $visible trait $every:
            $one<T1> + $one<T2> + $one<T3> + $one<T4> + $one<T5> + $one<Telemetry> + $one<Chat>
        {
        }

        impl<C> $every for C where
            C: $one<T1> + $one<T2> + $one<T3> + $one<T4> + $one<T5> + $one<Telemetry> + $one<Chat>
        {
        }
    )*};
}

for_every_shape! {
    /// A [`NativeCodec`] for all shapes.
    pub trait NativeCodecs: NativeCodec;
    /// A [`MessageCodec`] for all shapes.
    pub trait MessageCodecs: MessageCodec;
    /// A [`BorrowedCodec`] for all shapes.
    pub trait BorrowedCodecs: BorrowedCodec;
    /// Everything that can be run.
    pub(crate) trait EveryShape: Measured;
}

/// A contender of any kind.
pub(crate) trait Contender: EveryShape + Operations {}

impl<X: EveryShape + Operations> Contender for X {}

/// A worker whose library reads and writes native values.
pub fn run_natives(library: Library<'_>, codec: impl NativeCodecs + VersionCodecs) -> ExitCode {
    run(library, &Coded::without_large(Natives(codec)))
}

/// The same, with large messages.
pub fn run_natives_and_large<C>(library: Library<'_>, codec: C) -> ExitCode
where
    C: NativeCodecs + VersionCodecs + LargeCodec,
{
    let subject = Natives(codec);
    run(library, &Coded { subject, large: |own| Some(Large { codec: &own.0, whole: own }) })
}

/// A worker whose library has messages of its own.
pub fn run_messages(library: Library<'_>, codec: impl MessageCodecs + VersionCodecs) -> ExitCode {
    run(library, &Coded::without_large(Messages(codec)))
}

/// The same, with large messages.
pub fn run_messages_and_large<C>(library: Library<'_>, codec: C) -> ExitCode
where
    C: MessageCodecs + VersionCodecs + LargeCodec,
{
    let subject = Messages(codec);
    run(library, &Coded { subject, large: |own| Some(Large { codec: &own.0, whole: own }) })
}

/// A worker whose library decodes into views.
pub fn run_views(library: Library<'_>, codec: impl BorrowedCodecs + VersionCodecs) -> ExitCode {
    run(library, &Coded::without_large(Views(codec)))
}

/// The same, with large messages.
pub fn run_views_and_large<C>(library: Library<'_>, codec: C) -> ExitCode
where
    C: BorrowedCodecs + VersionCodecs + LargeCodec,
{
    let subject = Views(codec);
    run(library, &Coded { subject, large: |own| Some(Large { codec: &own.0, whole: own }) })
}

/// The worker that measures the baselines of Rust.
pub fn run_baseline(version: &str) -> ExitCode {
    run(Library { name: "baseline", version, format: "none" }, &Baseline)
}

/// Subject that can be run, for one shape: a codec or the baseline.
pub(crate) trait Measured<S> {
    /// Answers what the task asks for.
    fn answer(&self, pool: &Pool<S>, format: &str, worker: &mut BatchWorker) -> Outcome;

    /// The batches of an operation; `None` when there is no such operation.
    fn time(&self, operation: &str, pool: &Pool<S>, loops: &Loops<'_>) -> Option<Timed>;
}

/// A codec of any kind, and what it has for large messages.
struct Coded<X> {
    subject: X,
    large: fn(&X) -> Option<Large<'_>>,
}

impl<X> Coded<X> {
    fn without_large(subject: X) -> Self {
        Self { subject, large: |_| None }
    }
}

impl<X: Operations> Operations for Coded<X> {
    const OPERATIONS: &'static [&'static str] = X::OPERATIONS;

    fn versions(&self) -> Option<&dyn VersionCodecs> {
        self.subject.versions()
    }

    fn large(&self) -> Option<Large<'_>> {
        (self.large)(&self.subject)
    }
}

impl<S: Shape, X: Subject<S>> Measured<S> for Coded<X> {
    fn answer(&self, pool: &Pool<S>, format: &str, worker: &mut BatchWorker) -> Outcome {
        let subject = &self.subject;
        answers::give(subject, &pool.values, &mut worker.answers)?;
        conformance::answer(subject, format, &pool.values, &worker.task, &mut worker.answers)
    }

    fn time(&self, operation: &str, pool: &Pool<S>, loops: &Loops<'_>) -> Option<Timed> {
        self.subject.time(operation, pool, loops)
    }
}

impl<S: Shape> Measured<S> for Baseline {
    /// A baseline has nothing to say.
    fn answer(&self, _: &Pool<S>, _: &str, _: &mut BatchWorker) -> Outcome {
        Ok(())
    }

    fn time(&self, operation: &str, pool: &Pool<S>, loops: &Loops<'_>) -> Option<Timed> {
        baseline::time(operation, &pool.values, loops)
    }
}

/// One run of a contender through the task.
pub(crate) struct Session<'r> {
    pub(crate) format: &'r str,
    pub(crate) worker: &'r mut BatchWorker,
}

impl Session<'_> {
    /// Does everything that the task wants of a step.
    pub(crate) fn step(&mut self, contender: &impl Contender, name: &str) -> Outcome {
        if self.worker.task.asks_for("backward") {
            let versions = contender.versions().ok_or("a baseline has no versions")?;
            return evolution::answer(versions, name, &mut self.worker.answers);
        }
        if self.worker.task.asks_for("to_bytes") {
            let large = contender.large().ok_or("this contender has no large messages")?;
            return self.worker.step(
                name,
                |worker| large.answer(name, &mut worker.answers),
                |operation, loops| large.time(name, operation, loops),
            );
        }
        match name {
            T1::STEP => self.shape::<T1, _>(contender),
            T2::STEP => self.shape::<T2, _>(contender),
            T3::STEP => self.shape::<T3, _>(contender),
            T4::STEP => self.shape::<T4, _>(contender),
            T5::STEP => self.shape::<T5, _>(contender),
            Telemetry::STEP => self.shape::<Telemetry, _>(contender),
            Chat::STEP => self.shape::<Chat, _>(contender),
            _ => Err(format!("no shape is called {name}").into()),
        }
    }

    fn shape<S: Shape, X: Measured<S>>(&mut self, contender: &X) -> Outcome {
        let pool = pools::load::<S>()?;
        self.worker.step(
            S::STEP,
            |worker| contender.answer(&pool, self.format, worker),
            |operation, loops| contender.time(operation, &pool, loops),
        )
    }
}
