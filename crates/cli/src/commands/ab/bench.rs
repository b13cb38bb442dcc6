//! Where the pairs are made: one run after the other, in random order.

use super::child;
use super::named;
use super::side::Side;
use crate::args::AbArgs;
use crate::commands::answers::Answers;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::stop::Stop;
use fathom_core::Nanos;
use fathom_core::figure;
use fathom_core::result::RunResult;
use fathom_device::Door;
use fathom_engine::{Clock, EngineKind};
use fathom_load::random::Random;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The load of the sentinel: no storage, only processors and this program.
const SENTINEL: [&str; 11] = [
    "run",
    "quick",
    "--engine",
    "null",
    "--warm-up",
    "0",
    "--time",
    "100ms",
    "--interval",
    "100ms",
    "--no-save",
];

/// Pairs in the making.
pub(super) struct Bench<'a> {
    args: &'a AbArgs,
    /// Where the comparison goes in the end.
    pub(super) answers: Answers,
    sides: [Side; 2],
    stop: Stop,
    clock: Clock,
    end: Option<Nanos>,
    random: Random,
    folder: PathBuf,
    /// What the runs of both sides are called in the history, before `/a` and `/b`.
    tag: String,
    /// Whether the folder goes when the bench does.
    is_own: bool,
    runs: [Vec<RunResult>; 2],
    orders: Vec<bool>,
    /// The order of pairs that repeat an earlier batch the other way round.
    mirrored: Vec<bool>,
    most: usize,
    sentinels: Vec<f64>,
    made: usize,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        args: &'a AbArgs,
        sides: [Side; 2],
        stop: Stop,
        answers: Answers,
    ) -> Result<Self, Problem> {
        let seed = args.seed.unwrap_or_else(fathom_engine::clock::utc_now_ns);
        let mut clock = Clock::monotonic();
        let end = args
            .time_limit
            .map(|limit| clock.now().saturating_add(limit));
        let folder = folder(args.into.as_deref())?;
        let bench = Self {
            args,
            answers,
            sides,
            stop,
            clock,
            end,
            random: Random::new(seed),
            folder,
            tag: tag(),
            is_own: args.into.is_none(),
            runs: [Vec::new(), Vec::new()],
            orders: Vec::new(),
            mirrored: Vec::new(),
            most: 0,
            sentinels: Vec::new(),
            made: 0,
        };
        bench.say(&format!("seed {seed}"));
        if bench.sides.iter().all(Side::is_kept) {
            let tag = &bench.tag;
            bench.say(&format!("the runs are kept as tag:{tag}/a and tag:{tag}/b"));
        }
        Ok(bench)
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.stop.is_interrupted()
    }

    /// How many pairs there are.
    pub(super) fn pairs(&self) -> usize {
        self.orders.len()
    }

    /// The runs so far, by side.
    pub(super) fn sides(&self) -> Vec<(String, Vec<RunResult>)> {
        named(self.args, [&self.runs[0], &self.runs[1]])
    }

    /// How many pairs there will be at most, for the lines of progress.
    pub(super) const fn expect(&mut self, most: usize) {
        self.most = most;
    }

    /// Lets go of the pairs; the next ones are made in the reverse of their orders.
    pub(super) fn turn_over(&mut self) {
        self.mirrored = std::mem::take(&mut self.orders)
            .iter()
            .map(|swapped| !swapped)
            .collect();
        self.mirrored.reverse();
        self.runs = [Vec::new(), Vec::new()];
        self.sentinels.clear();
    }

    /// What the null engine did beside each pair, requests a second.
    pub(super) fn sentinels(&self) -> &[f64] {
        &self.sentinels
    }

    /// Makes a pair; tells how many there are now, or nothing when there can be no more.
    pub(super) fn pair(&mut self) -> Result<Option<usize>, Error> {
        if self.stop.is_asked() || self.end.is_some_and(|end| self.clock.now() >= end) {
            return Ok(None);
        }
        let swapped = self
            .mirrored
            .pop()
            .unwrap_or_else(|| self.random.below(2) == 1);
        let mut pair = [None, None];
        for index in if swapped { [1, 0] } else { [0, 1] } {
            let words = self.sides[index].0.clone();
            pair[index] = self.run(&words, ["a", "b"][index])?;
            if pair[index].is_none() {
                return Ok(None);
            }
        }
        if let [Some(a), Some(b)] = pair {
            self.tell(swapped, &a, &b);
            self.runs[0].push(a);
            self.runs[1].push(b);
            self.orders.push(swapped);
        }
        Ok(Some(self.orders.len()))
    }

    /// Runs the null engine once. Beside virtual time it has nothing to watch.
    pub(super) fn sentinel(&mut self) -> Result<(), Error> {
        let mut runs = self.runs.iter().flatten();
        if runs.all(|run| run.provenance.engine.name == EngineKind::simulator().name()) {
            return Ok(());
        }
        let words = SENTINEL.map(str::to_owned);
        if let Some(result) = self.run(&words, "sentinel")? {
            self.sentinels.push(iops(&result));
        }
        Ok(())
    }

    fn run(&mut self, words: &[String], name: &str) -> Result<Option<RunResult>, Error> {
        self.made += 1;
        let file = self.folder.join(format!("{:04}-{name}.json", self.made));
        let tag = format!("{}/{name}", self.tag);
        child::run(words, &tag, &file, &self.stop)
    }

    fn tell(&self, swapped: bool, a: &RunResult, b: &RunResult) {
        let order = if swapped { "B A" } else { "A B" };
        let [one, two] = [a, b].map(iops);
        let number = self.orders.len() + 1;
        let ratio = figure::decimal(two / one, 3);
        let (one, two) = (figure::iops(one), figure::iops(two));
        self.say(&format!(
            "pair {number} of at most {}  {order}  A {one} IOPS  B {two} IOPS  B/A {ratio}",
            self.most
        ));
    }

    fn say(&self, line: &str) {
        if !self.args.quiet {
            // Only progress: where it cannot be written, the pairs go on without.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

impl Drop for Bench<'_> {
    fn drop(&mut self) {
        if self.is_own {
            // What is left in the temporary folder is nobody's loss.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// A name for these pairs: the digits of an instant, as ids of runs have them.
fn tag() -> String {
    let now_ns = fathom_engine::clock::utc_now_ns();
    let digits = Random::new(now_ns).below(1 << 32);
    format!("ab:{digits:08x}")
}

/// Where the results go: a directory of the user's, or one that nobody else has made.
fn folder(wanted: Option<&Path>) -> Result<PathBuf, Problem> {
    let door = Door::default();
    let (folder, made) = if let Some(folder) = wanted {
        (folder.to_owned(), door.make_folder(folder))
    } else {
        let name = format!("fathom-ab-{:x}", fathom_engine::clock::utc_now_ns());
        let folder = std::env::temp_dir().join(name);
        let made = door.make_new_folder(&folder);
        (folder, made)
    };
    made.map_err(|error| {
        let thing = format!("cannot make the directory {}", folder.display());
        Problem::new(Exit::Environment, thing)
            .because(error.cause())
            .remedy("--results DIR for another one")
    })?;
    Ok(folder)
}

/// Requests a second of the whole run, for the lines of progress and the sentinel.
pub(super) fn iops(result: &RunResult) -> f64 {
    let measured: u64 = result.phases.iter().map(|phase| phase.measured_ns).sum();
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let completed: u64 = jobs.map(|job| job.completed).sum();
    completed as f64 / (measured.max(1) as f64 / 1e9)
}
