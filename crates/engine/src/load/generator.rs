//! The generator's life: preflight, `ready`, start, files, `done`.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use mio::{Poll, Waker};
use wirelab_sdk::clock::{SECOND, now_ns};
use wirelab_sdk::commands::{Command, listen};
use wirelab_sdk::events::{ErrorSeen, Events, Product, RUST, Ready, RuntimeFigures, Scope};
use wirelab_sdk::spec::Spec;
use wirelab_sdk::status::Status;

use super::notes::{Figures, Note, Order};
use super::plan::Plan;
use super::player::Player;
use super::preflight::preflight;
use super::shard::Shard;
use super::writer::Writer;
use crate::open_files;

/// Files, pipes and timers beside the users' sockets.
const OTHER_FILES: u64 = 64;

/// Why the generator gives up: the class of the `fatal` event and its text.
#[derive(Debug)]
pub struct GivenUp {
    class: &'static str,
    message: String,
}

impl GivenUp {
    fn because(class: &'static str, message: impl fmt::Display) -> Self {
        Self {
            class,
            message: message.to_string(),
        }
    }
}

impl From<std::io::Error> for GivenUp {
    fn from(error: std::io::Error) -> Self {
        Self::because("Io", error)
    }
}

/// Plays all users of the spec. The error has been said already.
pub fn generate(spec: &Spec, events: &Events) -> Result<(), GivenUp> {
    let result = Generator::begin(spec, events).and_then(Generator::run);
    if let Err(GivenUp { class, message }) = &result {
        eprintln!("{class}: {message}");
        events.error(&ErrorSeen {
            class: (*class).to_owned(),
            status: Status::Error,
            message: message.clone(),
            scope: Scope::Fatal,
            operation: "",
            intended_ns: None,
        });
    }
    result
}

struct Generator<'a> {
    spec: &'a Spec,
    events: &'a Events,
    plan: Plan,
    writer: Writer,
    notes: Receiver<Note>,
    sender: Sender<Note>,
    shards: Vec<(Sender<Order>, Waker)>,
    figures: Vec<Figures>,
    connected: usize,
    playing: usize,
    said_at_ns: u64,
    stopped: bool,
}

impl<'a> Generator<'a> {
    fn begin(spec: &'a Spec, events: &'a Events) -> Result<Self, GivenUp> {
        let (sender, notes) = channel();
        let commands = sender.clone();
        listen(move |command| {
            let _ = commands.send(Note::Command(command));
        });
        let plan = Plan::of(spec).map_err(|(class, text)| GivenUp::because(class, text))?;
        open_files::raise(u64::from(plan.seating.users()) + OTHER_FILES)
            .map_err(|text| GivenUp::because("OpenFiles", text))?;
        let writer = Writer::create(&spec.paths, plan.delivery, plan.connect.is_some())?;
        Ok(Self {
            spec,
            events,
            plan,
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

    fn run(mut self) -> Result<(), GivenUp> {
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

    fn preflight(&mut self) -> Result<(), GivenUp> {
        let count = self.spec.verify.preflight.get("rtt").copied().unwrap_or(0);
        if count == 0 {
            return Ok(());
        }
        let (notes, stopped) = (&self.notes, &mut self.stopped);
        let answers = preflight(&self.plan, count, || {
            *stopped |= matches!(notes.try_recv(), Ok(Note::Command(Command::Stop)));
            *stopped
        })
        .map_err(|(class, text)| GivenUp::because(class, text))?;
        Ok(self.writer.write_answers(&answers)?)
    }

    fn start_shards(&mut self) -> Result<(), GivenUp> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for (number, users) in self.plan.shards(threads).into_iter().enumerate() {
            let poll = Poll::new()?;
            let waker = Shard::waker(&poll)?;
            let (orders, received) = channel();
            let (plan, notes) = (self.plan.clone(), self.sender.clone());
            let thread = std::thread::Builder::new().name(format!("users-{number}"));
            thread.spawn(move || play(number, poll, plan, &users, notes, received))?;
            self.shards.push((orders, waker));
            self.figures.push(Figures::default());
        }
        self.playing = self.shards.len();
        Ok(())
    }

    fn take_note(&mut self, patience: Duration) -> Result<(), GivenUp> {
        let note = match self
            .notes
            .recv_timeout(patience.min(Duration::from_secs(3600)))
        {
            Ok(note) => note,
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(GivenUp::because("Internal", "all threads have gone"));
            }
        };
        match note {
            Note::Command(Command::Start(start_ns)) => self.order(Order::Start(start_ns))?,
            Note::Command(Command::Stop) => {
                self.stopped = true;
                self.order(Order::Stop)?;
            }
            Note::Records(records) => self.writer.write_records(records)?,
            Note::Seconds(seconds) => self.writer.write_seconds(&seconds)?,
            Note::Answers(answers) => self.writer.write_answers(&answers)?,
            Note::Errors(errors) => errors.iter().for_each(|error| self.events.error(error)),
            Note::Figures(figures) => {
                let known = &mut self.figures[figures.shard];
                let lag_ns = known.lag_ns.max(figures.lag_ns);
                *known = Figures { lag_ns, ..figures };
            }
            Note::Connected(Ok(())) => self.connected += 1,
            Note::Connected(Err(_)) if self.stopped => self.connected += 1,
            Note::Connected(Err(text)) => return Err(GivenUp::because("ConnectFailed", text)),
            Note::Finished => self.playing -= 1,
            Note::Failed(text) => return Err(GivenUp::because("EventLoop", text)),
        }
        Ok(())
    }

    fn order(&self, order: Order) -> Result<(), GivenUp> {
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

    fn conclude(mut self) -> Result<(), GivenUp> {
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
    number: usize,
    poll: Poll,
    plan: Plan,
    users: &[u32],
    notes: Sender<Note>,
    orders: Receiver<Order>,
) {
    match Shard::new(poll, plan.clone(), users) {
        Ok(shard) => Player::new(number, shard, &plan, users.len(), notes, orders).play(),
        Err(error) => {
            let _ = notes.send(Note::Failed(error.to_string()));
        }
    }
}
