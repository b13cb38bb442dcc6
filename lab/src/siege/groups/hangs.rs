//! Storage that does not answer. A request that waits is in the times with its age, also when it
//! waits past the end of the run; and the program ends when it is asked to, whatever waits, as far
//! as the kernel lets it: a thread in a request that a server of FUSE has taken, and a process with
//! such a request of libaio, cannot end before the server has. There the result has to be written
//! before.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::Result;
use fathom_verdict::Code;
use rustix::process::Signal;

use crate::siege::Siege;
use crate::siege::fathom::{Ended, Running};
use crate::siege::groups::fixtures::WHOLE;
use crate::siege::lab::contents::{EXT4, MIB, noise};
use crate::siege::lab::devices::{LoopDevice, Mount, on};
use crate::siege::lab::fuse::{Fate, Fuse, NEVER, Script, takes};
use crate::siege::line::GroupLines;
use crate::siege::result::Judgement;

/// Nothing is answered from 2 s on.
const FOR_EVER: Script = |_, at_ms, _| Fate {
    after: if at_ms < 2000 { takes(1).after } else { NEVER },
    ..Fate::default()
};
/// What comes from 2 s on is answered at 7 s.
const UNTIL_7_S: Script = |_, at_ms, _| {
    takes(if at_ms < 2000 {
        1
    } else {
        7000_u64.saturating_sub(at_ms)
    })
};

struct Case {
    name: &'static str,
    script: Script,
    /// Words after `run load.toml`; it is measured for 4 s.
    load: &'static str,
    state: &'static str,
    /// The least that the longest request has to have taken, in seconds.
    longest_s: f64,
}

const CASES: &[Case] = &[
    Case {
        name: "nothing is answered from 2 s on",
        script: FOR_EVER,
        load: "--engine io_uring --queue-depth 8 --drain-timeout 2s",
        state: "invalid",
        longest_s: 3.9,
    },
    Case {
        name: "nothing is answered from 2 s on",
        script: FOR_EVER,
        load: "--engine io_uring --queue-depth 1 --drain-timeout 2s",
        state: "invalid",
        longest_s: 3.9,
    },
    Case {
        name: "nothing is answered from 2 s on",
        script: FOR_EVER,
        load: "--engine libaio --queue-depth 8 --drain-timeout 2s",
        state: "invalid",
        // Of a thread in the kernel it is known by the interval only.
        longest_s: 2.9,
    },
    Case {
        name: "nothing is answered from 2 s on",
        script: FOR_EVER,
        load: "--engine psync --threads 4 --drain-timeout 2s",
        state: "invalid",
        longest_s: 2.9,
    },
    Case {
        name: "all is answered 3 s after the end",
        script: UNTIL_7_S,
        load: "--engine io_uring --queue-depth 8",
        state: "suspect",
        longest_s: 4.9,
    },
    Case {
        name: "all is answered 3 s after the end",
        script: UNTIL_7_S,
        load: "--engine libaio --queue-depth 8",
        state: "suspect",
        longest_s: 4.9,
    },
    Case {
        name: "all is answered 3 s after the end",
        script: UNTIL_7_S,
        load: "--engine psync --threads 4",
        state: "suspect",
        longest_s: 4.9,
    },
];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for case in CASES {
        siege.go_on()?;
        let folder = tempfile::tempdir()?;
        let fuse = match server(folder.path(), case.script) {
            Ok(fuse) => fuse,
            Err(error) => {
                lines.skip(format!("{error:#}"));
                return Ok(());
            }
        };
        let place = tempfile::tempdir()?;
        let words = format!("--read 100 --time 4s {}", case.load);
        let running = start(siege, place.path(), &fuse.file, &words)?;
        let is_in_time = is_done_in(&running, place.path(), 20)?;
        drop(fuse);
        let ended = running.end()?;
        let done = format!("{}: {}", case.name, case.load);
        let expected = (case.state, case.longest_s);
        tell(lines, done, place.path(), &ended, expected, is_in_time);
    }
    named(siege, lines)?;
    ended_by_signals(siege, lines)?;
    frozen(siege, lines)
}

/// Commands that read a file which never answers.
const READERS: &[&str] = &["verify FILE", "show FILE", "import FILE --store h.db"];

/// A command that waits for a file is asked to end, and names the file.
fn named(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for words in READERS {
        for (name, signal) in [("SIGINT", Signal::INT), ("SIGTERM", Signal::TERM)] {
            siege.go_on()?;
            let folder = tempfile::tempdir()?;
            let never: Script = |_, _, _| Fate {
                after: NEVER,
                ..Fate::default()
            };
            let fuse = server(folder.path(), never)?;
            let file = fuse.file.display().to_string();
            let place = tempfile::tempdir()?;
            let line = words.replace("FILE", &file);
            let running = siege.fathom.line(&line).inside(place.path()).start()?;
            running.wait_ms(2000)?;
            running.send(signal)?;
            // The server has taken the request: until it has gone, the kernel keeps the thread.
            running.wait_ms(7000)?;
            drop(fuse);
            let ended = running.end()?;
            let is_named = ended.stderr.contains(&file);
            let how = if is_named { "named" } else { "not named" };
            lines.add(
                format!("{words}, which never answers, {name}"),
                "status 130, the file is named",
                format!("{}, {how}", ended.told()),
                ended.status == Some(130) && is_named,
            );
        }
    }
    Ok(())
}

fn server(folder: &Path, script: Script) -> Result<Fuse> {
    Fuse::new(&folder.join("mounted"), noise(82, 16 * MIB), script)
}

