//! A script of DISKSPD lines as a suite: each line a run, and what they vary in its axes.

use crate::commands::surroundings::Live;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::spec::{Job, Workload};
use fathom_core::{Op, figure};
use fathom_tools::suite::{Cell, Settings, Suite};
use fathom_tools::{Drive, OnDrives};
use std::path::Path;

/// Ends of the names of such files.
const ENDS: [&str; 5] = ["txt", "cmd", "bat", "ps1", "sh"];

/// Whether a file is one by its name; a suite of our own ends in `.toml`.
pub(super) fn is_one(name: &str) -> bool {
    let end = Path::new(name).extension();
    end.is_some_and(|end| ENDS.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

/// The suite, and the workload of each of its cells.
pub(super) fn read(
    text: &str,
    name: &str,
    drives: &[Drive],
) -> Result<(Suite, Vec<Workload>), Error> {
    let stem = Path::new(name).file_stem();
    let stem = stem.map_or_else(
        || name.to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    );
    let here = OnDrives {
        world: &Live,
        drives,
    };
    let mut workloads = Vec::new();
    for line in text.lines().filter(|line| is_call(line)) {
        let input = fathom_diskspd::read(&words(line), &here).map_err(Error::Text)?;
        let mut workload = input.translate(&here).map_err(Error::Text)?.workload;
        workload.name = format!("{stem}-{:02}", workloads.len() + 1);
        workloads.push(workload);
    }
    if workloads.is_empty() {
        return Err(
            Problem::new(Exit::Usage, format!("{name} has no run of DISKSPD"))
                .because("no line begins with diskspd")
                .remedy("a suite of your own ends in .toml; docs/suites.md")
                .into(),
        );
    }
    let places: Vec<Coordinates> = workloads.iter().map(place).collect();
    let cells = workloads.iter().zip(&places).map(|(workload, own)| Cell {
        label: workload.name.clone(),
        run: 0,
        workload: name.to_owned(),
        phase: None,
        place: axes(own, &places),
        settings: Settings::default(),
    });
    let suite = Suite {
        name: stem,
        description: format!(
            "{} of DISKSPD, from {name}",
            figure::plural(workloads.len() as u64, "line")
        ),
        source: String::new(),
        rounds: None,
        cells: cells.collect(),
    };
    Ok((suite, workloads))
}

/// Whether a line calls DISKSPD; others are comments, or belong to the shell.
fn is_call(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let program = first.rsplit(['\\', '/']).next().unwrap_or_default();
    ["diskspd", "diskspd.exe"]
        .iter()
        .any(|name| program.eq_ignore_ascii_case(name))
}

/// The words of a line, double quotes taken off.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quoted, mut begun) = (String::new(), false, false);
    for letter in line.chars() {
        match letter {
            '"' => (quoted, begun) = (!quoted, true),
            letter if letter.is_whitespace() && !quoted => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            letter => {
                word.push(letter);
                begun = true;
            }
        }
    }
    words.extend(begun.then_some(word));
    words
}

/// Where a run lies: axis and value.
type Coordinates = [(&'static str, String); 5];

fn place(workload: &Workload) -> Coordinates {
    let jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
    let jobs: Vec<&Job> = jobs.collect();
    let kinds = || jobs.iter().flat_map(|job| &job.kinds);
    let all: f64 = kinds().map(|kind| kind.weight).sum();
    let reads: f64 = kinds()
        .filter(|kind| kind.op == Op::Read)
        .map(|kind| kind.weight)
        .sum();
    let random: f64 = kinds().map(|kind| kind.weight * kind.random.0).sum();
    let largest = kinds().map(|kind| kind.block_size.0).max().unwrap_or(0);
    let depth = jobs.iter().map(|job| job.queue_depth).max().unwrap_or(0);
    let threads: u32 = jobs.iter().map(|job| job.threads).sum();
    let share = |part: f64| figure::decimal(part / all.max(f64::MIN_POSITIVE), 0);
    [
        ("read", share(reads * 100.0)),
        ("random", share(random)),
        ("queue_depth", depth.to_string()),
        ("threads", threads.to_string()),
        ("block_size", figure::size(largest)),
    ]
}

/// The axes along which the runs differ; none where two runs would stand at one place.
fn axes(own: &Coordinates, all: &[Coordinates]) -> Vec<(String, String)> {
    let is_clear = all.iter().filter(|other| *other == own).count() == 1;
    let varies = |index: usize| all.iter().any(|other| other[index] != own[index]);
    let kept = (0..own.len()).filter(|index| is_clear && varies(*index));
    kept.map(|index| (own[index].0.to_owned(), own[index].1.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::Cursor;

    /// The lines of the study as they stand in it.
    const STUDY: &str = include_str!("../../../../../docs/studies/inputs/ec2-study.txt");

    #[test]
    fn the_lines_of_the_ec2_study_are_its_suite() {
        let drives = [('r', std::path::PathBuf::from("/mnt/r"))];
        let (lines, of_lines) = read(STUDY, "ec2-study.txt", &drives).expect("a suite");
        let suite = super::super::load("ec2-study").expect("a suite");
        let of_suite = super::super::workloads(&suite, &crate::args::OverrideArgs::default());
        let told = |workload: &Workload| {
            let job = &workload.phases[0].jobs[0];
            let kind = &job.kinds[0];
            let phase = &workload.phases[0];
            format!(
                "{:?} {} {} x{} d{} {} {} {:?} {:?} {:?}",
                kind.op,
                kind.block_size,
                kind.random,
                job.threads,
                job.queue_depth,
                job.durability.write_through && job.writes(),
                job.access.cursor == Cursor::Shared,
                job.size,
                phase.duration,
                phase.warm_up,
            )
        };
        let mut found: Vec<String> = of_lines.iter().map(told).collect();
        let mut expected: Vec<String> = of_suite.expect("workloads").iter().map(told).collect();
        found.sort();
        expected.sort();
        assert_eq!((found.len(), found), (20, expected));
        let targets = of_lines
            .iter()
            .flat_map(|one| &one.phases[0].jobs[0].targets);
        assert!(targets.clone().all(|path| path == "/mnt/r/temp/io.dat"));
        let place = |axis: &str, value: &str| (axis.to_owned(), value.to_owned());
        let first = [
            place("read", "100"),
            place("random", "100"),
            place("block_size", "8 KiB"),
        ];
        assert_eq!(lines.cells[0].place, first);
    }

    #[test]
    fn lines_of_the_shell_are_none_of_diskspd() {
        let calls = [
            (r"C:\tools\DiskSpd.exe -b8K x", true),
            ("diskspd -b8K x", true),
            ("rem diskspd -b8K x", false),
            ("# diskspd", false),
            ("", false),
        ];
        for (line, expected) in calls {
            assert_eq!(is_call(line), expected, "{line}");
        }
        let found = words(r#"diskspd -b8K "r:\my files\io.dat"  """#);
        assert_eq!(found, ["diskspd", "-b8K", r"r:\my files\io.dat", ""]);
    }
}
