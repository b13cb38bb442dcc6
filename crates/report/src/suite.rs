//! The runs of a suite as one report: a row for each run, and a matrix for each question that
//! varies along two axes or more.

use crate::blame::traced_word;
use crate::figure::{iops, megabytes, percent, plural, time};
use crate::formats::brief::blame_of_phases;
use crate::markdown;
use crate::page::Page;
use crate::paint::Style;
use crate::table::{Align, Table};
use crate::text_options::TextOptions;
use fathom_core::result::{LoadModel, Origins, PhaseResult, RunResult};
use fathom_core::{CodeWord, Op, State};
use fathom_verdict::stats::SteadyWindow;

/// A suite that has been run, as far as it got.
#[derive(Clone, Debug)]
pub struct SuiteReport<'a> {
    /// As the suite calls it.
    pub name: &'a str,
    /// One sentence about it.
    pub description: &'a str,
    /// Its cells in the order of the suite.
    pub cells: Vec<SuiteCell<'a>>,
    /// How the rounds went, if it goes in rounds.
    pub rounds: Option<SuiteRounds<'a>>,
}

/// One cell and its results.
#[derive(Clone, Debug)]
pub struct SuiteCell<'a> {
    /// Its name.
    pub label: &'a str,
    /// Cells of the same group make one matrix.
    pub group: usize,
    /// Where it lies on each axis: name and value.
    pub place: &'a [(String, String)],
    /// One result for each pass that is done.
    pub results: Vec<&'a RunResult>,
}

/// Rounds until one cell is steady.
#[derive(Clone, Debug)]
pub struct SuiteRounds<'a> {
    /// The cell that is followed.
    pub follow: &'a str,
    /// Its requests a second, by round.
    pub rounds: Vec<f64>,
    /// The last window, if there were rounds enough.
    pub window: Option<SteadyWindow>,
    /// Whether the last window passed.
    pub reached: bool,
}

/// What one cell shows, the mean of its passes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) iops: f64,
    pub(crate) bytes_per_second: f64,
    pub(crate) mean_ns: f64,
    p99_ns: Option<f64>,
    /// Largest distance of a pass from the mean, percent; none with one pass.
    spread_percent: Option<f64>,
}

/// The report as text.
pub fn suite_text(suite: &SuiteReport<'_>, options: TextOptions) -> String {
    let mut page = Page::new(options);
    headline(&mut page, suite);
    page.blank();
    page.table(&rows(suite));
    page.footnote(
        "IOPS, MB/s and times are means over the repetitions; times are response times of open \
         loads and service times of closed loads, over all operations; ± is the largest distance \
         of a repetition from the mean",
    );
    let mut groups: Vec<usize> = suite.cells.iter().map(|cell| cell.group).collect();
    groups.dedup();
    for group in groups {
        let cells: Vec<&SuiteCell<'_>> = suite
            .cells
            .iter()
            .filter(|cell| cell.group == group && cell.place.len() > 1)
            .collect();
        matrix(&mut page, "IOPS", &cells, |figures| iops(figures.iops));
        matrix(&mut page, "MB/s", &cells, |figures| {
            megabytes(figures.bytes_per_second)
        });
        matrix(&mut page, "mean time", &cells, |figures| {
            time(figures.mean_ns)
        });
    }
    page.finish()
}

/// The report as Markdown, for tickets and CI summaries: what decided it, and a row for each run.
pub fn suite_markdown(suite: &SuiteReport<'_>) -> String {
    let mut page = Page::new(TextOptions::default());
    headline(&mut page, suite);
    let mut text = String::new();
    for (index, entry) in page.into_entries().iter().enumerate() {
        let words = markdown::escape(&entry.text);
        text += &match (index, entry.label.as_str()) {
            (0, label) => format!("**{}** {words}\n", markdown::escape(label)),
            (_, "") => format!("<br>{words}\n"),
            (_, label) => format!("* **{}** {words}\n", markdown::escape(label)),
        };
    }
    let names = crate::suite_names::names(suite);
    let results = suite.cells.iter().zip(&names);
    let results = results.flat_map(|(cell, name)| cell.results.iter().map(move |one| (name, *one)));
    for (label, result) in results {
        for requirement in &result.requirements {
            let asked = markdown::code(&requirement.text);
            let found = markdown::escape(&requirement.words());
            text += &format!("* {}: {asked} {found}\n", markdown::escape(label));
        }
    }
    text.push('\n');
    markdown::table(&rows(suite), &mut text);
    text
}

