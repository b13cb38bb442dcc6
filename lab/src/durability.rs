//! Durability with power cut for real: a guest of QEMU writes and sends each acknowledgement to a
//! log outside, QEMU is killed at a random instant, the cache of its disk goes with it, and what is
//! left is verified.
//!
//! A guest is started once for each kind of disk and stopped right before it writes. Every kill
//! goes on from there with a copy of the disk, so that a hundred of them do not take a hundred
//! starts.

mod guest;
mod qmp;
mod stack;
pub(crate) mod volatile;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::siege::random::Random;
use guest::{Frozen, Guest};
use stack::{STACKS, Stack};
use xtask::dist::{Release, binary, program};

/// How often power is cut of each stack, where nothing else is said.
const KILLS: u32 = 50;

/// From which all that is random comes.
const SEED: u64 = 15;

/// What became of one kill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cut {
    /// Sectors that the disk had been asked to keep, had said it would, and dropped.
    owed: u64,
    /// Of these, those that were owed when the writer went on.
    surely_owed: u64,
    verdict: Verdict,
    acknowledged: u64,
}

/// What Fathom said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Verdict {
    Kept,
    Broken,
    /// The file system cannot be mounted any more.
    NotMounted,
    #[default]
    CannotTell,
}

/// All kills of a stack.
#[derive(Clone, Debug, Default)]
struct Tally {
    cuts: Vec<Cut>,
}

impl Tally {
    fn count(&self, is_it: impl Fn(&Cut) -> bool) -> usize {
        self.cuts.iter().filter(|cut| is_it(cut)).count()
    }

    fn broken(&self) -> usize {
        self.count(|cut| matches!(cut.verdict, Verdict::Broken | Verdict::NotMounted))
    }

    fn broken_words(&self) -> String {
        match self.count(|cut| cut.verdict == Verdict::NotMounted) {
            0 => self.broken().to_string(),
            some => format!("{}, {some} of them not to be mounted", self.broken()),
        }
    }

    /// Those in which the disk broke its word on something that the acknowledgement log has.
    fn lied(&self) -> usize {
        self.count(|cut| cut.surely_owed > 0)
    }

    /// Of these, those that were found.
    fn found(&self) -> usize {
        self.count(|cut| cut.surely_owed > 0 && cut.verdict.is_blamed())
    }

    fn row(&self, stack: &Stack) -> String {
        let mut acknowledged: Vec<u64> = self.cuts.iter().map(|cut| cut.acknowledged).collect();
        acknowledged.sort_unstable();
        let median = acknowledged.get(acknowledged.len() / 2).copied();
        format!(
            "| `{}` | {} | {} | {} | {} | {} | {} | {} |",
            stack.name,
            stack.truth,
            self.cuts.len(),
            self.count(|cut| cut.verdict == Verdict::Kept),
            self.broken_words(),
            self.count(|cut| cut.verdict == Verdict::CannotTell),
            if stack.backing.is_ours() {
                format!("{} of {}", self.found(), self.lied())
            } else {
                "-".to_owned()
            },
            median.unwrap_or(0),
        )
    }

    /// Whether the stack was judged as it is.
    fn is_right(&self, stack: &Stack) -> bool {
        if stack.keeps {
            self.broken() == 0 && self.lied() == 0
        } else {
            self.broken() > 0 && self.found() == self.lied()
        }
    }
}

impl Verdict {
    const fn is_blamed(self) -> bool {
        matches!(self, Self::Broken | Self::NotMounted)
    }
}

/// `lab durability [--binary FATHOM] [--kills N] [STACK…]`; true when every stack was judged as it
/// is.
pub(super) fn run(words: &[&str]) -> Result<bool> {
    let (given, words) = match words {
        ["--binary", file, rest @ ..] => (Some(Path::new(file).to_owned()), rest),
        rest => (None, rest),
    };
    let (kills, names) = match words {
        ["--kills", number, rest @ ..] => (number.parse().context("--kills N")?, rest),
        rest => (KILLS, rest),
    };
    for name in names {
        let is_known = STACKS.iter().any(|one| one.name == *name);
        ensure!(is_known, "there is no stack {name}");
    }
    for (name, package) in [
        ("qemu-system-x86_64", "qemu-system-x86"),
        ("qemu-img", "qemu-utils"),
    ] {
        ensure!(
            program::is_there(name),
            "{name} is missing (package {package})"
        );
    }
    let binary = match given {
        Some(file) => file,
        None => binary::build(&Release::of_head()?)?,
    };
    let place = tempfile::tempdir().context("cannot make a folder")?;
    let guest = Guest::build(&binary, place.path())?;
    let mut frozen: BTreeMap<&str, Frozen> = BTreeMap::new();
    let mut rows = Vec::new();
    let mut is_good = true;
    for stack in STACKS
        .iter()
        .filter(|one| names.is_empty() || names.contains(&one.name))
    {
        if !frozen.contains_key(stack.disk.name()) {
            let one = guest.freeze(stack.disk, place.path())?;
            frozen.insert(stack.disk.name(), one);
        }
        let from = &frozen[stack.disk.name()];
        let mut random = Random::new(SEED);
        let mut tally = Tally::default();
        for kill in 0..kills {
            let cut = one(&guest, from, stack, &binary, &mut random)
                .with_context(|| format!("{}, kill {kill}", stack.name))?;
            tally.cuts.push(cut);
        }
        let row = tally.row(stack);
        let mark = if tally.is_right(stack) { "" } else { "WRONG: " };
        println!("{mark}{row}");
        is_good &= tally.is_right(stack);
        rows.push(row);
    }
    println!(
        "\n| stack | truth | kills | KEPT | BROKEN | CANNOT TELL | lies found | acknowledged |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n{}",
        rows.join("\n")
    );
    Ok(is_good)
}

