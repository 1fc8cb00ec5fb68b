//! The generator's life: preflight, `ready`, start, files, `done`.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use mio::{Poll, Waker};
use wirelab_sdk::clock::{SECOND, now_ns};
use wirelab_sdk::commands::{Command, listen};
use wirelab_sdk::events::{Events, Product, RUST, Ready, RuntimeFigures};
use wirelab_sdk::spec::Spec;

use super::shard_channels::ShardChannels;
use super::steps::Steps;
use super::thread_messages::{Figures, ToShard, ToWriter};
use super::writer::Writer;
use super::{Load, Refusal};
use crate::net::WAKER;
use crate::open_files;

/// Files, pipes and timers beside the users' sockets.
const OTHER_FILES: u64 = 64;

/// Reason for which the generator gives up: the class of the `fatal` event and its text.
#[derive(Debug)]
pub struct GeneratorError {
    class: &'static str,
    message: String,
}

impl GeneratorError {
    fn because(class: &'static str, message: impl fmt::Display) -> Self {
        Self {
            class,
            message: message.to_string(),
        }
    }
}

impl From<std::io::Error> for GeneratorError {
    fn from(error: std::io::Error) -> Self {
        Self::because("Io", error)
    }
}

impl From<Refusal> for GeneratorError {
    fn from((class, message): Refusal) -> Self {
        Self { class, message }
    }
}

/// Plays all users of the spec, as the load that `plan` reads from it. The error has been said
/// already.
pub fn generate<L: Load + 'static>(
    spec: &Spec,
    events: &Events,
    plan: impl FnOnce(&Spec) -> Result<L, Refusal>,
) -> Result<(), GeneratorError> {
    let result = plan(spec)
        .map_err(GeneratorError::from)
        .and_then(|load| Generator::begin(spec, events, Arc::new(load)))
        .and_then(Generator::run);
    if let Err(GeneratorError { class, message }) = &result {
        eprintln!("{class}: {message}");
        events.fatal(class, message);
    }
    result
}

struct Generator<'a> {
    spec: &'a Spec,
    events: &'a Events,
    load: Arc<dyn Load>,
    steps: Steps,
    start_ns: u64,
    writer: Writer,
    notes: Receiver<ToWriter>,
    sender: Sender<ToWriter>,
    shards: Vec<(Sender<ToShard>, Waker)>,
    figures: Vec<Figures>,
    connected: usize,
    playing: usize,
    said_at_ns: u64,
    stopped: bool,
}

impl<'a> Generator<'a> {
    fn begin(
        spec: &'a Spec,
        events: &'a Events,
        load: Arc<dyn Load>,
    ) -> Result<Self, GeneratorError> {
        let (sender, notes) = channel();
        let commands = sender.clone();
        listen(move |command| {
            let _ = commands.send(ToWriter::Command(command));
        });
        open_files::raise(load.connections() + OTHER_FILES)
            .map_err(|text| GeneratorError::because("OpenFiles", text))?;
        let writer = Writer::create(&spec.paths)?;
        Ok(Self {
            spec,
            events,
            load,
            steps: Steps::new(&spec.schedule.steps, 0),
            start_ns: 0,
            writer,
            notes,
            sender,
            shards: Vec::new(),
            figures: Vec::new(),
            connected: 0,
            playing: 0,
            said_at_ns: now_ns(),
            stopped: false,
        })
    }

    fn run(mut self) -> Result<(), GeneratorError> {
        self.preflight()?;
        if !self.stopped {
            self.start_shards()?;
        }
        // The users' threads come first where they share a core with this one. It is a thread
        // that this call is about, and those it starts.
        let _ = rustix::process::nice(5);
        while self.connected < self.shards.len() && self.playing > 0 {
            self.take_note(Duration::MAX)?;
        }
        if !self.stopped {
            self.say_ready();
        }
        while self.playing > 0 {
            let next_ns = self.said_at_ns + SECOND;
            self.take_note(Duration::from_nanos(next_ns.saturating_sub(now_ns())))?;
            if now_ns() >= next_ns {
                self.writer.flush()?;
                self.say_figures();
            }
        }
        self.conclude()
    }

    fn preflight(&mut self) -> Result<(), GeneratorError> {
        let (notes, stopped) = (&self.notes, &mut self.stopped);
        let answers = self.load.preflight(&mut || {
            *stopped |= matches!(notes.try_recv(), Ok(ToWriter::Command(Command::Stop)));
            *stopped
        })?;
        if !answers.is_empty() {
            self.writer.write_answers(&answers)?;
        }
        Ok(())
    }

