//! Every file that the program writes, onto every kind of thing: a result, a report, a history, a
//! recording goes to a new file, or to one that is given up, and never to a device.

use std::path::Path;

use anyhow::Result;

use crate::siege::Siege;
use crate::siege::fathom::Ended;
use crate::siege::groups::targets::{fronts, seen};
use crate::siege::lab::kinds::Free;
use crate::siege::lab::{Damage, Exhibit, Lab};
use crate::siege::line::GroupLines;

#[derive(Clone, Copy)]
pub(crate) struct Output {
    name: &'static str,
    /// Words, where FILE is the path; HISTORY is a history with runs in it, RESULT a result.
    line: &'static str,
    /// Whether it may be a history of Fathom.
    is_history: bool,
    /// Whether a new file may be made in a directory.
    is_directory: bool,
    /// Whether the path is only the first part of the names of files.
    is_prefix: bool,
    is_quick: bool,
}

const fn file(name: &'static str, line: &'static str) -> Output {
    Output {
        name,
        line,
        is_history: false,
        is_directory: false,
        is_prefix: false,
        is_quick: false,
    }
}

const fn history(name: &'static str, line: &'static str) -> Output {
    Output {
        is_history: true,
        ..file(name, line)
    }
}

const fn directory(name: &'static str, line: &'static str) -> Output {
    Output {
        is_directory: true,
        ..file(name, line)
    }
}

const fn prefix(name: &'static str, line: &'static str) -> Output {
    Output {
        is_prefix: true,
        ..file(name, line)
    }
}

const fn quick(output: Output) -> Output {
    Output {
        is_quick: true,
        ..output
    }
}

/// All of them.
pub(crate) const OUTPUTS: &[Output] = &[
    quick(file(
        "run --output json:",
        "run SIM --no-save --output=json:FILE",
    )),
    file("run --output text:", "run SIM --no-save --output=text:FILE"),
    file("run --output csv:", "run SIM --no-save --output=csv:FILE"),
    quick(history("run --store", "run SIM --store=FILE")),
    file(
        "quick --output",
        "quick --engine sim --time 1s --no-save --quiet --output=json:FILE",
    ),
    history(
        "quick --store",
        "quick --engine sim --time 1s --quiet --store=FILE",
    ),
    history(
        "ramp --store",
        "ramp random-read-4k --engine sim --to 2 --step 1s --quiet --store=FILE",
    ),
    directory(
        "suite --into",
        "suite suite.toml --engine sim --quiet --into=FILE",
    ),
    file(
        "fio --output",
        "fio --name=x --rw=read --bs=4k --size=256k --no-save --quiet --output=FILE",
    ),
    prefix(
        "fio --write_bw_log",
        "fio --name=x --rw=read --bs=4k --size=256k --no-save --quiet --write_bw_log=FILE",
    ),
    prefix(
        "fio --write_lat_log",
        "fio --name=x --rw=read --bs=4k --size=256k --no-save --quiet --write_lat_log=FILE",
    ),
    prefix(
        "fio --write_iops_log",
        "fio --name=x --rw=read --bs=4k --size=256k --no-save --quiet --write_iops_log=FILE",
    ),
    prefix(
        "fio --write_hist_log",
        "fio --name=x --rw=read --bs=4k --size=256k --no-save --quiet --write_hist_log=FILE",
    ),
    file(
        "fio --write_iolog",
        "fio --name=x --rw=read --bs=4k --size=256k --no-save --quiet --write_iolog=FILE",
    ),
    history(
        "fio --store",
        "fio --name=x --rw=read --bs=4k --size=256k --quiet --store=FILE",
    ),
    file(
        "diskspd --output",
        "diskspd --no-save --quiet --output=json:FILE -c1M -b4K -d1 -W0 here",
    ),
    history(
        "dd --store",
        "dd --quiet --store=FILE if=/dev/zero of=here bs=4k count=4",
    ),
    file(
        "dd --output",
        "dd --no-save --quiet --output=json:FILE if=/dev/zero of=here bs=4k count=4",
    ),
    file(
        "iometer RESULTS",
        "iometer load.icf FILE --size 1MiB --time 200ms --warm-up 0s --no-save",
    ),
    quick(file(
        "convert --output",
        "convert random-write-4k --to native --output=FILE",
    )),
    file("show --output", "show RESULT --output=text:FILE"),
    file("report --out", "report RESULT --out=FILE"),
    file(
        "export --output",
        "export --all --store=HISTORY --output=FILE",
    ),
    history("import --store", "import RESULT --quiet --store=FILE"),
    file(
        "import --output",
        "import RESULT --no-save --quiet --output=json:FILE",
    ),
    quick(history("history --store", "history --store=FILE")),
    history("show --store", "show @latest --store=FILE"),
    history("compare --store", "compare @latest @latest --store=FILE"),
    history(
        "report --store",
        "report @latest --out=new.html --store=FILE",
    ),
    history("tag --store", "tag @latest one --store=FILE"),
    history("note --store", "note @latest one --store=FILE"),
    history("remove --store", "remove @latest --store=FILE"),
    history("prune --store", "prune --keep 0 --store=FILE"),
    history(
        "export --store",
        "export --all --output=new.json --store=FILE",
    ),
    history(
        "watch --keep --store",
        "watch --count 1 --interval 100ms --plain --keep one --store=FILE",
    ),
    history("watch --recordings", "watch --recordings --store=FILE"),
    file(
        "watch --record",
        "watch --count 1 --interval 100ms --plain --record=FILE",
    ),
    directory(
        "ab --results",
        "ab --a AB --b AB --pairs-max 8 --time-limit 1s --quiet --results=FILE",
    ),
    directory("generate man", "generate man FILE"),
    file("need --profile", "need RECORDING --profile=FILE"),
];

