//! The words of a comparison.

use super::contrast::{Contrast, Design, NumberContrast};
use super::factor::{Factor, FactorRole};
use super::sides::Sides;
use super::trust;
use super::verdict::{Limits, Verdict};
use super::within::{LEAST_EVENTS, LEAST_INTERVALS};
use crate::stats::{Shift, least_p_of_pairs, least_p_of_sets};
use fathom_core::figure::{decimal, percent, plural};
use fathom_core::result::RunResult;

/// The verdict on a row.
pub(super) fn verdict(label: &str, design: Design, row: &NumberContrast, limits: Limits) -> String {
    let (Some(ratio), Some(inner)) = (row.ratio, row.inner) else {
        return unknown(row);
    };
    let margin = percent(limits.margin * 100.0);
    match row.verdict {
        Verdict::Faster | Verdict::Slower => moved(label, design, row, ratio),
        Verdict::Equivalent if ratio.low > 1.0 || ratio.high < 1.0 => {
            format!(
                "A difference within the margin of {margin} (interval {}).",
                range(inner)
            )
        }
        Verdict::Equivalent => {
            format!(
                "No difference larger than {margin} (interval {}).",
                range(inner)
            )
        }
        Verdict::NoEvidence => {
            let (low, high) = (signed(ratio.low), signed(ratio.high));
            format!("No difference shown. Anything from {low} to {high} % is possible.")
        }
        Verdict::Inconclusive | Verdict::CannotTell | Verdict::NotComparable => {
            let more = more_runs(design, row, &margin);
            format!("Undecided: {}.{more}", range(ratio))
        }
    }
}

/// How many runs would decide it, as a sentence with a blank before it.
fn more_runs(design: Design, row: &NumberContrast, margin: &str) -> String {
    let Some(more) = row.more_runs else {
        return String::new();
    };
    match design {
        Design::OneEach => {
            let runs = plural(more, "run");
            format!(" At least {runs} of each side, alternating, would decide at ±{margin}.")
        }
        Design::Pairs => format!(" About {} needed for ±{margin}.", plural(more, "more pair")),
        Design::Sets | Design::Blocks => {
            let number = plural(more, "more run");
            format!(" About {number} per side needed for ±{margin}.")
        }
    }
}

/// Why a run cannot tell a number.
fn unknown(row: &NumberContrast) -> String {
    let more = row.more_runs.map_or_else(String::new, |more| {
        let runs = plural(more, "run");
        format!(" Measure longer, or make at least {runs} of each side, alternating.")
    });
    let why = match row.few_events {
        Some(events) => format!(
            "A run has only about {} of slow requests beyond its {}, but {} are needed",
            plural(events.round().max(1.0) as u64, "burst"),
            row.metric.name(),
            decimal(LEAST_EVENTS, 0)
        ),
        None => {
            format!("A run has fewer than {LEAST_INTERVALS} complete intervals with histograms")
        }
    };
    format!("{why}.{more}")
}

/// What is said of a number of runs that must not be compared.
pub(super) fn not_comparable(row: &NumberContrast) -> String {
    let change = signed(row.other / row.base);
    format!("Not comparable: the numbers differ by {change} %, for an unknown reason.")
}

fn moved(label: &str, design: Design, row: &NumberContrast, ratio: Shift) -> String {
    let by = percent((ratio.estimate - 1.0).abs() * 100.0);
    let mut ends = [ratio.low, ratio.high].map(|end| (end - 1.0).abs() * 100.0);
    ends.sort_by(f64::total_cmp);
    let confidence = percent(ratio.confidence * 100.0);
    let mut evidence = format!(
        "{confidence} interval {}–{} %; {}",
        decimal(ends[0], 1),
        decimal(ends[1], 1),
        made(design, row.base_runs.len(), row.other_runs.len()),
    );
    if let Some(noise) = row.noise {
        evidence.push_str("; A/A noise ");
        evidence.push_str(&percent(noise * 100.0));
    }
    if row.metric.is_rate() {
        let word = if ratio.estimate > 1.0 {
            "faster"
        } else {
            "slower"
        };
        return format!("{label} is {by} {word} than A ({evidence}).");
    }
    let word = if ratio.estimate > 1.0 { "more" } else { "less" };
    format!("{label} takes {by} {word} time than A ({evidence}).")
}

