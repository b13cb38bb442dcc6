//! Where the pairs are made: one run after the other, in random order.

use super::super::child;
use super::super::{DELIVER, DELIVER_LATER, PAIR_SEED, RUN_TAG};
use super::side::Side;
use crate::args::AbArgs;
use crate::aside;
use crate::commands::answers::Answers;
use crate::commands::outbox::{self, AtTheEnd};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::stop::Stop;
use fathom_core::Nanos;
use fathom_core::figure;
use fathom_core::result::RunResult;
use fathom_deliver::Destination;
use fathom_device::Door;
use fathom_engine::Clock;
use fathom_load::random::Random;
use fathom_load::seed::derive;
use fathom_session::pairs::{self, Made, iops};
use fathom_verdict::compare::Comparison;
use fathom_verdict::compare::{is_doubtful, qualifiers};
use std::path::{Path, PathBuf};

/// The load of the sentinel: no storage, only processors and this program.
const SENTINEL: &str =
    "run quick --engine null --warm-up 0 --time 100ms --interval 100ms --no-save";

/// What its results are called; they are nobody's.
const SENTINEL_NAME: &str = "sentinel";

/// Where the pairs are made.
pub(super) struct Bench<'a> {
    args: &'a AbArgs,
    /// Where the comparison goes in the end.
    pub(super) answers: Answers<Comparison>,
    sides: [Side; 2],
    stop: Stop,
    clock: Clock,
    began: Nanos,
    end: Option<Nanos>,
    folder: PathBuf,
    /// What the runs of both sides are called in the history, before `/a` and `/b`.
    tag: String,
    /// Whether the folder goes when the bench does.
    is_own: bool,
    made: usize,
    /// Of the order of the pairs, and of the requests in each.
    seed: u64,
    /// Runs of each side.
    runs: [u64; 2],
    /// Where the results of the sides go, with blanks between the places.
    to: String,
    departing: AtTheEnd,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        args: &'a AbArgs,
        sides: [Side; 2],
        seed: u64,
        stop: Stop,
        answers: Answers<Comparison>,
    ) -> Result<Self, Problem> {
        let mut clock = Clock::monotonic();
        let began = clock.now();
        let end = args.time_limit.map(|limit| began.saturating_add(limit));
        let to = joined(&outbox::places(&args.deliver)?);
        let is_any = !to.is_empty();
        if is_any && !sides.iter().all(Side::is_kept) {
            return Err(
                Problem::new(Exit::Usage, "a side with --no-save cannot be delivered")
                    .because("results that cannot be delivered stay queued in the history")
                    .remedy("omit --no-save, or omit --deliver and FATHOM_DELIVER"),
            );
        }
        let stores = sides.iter().filter(|_| is_any).map(Side::store);
        let stores: Vec<_> = stores.collect();
        let folder = folder(args.into.as_deref())?;
        let bench = Self {
            args,
            answers,
            sides,
            stop,
            clock,
            began,
            end,
            folder,
            tag: tag(),
            is_own: args.into.is_none(),
            made: 0,
            seed,
            runs: [0; 2],
            departing: AtTheEnd::new(stores),
            to,
        };
        bench.say(&format!("seed {seed}"));
        if bench.sides.iter().all(Side::is_kept) {
            let tag = &bench.tag;
            bench.say(&format!(
                "the runs are saved as tag:{tag}/a and tag:{tag}/b"
            ));
        }
        Ok(bench)
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.stop.is_interrupted()
    }

    fn child(&mut self, words: &[String], name: &str) -> Result<Option<RunResult>, Error> {
        self.made += 1;
        let file = self.folder.join(format!("{:04}-{name}.json", self.made));
        let tag = format!("{}/{name}", self.tag);
        let to = if name == SENTINEL_NAME { "" } else { &self.to };
        // Where the run is kept, it has the tag, and it is noted that it is to be sent.
        let pair = self.runs.into_iter().max().unwrap_or_default();
        let pair_seed = (derive(self.seed, &[pair]) >> u32::BITS).to_string();
        let variables = [
            (RUN_TAG, tag.as_str()),
            (PAIR_SEED, &pair_seed),
            (DELIVER, to),
            (DELIVER_LATER, "1"),
        ];
        let made = child::run(words, &variables, &file, &self.stop)?;
        if let Some(result) = &made {
            self.departing.add(&result.run_id);
        }
        Ok(made)
    }

    fn say(&self, line: &str) {
        if !self.args.quiet {
            aside::say(line);
        }
    }
}

impl pairs::Bench for Bench<'_> {
    type Error = Error;

    fn goes_on(&mut self) -> bool {
        !self.stop.is_asked() && self.end.is_none_or(|end| self.clock.now() < end)
    }

    fn run(&mut self, side: pairs::Side) -> Result<Option<RunResult>, Error> {
        let (index, name) = match side {
            pairs::Side::A => (0, "a"),
            pairs::Side::B => (1, "b"),
        };
        // Both make the same requests, each with content of its own.
        self.runs[index] += 1;
        let words = self.sides[index].0.clone();
        self.child(&words, name)
    }

    fn sentinel(&mut self) -> Result<Option<RunResult>, Error> {
        let words: Vec<String> = SENTINEL.split(' ').map(str::to_owned).collect();
        self.child(&words, SENTINEL_NAME)
    }

    fn made(&mut self, pair: Made<'_>) {
        let order = if pair.swapped { "B A" } else { "A B" };
        let [one, two] = pair.runs.map(iops);
        let ratio = figure::decimal(two / one, 3);
        let (one, two) = (figure::iops(one), figure::iops(two));
        let aside = if pair.set_aside {
            format!("  set aside: {}", doubts(pair.runs))
        } else {
            String::new()
        };
        let took = self.clock.now().saturating_sub(self.began);
        let left = left(pair.number as u64, pair.most as u64, took.0);
        self.say(&format!(
            "pair {} of at most {}{left}  {order}  A {one} IOPS  B {two} IOPS  B/A {ratio}{aside}",
            pair.number, pair.most
        ));
    }
}

/// Time that the other pairs take at the pace of those so far, from a minute on.
fn left(made: u64, most: u64, took_ns: u64) -> String {
    const MINUTE_NS: u64 = 60_000_000_000;
    let left_ns = (took_ns / made.max(1)).saturating_mul(most.saturating_sub(made));
    if left_ns < MINUTE_NS {
        return String::new();
    }
    format!(", at most {} left", figure::duration(left_ns))
}

/// Which run of a pair is questionable, and why.
fn doubts(runs: [&RunResult; 2]) -> String {
    let named = ["A", "B"].into_iter().zip(runs);
    let doubts = named
        .filter(|(_, run)| is_doubtful(run))
        .map(|(name, run)| format!("{name} is {}", qualifiers(run)));
    doubts.collect::<Vec<_>>().join(", ")
}

fn joined(places: &[Destination]) -> String {
    let places: Vec<String> = places.iter().map(ToString::to_string).collect();
    places.join(" ")
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
            .remedy("use --results DIR with another directory")
    })?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::left;

    #[test]
    fn the_time_of_the_other_pairs_is_estimated() {
        let minute = 60_000_000_000;
        assert_eq!(left(6, 24, 12 * minute), ", at most 36 min 00 s left");
        assert_eq!(left(24, 24, 48 * minute), "");
        assert_eq!(left(1, 6, minute / 6), "");
    }
}
