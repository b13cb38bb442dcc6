//! The outcomes as text: two tables that can be pasted into a Markdown file, and what to know
//! when reading them.

use comfy_table::{CellAlignment, Table, presets};

use crate::cases::{Case, Metric, Quantity};
use crate::outcome::{End, Measured, PairOutcome, Side};
use crate::runner::Run;
use crate::stats::Estimate;

/// Fewer rounds than this are for trying out.
const ROUNDS_WANTED: usize = 15;

/// Everything that is printed below the host line.
pub(crate) fn render(outcomes: &[PairOutcome], seconds: u32, seed: u64) -> String {
    let measured: Vec<(&Case, &Measured)> = outcomes
        .iter()
        .filter_map(|outcome| match &outcome.end {
            End::Measured(measured) => Some((outcome.case, measured)),
            End::Skipped(_) | End::Failed(_) => None,
        })
        .collect();
    let mut blocks = Vec::new();
    if !measured.is_empty() {
        blocks.push(ratios(&measured).to_string());
        let limits = limits(&measured);
        if limits.row_count() > 0 {
            blocks.push(limits.to_string());
        }
        blocks.push(notes(&measured, seconds, seed));
    }
    let left_out: Vec<String> = outcomes
        .iter()
        .filter_map(|outcome| match &outcome.end {
            End::Measured(_) => None,
            End::Skipped(why) => Some(format!("{} skipped: {why}", outcome.case.name)),
            End::Failed(why) => Some(format!("{} FAILED: {why}", outcome.case.name)),
        })
        .collect();
    if !left_out.is_empty() {
        blocks.push(left_out.join("\n"));
    }
    blocks
        .iter()
        .map(|block| format!("{block}\n"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn new_table(header: &[&str], right_from: usize) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::ASCII_MARKDOWN)
        .set_header(header.to_vec());
    for index in right_from..header.len() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn ratios(measured: &[(&Case, &Measured)]) -> Table {
    let header = [
        "case",
        "against",
        "rounds",
        "ratio [95 %]",
        "A/A [95 %]",
        "baseline",
        "Fathom",
        "baseline CPU user + kernel",
        "Fathom CPU user + kernel",
        "goal",
        "supported",
    ];
    let mut table = new_table(&header, 2);
    for (case, measured) in measured {
        let side = |side| match case.metric {
            Metric::Iops => count(measured.median_of(side, |run| run.iops)) + " IOPS",
            Metric::WallTime => {
                significant(measured.median_of(side, |run| run.wall_ns as f64 / 1e6)) + " ms"
            }
        };
        let cpu = |side| match case.metric {
            Metric::Iops => format!(
                "{} + {} ns/IO",
                significant(measured.median_of(side, Run::user_ns_per_io)),
                significant(measured.median_of(side, Run::kernel_ns_per_io))
            ),
            Metric::WallTime => format!(
                "{} + {} ms",
                significant(measured.median_of(side, |run| run.user_ns as f64 / 1e6)),
                significant(measured.median_of(side, |run| run.kernel_ns as f64 / 1e6))
            ),
        };
        table.add_row([
            case.name.to_owned(),
            case.against.to_owned(),
            measured.rounds.len().to_string(),
            interval(measured.ratio(case.metric)),
            interval(measured.ratio_aa(case.metric)),
            side(Side::Baseline),
            side(Side::Fathom),
            cpu(Side::Baseline),
            cpu(Side::Fathom),
            case.goal
                .map_or("-".to_owned(), |goal| format!(">= {goal}")),
            measured
                .support(case)
                .map_or("-".to_owned(), |support| support.to_string()),
        ]);
    }
    table
}

fn limits(measured: &[(&Case, &Measured)]) -> Table {
    let mut table = new_table(
        &["case", "Fathom's", "median [95 %]", "limit", "supported"],
        2,
    );
    for (case, measured) in measured {
        for &limit in case.limits {
            table.add_row([
                case.name.to_owned(),
                limit.quantity.name().to_owned(),
                measured
                    .quantity(limit.quantity)
                    .map_or("not reported".to_owned(), |estimate| {
                        shown(limit.quantity, estimate)
                    }),
                format!("<= {}", limit.at_most),
                measured.limit_support(limit).to_string(),
            ]);
        }
    }
    table
}

/// A peak is one figure over all runs, so it has no interval.
fn shown(quantity: Quantity, estimate: Estimate) -> String {
    match quantity {
        Quantity::UserNs | Quantity::FirstIoMs => interval(Some(estimate)),
        Quantity::PeakMemoryMib => significant(estimate.median),
    }
}

fn notes(measured: &[(&Case, &Measured)], seconds: u32, seed: u64) -> String {
    let mut lines = vec![
        format!(
            "A round runs the baseline, Fathom and the baseline again in an order drawn with seed \
             {seed}, {seconds} s each (startup: one I/O each)."
        ),
        "Ratios are taken within a round, more than 1 is better; A/A is the baseline against \
         itself."
            .to_owned(),
        "Shown are medians over the rounds, in brackets the 95 % percentile bootstrap interval."
            .to_owned(),
        "CPU is that of the whole process over the I/Os it reports: the kernel's own workers are \
         in it, and so is start-up (how much that is says the case startup)."
            .to_owned(),
        "A goal is supported when the whole interval is on its good side, and not when it is on \
         the other."
            .to_owned(),
    ];
    let rounds = measured
        .iter()
        .map(|(_, measured)| measured.rounds.len())
        .min()
        .unwrap_or(0);
    if rounds < ROUNDS_WANTED {
        lines.push(format!(
            "These are {rounds} rounds: claim nothing from fewer than {ROUNDS_WANTED}."
        ));
    }
    for (case, measured) in measured {
        let moved = measured
            .ratio_aa(case.metric)
            .is_some_and(|aa| !aa.contains(1.0));
        if moved && measured.rounds.len() >= ROUNDS_WANTED {
            lines.push(format!(
                "{}: the A/A interval leaves out 1: the machine was not steady, repeat this case.",
                case.name
            ));
        }
    }
    lines.join("\n")
}

fn interval(estimate: Option<Estimate>) -> String {
    estimate.map_or("-".to_owned(), |Estimate { median, low, high }| {
        format!(
            "{} [{}, {}]",
            significant(median),
            significant(low),
            significant(high)
        )
    })
}

/// Three significant digits, never in exponents: `0.98`, `7.12`, `45.1`, `1362`.
fn significant(value: f64) -> String {
    let decimals = match value.abs() {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

/// A count with its power of a thousand: `67.2 k`, `1.36 M`.
fn count(value: f64) -> String {
    match value {
        v if v < 999.5 => significant(v),
        v if v < 999_500.0 => significant(v / 1e3) + " k",
        v => significant(v / 1e6) + " M",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::CASES;
    use crate::rounds::{PairPlace, Round};

    fn run(iops: f64, wall_ms: u64, first_io_ns: Option<u64>) -> Run {
        Run {
            iops,
            ios: (iops * 3.0) as u64,
            wall_ns: wall_ms * 1_000_000,
            user_ns: 2_000_000_000,
            kernel_ns: 900_000_000,
            first_io_ns,
            date: None,
        }
    }

    fn measured(rounds: usize, baseline: &Run, fathom: &Run, again: &Run) -> End {
        let round = Round {
            order: [
                PairPlace::Baseline,
                PairPlace::Fathom,
                PairPlace::BaselineAgain,
            ],
            baseline: baseline.clone(),
            fathom: fathom.clone(),
            baseline_again: again.clone(),
        };
        End::Measured(Measured {
            rounds: vec![round; rounds],
            peak_memory_bytes: Some([29 << 20, 6_500 << 10]),
            seed: 1,
        })
    }

    fn outcome(name: &str, end: End) -> PairOutcome {
        let case = CASES.iter().find(|case| case.name == name).unwrap();
        PairOutcome {
            case,
            commands: ["fio".to_owned(), "fathom".to_owned()],
            end,
        }
    }

    #[test]
    fn the_whole_text() {
        let steady = run(500_000.0, 3300, None);
        let outcomes = [
            outcome(
                "cfile-qd32",
                measured(
                    15,
                    &steady,
                    &run(700_000.0, 3010, None),
                    &run(490_000.0, 3300, None),
                ),
            ),
            outcome(
                "two-threads",
                measured(5, &steady, &run(1_250_000.0, 3010, None), &steady),
            ),
            outcome(
                "startup",
                measured(
                    15,
                    &run(100.0, 300, None),
                    &run(90.0, 8, Some(4_300_000)),
                    &run(100.0, 300, None),
                ),
            ),
            outcome(
                "psync-zram",
                End::Skipped("adding a zram device needs root".to_owned()),
            ),
            outcome("disk-qd32", End::Failed("fio: exit status: 1".to_owned())),
        ];
        assert_eq!(render(&outcomes, 3, 1), include_str!("samples/table.txt"));
    }

    #[test]
    fn nothing_measured_prints_no_table() {
        let outcomes = [outcome("startup", End::Failed("no".to_owned()))];
        assert_eq!(render(&outcomes, 3, 1), "startup FAILED: no\n");
        assert_eq!(render(&[], 3, 1), "");
    }

    #[test]
    fn three_significant_digits() {
        let values = [0.0, 0.976, 9.994, 9.996, 45.12, 99.96, 1362.4];
        let shown = values.map(significant);
        assert_eq!(
            shown,
            ["0.00", "0.98", "9.99", "10.0", "45.1", "100", "1362"]
        );
        let counts = [67.0, 999.4, 999.6, 67_210.0, 999_600.0, 1_362_000.0].map(count);
        assert_eq!(
            counts,
            ["67.0", "999", "1.00 k", "67.2 k", "1.00 M", "1.36 M"]
        );
    }
}