pub(crate) fn headline(page: &mut Page, suite: &SuiteReport<'_>) {
    let results = || suite.cells.iter().flat_map(|cell| &cell.results);
    let worst = results().map(|result| result.state).max();
    let state = worst.unwrap_or(State::Invalid);
    let total = results().count();
    let mut counts = Vec::new();
    for state in [
        State::Valid,
        State::Qualified,
        State::Suspect,
        State::Invalid,
    ] {
        let count = results().filter(|result| result.state == state).count();
        if count > 0 {
            counts.push(format!("{count} {}", state.word()));
        }
    }
    let origins: Origins = results().map(|result| &result.provenance.origin).collect();
    let text = origins.first_line(&format!(
        "{}suite {}: {}{} ({}), of which {}",
        disk(suite),
        suite.name,
        most(suite),
        made(suite, total),
        origins.word(),
        counts.join(", ")
    ));
    page.styled_entry(state.word(), Style::of_state(state), &text);
    page.entry("", suite.description);
    if let Some(rounds) = &suite.rounds {
        let names = crate::suite_names::names(suite);
        let mut named = suite.cells.iter().zip(&names);
        let followed = named.find(|(cell, _)| cell.label == rounds.follow);
        let followed = followed.map_or(rounds.follow, |(_, name)| name.as_str());
        page.entry("rounds", &rounds_sentence(followed, rounds));
    }
    reasons(page, suite);
    blames(page, suite);
}

/// What the slowest requests of each run waited for, where that was traced.
fn blames(page: &mut Page, suite: &SuiteReport<'_>) {
    let names = crate::suite_names::names(suite);
    let mut label = "blame";
    for (cell, name) in suite.cells.iter().zip(&names) {
        for (pass, result) in (1..).zip(&cell.results) {
            let number = if cell.results.len() > 1 {
                format!(", repetition {pass}")
            } else {
                String::new()
            };
            for sentence in blame_of_phases(result) {
                page.entry(label, &format!("{name}{number}: {sentence}"));
                label = "";
            }
        }
    }
}

/// `vda, 275 GB virtio, ext4, ` where all runs are of one disk.
fn disk(suite: &SuiteReport<'_>) -> String {
    let results = suite.cells.iter().flat_map(|cell| &cell.results);
    let mut disks: Vec<String> = results.map(|result| result.provenance.disk()).collect();
    disks.dedup();
    match &disks[..] {
        [disk] if !disk.is_empty() => format!("{disk}, "),
        _ => String::new(),
    }
}

/// `16 runs`, or how many of them were made where the suite has not come to its end.
fn made(suite: &SuiteReport<'_>, total: usize) -> String {
    let all = suite.cells.len();
    let missing = suite.cells.iter().filter(|cell| cell.results.is_empty());
    match missing.count() {
        0 => plural(total as u64, "run"),
        missing => format!("{} of {}", all - missing, plural(all as u64, "run")),
    }
}

/// `at most 97,000 IOPS and 1,600 MB/s in `, of the runs that can be trusted; nothing without one.
fn most(suite: &SuiteReport<'_>) -> String {
    let is_trusted = |cell: &&SuiteCell<'_>| {
        let mut results = cell.results.iter();
        results.all(|result| result.state <= State::Qualified)
    };
    let is_made = |cell: &&SuiteCell<'_>| !cell.results.is_empty();
    let figures = suite
        .cells
        .iter()
        .filter(is_made)
        .filter(is_trusted)
        .flat_map(|cell| {
            let parts = cell
                .results
                .first()
                .map_or_else(Vec::new, |first| parts(first));
            let of_part = |(index, job)| figures(&cell.results, index, job);
            parts.into_iter().map(of_part).collect::<Vec<Figures>>()
        });
    let most = figures.reduce(|a, b| Figures {
        iops: a.iops.max(b.iops),
        bytes_per_second: a.bytes_per_second.max(b.bytes_per_second),
        ..a
    });
    most.map_or_else(String::new, |most| {
        let (requests, bytes) = (iops(most.iops), megabytes(most.bytes_per_second));
        let trusted = suite
            .cells
            .iter()
            .filter(is_made)
            .filter(is_trusted)
            .count();
        if trusted == suite.cells.iter().filter(is_made).count() {
            return format!("at most {requests} IOPS and {bytes} MB/s in ");
        }
        let can = plural(trusted as u64, "run");
        format!("{can} can be trusted, with at most {requests} IOPS and {bytes} MB/s, in ")
    })
}

