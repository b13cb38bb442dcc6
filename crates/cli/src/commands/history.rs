//! `fathom history`: the runs that were kept, on a screen.

mod csv;
mod fold;
mod short;

use super::answers::Answers;
use super::sinks::TextPlace;
use super::{archive, clean, listed, trend};
use crate::args::{AnswerArgs, HistoryArgs, HistoryFormat};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::table::Table;
use fathom_core::{figure, units};
use fathom_device::Existing;
use fathom_store::{Filter, RunRow, Store, StoreError, UNREADABLE};
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// Rows of a table without `--limit`: what a screen shows.
const SCREEN: u32 = 20;
/// Runs that are read for a row.
const FOLDED: u32 = 50;
/// Letters of the targets' column.
const TARGET_LETTERS: usize = 28;

pub(crate) fn run(args: &HistoryArgs) -> Result<Exit, Error> {
    let since = args.since.as_ref().map(|text| instant("--since", text));
    let filter = Filter {
        tag: args.tag.clone(),
        host: args.host.clone(),
        workload: args.profile.clone(),
        since: since.transpose()?,
        state: args.state.map(|state| state.word().to_owned()),
        target: args.target.clone(),
        limit: limit(args),
    };
    let file = args.output.file.as_deref().unwrap_or(Path::new("-"));
    let place = TextPlace::open(file, Existing::replaced_if(args.replace.overwrite))?;
    let store = archive::open_to_read(args.store.store.as_deref())?;
    if args.changes {
        let trends = trend::of(&store, &filter, args.metric)?;
        Answers::open(&AnswerArgs::plain(args.json))?.tell(&trends)?;
        return Ok(Exit::Ok);
    }
    if args.format() != HistoryFormat::Text {
        return stream(&store, &filter, args.format(), place);
    }
    let list = || -> Result<_, StoreError> { Ok((store.list(&filter)?, store.count_of(&filter)?)) };
    let (rows, count) = list().map_err(|error| archive::problem(&error))?;
    if rows.is_empty() {
        let some = Filter {
            limit: filter.limit,
            ..Filter::default()
        };
        let text = if filter == some {
            "no run has been kept yet\n"
        } else {
            "no run of the history matches\n"
        };
        place.write_words(text)?;
        return Ok(Exit::Ok);
    }
    let mut groups = fold::groups(&rows, args.each);
    groups.truncate(args.limit.unwrap_or(SCREEN) as usize);
    let mut text = fold::table(&groups).to_string();
    let shown: usize = groups.iter().map(|group| group.len()).sum();
    if count != shown as u64 {
        let (shown, count) = (figure::count(shown as u64), figure::count(count));
        let _ = writeln!(text, "{shown} of {count} runs; --limit N shows more");
    }
    if groups.len() < shown {
        text.push_str("runs made together are one row: --each shows each\n");
    }
    for row in rows.iter().filter(|row| row.status == UNREADABLE) {
        let name = &row.name;
        let _ = writeln!(
            text,
            "{name} was killed, and its journal is damaged; `fathom remove {name}` removes it"
        );
    }
    for path in clean::of_rows(&rows) {
        let path = path.display();
        let _ = writeln!(
            text,
            "left by a killed run: {path}; `fathom clean` removes it"
        );
    }
    place.write_words(&text)?;
    Ok(Exit::Ok)
}

/// Writes the runs for programs, one by one: a history can be longer than memory is large.
fn stream(
    store: &Store,
    filter: &Filter,
    format: HistoryFormat,
    place: TextPlace,
) -> Result<Exit, Error> {
    let runs = Runs {
        store,
        filter,
        failed: RefCell::default(),
    };
    let written = place.stream(&|out: &mut dyn Write| match format {
        HistoryFormat::Csv => csv::write(&runs, out),
        HistoryFormat::Json | HistoryFormat::Text => listed::stream("runs", &runs, out),
    });
    match runs.failed.into_inner() {
        Some(error) => Err(archive::problem(&error).into()),
        None => written.map(|()| Exit::Ok),
    }
}