    fn start_shards(&mut self) -> Result<(), GeneratorError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for (number, users) in self.load.shares(threads).into_iter().enumerate() {
            let poll = Poll::new()?;
            let waker = Waker::new(poll.registry(), WAKER)?;
            let (orders, received) = channel();
            let (load, notes) = (Arc::clone(&self.load), self.sender.clone());
            let channels = ShardChannels::new(number, notes.clone(), received);
            let thread = std::thread::Builder::new().name(format!("users-{number}"));
            thread.spawn(move || play(&*load, poll, channels, &users, &notes))?;
            self.shards.push((orders, waker));
            self.figures.push(Figures::default());
        }
        self.playing = self.shards.len();
        self.steps = Steps::new(&self.spec.schedule.steps, self.playing);
        Ok(())
    }

    fn take_note(&mut self, patience: Duration) -> Result<(), GeneratorError> {
        let note = match self
            .notes
            .recv_timeout(patience.min(Duration::from_secs(3600)))
        {
            Ok(note) => note,
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(GeneratorError::because(
                    "Internal",
                    "all threads ended by themselves; standard error says why",
                ));
            }
        };
        match note {
            ToWriter::Command(Command::Start(start_ns)) => {
                self.start_ns = start_ns;
                self.order(ToShard::Start(start_ns))?;
            }
            ToWriter::Command(Command::Stop) => {
                self.stopped = true;
                self.order(ToShard::Stop)?;
            }
            // A generator is told beforehand which answers to write.
            ToWriter::Command(Command::Answer(_)) => {}
            ToWriter::Records(records) => self.writer.write_records(records)?,
            ToWriter::Lines(lines) => self.writer.add_lines(&lines),
            ToWriter::Answers(answers) => self.writer.write_answers(&answers)?,
            ToWriter::Errors(errors) => errors.iter().for_each(|error| self.events.error(error)),
            ToWriter::Figures(figures) => {
                let known = &mut self.figures[figures.shard];
                let lag_ns = known.lag_ns.max(figures.lag_ns);
                *known = Figures { lag_ns, ..figures };
            }
            ToWriter::Connected(Ok(())) => self.connected += 1,
            ToWriter::Connected(Err(_)) if self.stopped => self.connected += 1,
            ToWriter::Connected(Err(text)) => {
                return Err(GeneratorError::because("ConnectFailed", text));
            }
            ToWriter::Reached(at_ns) => self.step_reached(at_ns)?,
            ToWriter::Finished => self.playing -= 1,
            ToWriter::Failed(text) => return Err(GeneratorError::because("EventLoop", text)),
        }
        Ok(())
    }

    fn step_reached(&mut self, at_ns: u64) -> Result<(), GeneratorError> {
        let Some(ended) = self.steps.reached(at_ns) else {
            return Ok(());
        };
        if let Some(ended) = ended {
            self.events.step(&ended.name, ended.begin_ns, ended.end_ns);
        }
        self.order(ToShard::Go)
    }

    fn order(&self, order: ToShard) -> Result<(), GeneratorError> {
        for (orders, waker) in &self.shards {
            // One that has finished listens no more, and has nothing to be told.
            let _ = orders.send(order);
            waker.wake()?;
        }
        Ok(())
    }

    fn say_ready(&mut self) {
        self.events.ready(&Ready {
            endpoint: None,
            facts: serde_json::json!({ "threads": self.shards.len() }),
            capabilities: &["lanes"],
            library: Product {
                name: "wirelab-engine",
                version: env!("CARGO_PKG_VERSION"),
            },
            runtime: RUST,
        });
        self.said_at_ns = now_ns();
    }

    /// About once a second.
    fn say_figures(&mut self) {
        self.said_at_ns = now_ns();
        let sum = |of: fn(&Figures) -> u64| self.figures.iter().map(of).sum();
        self.events.progress(
            self.writer.records(),
            &[
                ("sent", sum(|figures| figures.totals.sent)),
                ("received", sum(|figures| figures.totals.received)),
                ("expected", sum(|figures| figures.totals.expected)),
                ("connected", sum(|figures| figures.connected)),
            ],
        );
        self.say_runtime();
    }

    fn say_runtime(&mut self) {
        let lag = self
            .figures
            .iter_mut()
            .map(|figures| std::mem::take(&mut figures.lag_ns))
            .max();
        self.events.runtime(RuntimeFigures {
            heap: None,
            loop_lag_ns: lag,
        });
    }

    /// The steps of a ramp, whose times have been known from the start.
    fn say_ramp(&self) {
        let mut begin_ns = self.start_ns;
        for step in &self.spec.schedule.steps {
            let end_ns = begin_ns + step.ramp_ns;
            self.events.step(&step.name, begin_ns, end_ns);
            begin_ns = end_ns;
        }
    }

    fn conclude(mut self) -> Result<(), GeneratorError> {
        if self.spec.schedule.is_ramp() && !self.stopped {
            self.say_ramp();
        }
        // Not `progress`, which was said less than a second ago; `done` has its last figure.
        self.say_runtime();
        let written = self.writer.finish()?;
        self.events
            .done(written.records, written.answers, &written.checksum);
        Ok(())
    }
}

/// A shard's thread.
fn play(
    load: &dyn Load,
    poll: Poll,
    mut channels: ShardChannels,
    users: &[u32],
    notes: &Sender<ToWriter>,
) {
    let note = match load.play(poll, &mut channels, users) {
        Ok(()) => ToWriter::Finished,
        Err(error) => ToWriter::Failed(error.to_string()),
    };
    let _ = notes.send(note);
}
