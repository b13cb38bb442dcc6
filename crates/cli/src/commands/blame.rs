//! `fathom blame`: why the slow requests of a capture were slow.

use super::capture::{opened, unreadable};
use super::{listed, print, show_text};
use crate::args::BlameArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::on_terminal;
use fathom_capture::blame::{Blaming, Census, Counted, LeftOut, Names};
use fathom_capture::{CaptureError, EventKind, Head, Source, Tail};
use fathom_core::SmallSort as _;
use fathom_core::State;
use fathom_core::figure::plural;
use fathom_core::result::blame::Blame;
use fathom_report::{blame_remarks, blame_sentence, blame_tables, missing_events};
use serde::Serialize;
use std::cmp::Reverse;
use std::path::Path;

/// Processes that are named where another one was asked for.
const MOST_NAMED: usize = 5;

/// What is printed.
struct Shown<'a> {
    file: &'a Path,
    head: &'a Head,
    /// None of a file that was cut.
    tail: Option<&'a Tail>,
    blame: &'a Blame,
}

/// What the slowest requests of a capture waited for, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BlameDocument<'a> {
    file: String,
    /// How far it can be trusted.
    state: State,
    /// The answer.
    sentence: String,
    /// Events of the kernel that the capture has.
    events: &'a [String],
    /// Events that the kernel does not have, so that parts are wrong.
    missing_events: &'a [String],
    blame: &'a Blame,
}

pub(crate) fn run(args: &BlameArgs) -> Result<Exit, Error> {
    let file = &args.capture;
    let failed = |error: CaptureError| unreadable(file, &error);
    let (mut source, _) = opened(file)?;
    let queued = EventKind::Queued.event_name();
    if !source.head().events.iter().any(|event| event == queued) {
        return Err(without_events(file, source.head()).into());
    }
    let mut names = Names::of(source.head());
    if !names.volumes.is_empty() {
        // The end of the file states which volumes were followed.
        while source.next_chunk().map_err(failed)?.is_some() {}
        names.left_out = left_out(source.as_ref(), &names.volumes)
            .map_err(|reason| unknown_disks(file, reason))?;
        (source, _) = opened(file)?;
    }
    let mut census = Census::looked_for(args.process.as_deref(), &names.left_out);
    while let Some(chunk) = source.next_chunk().map_err(failed)? {
        census.add(&chunk, source.tasks());
    }
    let counted = census.finish();
    let problem = match names.left_out.reasons.join("; ") {
        reasons if reasons.is_empty() => too_few(file, &counted, args.process.as_deref()),
        reasons => unknown_disks(file, reasons),
    };
    let blaming = Blaming::new(counted, args.process.as_deref(), names);
    let Some(mut blaming) = blaming else {
        return Err(problem.into());
    };
    let (mut source, _) = opened(file)?;
    while let Some(chunk) = source.next_chunk().map_err(failed)? {
        blaming.add(&chunk, source.tasks());
    }
    let blame = blaming.finish();
    let shown = Shown {
        file,
        head: source.head(),
        tail: source.tail(),
        blame: &blame,
    };
    if args.json {
        print(&shown.json()?)
    } else {
        show_text(&on_terminal(shown.text()))
    }
}

/// Requests of volumes that were not followed to their disks.
///
/// # Errors
///
/// Why that is not known.
fn left_out(source: &dyn Source, volumes: &[String]) -> Result<LeftOut, String> {
    let tail = source.tail().ok_or_else(|| {
        let list = volumes.join(", ");
        format!("the capture was cut: its end would tell how many requests of {list} were followed")
    })?;
    let missing = &source.head().missing_events;
    LeftOut::of(volumes, missing, &tail.matched)
}

fn unknown_disks(file: &Path, reason: String) -> Problem {
    let thing = format!("cannot explain the requests of {}", file.display());
    Problem::new(Exit::Environment, thing)
        .because(reason)
        .remedy("`fathom capture --device DISK --events blame` records one disk alone")
}

fn without_events(file: &Path, head: &Head) -> Problem {
    let thing = format!("cannot explain the requests of {}", file.display());
    let queued = EventKind::Queued.event_name();
    let problem = Problem::new(Exit::Environment, thing);
    if head.missing_events.iter().any(|event| event == queued) {
        return problem
            .because(format!("the kernel that recorded it has no event {queued}"))
            .remedy("`fathom show FILE`, or a capture on a newer kernel");
    }
    problem
        .because("it does not have what happens to requests before their issue")
        .remedy("a file of `fathom capture --events blame`")
}

fn too_few(file: &Path, counted: &[Counted], name: Option<&str>) -> Problem {
    let mut most: Vec<_> = counted.iter().filter(|one| one.requests > 0).collect();
    most.small_sort_by_key(|one| Reverse(one.requests));
    let of = |one: &&Counted| format!("{} of {}", one.requests, one.owner);
    let named: Vec<_> = most.iter().take(MOST_NAMED).map(of).collect();
    let whose = match name {
        Some(name) => format!("`{name}`"),
        None => "any process".to_owned(),
    };
    let has = if named.is_empty() {
        "it has no request with all its times".to_owned()
    } else {
        format!(
            "it has fewer than 100 of these; its requests: {}",
            named.join(", ")
        )
    };
    let thing = format!("cannot explain requests of {whose} in {}", file.display());
    Problem::new(Exit::Environment, thing)
        .because(has)
        .remedy("another --process, or a longer capture")
}

impl Shown<'_> {
    fn text(&self) -> String {
        let blame = self.blame;
        let requests = plural(blame.time_ns.count, "request");
        let mut lines = vec![
            blame_sentence(blame),
            format!(
                "{}: {requests} of {}, from the queue of the block layer to completion",
                self.file.display(),
                blame.owner
            ),
        ];
        lines.extend(self.warnings());
        for table in blame_tables(blame, &[]) {
            lines.push(String::new());
            lines.extend(table.lines(usize::MAX, false));
        }
        lines.join("\n") + "\n"
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.tail.is_none() {
            warnings.push("QUALIFIED: the file ends before the end of the capture.".to_owned());
        }
        if let Some(tail) = self.tail.filter(|tail| !tail.is_complete()) {
            warnings.push(format!(
                "QUALIFIED: the kernel lost {}. Requests are missing, and some times are wrong.",
                plural(tail.lost_events, "event")
            ));
        }
        warnings.extend(missing_events(&self.head.missing_events));
        warnings.extend(blame_remarks(self.blame));
        warnings
    }

    fn json(&self) -> Result<String, Problem> {
        let answer = BlameDocument {
            file: self.file.display().to_string(),
            state: self.state(),
            sentence: blame_sentence(self.blame),
            events: &self.head.events,
            missing_events: &self.head.missing_events,
            blame: self.blame,
        };
        listed::stamped("blame", &answer)
    }

    /// How far it can be trusted.
    fn state(&self) -> State {
        let is_whole = self.tail.is_some_and(Tail::is_complete);
        let is_known = self.blame.devices == 1 || !self.blame.disks.is_empty();
        let is_all = self.blame.left_out.is_empty();
        if is_whole && self.head.missing_events.is_empty() && is_known && is_all {
            State::Valid
        } else {
            State::Qualified
        }
    }
}