/// The runs as an array that is read while it is written.
struct Runs<'a> {
    store: &'a Store,
    filter: &'a Filter,
    failed: RefCell<Option<StoreError>>,
}

impl Serialize for Runs<'_> {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        let mut list = writer.serialize_seq(None)?;
        let mut written = Ok(());
        let read = self.store.each(self.filter, |row| {
            written = list.serialize_element(&document(&row));
            written.is_ok()
        });
        written?;
        read.map_err(|error| {
            let message = S::Error::custom(&error);
            self.failed.replace(Some(error));
            message
        })?;
        list.end()
    }
}

/// A run, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RunDocument<'a> {
    #[serde(flatten)]
    row: &'a RunRow,
    /// Files that it has not removed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_behind: Vec<String>,
}

/// A run for programs; one that did not end names what it has left behind.
fn document(row: &RunRow) -> RunDocument<'_> {
    let left = clean::of_rows(std::slice::from_ref(row));
    let left = left.iter().map(|path| path.to_string_lossy().into_owned());
    RunDocument {
        row,
        left_behind: left.collect(),
    }
}

/// Runs to read: of a table that folds runs, as many as may be in its rows.
fn limit(args: &HistoryArgs) -> Option<u32> {
    let rows = args.limit.unwrap_or(SCREEN);
    match (args.format(), args.each) {
        (HistoryFormat::Text, true) => Some(rows),
        (HistoryFormat::Text, false) => Some(rows.saturating_mul(FOLDED)),
        _ => args.limit,
    }
}

/// An instant as typed for an option.
pub(crate) fn instant(option: &str, text: &str) -> Result<String, Problem> {
    let now_ns = fathom_engine::clock::utc_now_ns();
    units::instant(text, now_ns).map_err(|error| {
        Problem::new(Exit::Usage, format!("{option} names no instant")).because(error.to_string())
    })
}

/// Runs as rows of a table.
pub(crate) fn table(rows: &[RunRow]) -> Table {
    let each: Vec<&[RunRow]> = rows.iter().map(std::slice::from_ref).collect();
    fold::table(&each)
}

fn cells(row: &RunRow) -> [String; 9] {
    [
        row.name.clone(),
        begin(&row.started_at),
        row.workload.clone(),
        target(measured_on(row)),
        speed(row, &figure::iops(row.iops)),
        speed(row, &figure::megabytes(row.bytes_per_second)),
        p99(row),
        state(row),
        remarks(row),
    ]
}

/// To the second; an instant of another format as it is.
fn begin(started_at: &str) -> String {
    match (started_at.get(..10), started_at.get(11..19)) {
        (Some(date), Some(time)) => format!("{date} {time}"),
        _ => started_at.to_owned(),
    }
}

/// The disk; the paths of a run of an earlier version, or of one that is not over.
fn measured_on(row: &RunRow) -> &str {
    match row.disk.as_str() {
        "" => &row.targets,
        disk => disk,
    }
}

/// Of one path the end tells most, of a disk and of several the first.
fn target(targets: &str) -> String {
    let letters = targets.chars().count();
    if letters <= TARGET_LETTERS {
        return targets.to_owned();
    }
    let kept = TARGET_LETTERS - 1;
    if targets.contains(", ") || !targets.contains('/') {
        let begin: String = targets.chars().take(kept).collect();
        return format!("{begin}…");
    }
    let end: String = targets.chars().skip(letters - kept).collect();
    format!("…{end}")
}

fn speed(row: &RunRow, figure: &str) -> String {
    match (row.status.as_str(), row.phases) {
        ("running", _) | (_, 0) => "-".to_owned(),
        (_, 1) => figure.to_owned(),
        _ => format!("≤ {figure}"),
    }
}

fn p99(row: &RunRow) -> String {
    let time = |p99_ns: u64| speed(row, &figure::time(p99_ns as f64));
    row.p99_ns.map_or_else(|| "-".to_owned(), time)
}

