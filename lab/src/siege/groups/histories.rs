//! Histories that are damaged, foreign, locked or gone: what is still there is shown or saved,
//! what is not is said, and a foreign file is left as it is.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::siege::Siege;
use crate::siege::lab::contents::{database, noise};
use crate::siege::lab::devices::Mount;
use crate::siege::line::GroupLines;
use crate::siege::random::Random;

/// What can happen to a history.
#[derive(Clone, Copy)]
struct Harm {
    name: &'static str,
    make: fn(&Path, &mut Random) -> Result<()>,
    /// Whether it is somebody else's now, of which not a byte may change.
    is_foreign: bool,
    /// How many times, since chance is in it.
    times: u32,
}

const fn harm(name: &'static str, make: fn(&Path, &mut Random) -> Result<()>) -> Harm {
    Harm {
        name,
        make,
        is_foreign: false,
        times: 1,
    }
}

const fn foreign(name: &'static str, make: fn(&Path, &mut Random) -> Result<()>) -> Harm {
    Harm {
        is_foreign: true,
        ..harm(name, make)
    }
}

const fn often(times: u32, harm: Harm) -> Harm {
    Harm { times, ..harm }
}

const HARMS: &[Harm] = &[
    harm("nothing", |_, _| Ok(())),
    often(
        6,
        harm("cut off anywhere", |path, random| {
            let length = fs::metadata(path)?.len();
            Ok(File::options()
                .write(true)
                .open(path)?
                .set_len(random.below(length))?)
        }),
    ),
    often(
        6,
        harm("one bit flipped", |path, random| {
            let at = random.below(fs::metadata(path)?.len());
            flip(path, at, random)
        }),
    ),
    often(
        4,
        harm("one bit of the first page flipped", |path, random| {
            let at = random.below(4096);
            flip(path, at, random)
        }),
    ),
    often(
        4,
        harm("a page of noise", |path, random| {
            let page = random.below(fs::metadata(path)?.len() / 4096);
            let file = File::options().write(true).open(path)?;
            Ok(file.write_all_at(&random.bytes(4096), page * 4096)?)
        }),
    ),
    harm("a page of zeros in the middle", |path, _| {
        let page = fs::metadata(path)?.len() / 4096 / 2;
        let file = File::options().write(true).open(path)?;
        Ok(file.write_all_at(&[0; 4096], page * 4096)?)
    }),
    harm("noise behind its end", |path, random| {
        let mut file = File::options().append(true).open(path)?;
        Ok(file.write_all(&random.bytes(5000))?)
    }),
    harm("a log that is none next to it", |path, random| {
        Ok(fs::write(beside(path, "-wal"), random.bytes(8192))?)
    }),
    harm("an old journal next to it", |path, random| {
        Ok(fs::write(beside(path, "-journal"), random.bytes(8192))?)
    }),
    harm("empty", |path, _| Ok(fs::write(path, "")?)),
    foreign("a text", |path, _| {
        Ok(fs::write(path, "accounts of 2025\n")?)
    }),
    foreign("noise", |path, _| Ok(fs::write(path, noise(41, 65536))?)),
    foreign("a database of another program", |path, _| {
        Ok(fs::write(path, database(0x5349_4547))?)
    }),
    foreign("a database without a number", |path, _| {
        Ok(fs::write(path, database(0))?)
    }),
    foreign("a result", |path, _| {
        Ok(fs::write(path, "{\"schema_version\": 1}")?)
    }),
];

fn beside(path: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", path.display()))
}

fn flip(path: &Path, at: u64, random: &mut Random) -> Result<()> {
    let file = File::options().read(true).write(true).open(path)?;
    let mut byte = [0];
    file.read_exact_at(&mut byte, at)?;
    byte[0] ^= 1 << random.below(8);
    Ok(file.write_all_at(&byte, at)?)
}

/// What is asked of it. Those that write come last.
const CALLS: &[&str] = &[
    "history --store STORE",
    "history --json --store STORE",
    "show @latest --store STORE",
    "export --all --output saved.json --store STORE",
    "trend --full --store STORE",
    "watch --recordings --store STORE",
    "note @latest kept --store STORE",
    "run random-read-4k --engine sim --time 1s --quiet --output json:new.json --store STORE",
    "prune --keep 1 --yes --store STORE",
];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let good = folder.path().join("good.db");
    make(siege, &good)?;
    let mut random = Random::new(siege.seed);
    for harm in HARMS {
        let times = if siege.is_quick { 1 } else { harm.times };
        for time in 0..times {
            siege.go_on()?;
            ask_all(siege, &good, harm, time, &mut random, lines)?;
        }
    }
    if !siege.is_quick {
        without_room(siege, &good, lines)?;
        gone(siege, lines)?;
        locked(siege, &good, lines)?;
    }
    Ok(())
}

/// A history with four runs.
fn make(siege: &Siege, path: &Path) -> Result<()> {
    for seed in 1..=4 {
        let line = format!(
            "run random-read-4k --engine sim --time 2s --quiet --seed {seed} --output \
             json:/dev/null --store {}",
            path.display()
        );
        let ended = siege.fathom.line(&line).end()?;
        ensure!(ended.status == Some(0), "no history: {}", ended.told());
    }
    Ok(())
}