fn rounds_sentence(name: &str, rounds: &SuiteRounds<'_>) -> String {
    let followed: Vec<String> = rounds.rounds.iter().map(|rate| iops(*rate)).collect();
    let outcome = match (&rounds.window, rounds.reached) {
        (Some(window), true) => format!(
            "steady: range {} of the mean, excursion {}",
            percent(window.range_percent),
            percent(window.excursion_percent)
        ),
        (Some(window), false) => format!(
            "not steady: range {} of the mean, excursion {}",
            percent(window.range_percent),
            percent(window.excursion_percent)
        ),
        (None, _) => "too few rounds to evaluate steadiness".to_owned(),
    };
    format!("{name} by round: {} IOPS; {outcome}", followed.join(", "))
}

/// Each reason once, with the cells that it holds for.
fn reasons(page: &mut Page, suite: &SuiteReport<'_>) {
    let names = crate::suite_names::names(suite);
    let mut seen: Vec<(&CodeWord, State, &str, Vec<&str>)> = Vec::new();
    for (cell, name) in suite.cells.iter().zip(&names) {
        for caveat in cell.results.iter().flat_map(|result| &result.caveats) {
            if caveat.level.state() == State::Valid {
                continue;
            }
            match seen.iter_mut().find(|entry| *entry.0 == caveat.code) {
                Some(entry) => {
                    if !entry.3.contains(&name.as_str()) {
                        entry.3.push(name);
                    }
                }
                None => seen.push((
                    &caveat.code,
                    caveat.level.state(),
                    &caveat.message,
                    vec![name],
                )),
            }
        }
    }
    for (code, state, message, cells) in seen {
        let others = match cells.len() {
            1 => cells[0].to_owned(),
            count => format!("{} and {} more", cells[0], count - 1),
        };
        let text = format!("{others}: {message} [{code}]");
        page.styled_entry(state.word(), Style::of_state(state), &text);
    }
}

/// What the name of a run's file in the results folder ends with: its number and its label.
pub fn suite_file(number: usize, label: &str) -> String {
    format!("{:03}-{label}.json", number + 1)
}

pub(crate) fn rows(suite: &SuiteReport<'_>) -> Table {
    let mut table = Table::default();
    table.label_column("run");
    for (head, spare) in [("IOPS", 0), ("MB/s", 0), ("±", 2), ("mean", 3), ("p99", 0)] {
        table.spare_column(head, Align::Right, spare);
    }
    table.column("state", Align::Left);
    let is_traced = has_blame(suite);
    if is_traced {
        table.spare_column("slowest", Align::Left, 1);
    }
    table.spare_column("file", Align::Left, 4);
    let names = crate::suite_names::names(suite);
    for (number, (cell, own_name)) in suite.cells.iter().zip(names).enumerate() {
        let Some(first) = cell.results.first() else {
            table.row(vec![own_name, "--".to_owned()]);
            continue;
        };
        let worst = cell.results.iter().map(|result| result.state).max();
        for (index, job) in parts(first) {
            let phase = &first.phases[index];
            let figures = figures(&cell.results, index, job);
            let mut name = own_name.clone();
            if first.phases.len() > 1 {
                name += &format!("/{}", phase.name);
            }
            // A sum over reads, logs and bursts would be the rate of nothing.
            if let Some(job) = job {
                name += &format!(" {}", phase.jobs[job].name);
            }
            let mut row = vec![
                name,
                iops(figures.iops),
                megabytes(figures.bytes_per_second),
                figures.spread_percent.map(percent).unwrap_or_default(),
                time(figures.mean_ns),
                figures.p99_ns.map_or_else(|| "--".to_owned(), time),
                worst.map(State::word).unwrap_or_default().to_owned(),
            ];
            if is_traced {
                row.push(phase.blame.as_deref().map(traced_word).unwrap_or_default());
            }
            row.push(suite_file(number, cell.label));
            table.row(row);
        }
    }
    table
}

/// Whether the slowest requests of a run were traced.
fn has_blame(suite: &SuiteReport<'_>) -> bool {
    let results = suite.cells.iter().flat_map(|cell| &cell.results);
    let mut phases = results.flat_map(|result| &result.phases);
    phases.any(|phase| phase.blame.is_some())
}

/// The places of phases, and of the jobs of those that have several.
fn parts(result: &RunResult) -> Vec<(usize, Option<usize>)> {
    let phases = result.phases.iter().enumerate();
    let of_phase = |(index, phase): (usize, &PhaseResult)| match phase.jobs.len() {
        0 | 1 => vec![(index, None)],
        jobs => (0..jobs).map(|job| (index, Some(job))).collect(),
    };
    phases.flat_map(of_phase).collect()
}