/// How many runs there are of each side, and in which order they were made.
fn made(design: Design, base: usize, other: usize) -> String {
    let runs = if base == other {
        plural(base as u64, "run")
    } else {
        format!("{base} and {}", plural(other as u64, "run"))
    };
    let each = if base == other { " each" } else { "" };
    let order = match design {
        Design::OneEach | Design::Sets => "",
        Design::Pairs => ", interleaved",
        Design::Blocks => ", one side after the other",
    };
    format!("{runs}{each}{order}")
}

/// `-1.4 … +2.2 %`.
fn range(ratio: Shift) -> String {
    format!("{} … {} %", signed(ratio.low), signed(ratio.high))
}

/// A ratio as a change in percent with its sign.
fn signed(ratio: f64) -> String {
    let change = decimal((ratio - 1.0) * 100.0, 1);
    match change.as_str() {
        "0.0" | "-0.0" => "0.0".to_owned(),
        below if below.starts_with('-') => change,
        _ => format!("+{change}"),
    }
}

/// Why the sides are not compared.
pub(super) fn refusal(label: &str, sides: &Sides<'_>, factors: &[Factor]) -> String {
    let blocking = factors
        .iter()
        .filter(|factor| factor.role == FactorRole::Blocks);
    let mut reasons: Vec<String> = blocking
        .map(|factor| {
            let [base, other] = factor.values();
            format!("{}: {base} in A, {other} in {label}", factor.subject())
        })
        .collect();
    if reasons.is_empty() {
        reasons.extend(trust::too_many(sides));
    }
    format!("{}.", reasons.join("; "))
}

/// What to know about a comparison apart from its numbers.
pub(super) fn remarks(contrast: &Contrast, sides: &Sides<'_>) -> Vec<String> {
    let mut remarks = Vec::new();
    let (base, other) = (sides.base.len(), sides.other.len());
    if contrast.forced {
        let why = refusal(&contrast.label, sides, &contrast.factors);
        remarks.push(format!("forced, although the setups differ: {why}"));
    }
    remarks.extend(both_sides(sides));
    remarks.extend(trust::left_out(&contrast.label, sides));
    remarks.extend(trust::remarks(contrast, sides));
    match contrast.design {
        Design::OneEach => remarks.push(
            "there is one run per side, so the intervals only show variation within a run; runs of \
             the same kind differ by more. `fathom ab` makes pairs"
                .to_owned(),
        ),
        Design::Pairs => {
            remarks.push(format!("{}, alternating", plural(base as u64, "pair")));
            remarks.extend(too_few(least_p_of_pairs(base)));
        }
        Design::Sets | Design::Blocks => {
            remarks.push(format!(
                "{base} and {} without pairs",
                plural(other as u64, "run")
            ));
            remarks.extend(too_few(least_p_of_sets(base, other)));
        }
    }
    if contrast.design == Design::Blocks {
        remarks.push(
            "all runs of one side were made before those of the other. Any change in between looks \
             like a difference"
                .to_owned(),
        );
    }
    let factors = contrast.rows.iter().filter(|row| row.declared);
    if let Some(factor) = factors
        .filter_map(|row| row.correlation_factor)
        .reduce(f64::max)
    {
        remarks.push(format!(
            "intervals are correlated. An error bar from the intervals would be too small by a \
             factor {}",
            decimal(factor, 1)
        ));
    }
    remarks
}

/// Runs that are compared with themselves, say because a baseline was overwritten.
fn both_sides(sides: &Sides<'_>) -> Option<String> {
    let stands = |run: &&&RunResult| sides.other.iter().any(|other| other.run_id == run.run_id);
    let same: Vec<&&RunResult> = sides.base.iter().filter(stands).collect();
    Some(match same[..] {
        [] => return None,
        [run] => format!(
            "{} is on both sides. A run does not differ from itself",
            run.run_id
        ),
        _ => format!(
            "{} are on both sides. A run does not differ from itself",
            plural(same.len() as u64, "run")
        ),
    })
}

/// What can never be shown with so few runs.
fn too_few(least: f64) -> Option<String> {
    (least >= 0.05).then(|| {
        format!(
            "with so few runs no difference is significant at 5 %. The smallest possible p is {}",
            decimal(least, 3)
        )
    })
}