fn start(siege: &Siege, place: &Path, target: &Path, words: &str) -> Result<Running> {
    let line = format!(
        "run load.toml --warm-up 0s --direct {words} --overwrite --quiet --no-save --output \
         json:result.json --target {}",
        target.display()
    );
    fs::write(place.join("load.toml"), WHOLE)?;
    siege.fathom.line(&line).inside(place).start()
}

/// Whether it has ended within `seconds`, or written its result at least.
fn is_done_in(running: &Running, place: &Path, seconds: u32) -> Result<bool> {
    for _ in 0..seconds {
        if running.wait_ms(1000)? || Judgement::read(&place.join("result.json")).is_ok() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The state, because the storage hangs, and a longest request of a number of seconds at least.
fn tell(
    lines: &mut GroupLines<'_>,
    done: String,
    place: &Path,
    ended: &Ended,
    (state, longest_s): (&str, f64),
    is_in_time: bool,
) {
    let expected = format!("{state} [storage_hangs], max over {longest_s} s");
    let found = Judgement::read(&place.join("result.json"));
    let (seen, is_met) = match &found {
        Ok(found) => {
            let is_known = found.codes.iter().any(|code| *code == Code::StorageHangs);
            let (how, max_s) = (ended.told(), found.longest_s());
            let when = if is_in_time { "" } else { ", too late" };
            let seen = format!("{how}, {}, max {max_s:.1} s{when}", found.told());
            let is_right = found.state == state && is_known && max_s >= longest_s;
            (seen, is_right && is_in_time && ended.is_orderly())
        }
        Err(_) => (ended.told(), false),
    };
    lines.add(done, expected, seen, is_met);
}

/// A run over storage that never answers again, asked once and twice to end.
fn ended_by_signals(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for engine in ["io_uring", "libaio", "psync"] {
        for (signals, patience_s) in [(1, 14), (2, 7)] {
            siege.go_on()?;
            let folder = tempfile::tempdir()?;
            let fuse = server(folder.path(), FOR_EVER)?;
            let place = tempfile::tempdir()?;
            let words = format!("--read 100 --time 60s --drain-timeout 5s --engine {engine}");
            let running = start(siege, place.path(), &fuse.file, &words)?;
            running.wait_ms(4000)?;
            for _ in 0..signals {
                running.send(Signal::TERM)?;
                running.wait_ms(200)?;
            }
            // Before its server has gone, the kernel lets only io_uring's requests be left.
            let is_in_time = match (engine, signals) {
                ("io_uring", _) => running.wait_ms(patience_s * 1000)?,
                (_, 1) => is_done_in(&running, place.path(), patience_s)?,
                _ => true,
            };
            drop(fuse);
            let ended = running.end()?;
            let has_result = Judgement::read(&place.path().join("result.json")).is_ok();
            let (expected, result, when) = (
                if signals == 1 {
                    "status 130 and a result"
                } else {
                    "status 130"
                },
                if has_result { " and a result" } else { "" },
                if is_in_time { "" } else { ", too late" },
            );
            let seen = format!("{}{result}{when}", ended.told());
            let done = format!("{signals} × SIGTERM while nothing is answered, --engine {engine}");
            let is_met = is_in_time && ended.status == Some(130) && (signals > 1 || has_result);
            lines.add(done, expected, seen, is_met);
        }
    }
    Ok(())
}

/// A file system that is frozen; thawed when this is dropped.
struct Frozen(PathBuf);

impl Frozen {
    fn new(place: &Path) -> Result<Self> {
        on("fsfreeze --freeze", place)?;
        Ok(Self(place.to_owned()))
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        if let Err(error) = on("fsfreeze --unfreeze", &self.0) {
            eprintln!("warning: {} stays frozen: {error:#}", self.0.display());
        }
    }
}

/// Writes to a file system that is frozen from 2 s on, until after the end of the 4 s.
fn frozen(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for engine in ["io_uring", "libaio", "psync"] {
        for (thaw_ms, drain, state) in [(5000, "30s", "suspect"), (9000, "2s", "invalid")] {
            siege.go_on()?;
            let folder = tempfile::tempdir()?;
            let backing = folder.path().join("backing");
            fs::write(&backing, noise(83, 64 * MIB))?;
            let device = LoopDevice::over(&backing, "--direct-io=on")?;
            on(EXT4, &device.path)?;
            let mount = Mount::new(
                &device.path,
                "-t ext4 -o noatime",
                &folder.path().join("mounted"),
            )?;
            let target = mount.place.join("file");
            fs::write(&target, noise(84, 16 * MIB))?;
            File::open(&target)?.sync_all()?;
            let place = tempfile::tempdir()?;
            let depth = if engine == "psync" { 1 } else { 8 };
            let words = format!(
                "--read 0 --time 4s --engine {engine} --queue-depth {depth} --drain-timeout {drain}"
            );
            let running = start(siege, place.path(), &target, &words)?;
            running.wait_ms(2000)?;
            let frozen = Frozen::new(&mount.place)?;
            running.wait_ms(thaw_ms)?;
            let is_told = Judgement::read(&place.path().join("result.json")).is_ok();
            drop(frozen);
            let ended = running.end()?;
            let done = format!(
                "a file system frozen at 2 s of 4 s and thawed at {} s: --engine {engine} \
                 --drain-timeout {drain}",
                (2000 + thaw_ms) / 1000
            );
            // What does not come back is reported without waiting for it.
            let is_in_time = is_told || state == "suspect";
            tell(lines, done, place.path(), &ended, (state, 2.9), is_in_time);
            drop(mount);
            drop(device);
        }
    }
    Ok(())
}
