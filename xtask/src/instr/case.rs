//! One case: the storage it needs, its two runs, and the difference between them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::budgets::{Case, Load, Storage};
use super::callgrind::{self, Counted};
use crate::zram::Zram;

const MIB: usize = 1 << 20;
/// Small enough to be cached anywhere, large enough that offsets are spread.
const FILE_BYTES: usize = 64 * MIB;
const ZRAM_BYTES: u64 = 1 << 30;
/// Fathom's exit status where kernel or permissions do not allow what was asked.
const ENVIRONMENT_REFUSED: i32 = 4;

/// What a case came to.
pub(super) enum CaseOutcome {
    /// Both as differences between the long run and the short one.
    Measured { instructions: u64, ios: u64 },
    /// The machine cannot run it.
    Unmeasured { reason: String },
}

/// Storage that goes away with this value.
enum Prepared {
    Null,
    Zram(Zram),
    File(PathBuf),
}

pub(super) fn measure(case: &Case, program: &Path, target_directory: &Path) -> Result<CaseOutcome> {
    // Below the target directory, not in the system's folder for temporary files: that one may be
    // a tmpfs, which is no file in the page cache.
    let scratch = tempfile::tempdir_in(target_directory).context("cannot make a folder")?;
    let storage = match prepare(case.target, scratch.path()) {
        Ok(storage) => storage,
        Err(error) => {
            return Ok(CaseOutcome::Unmeasured {
                reason: format!("{error:#}"),
            });
        }
    };
    let mut counted = [const { (BTreeMap::new(), 0) }; 2];
    for (run, ios) in case.ios.into_iter().enumerate() {
        let args = arguments(case, &storage, ios, scratch.path())?;
        counted[run] = match callgrind::count(program, &args, scratch.path())? {
            Counted::Instructions(instructions, printed) => (instructions, completed(&printed)?),
            Counted::Failed(words) => return explain(program, &args, &words),
        };
    }
    difference(case, &counted)
}

/// Tells a machine that cannot run the case from a Fathom that is broken, by running it without
/// valgrind: only the first is an excuse.
fn explain(program: &Path, args: &[String], words: &str) -> Result<CaseOutcome> {
    let plain = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let reason = match plain.status.code() {
        Some(0) => format!("it ends well by itself, but under valgrind with {words}"),
        Some(ENVIRONMENT_REFUSED) => words.to_owned(),
        _ => bail!("`fathom {}` ended with {words}", args.join(" ")),
    };
    Ok(CaseOutcome::Unmeasured { reason })
}

/// The cost of the I/Os that the long run made beyond the short one's: what the worker executed,
/// the thread whose count grew most. The others do their part by the clock and not by the
/// I/O, so that on a busy machine they would be charged to the loop.
fn difference(case: &Case, counted: &[(BTreeMap<u32, u64>, u64); 2]) -> Result<CaseOutcome> {
    let [(short, short_ios), (long, long_ios)] = counted;
    let asked = case.ios[1] - case.ios[0];
    let ios = long_ios.saturating_sub(*short_ios);
    // A run cut short would leave so few I/Os that start-up no longer cancels.
    ensure!(
        ios.abs_diff(asked) <= asked / 100,
        "asked for {asked} I/Os more in the second run, got {ios}"
    );
    let more = |(thread, long): (&u32, &u64)| long.checked_sub(*short.get(thread)?);
    let instructions =
        long.iter().filter_map(more).max().context(
            "no thread executed more instructions in the long run than in the short one",
        )?;
    Ok(CaseOutcome::Measured { instructions, ios })
}

fn prepare(storage: Storage, scratch: &Path) -> Result<Prepared> {
    Ok(match storage {
        Storage::Null => Prepared::Null,
        Storage::Zram => Prepared::Zram(Zram::add(ZRAM_BYTES)?),
        Storage::CachedFile => {
            let path = scratch.join("cached");
            // Written with bytes, not extended: it has no holes, and its pages stay in the cache.
            fs::write(&path, vec![0xA5; FILE_BYTES]).context("cannot write the cached file")?;
            Prepared::File(path)
        }
    })
}

/// The words of a run of this many requests of 4 KiB, which are what its specification asks for.
fn arguments(case: &Case, storage: &Prepared, ios: u64, scratch: &Path) -> Result<Vec<String>> {
    let specification = scratch.join("load.toml");
    let text = specified(case, ios);
    fs::write(&specification, text).context("cannot write the specification")?;
    let mut words = vec!["run".to_owned(), specification.display().to_string()];
    let more = match storage {
        Prepared::Null => None,
        Prepared::Zram(zram) => Some(vec![
            "--target".to_owned(),
            zram.path().display().to_string(),
        ]),
        Prepared::File(path) => Some(vec![
            "--no-direct".to_owned(),
            "--target".to_owned(),
            path.display().to_string(),
        ]),
    };
    words.extend(more.into_iter().flatten());
    words.extend(["--engine".to_owned(), case.engine.clone()]);
    words.extend(["--no-save", "--quiet", "--output", "json:-"].map(str::to_owned));
    Ok(words)
}

