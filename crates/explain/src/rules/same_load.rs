//! The same load at very different rates in one paste.

use super::Said;
use crate::against::{Explains, contrast, ratio};
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::layers::{Kind, layer};
use fathom_core::figure::{megabytes, significant};

/// Factor between two rates from which they need a reason, and that between two places.
const FAR: f64 = 2.5;
const APART: f64 = 1.3;

/// Results of a paste that are compared.
const MOST: usize = 32;

/// One run of few bytes is compared with no long one.
const LARGEST_SHARE: f64 = 16.0;

/// Differences that follow from the rate, or are the place itself.
const OUTSIDE: [&str; 3] = ["target", "duration", "version"];

/// Tools whose rows have names and no commands.
const ROWS: [&str; 3] = ["crystaldiskmark", "kbench", "kdiskmark"];

/// Factor between rates that do not differ, and between p99 of runs that do in nothing else.
const EQUAL: f64 = 1.05;
const TAIL: f64 = 1.5;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    far(all, index).or_else(|| equal(all, index))
}

/// Runs of one load that do not differ. The finding is of the first of them.
fn equal(all: &[Evidence], index: usize) -> Option<Said> {
    let first = all.get(index).filter(|_| index < MOST)?;
    let is_own = |one: &&Evidence| is_comparable(first, one);
    if all[..index].iter().any(|one| is_own(&one)) || first.load.is_limited {
        return None;
    }
    let p99 = |one: &Evidence| one.sides.first()?.latency.as_ref()?.at(99.0);
    let mut factors = vec![1.0];
    for other in all.iter().take(MOST).skip(index + 1).filter(is_own) {
        let (factor, _) = ratio(other, first)?;
        let tails = p99(first).zip(p99(other));
        let has_tail = tails.is_some_and(|(a, b)| a.max(b) > a.min(b) * TAIL);
        (is_same(first, other) && !has_tail).then_some(())?;
        factors.push(factor);
    }
    let least = factors.iter().copied().fold(1.0, f64::min);
    let most = factors.iter().copied().fold(1.0, f64::max);
    let spread = match factors.as_slice() {
        [_] => return None,
        [_, factor] => format!("{:+.1} %", (factor - 1.0) * 100.0),
        _ => format!("all are within {:.1} %", (most / least - 1.0) * 100.0),
    };
    (most <= least * EQUAL).then(|| {
        let headline = format!(
            "The {} runs do not differ in rate: {spread}.",
            factors.len()
        );
        Said::new(Certainty::Shown, Effect::Reading, headline)
            .because("The loads are the same, as far as they are shown, and runs vary by as much.")
            .remedy(
                "If a difference was expected, the load does not need what was changed, or a \
                 common limit hides it. Repeat each three times or more (`fathom ab`).",
            )
            .by(&["rate"])
    })
}

/// Runs of one load at very different rates. The finding is of the slowest.
fn far(all: &[Evidence], index: usize) -> Option<Said> {
    let slow = &all[index];
    let others = all.iter().take(MOST).enumerate();
    let others = others.filter(|(other, one)| *other != index && is_comparable(slow, one));
    let mut fastest: Option<(f64, &Evidence)> = None;
    for (_, other) in others.filter(|_| index < MOST) {
        let (factor, _) = ratio(other, slow)?;
        // A slower one says it.
        if factor < 1.0 && is_same(slow, other) {
            return None;
        }
        let is_faster = fastest.is_none_or(|(known, _)| factor > known);
        let is_apart = place(slow).zip(place(other)).is_some_and(|(a, b)| a != b)
            || headings(slow, other).is_some();
        let far = if is_apart { APART } else { FAR };
        if factor >= far && is_faster && is_same(slow, other) {
            fastest = Some((factor, other));
        }
    }
    let (factor, fast) = fastest?;
    let times = significant(factor);
    let headings = headings(slow, fast);
    let headline = match place(slow).zip(place(fast)).filter(|(a, b)| a != b) {
        _ if let Some((slow, fast)) = headings => {
            format!("The same load is {times} times slower at \"{slow}\" than at \"{fast}\".")
        }
        Some((slow, fast)) if disk(&slow) == disk(&fast) => format!(
            "The same load is {times} times slower {slow} than {fast}: two parts of one disk."
        ),
        Some((upper, lower)) if is_layered(&slow.load.target) && !is_layered(&fast.load.target) => {
            format!(
                "The same load is {times} times slower {upper} than {lower}: a layer between them \
                 probably costs it{}.",
                named(slow)
            )
        }
        Some((slow, fast)) if slow.starts_with("on ") && !slow.contains("/mapper/") => {
            format!("The same load is {times} times slower {slow} than {fast}: another device.")
        }
        Some((slow, fast)) => format!(
            "The same load is {times} times slower {slow} than {fast}: the way to the \
             storage costs it."
        ),
        None => format!(
            "The same load was {times} times slower once: the reason lies outside the load."
        ),
    };
    let rates = fast.rate().zip(slow.rate());
    let rates = rates.map_or_else(String::new, |(fast, slow)| {
        format!(" ({} and {} MB/s)", megabytes(fast), megabytes(slow))
    });
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(format!(
                "The two do the same, as far as it is shown{rates}. {}",
                reason(slow, headings.is_some())
            ))
            .remedy(
                "Repeat the fast one after the slow one. If the factor stays, measure the storage \
                 below, and add one layer after the other.",
            )
            .by(&["command", "rate"]),
    )
}