/// One kill, and what is left.
fn one(
    guest: &Guest,
    from: &Frozen,
    stack: &Stack,
    binary: &Path,
    random: &mut Random,
) -> Result<Cut> {
    let place = tempfile::tempdir()?;
    let left = guest.cut(from, stack, place.path(), random)?;
    let image = left.image(stack.backing, place.path())?;
    let mounted = match stack.disk.file_system() {
        None => None,
        Some(kind) => match Mounted::new(&image, kind, place.path()) {
            Ok(mounted) => Some(mounted),
            Err(_) => {
                return Ok(Cut {
                    owed: left.owed,
                    surely_owed: left.surely_owed,
                    verdict: Verdict::NotMounted,
                    acknowledged: left.acknowledged()?,
                });
            }
        },
    };
    let target = mounted
        .as_ref()
        .map_or(image.as_path(), |one| one.folder.as_path());
    let output = Command::new(binary)
        .args(["durability", "--verify", "--json", "--target"])
        .arg(target)
        .arg("--ack-log")
        .arg(&left.log)
        .output()?;
    let found: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("no verdict: {}", String::from_utf8_lossy(&output.stderr)))?;
    let verdict = match found["verdict"].as_str() {
        Some("kept") => Verdict::Kept,
        Some("broken") => Verdict::Broken,
        _ => Verdict::CannotTell,
    };
    Ok(Cut {
        owed: left.owed,
        surely_owed: left.surely_owed,
        verdict,
        acknowledged: left.acknowledged()?,
    })
}

/// A file system of an image, mounted on this machine, which brings its journal to an end first.
struct Mounted {
    folder: std::path::PathBuf,
    device: String,
}

impl Mounted {
    fn new(image: &Path, kind: &str, place: &Path) -> Result<Self> {
        let folder = place.join("mounted");
        std::fs::create_dir(&folder)?;
        let made = Command::new("losetup")
            .args(["--find", "--show"])
            .arg(image)
            .output()?;
        ensure!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let device = String::from_utf8_lossy(&made.stdout).trim().to_owned();
        let mounted = Self { folder, device };
        let mut mount = Command::new("mount");
        mount
            .args(["-t", kind, &mounted.device])
            .arg(&mounted.folder);
        let told = mount.output()?;
        ensure!(
            told.status.success(),
            "{}",
            String::from_utf8_lossy(&told.stderr)
        );
        Ok(mounted)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // What was not mounted cannot be unmounted, and is still detached.
        let _ = Command::new("umount").arg(&self.folder).output();
        let _ = Command::new("losetup")
            .args(["--detach", &self.device])
            .output();
    }
}

#[cfg(test)]
mod tests {
    use super::stack::Backing;
    use super::*;

    fn tally(cuts: &[(u64, Verdict)]) -> Tally {
        let cut = |(surely_owed, verdict): &(u64, Verdict)| Cut {
            owed: *surely_owed,
            surely_owed: *surely_owed,
            verdict: *verdict,
            acknowledged: 7,
        };
        Tally {
            cuts: cuts.iter().map(cut).collect(),
        }
    }

    #[test]
    fn a_stack_is_judged_by_what_its_disk_knows() {
        let honest = STACKS.iter().find(|one| one.keeps).expect("one keeps");
        let is_liar = |one: &&Stack| !one.keeps && one.backing.is_ours();
        let liar = STACKS.iter().find(is_liar).expect("one lies");
        let kept = tally(&[(0, Verdict::Kept), (0, Verdict::CannotTell)]);
        let found = tally(&[
            (3, Verdict::Broken),
            (0, Verdict::Kept),
            (1, Verdict::NotMounted),
        ]);
        let missed = tally(&[(3, Verdict::Kept)]);
        assert!(kept.is_right(honest) && !kept.is_right(liar));
        assert!(!found.is_right(honest) && found.is_right(liar));
        assert!(!missed.is_right(honest) && !missed.is_right(liar));
        let begin = format!("| `{}` | {}", liar.name, liar.truth);
        let broken = "2, 1 of them not to be mounted";
        let row = format!("{begin} | 3 | 1 | {broken} | 0 | 2 of 2 | 7 |");
        assert_eq!(found.row(liar), row);
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = STACKS.iter().map(|one| one.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STACKS.len());
        assert!(
            STACKS
                .iter()
                .any(|one| matches!(one.backing, Backing::Nbd(_)))
        );
    }
}
