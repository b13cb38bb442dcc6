//! Front end, permission and target by a seed: what nobody would think of trying together.

use anyhow::{Context as _, Result};

use crate::siege::Siege;
use crate::siege::groups::outputs::{OUTPUTS, Output};
use crate::siege::groups::targets::fronts::FRONTS;
use crate::siege::groups::targets::permission::PERMISSIONS;
use crate::siege::groups::targets::seen;
use crate::siege::lab::kinds::Free;
use crate::siege::lab::{Exhibit, Lab};
use crate::siege::line::GroupLines;
use crate::siege::random::Random;

/// Options thrown in, none of which permits anything.
const OPTIONS: &[&str] = &[
    "--verify=stamp",
    "--verify=read-back",
    "--no-direct",
    "--block-size=512",
    "--block-size=1MiB",
    "--read=50",
    "--offset=1MiB",
    "--window=64KiB",
    "--threads=3",
    "--keep",
    "--engine=libaio",
    "--engine=io_uring",
    "--repeat=2",
    "--sync-every=1",
    "--write-through",
    "--size=100GiB",
    "--stop-on-error",
];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let mut random = Random::new(siege.seed);
    let mut lab = Lab::new(&siege.fathom, |_| true)?;
    for attempt in 0..siege.attempts(600, 20) {
        siege.go_on()?;
        if !attack(siege, &lab, &mut random, attempt, lines)? {
            drop(lab);
            lab = Lab::new(&siege.fathom, |_| true)?;
        }
    }
    Ok(())
}

/// False if the laboratory has to be made anew.
fn attack(
    siege: &Siege,
    lab: &Lab,
    random: &mut Random,
    attempt: u32,
    lines: &mut GroupLines<'_>,
) -> Result<bool> {
    let front = random.pick(FRONTS);
    let exhibit = random.pick(&lab.exhibits);
    let permission = random.pick(PERMISSIONS);
    let target = exhibit.target.to_string_lossy();
    let folder = tempfile::tempdir()?;
    crate::siege::groups::targets::fronts::prepare(folder.path(), &target)?;
    let given = permission.words(exhibit, &target, lab);
    let mut words = front.words(&target, &given);
    // Options of Fathom stand after the command; the dialects take some of them.
    for _ in 0..random.below(3) {
        let place = if front.name.starts_with("run") {
            words.len()
        } else {
            1
        };
        words.insert(place, (*random.pick(OPTIONS)).to_owned());
    }
    // Sometimes an output goes to another exhibit, which nobody gave up.
    let other = random.pick(&lab.exhibits);
    if random.below(4) == 0 {
        let output: &Output = random.pick(OUTPUTS);
        if let Some(option) = output.option() {
            words.insert(1, option.replace("FILE", &other.target.to_string_lossy()));
        }
    }
    let ended = siege.fathom.call(words.clone()).inside(folder.path());
    let ended = ended.patience_s(20).end()?;
    let may_change = permission.gives_up(exhibit.kind.free);
    let damage = lab.damage(may_change.then_some(exhibit))?;
    let unnamed: Vec<&String> = damage
        .unnamed
        .iter()
        .filter(|what| !is_meant(what, exhibit, other, &words))
        .collect();
    let blocked = ended.is_hung && words.iter().any(|word| word.contains("/fifo"));
    let is_met = unnamed.is_empty() && (ended.is_orderly() || blocked);
    let line = words.join(" ");
    let line = line.replace(&*lab.folder().to_string_lossy(), "LAB");
    lines.add(
        format!("{attempt}: {line}"),
        "nothing changed that was not given up",
        seen(&ended, &damage),
        is_met,
    );
    if damage.unnamed.is_empty() {
        return lab.restore(exhibit).context("what was named");
    }
    Ok(false)
}

/// `--keep` leaves a scratch file in a directory, and `--overwrite` gives up an output.
fn is_meant(what: &str, exhibit: &Exhibit, other: &Exhibit, words: &[String]) -> bool {
    let has = |word: &str| words.iter().any(|one| one == word);
    let kept = exhibit.kind.free == Free::Room && has("--keep") && what.starts_with("left behind");
    let is_other =
        what.starts_with(other.kind.name) || what.contains(&*other.target.to_string_lossy());
    let given = is_other && has("--overwrite") && other.kind.free == Free::Overwrite;
    let is_history = other.kind.name == "history of Fathom" && is_other;
    kept || given || is_history
}