const SIM: &str = "random-read-4k --engine sim --time 1s --quiet";

impl Output {
    fn words(&self, file: &str) -> Vec<String> {
        let line = self.line.replace("SIM", SIM);
        let words = line.split_whitespace().map(|word| match word {
            "AB" => format!("run {SIM}"),
            "RESULT" => "result.json".to_owned(),
            "RECORDING" => "recording".to_owned(),
            word => word.replace("HISTORY", "history.db").replace("FILE", file),
        });
        words.collect()
    }

    /// The option by itself, where any other call may have it too.
    pub(crate) fn option(&self) -> Option<&'static str> {
        let word = self.line.split_whitespace().last()?;
        (word.starts_with("--output=json:") || word.starts_with("--store=")).then_some(word)
    }
}

/// What `iostat -x -y` tells of a disk at work.
const IOSTAT: &str = "\
Linux 6.1.0 (db1) \t11/21/26 \t_x86_64_\t(8 CPU)

11/21/26 15:00:00
Device  r/s  rkB/s  rrqm/s  %rrqm  r_await  rareq-sz  w/s  wkB/s  wrqm/s  %wrqm  w_await  \
wareq-sz  aqu-sz  %util
sda  100.00  400.00  0.00  0.00  0.50  4.00  10.00  640.00  0.00  0.00  2.00  64.00  0.07  5.00

11/21/26 15:00:01
Device  r/s  rkB/s  rrqm/s  %rrqm  r_await  rareq-sz  w/s  wkB/s  wrqm/s  %wrqm  w_await  \
wareq-sz  aqu-sz  %util
sda  120.00  480.00  0.00  0.00  0.50  4.00  12.00  768.00  0.00  0.00  2.00  64.00  0.08  6.00
";

/// Who writes into a FIFO waits for somebody who reads.
fn patience_s(exhibit: &Exhibit) -> u32 {
    if exhibit.kind.name == "FIFO" { 4 } else { 20 }
}

