//! A link that is turned while the program looks at it: what was cleared must be what is written.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::Result;
use rustix::event::{Timespec, poll};

use crate::siege::Siege;
use crate::siege::lab::contents::{MIB, noise};
use crate::siege::lab::devices::LoopDevice;
use crate::siege::line::GroupLines;
use crate::siege::random::Random;

/// Two things between which a link turns.
struct Pair<'a> {
    name: &'static str,
    given_up: &'a Path,
    victim: &'a Path,
    permission: String,
}

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    for name in ["one", "two"] {
        std::fs::create_dir(at(name))?;
    }
    let one = LoopDevice::holding(&at("one"), &vec![0; MIB])?;
    let two = LoopDevice::holding(&at("two"), &noise(31, MIB))?;
    std::fs::write(at("foreign"), noise(32, MIB))?;
    let own = at("own");
    let make = "run random-write-4k --keep --size 1MiB --ios 1 --warm-up 0s --engine psync \
                --no-save --quiet --target";
    let words = make.split_whitespace().map(str::to_owned);
    let words = words.chain([own.to_string_lossy().into_owned()]);
    siege.fathom.call(words).end()?;

    let destroy = format!("--destroy={}", one.path.display());
    let pairs = [
        Pair {
            name: "from a blank device that is given up to another device",
            given_up: &one.path,
            victim: &two.path,
            permission: destroy.clone(),
        },
        Pair {
            name: "from a file of Fathom's own to somebody's",
            given_up: &own,
            victim: &at("foreign"),
            permission: String::new(),
        },
        Pair {
            name: "from a blank device that is given up to somebody's file",
            given_up: &one.path,
            victim: &at("foreign"),
            permission: destroy,
        },
        Pair {
            name: "from nothing to somebody's file",
            given_up: &at("nothing"),
            victim: &at("foreign"),
            permission: String::new(),
        },
    ];
    for pair in &pairs {
        turn(siege, pair, &at("link"), lines)?;
    }
    Ok(())
}

fn turn(siege: &Siege, pair: &Pair<'_>, link: &Path, lines: &mut GroupLines<'_>) -> Result<()> {
    let tries = siege.attempts(2500, 20);
    let expected = std::fs::read(pair.victim)?;
    let words = format!(
        "run random-write-4k --size 64KiB --ios 4 --warm-up 0s --engine psync --no-save --quiet \
         --output json:/dev/null --target {} {}",
        link.display(),
        pair.permission
    );
    let is_over = AtomicBool::new(false);
    let turns = AtomicU64::new(0);
    let (mut hits, mut done, mut defects) = (0, 0, 0);
    point(pair.given_up, link)?;
    let outcome: Result<()> = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = Random::new(siege.seed);
            while !is_over.load(Ordering::Relaxed) {
                let to = if turns.load(Ordering::Relaxed).is_multiple_of(2) {
                    pair.victim
                } else {
                    pair.given_up
                };
                // What cannot be turned now is turned next time.
                let _ = point(to, link);
                turns.fetch_add(1, Ordering::Relaxed);
                wait_ns(random.below(400_000) as i64);
            }
        });
        let tried = (0..tries).try_for_each(|_| {
            siege.go_on()?;
            let ended = siege.fathom.line(&words).end()?;
            done += u32::from(ended.status == Some(0));
            defects += u32::from(!ended.is_orderly());
            if std::fs::read(pair.victim)? != expected {
                hits += 1;
                std::fs::write(pair.victim, &expected)?;
            }
            Ok(())
        });
        is_over.store(true, Ordering::Relaxed);
        tried
    });
    outcome?;
    let turns = turns.into_inner();
    lines.add(
        format!("a link turns {}: {tries} runs", pair.name),
        "0 written to what was not given up",
        format!("{hits} written to it, {done} runs done, {defects} defects, {turns} turns"),
        hits == 0 && defects == 0,
    );
    Ok(())
}

/// Lets the link point there, at once: there is no instant without it.
fn point(to: &Path, link: &Path) -> Result<()> {
    let mut next = PathBuf::from(link);
    next.set_extension("next");
    symlink(to, &next)?;
    std::fs::rename(next, link)?;
    Ok(())
}

fn wait_ns(nanoseconds: i64) {
    let timeout = Timespec {
        tv_sec: 0,
        tv_nsec: nanoseconds,
    };
    // An early end is as good.
    let _ = poll(&mut [], Some(&timeout));
}