fn state(row: &RunRow) -> String {
    if row.status == "running" {
        return "running".to_owned();
    }
    let mut words = vec![row.state.as_str()];
    if !row.interruption.is_empty() {
        words.push(&row.interruption);
    } else if row.status != "complete" {
        words.push(&row.status);
    }
    if row.origin != "measured" {
        words.push(&row.origin);
    }
    words.join(", ")
}

fn remarks(row: &RunRow) -> String {
    let tags = row.tags.join(" ");
    let note = row.note.as_deref().unwrap_or_default();
    let parts = [row.answer.as_str(), &tags, note].into_iter();
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(super) fn row(name: &str) -> RunRow {
        RunRow {
            name: name.to_owned(),
            run_id: format!("20260301T120000Z-{name}00000000"),
            status: "complete".to_owned(),
            started_at: "2026-03-01T12:00:00.123Z".to_owned(),
            workload: "random-read-4k".to_owned(),
            targets: "/data/fathom-data.dat".to_owned(),
            disk: "vda, 275 GB virtio, ext4".to_owned(),
            answer: String::new(),
            interruption: String::new(),
            hostname: "lab7".to_owned(),
            engine: "io_uring".to_owned(),
            origin: "measured".to_owned(),
            state: "VALID".to_owned(),
            phases: 1,
            iops: 67_512.4,
            bytes_per_second: 276_530_790.0,
            p99_ns: Some(1_234_000),
            bytes: 4096,
            tags: Vec::new(),
            note: None,
        }
    }

    #[test]
    fn a_run_is_a_line() {
        let several = RunRow {
            phases: 6,
            disk: "nvme0n1 +2, 1.00 TB ACME NVMe 990".to_owned(),
            answer: "3,400 IOPS meet p99 ≤ 2 ms".to_owned(),
            tags: vec!["baseline".to_owned(), "nightly".to_owned()],
            note: Some("new firmware".to_owned()),
            ..row("7f3b")
        };
        let cut_off = RunRow {
            status: "interrupted".to_owned(),
            state: "SUSPECT".to_owned(),
            targets: "/srv/storage/volumes/seven/fathom-data.dat".to_owned(),
            disk: String::new(),
            interruption: "interrupted after 4 of 7 phases".to_owned(),
            ..row("7f3c")
        };
        let imported = RunRow {
            origin: "imported".to_owned(),
            started_at: "2026".to_owned(),
            note: Some("by hand".to_owned()),
            ..row("7f3d")
        };
        let running = RunRow {
            status: "running".to_owned(),
            ..row("7f3e")
        };
        let rows = [row("7f3a"), several, cut_off, imported, running];
        let expected = "\
RUN   BEGIN (UTC)          WORKLOAD        DISK                              IOPS     \
MB/s        P99  \
STATE                                     TAGS, NOTE
7f3a  2026-03-01 12:00:00  random-read-4k  vda, 275 GB virtio, ext4        67,512    \
276.5    1.23 ms  VALID
7f3b  2026-03-01 12:00:00  random-read-4k  nvme0n1 +2, 1.00 TB ACME NV…  ≤ 67,512  \
≤ 276.5  ≤ 1.23 ms  \
VALID                                     \
3,400 IOPS meet p99 ≤ 2 ms; baseline nightly; new firmware
7f3c  2026-03-01 12:00:00  random-read-4k  …lumes/seven/fathom-data.dat    67,512    \
276.5    1.23 ms  \
SUSPECT, interrupted after 4 of 7 phases
7f3d  2026                 random-read-4k  vda, 275 GB virtio, ext4        67,512    \
276.5    1.23 ms  \
VALID, imported                           by hand
7f3e  2026-03-01 12:00:00  random-read-4k  vda, 275 GB virtio, ext4             \
-        -          -  running
";
        assert_eq!(table(&rows).to_string(), expected);
    }
}