/// The count ends the run; the time only guards against one that hangs. Where instructions are
/// counted, an interval of a second holds fifty times fewer requests than in earnest. No machine
/// keeps up with the open load, so that no instruction is spent on waiting.
fn specified(case: &Case, ios: u64) -> String {
    let load = match case.load {
        Load::Read => "",
        Load::Write => "read = 0\n",
        Load::Poisson => {
            "pacing = { open = { rate = \"100000000IOPS\", arrivals = \"poisson\" } }\n"
        }
    };
    format!(
        "interval = \"60s\"\n[[phase]]\nduration = \"600s\"\nwarm_up = \"0s\"\n[[phase.job]]\n\
         size = \"64MiB\"\nblock_size = \"4KiB\"\nqueue_depth = {}\nstop = {{ ios = {ios} }}\n\
         {load}",
        case.queue_depth
    )
}

/// How many requests a result has.
fn completed(json: &str) -> Result<u64> {
    let result: Value = serde_json::from_str(json).context("its result is no JSON")?;
    let completed = result.pointer("/phases/0/jobs/0/completed");
    let completed = completed.and_then(Value::as_u64);
    completed.context("its result has no completed requests")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case() -> Case {
        Case {
            name: "a".to_owned(),
            engine: "psync".to_owned(),
            target: Storage::CachedFile,
            queue_depth: 1,
            load: Load::Read,
            ios: [1_000, 11_000],
            budget: 350,
            required: false,
        }
    }

    /// Of the main thread and of the worker.
    fn threads(main: u64, worker: u64) -> BTreeMap<u32, u64> {
        BTreeMap::from([(1, main), (3, worker)])
    }

    #[test]
    fn start_up_and_the_other_threads_do_not_count() {
        let short = (threads(9_000_000, 500_000), 1_000);
        let long = (threads(9_600_000, 10_500_000), 11_000);
        let outcome = difference(&case(), &[short, long]).unwrap();
        let CaseOutcome::Measured { instructions, ios } = outcome else {
            panic!("not measured")
        };
        assert_eq!((instructions, ios), (10_000_000, 10_000));
    }

    #[test]
    fn a_run_cut_short_is_refused() {
        let refused = |short: (u64, u64), long: (u64, u64)| {
            let counted = [short, long].map(|(worker, ios)| (BTreeMap::from([(3, worker)]), ios));
            difference(&case(), &counted).err().unwrap().to_string()
        };
        assert_eq!(
            refused((5_200_000, 1_000), (6_200_000, 6_000)),
            "asked for 10000 I/Os more in the second run, got 5000"
        );
        assert_eq!(
            refused((5_200_000, 1_000), (5_100_000, 11_000)),
            "no thread executed more instructions in the long run than in the short one"
        );
    }

    #[test]
    fn only_the_machine_is_an_excuse() {
        let explained = |script: &str| {
            let args = ["-c", script].map(str::to_owned);
            match explain(Path::new("/bin/sh"), &args, "some words") {
                Ok(CaseOutcome::Unmeasured { reason }) => reason,
                Ok(CaseOutcome::Measured { .. }) => panic!("measured"),
                Err(error) => format!("error: {error}"),
            }
        };
        let fine = "it ends well by itself, but under valgrind with some words";
        assert_eq!(explained("exit 0"), fine);
        assert_eq!(explained("exit 4"), "some words");
        assert_eq!(
            explained("exit 2"),
            "error: `fathom -c exit 2` ended with some words"
        );
    }

    #[test]
    fn a_file_is_read_buffered_and_whole() {
        let storage = Prepared::File(PathBuf::from("/t/cached"));
        let scratch = tempfile::tempdir().unwrap();
        let args = arguments(&case(), &storage, 1_000, scratch.path()).unwrap();
        let expected = "--no-direct --target /t/cached --engine psync --no-save --quiet --output \
                        json:-";
        assert_eq!(args[2..].join(" "), expected);
        let specification = "interval = \"60s\"\n[[phase]]\nduration = \"600s\"\nwarm_up = \"0s\"\n\
                             [[phase.job]]\nsize = \"64MiB\"\nblock_size = \"4KiB\"\n\
                             queue_depth = 1\nstop = { ios = 1000 }\n";
        assert_eq!(fs::read_to_string(&args[1]).unwrap(), specification);
    }
}