/// The last axis down, the others across.
fn matrix(
    page: &mut Page,
    title: &str,
    cells: &[&SuiteCell<'_>],
    show: impl Fn(&Figures) -> String,
) {
    let place = |cell: &SuiteCell<'_>| {
        let (row, columns) = cell
            .place
            .split_last()
            .expect("cells with two axes or more");
        let columns: Vec<String> = columns
            .iter()
            .map(|(axis, value)| axis_words(axis, value))
            .collect();
        (row.1.clone(), columns.join(", "))
    };
    let Some(first) = cells.first() else { return };
    let mut rows: Vec<String> = Vec::new();
    let mut columns: Vec<String> = Vec::new();
    for cell in cells {
        let (row, column) = place(cell);
        if !rows.contains(&row) {
            rows.push(row);
        }
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    page.heading(title);
    let mut table = Table::default();
    let axis = first.place.last().map_or("", |(axis, _)| axis.as_str());
    table.column(axis.replace('_', " "), Align::Right);
    table.keys_end();
    for column in &columns {
        table.column(column.clone(), Align::Right);
    }
    for row in &rows {
        let mut line = vec![row.clone()];
        for column in &columns {
            let here = cells
                .iter()
                .find(|cell| place(cell) == (row.clone(), column.clone()));
            let shown = here
                .filter(|cell| !cell.results.is_empty())
                .map(|cell| show(&figures(&cell.results, 0, None)));
            line.push(shown.unwrap_or_else(|| "--".to_owned()));
        }
        table.row(line);
    }
    page.table(&table);
}

pub(crate) fn axis_words(axis: &str, value: &str) -> String {
    match (axis, value) {
        ("read", "100") => "read".to_owned(),
        ("read", "0") => "write".to_owned(),
        ("read", share) => format!("{share} % read"),
        ("random", "100") => "random".to_owned(),
        ("random", "0") => "sequential".to_owned(),
        ("random", share) => format!("{share} % random"),
        ("queue_depth", depth) => format!("depth {depth}"),
        ("threads", threads) => format!("{threads} threads"),
        _ => value.to_owned(),
    }
}

pub(crate) fn figures(results: &[&RunResult], phase: usize, job: Option<usize>) -> Figures {
    let passes: Vec<Figures> = results
        .iter()
        .filter_map(|result| result.phases.get(phase))
        .map(|phase| of_phase(phase, job))
        .collect();
    let count = passes.len().max(1) as f64;
    let mean = |of: fn(&Figures) -> f64| passes.iter().map(of).sum::<f64>() / count;
    let rate = mean(|pass| pass.iops);
    let furthest = passes
        .iter()
        .map(|pass| (pass.iops - rate).abs())
        .fold(0.0, f64::max);
    let all_have_p99 = !passes.is_empty() && passes.iter().all(|pass| pass.p99_ns.is_some());
    Figures {
        iops: rate,
        bytes_per_second: mean(|pass| pass.bytes_per_second),
        mean_ns: mean(|pass| pass.mean_ns),
        p99_ns: all_have_p99.then(|| mean(|pass| pass.p99_ns.unwrap_or(0.0))),
        spread_percent: (passes.len() > 1 && rate > 0.0).then(|| 100.0 * furthest / rate),
    }
}

fn of_phase(phase: &PhaseResult, job: Option<usize>) -> Figures {
    let mut figures = Figures::default();
    let mut ios = 0.0;
    let mut p99: Option<f64> = None;
    let mut ops = 0;
    let jobs = phase.jobs.iter().enumerate();
    for (_, job) in jobs.filter(|(index, _)| job.is_none_or(|job| job == *index)) {
        for (op, result) in job.ops.present().filter(|(op, _)| *op != Op::Flush) {
            let summary = if job.load_model == LoadModel::Open {
                &result.response_ns
            } else {
                &result.service_ns
            };
            figures.iops += result.iops;
            figures.bytes_per_second += result.bytes_per_second;
            figures.mean_ns += summary.mean * result.ios as f64;
            ios += result.ios as f64;
            ops += usize::from(op != Op::Flush);
            p99 = summary.percentile("99").map(|value| value as f64);
        }
    }
    if ios > 0.0 {
        figures.mean_ns /= ios;
    }
    // Percentiles of several operations cannot be averaged.
    figures.p99_ns = p99.filter(|_| ops == 1);
    figures
}