fn ask_all(
    siege: &Siege,
    good: &Path,
    harm: &Harm,
    time: u32,
    random: &mut Random,
    lines: &mut GroupLines<'_>,
) -> Result<()> {
    let mut seen = Vec::new();
    let mut is_met = true;
    let calls = CALLS.iter().step_by(if siege.is_quick { 7 } else { 1 });
    for call in calls {
        let folder = tempfile::tempdir()?;
        let store = folder.path().join("history.db");
        fs::copy(good, &store)?;
        (harm.make)(&store, random)?;
        let before = fs::read(&store)?;
        let line = call.replace("STORE", "history.db");
        let ended = siege.fathom.line(&line).inside(folder.path()).end()?;
        let is_changed = fs::read(&store).ok().as_ref() != Some(&before);
        let command = call.split_whitespace().next().unwrap_or_default();
        let mut told = format!("{command} {}", ended.status.unwrap_or(-1));
        // A run that was measured must not be lost with its history.
        let is_refused = ended.is_refusal() || command == "run";
        let is_good = if harm.is_foreign {
            if is_changed {
                told.push_str(" CHANGED");
            }
            !is_changed && is_refused && ended.status != Some(101)
        } else if harm.name == "nothing" || harm.name == "empty" {
            ended.status == Some(0) || (harm.name == "empty" && ended.is_refusal())
        } else {
            matches!(ended.status, Some(0 | 2 | 4 | 9))
        };
        if !is_good || !ended.is_orderly() {
            is_met = false;
            told = format!("{told} ({})", ended.told());
        }
        seen.push(told);
    }
    let expected = match (harm.is_foreign, harm.name) {
        (true, _) => "refused, not a byte changed",
        (_, "nothing") => "status 0",
        (_, "empty") => "as a new one, or refused",
        _ => "shown as far as it can be, or refused; no defect",
    };
    lines.add(
        format!("history: {} ({time})", harm.name),
        expected,
        seen.join(", "),
        is_met,
    );
    Ok(())
}

const RUN: &str =
    "run random-read-4k --engine sim --time 1s --quiet --output json:result.json --store STORE";

fn measure(siege: &Siege, what: &str, store: &Path, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let line = RUN.replace("STORE", &store.to_string_lossy());
    let ended = siege.fathom.line(&line).inside(folder.path()).end()?;
    let has_result = folder
        .path()
        .join("result.json")
        .metadata()
        .is_ok_and(|meta| meta.len() > 0);
    lines.add(
        format!("a run, whose history is {what}"),
        "refused before it is measured, or reported and the result written",
        format!(
            "{}, result {}",
            ended.told(),
            if has_result { "written" } else { "missing" }
        ),
        ended.is_orderly() && (has_result || ended.is_refusal()) && !ended.stderr.is_empty(),
    );
    Ok(())
}

fn without_room(siege: &Siege, good: &Path, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("small");
    let full = Mount::new(Path::new("tmpfs"), "-t tmpfs -o size=1m", &place)?;
    let store = place.join("history.db");
    fs::copy(good, &store)?;
    let room = rustix::fs::statvfs(&place)?;
    fs::write(
        place.join("filler"),
        vec![1; (room.f_bavail * room.f_bsize) as usize],
    )?;
    measure(siege, "on a full file system", &store, lines)?;
    let line = format!("history --store {}", store.display());
    let ended = siege.fathom.line(&line).end()?;
    let is_met = ended.status == Some(0);
    lines.add(
        "history on a full file system",
        "shown",
        ended.told(),
        is_met,
    );
    drop(full);
    let _mount = Mount::onto(Path::new("tmpfs"), "-t tmpfs -o size=1m", &place)?;
    fs::copy(good, &store)?;
    let place_text = place.to_string_lossy().into_owned();
    crate::siege::lab::devices::system("mount", &["-o", "remount,ro", &place_text])?;
    measure(siege, "on a read-only file system", &store, lines)?;
    let ended = siege.fathom.line(&line).end()?;
    let is_met = ended.status == Some(0);
    lines.add(
        "history on a read-only file system",
        "shown",
        ended.told(),
        is_met,
    );
    Ok(())
}

/// A file is in the place of its folder.
fn gone(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("file");
    fs::write(&file, "somebody's")?;
    let store = file.join("history.db");
    measure(siege, "below a file", &store, lines)?;
    let line = format!("history --store {}", store.display());
    let ended = siege.fathom.line(&line).end()?;
    let is_met = ended.is_orderly() && fs::read(&file)? == b"somebody's";
    lines.add("history below a file", "said", ended.told(), is_met);
    Ok(())
}

/// Another program holds it: `sqlite3`, where there is one.
fn locked(siege: &Siege, good: &Path, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("history.db");
    fs::copy(good, &store)?;
    let holder = std::process::Command::new("sqlite3")
        .arg(&store)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn();
    let Ok(mut holder) = holder else {
        lines.skip("a locked history: there is no sqlite3");
        return Ok(());
    };
    let mut words = holder.stdin.take().context("its input")?;
    writeln!(words, "BEGIN EXCLUSIVE; SELECT 'held';")?;
    let mut answer = [0; 5];
    let mut said = holder.stdout.take().context("its output")?;
    std::io::Read::read_exact(&mut said, &mut answer)?;
    measure(siege, "locked by another program", &store, lines)?;
    drop(words);
    holder.wait()?;
    Ok(())
}