/// Devices of the kernel above disks. A path below a folder of its own is a volume of LVM.
const LAYERS: [&str; 6] = ["bcache", "dm-", "drbd", "mapper/", "md", "zd"];
const FOLDERS: [&str; 4] = ["block/", "disk/", "rdisk", "rdsk/"];

/// Whether a device lies above disks by its name.
fn is_layered(target: &str) -> bool {
    let Some(name) = target.strip_prefix("/dev/") else {
        return false;
    };
    let starts = |words: &[&str]| words.iter().any(|start| name.starts_with(start));
    starts(&LAYERS) || name.contains('/') && !starts(&FOLDERS)
}

/// What the paste names that such a layer may be.
fn named(one: &Evidence) -> String {
    let layers = one.load.layers.iter().filter_map(|index| layer(*index));
    let mut layers = layers.filter(|(_, kind)| !matches!(kind, Kind::Bridge | Kind::Guest));
    let first = layers.next();
    first.map_or_else(String::new, |(name, _)| {
        format!(", and the paste names {name}")
    })
}

/// What may be the reason.
fn reason(slow: &Evidence, is_named: bool) -> &'static str {
    if is_layered(&slow.load.target) {
        "Encryption, a cache, RAID or a snapshot between the two costs time for each request."
    } else if is_named {
        "What the two names stand for is the first suspect."
    } else if slow.load.target.starts_with("/dev/") {
        "The place on the disk, read-ahead, the block size that a mount sets, the scheduler or the \
         kernel may differ. Another load may have run."
    } else {
        "A network, a share, an encrypting or FUSE file system, copies on other hosts, or a cache \
         may lie in between."
    }
}

/// The disk of a partition such as /dev/sda1, or the place itself.
fn disk(place: &str) -> &str {
    let is_named = ["on /dev/sd", "on /dev/hd"]
        .iter()
        .any(|start| place.starts_with(start));
    let digits: &[char] = &['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    if is_named {
        place.trim_end_matches(digits)
    } else {
        place
    }
}

/// What stands above two commands, where it differs.
fn headings<'a>(a: &'a Evidence, b: &'a Evidence) -> Option<(&'a str, &'a str)> {
    let (a, b) = (a.load.heading.as_str(), b.load.heading.as_str());
    (!a.is_empty() && !b.is_empty() && a != b).then_some((a, b))
}

/// Whether two results are of the same kind, and not of one run.
pub(crate) fn is_comparable(a: &Evidence, b: &Evidence) -> bool {
    if a.is_watched()
        || a.load.is_parallel != b.load.is_parallel
        || a.tool == "hdparm" && a.title != b.title
    {
        return false;
    }
    let commands = a.seen.get("command").zip(b.seen.get("command"));
    let is_apart = commands.is_some_and(|(a, b)| a != b);
    let targets = [&a.load.target, &b.load.target];
    let is_apart = is_apart
        || a.tool == "hdparm" && targets[0] != targets[1] && targets.iter().all(|t| !t.is_empty());
    let is_row = ROWS.contains(&a.tool) && !a.title.is_empty() && a.title == b.title;
    let directions = |one: &Evidence| one.sides.iter().map(|side| side.direction).collect();
    let [first, second]: [Vec<_>; 2] = [directions(a), directions(b)];
    let bytes = |one: &Evidence| one.sides.iter().filter_map(|side| side.bytes).sum::<f64>();
    let is_near = |a: f64, b: f64| a.max(b) <= a.min(b) * LARGEST_SHARE;
    let times = a.seconds().zip(b.seconds());
    // In equal times the bytes differ as the rates do.
    let is_like =
        times.is_some_and(|(a, b)| a.max(b) < a.min(b) * 1.2) || is_near(bytes(a), bytes(b));
    a.tool == b.tool && (is_apart || is_row) && first == second && is_like
}

/// Whether nothing in the loads can be the reason of the difference.
pub(crate) fn is_same(a: &Evidence, b: &Evidence) -> bool {
    let differences = contrast(a, b).differences;
    differences.iter().all(|one| {
        OUTSIDE.contains(&one.code) || matches!(one.explains, Explains::Cannot | Explains::Unknown)
    })
}

/// In which folder, or on which device, if that is shown.
fn place(one: &Evidence) -> Option<String> {
    let target = one.load.target.as_str();
    if target.starts_with("/dev/") {
        return Some(format!("on {target}"));
    }
    let path = if target.starts_with('/') {
        target.to_owned()
    } else {
        let folder = Some(&one.load.folder).filter(|folder| !folder.is_empty())?;
        format!("{folder}/{target}")
    };
    let (folder, _) = path.rsplit_once('/')?;
    Some(format!(
        "in {}",
        if folder.is_empty() { "/" } else { folder }
    ))
}
