//! The text of a suite.

use super::{Cell, Rounds, Settings, Suite};
use crate::diagnostic::{Diagnostic, Severity, Skipped};
use fathom_core::{Bytes, Nanos, Percent};
use serde::Deserialize;
use std::collections::HashSet;
use std::ops::Range;
use toml::Spanned;

/// Combinations that one suite may hold: beyond, somebody has mistyped an axis.
const MOST_CELLS: usize = 10_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SuiteText {
    name: String,
    description: String,
    #[serde(default)]
    source: String,
    rounds: Option<RoundsText>,
    run: Vec<RunText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoundsText {
    follow: Spanned<String>,
    #[serde(default = "window")]
    window: u32,
    #[serde(default = "max")]
    max: u32,
    #[serde(default = "range")]
    range: Percent,
    #[serde(default = "slope")]
    slope: Percent,
}

const fn window() -> u32 {
    5
}

const fn max() -> u32 {
    25
}

const fn range() -> Percent {
    Percent(20.0)
}

const fn slope() -> Percent {
    Percent(10.0)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunText {
    workload: Spanned<String>,
    label: Option<Spanned<String>>,
    phase: Option<String>,
    #[serde(default)]
    block_size: Vec<Bytes>,
    #[serde(default)]
    read: Vec<Percent>,
    #[serde(default)]
    random: Vec<Percent>,
    #[serde(default)]
    queue_depth: Vec<u32>,
    #[serde(default)]
    threads: Vec<u32>,
    time: Option<Nanos>,
    warm_up: Option<Nanos>,
    size: Option<Bytes>,
    bytes: Option<Bytes>,
    target: Option<String>,
    #[serde(default)]
    write_through: bool,
    #[serde(default)]
    shared_cursor: bool,
}

impl RunText {
    /// How many runs its axes come to; an empty list is no axis.
    fn combinations(&self) -> usize {
        let axes = [
            self.read.len(),
            self.random.len(),
            self.block_size.len(),
            self.queue_depth.len(),
            self.threads.len(),
        ];
        axes.into_iter().fold(1, |product: usize, axis| {
            product.saturating_mul(axis.max(1))
        })
    }
}

/// Reads a suite from `text`; `file` is the name by which the user knows it.
///
/// Along the axes of a run the first one written varies slowest in this order: read, random,
/// block size, queue depth, threads.
///
/// # Errors
///
/// What is wrong with the text.
pub fn parse(text: &str, file: &str) -> Result<Suite, Vec<Diagnostic>> {
    let wrong = |span: Range<usize>, message: String, remedy: &str| {
        vec![Diagnostic {
            skipped: Skipped::default(),
            severity: Severity::Error,
            message,
            file: file.into(),
            text: text.into(),
            span: within_line(text, &span),
            suggestion: None,
            remedy: Some(remedy.to_owned()),
        }]
    };
    let read: SuiteText = toml::from_str(text).map_err(|error| {
        let message = error.message().trim_end_matches('.').to_owned();
        wrong(
            error.span().unwrap_or(0..0),
            message,
            "docs/suites.md lists the keys of a suite",
        )
    })?;
    let mut cells: Vec<Cell> = Vec::new();
    let mut labels: HashSet<String> = HashSet::new();
    for (number, run) in read.run.iter().enumerate() {
        // Lists of five axes multiply to more than any memory holds.
        if cells.len().saturating_add(run.combinations()) > MOST_CELLS {
            let message = format!("a suite has 1 to {MOST_CELLS} runs");
            return Err(wrong(run.workload.span(), message, "shorter lists"));
        }
        for cell in combinations(number, run) {
            if !labels.insert(cell.label.clone()) {
                let message = format!("two runs are called `{}`", cell.label);
                return Err(wrong(
                    run.workload.span(),
                    message,
                    "a `label` of its own for one of them",
                ));
            }
            cells.push(cell);
        }
    }
    if let Some(rounds) = &read.rounds {
        let follow = rounds.follow.get_ref();
        if !cells.iter().any(|cell| cell.label == *follow) {
            let labels: Vec<&str> = cells.iter().map(|cell| cell.label.as_str()).collect();
            let message = format!("no run is called `{follow}`");
            let remedy = format!("one of {}", labels.join(", "));
            return Err(wrong(rounds.follow.span(), message, &remedy));
        }
        if rounds.window < 3 || rounds.max < rounds.window {
            let message = "a window has at least 3 rounds, and no more than `max`".to_owned();
            return Err(wrong(
                rounds.follow.span(),
                message,
                "window = 5 and max = 25",
            ));
        }
    }
    Ok(Suite {
        name: read.name,
        description: read.description,
        source: read.source,
        rounds: read.rounds.map(|rounds| Rounds {
            follow: rounds.follow.into_inner(),
            window: rounds.window,
            max: rounds.max,
            range: rounds.range,
            slope: rounds.slope,
        }),
        cells,
    })
}

/// Diagnostics quote one line.
fn within_line(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = span.start.min(text.len());
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    start..span.end.clamp(start, line_end)
}

/// One value on one axis.
#[derive(Clone, Copy)]
enum Point {
    Read(Percent),
    Random(Percent),
    BlockSize(Bytes),
    QueueDepth(u32),
    Threads(u32),
}

impl Point {
    const fn axis(self) -> &'static str {
        match self {
            Self::Read(_) => "read",
            Self::Random(_) => "random",
            Self::BlockSize(_) => "block_size",
            Self::QueueDepth(_) => "queue_depth",
            Self::Threads(_) => "threads",
        }
    }

    fn words(self) -> String {
        match self {
            Self::Read(share) | Self::Random(share) => share.0.to_string(),
            Self::BlockSize(size) => fathom_core::figure::size(size.0),
            Self::QueueDepth(number) | Self::Threads(number) => number.to_string(),
        }
    }

    const fn set(self, settings: &mut Settings) {
        match self {
            Self::Read(share) => settings.read = Some(share),
            Self::Random(share) => settings.random = Some(share),
            Self::BlockSize(size) => settings.block_size = Some(size),
            Self::QueueDepth(depth) => settings.queue_depth = Some(depth),
            Self::Threads(threads) => settings.threads = Some(threads),
        }
    }
}

fn points<T: Copy>(values: &[T], point: fn(T) -> Point) -> Vec<Point> {
    values.iter().map(|value| point(*value)).collect()
}

fn combinations(number: usize, run: &RunText) -> Vec<Cell> {
    let axes = [
        points(&run.read, Point::Read),
        points(&run.random, Point::Random),
        points(&run.block_size, Point::BlockSize),
        points(&run.queue_depth, Point::QueueDepth),
        points(&run.threads, Point::Threads),
    ];
    let fixed = Settings {
        time: run.time,
        warm_up: run.warm_up,
        size: run.size,
        bytes: run.bytes,
        target: run.target.clone(),
        write_through: run.write_through,
        shared_cursor: run.shared_cursor,
        ..Settings::default()
    };
    let mut cells = vec![(fixed, Vec::new())];
    for axis in axes.iter().filter(|axis| !axis.is_empty()) {
        let mut finer = Vec::new();
        for (settings, place) in &cells {
            for point in axis {
                let (mut settings, mut place): (Settings, Vec<_>) =
                    (settings.clone(), place.clone());
                point.set(&mut settings);
                // A list of one is a setting, not an axis.
                if axis.len() > 1 {
                    place.push((point.axis().to_owned(), point.words()));
                }
                finer.push((settings, place));
            }
        }
        cells = finer;
    }
    let base = run.label.as_ref().map_or_else(
        || stem(run.workload.get_ref()),
        |label| label.get_ref().clone(),
    );
    cells
        .into_iter()
        .map(|(settings, place)| Cell {
            label: label(&base, &place),
            run: number,
            workload: run.workload.get_ref().clone(),
            phase: run.phase.clone(),
            place,
            settings,
        })
        .collect()
}

fn stem(workload: &str) -> String {
    let name = workload.rsplit('/').next().unwrap_or(workload);
    name.trim_end_matches(".toml").to_owned()
}

/// A name from the base and the place: letters, digits and hyphens, fit for a file.
fn label(base: &str, place: &[(String, String)]) -> String {
    let mut name = base.to_owned();
    for (axis, value) in place {
        let short = match axis.as_str() {
            "read" => format!("r{value}"),
            "random" => format!("rnd{value}"),
            "queue_depth" => format!("qd{value}"),
            "threads" => format!("t{value}"),
            _ => value.clone(),
        };
        name.push('-');
        name.push_str(&short);
    }
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_');
    name.chars().filter(|letter| plain(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{SUITES, find};
    use super::*;
    use crate::profiles;

    const SMALL: &str = r#"
name = "small"
description = "Two sizes, both ways"

[rounds]
follow = "io-r0-4KiB"
max = 9

[[run]]
workload = "random-mixed-8k"
label = "io"
read = [100, 0]
block_size = ["4KiB", "8KiB"]
queue_depth = [16]
time = "5s"
"#;

    #[test]
    fn each_combination_is_a_cell() {
        let suite = parse(SMALL, "small.toml").expect("a suite");
        let labels: Vec<&str> = suite.cells.iter().map(|cell| cell.label.as_str()).collect();
        assert_eq!(
            labels,
            ["io-r100-4KiB", "io-r100-8KiB", "io-r0-4KiB", "io-r0-8KiB"]
        );
        let last = &suite.cells[3];
        assert_eq!(
            last.settings,
            Settings {
                block_size: Some(Bytes(8192)),
                read: Some(Percent(0.0)),
                queue_depth: Some(16),
                time: Some(Nanos::from_secs(5)),
                ..Settings::default()
            }
        );
        let place = [("read", "0"), ("block_size", "8 KiB")];
        assert_eq!(last.place, place.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(
            suite.rounds,
            Some(Rounds {
                follow: "io-r0-4KiB".to_owned(),
                window: 5,
                max: 9,
                range: Percent(20.0),
                slope: Percent(10.0),
            })
        );
    }

    #[test]
    fn what_is_wrong_is_shown_on_its_line() {
        let text = SMALL.replace("io-r0-4KiB", "io-r0-2KiB");
        let errors = parse(&text, "small.toml").expect_err("no such cell");
        let expected = "\
error: no run is called `io-r0-2KiB`
 --> small.toml:6:10
  |
6 | follow = \"io-r0-2KiB\"
  |          ^^^^^^^^^^^^
  = help: one of io-r100-4KiB, io-r100-8KiB, io-r0-4KiB, io-r0-8KiB";
        assert_eq!(errors[0].to_string(), expected);
        let text = SMALL.replace("time =", "tme =");
        let errors = parse(&text, "small.toml").expect_err("no such key");
        assert_eq!((errors[0].line(), errors[0].column()), (15, 1));
    }

    #[test]
    fn the_suites_of_the_program_name_workloads_that_exist() {
        for built_in in SUITES {
            let suite = built_in.suite().expect("a suite");
            assert_eq!(suite.name, built_in.name);
            for cell in &suite.cells {
                let profile = profiles::choose(&cell.workload).expect("a profile");
                let workload = profile.workload().expect("a workload");
                if let Some(phase) = &cell.phase {
                    let mut names = workload.phases.iter().map(|phase| &phase.name);
                    assert!(names.any(|name| name == phase), "{}", cell.label);
                }
            }
        }
        assert_eq!(find("ec2-studdy").err(), Some(Some("ec2-study")));
    }
}