/// What the calls read.
fn prepare(siege: &Siege, folder: &Path) -> Result<()> {
    fronts::prepare(folder, "here")?;
    let make = format!("run {SIM} --store=history.db --output=json:result.json");
    siege.fathom.line(&make).inside(folder).end()?;
    // Of a load, which the machine may not have while this runs.
    std::fs::write(folder.join("recording"), IOSTAT)?;
    Ok(())
}

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let make = || Lab::new(&siege.fathom, |kind| kind.is_quick || !siege.is_quick);
    let mut lab = make()?;
    let outputs = OUTPUTS.iter().enumerate();
    for (row, output) in outputs.filter(|(_, one)| one.is_quick || !siege.is_quick) {
        let folder = tempfile::tempdir()?;
        prepare(siege, folder.path())?;
        onto_a_new_file(siege, output, folder.path(), lines)?;
        for index in 0..lab.exhibits.len() {
            siege.go_on()?;
            // Made anew, it may lack a device for which the kernel made no node in time.
            let Some(exhibit) = lab.exhibits.get(index) else {
                break;
            };
            if !exhibit.kind.is_quick && !siege.has_turn(row, index) {
                continue;
            }
            let words = output.words(&exhibit.target.to_string_lossy());
            let call = siege.fathom.call(words).inside(folder.path());
            let ended = call.patience_s(patience_s(exhibit)).end()?;
            let damage = lab.damage(None)?;
            let (expected, is_met) = judged(output, exhibit, &ended, &damage);
            let done = format!("{}: {}", output.name, exhibit.kind.name);
            lines.add(done, expected, seen(&ended, &damage), is_met);
            if damage != Damage::default() {
                drop(lab);
                lab = make()?;
            }
        }
    }
    Ok(())
}

/// The same call, where there is nothing to protect: it must not be refused for another reason.
fn onto_a_new_file(
    siege: &Siege,
    output: &Output,
    folder: &Path,
    lines: &mut GroupLines<'_>,
) -> Result<()> {
    let file = folder.join("history-new.db");
    if output.is_history {
        std::fs::copy(folder.join("history.db"), &file)?;
    }
    let words = output.words("history-new.db");
    let ended = siege.fathom.call(words).inside(folder).end()?;
    let prefix = "history-new.db";
    let made = std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .any(|name| name.starts_with(prefix));
    let is_met = matches!(ended.status, Some(0 | 5 | 7)) && made;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            let path = entry.path();
            if path.is_dir() {
                std::fs::remove_dir_all(path)?;
            } else {
                std::fs::remove_file(path)?;
            }
        }
    }
    let done = format!(
        "{}: {}",
        output.name,
        if output.is_history {
            "a history"
        } else {
            "a new file"
        }
    );
    lines.add(done, "written", ended.told(), is_met);
    Ok(())
}

fn judged(
    output: &Output,
    exhibit: &Exhibit,
    ended: &Ended,
    damage: &Damage,
) -> (&'static str, bool) {
    let is_whole = *damage == Damage::default();
    let kind = exhibit.kind;
    if output.is_prefix {
        // A new file next to what was named is nobody's loss.
        let beside = format!("left behind: {}_", exhibit.target.display());
        let is_whole = damage.unnamed.iter().all(|what| what.starts_with(&beside));
        return (
            "refused, or made next to it; nothing changed",
            is_whole && ended.is_orderly(),
        );
    }
    if output.is_history && kind.name == "history of Fathom" {
        // What belongs to it, as its log, may come and go.
        return ("used as a history", matches!(ended.status, Some(0 | 4)));
    }
    if output.is_directory && kind.free == Free::Room {
        return ("written there", ended.is_orderly());
    }
    if kind.name == "FIFO" {
        return ("nothing changed", is_whole);
    }
    if kind.name == "link to nothing" && !output.is_history {
        return ("refused, or made where it points", ended.is_orderly());
    }
    let does_without = output.is_history && ended.stderr.contains("warning: the run is not kept");
    if does_without {
        return (
            "refused, or done without; nothing changed",
            is_whole && ended.is_orderly(),
        );
    }
    let is_met = is_whole && ended.is_orderly() && ended.is_refusal();
    ("refused, nothing changed", is_met)
}
