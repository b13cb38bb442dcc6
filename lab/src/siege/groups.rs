//! The groups of attacks: a file and a line each.

mod bounds;
mod clean;
mod corruption;
mod decisions;
mod escapes;
mod explain;
mod faults;
mod fixtures;
mod hangs;
mod histories;
mod kills;
mod limits;
mod names;
mod outputs;
mod pace;
mod paths;
mod peers;
mod planted;
mod race;
mod random;
mod signatures;
mod stacks;
mod targets;

use anyhow::Result;

use crate::siege::Siege;
use crate::siege::line::GroupLines;

pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) purpose: &'static str,
    pub(crate) run: fn(&Siege, &mut GroupLines<'_>) -> Result<()>,
    /// Whether `cargo test` makes a part of it.
    pub(crate) is_quick: bool,
}

const fn group(
    name: &'static str,
    purpose: &'static str,
    run: fn(&Siege, &mut GroupLines<'_>) -> Result<()>,
    is_quick: bool,
) -> Group {
    Group {
        name,
        purpose,
        run,
        is_quick,
    }
}

pub(crate) const GROUPS: &[Group] = &[
    group(
        "targets",
        "every front end against every kind of target, with every permission",
        targets::run,
        true,
    ),
    group(
        "names",
        "targets under every name that a path can have",
        names::run,
        false,
    ),
    group(
        "outputs",
        "every file that the program writes, onto every kind",
        outputs::run,
        true,
    ),
    group(
        "paths",
        "every option of --help that takes a path, given a device",
        paths::run,
        true,
    ),
    group(
        "random",
        "front end, permission and target by a seed",
        random::run,
        false,
    ),
    group(
        "race",
        "a link that is turned while the program looks at it",
        race::run,
        false,
    ),
    group(
        "signatures",
        "what every mkfs that is installed makes, with `--destroy` and no more",
        signatures::run,
        false,
    ),
    group(
        "stacks",
        "devices and files that others use, whom no path leads to",
        stacks::run,
        true,
    ),
    group(
        "fixtures",
        "files, devices and machines that cannot be measured as they are",
        fixtures::run,
        false,
    ),
    group(
        "bounds",
        "what held a load back, where that is known",
        bounds::run,
        false,
    ),
    group(
        "clean",
        "sound runs, which should raise no warning",
        clean::run,
        false,
    ),
    group(
        "corruption",
        "what is planted in stamped blocks, and what `verify` finds",
        corruption::run,
        false,
    ),
    group(
        "decisions",
        "gates with few runs, and objectives with few events",
        decisions::run,
        false,
    ),
    group(
        "faults",
        "what breaks while a run is in one of its phases",
        faults::run,
        false,
    ),
    group(
        "hangs",
        "storage that does not answer, until after the end of a run and for ever",
        hangs::run,
        false,
    ),
    group(
        "pace",
        "a file system whose latency, errors, lengths and content change while it is measured",
        pace::run,
        false,
    ),
    group(
        "limits",
        "limits of the control group that change while a closed load runs",
        limits::run,
        false,
    ),
    group(
        "kills",
        "signals at any instant, and what is left behind",
        kills::run,
        false,
    ),
    group(
        "planted",
        "pipes, files filled in place, unreadable journals and packed bombs",
        planted::run,
        true,
    ),
    group(
        "histories",
        "histories that are damaged, foreign, locked or gone",
        histories::run,
        true,
    ),
    group(
        "escapes",
        "text that a terminal obeys, from results, recordings, paths and peers",
        escapes::run,
        true,
    ),
    group(
        "peers",
        "peers that do not know the secret",
        peers::run,
        false,
    ),
    group(
        "explain",
        "explanations of sound, spoilt, different and hostile results of other tools",
        explain::run,
        false,
    ),
];
