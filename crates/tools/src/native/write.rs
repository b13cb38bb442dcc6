//! A workload as a file of its own, and what of a run the file does not hold.

use super::print;
use crate::losses::Losses;
use crate::translation::{Affinity, Note, RunWishes, Standing, Together};
use crate::writers::Written;
use fathom_core::spec::Workload;
use fathom_core::{EngineKind, Tolerated};

const NEAR: Standing = Standing::Approximated;

/// What is said of threads of the kernel that take requests, of their processor, and of polling for
/// completions.
fn polled(
    (submissions, processor, completions): (bool, Option<u32>, bool),
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = [
        (
            submissions,
            "sqpoll",
            "a thread of the kernel takes the requests with --sqpoll",
        ),
        (
            processor.is_some(),
            "sqpoll",
            "that thread stays on one processor by a call in the words of fio alone",
        ),
        (
            completions,
            "iopoll",
            "completions are polled for with --iopoll",
        ),
    ];
    let asked = all.into_iter().filter(|(asked, _, _)| *asked);
    asked.map(|(_, what, message)| (what, message))
}

/// Writes the resolved form.
///
/// # Errors
///
/// None: it can say all of a workload.
pub fn write(workload: &Workload, wishes: &RunWishes) -> Result<Written, Note> {
    let mut losses = Losses::default();
    let RunWishes {
        affinity,
        huge_pages,
        submission_polling,
        submission_cpu,
        completion_polling,
        keep_files,
        directories,
        engine,
        stop_on_error,
        tolerated,
        together,
    } = wishes;
    let mut say = |asked, how, what, why: &str| losses.say_if(asked, how, what, why);
    if let Some(message) = pinned(affinity) {
        say(true, NEAR, "affinity", &message);
    }
    say(
        *huge_pages,
        NEAR,
        "huge_pages",
        "buffers are in huge pages with --huge-pages",
    );
    let polls = (*submission_polling, *submission_cpu, *completion_polling);
    for (what, message) in polled(polls) {
        say(true, NEAR, what, message);
    }
    for message in of_hosts(together) {
        say(true, NEAR, "hosts", &message);
    }
    if let Some(message) = engine.map(chosen) {
        say(true, NEAR, "engine", &message);
    }
    say(
        *keep_files,
        Standing::Ignored,
        "keep",
        "files that were made stay with --keep",
    );
    let goes_on = *tolerated != Tolerated::default();
    let (how, message) = ending(goes_on);
    say(*stop_on_error, how, "stop_on_error", message);
    say(
        !directories.is_empty(),
        Standing::Ignored,
        "directories",
        "directories that the input makes have to be there",
    );
    let mut workload = workload.clone();
    together.name_apart(&mut workload);
    Ok(Written {
        text: print(&workload),
        notes: losses.into_notes(),
    })
}

/// What becomes of an end at the first error, but for errors that it goes on with.
const fn ending(goes_on: bool) -> (Standing, &'static str) {
    if goes_on {
        let message = "with --stop-on-error it ends at any error, also at those that the input \
                       goes on with";
        return (NEAR, message);
    }
    let message = "the run ends at the first error with --stop-on-error";
    (Standing::Ignored, message)
}

fn chosen(engine: EngineKind) -> String {
    format!("the engine is chosen by --engine {engine} of the run")
}

/// How many hosts share what the input has shared by tasks.
fn of_hosts(together: &Together) -> impl Iterator<Item = String> {
    let turns = "with --hosts, parts of one target take turns with --shared=interleaved";
    let turns = together.interleaved.then(|| turns.to_owned());
    let tree = "with --hosts, all members have their files in one directory with --shared";
    let turns = turns.or_else(|| together.one_tree.then(|| tree.to_owned()));
    let shift = together.shift_reads;
    let shifted =
        format!("with --hosts, reads are of another member's part with --shift-reads {shift}");
    let apart =
        "with --hosts, each member has its own file in place of a name that ends in .{rank}";
    let apart = (!together.apart.is_empty()).then(|| apart.to_owned());
    let shifted = (shift > 0).then_some(shifted);
    turns.into_iter().chain(apart).chain(shifted)
}

/// How the run pins its threads as the input asks.
fn pinned(affinity: &Affinity) -> Option<String> {
    let list = match affinity {
        Affinity::Free => return None,
        Affinity::RoundRobin => "0,1,… with all processors".to_owned(),
        Affinity::List(list) => {
            let list: Vec<String> = list.iter().map(u32::to_string).collect();
            list.join(",")
        }
    };
    Some(format!(
        "threads are pinned by --affinity {list} of the run"
    ))
}
