//! A ramp: the answer, the curve, and where it bends.

use crate::figure::{self, iops, megabytes, outstanding, percent, time};
use crate::page::Page;
use crate::sparkline::sparkline;
use crate::table::{Align, Table};
use fathom_core::SmallSort as _;
use fathom_core::result::{RampAxis, RampLaw, RampReport, RampStep, RateAnswer, StepPurpose};

/// Longest picture of the curve.
const BARS: usize = 60;
/// The cell in the column of objectives of a step whose outcome follows from a higher rate.
pub(crate) const IMPLIED: &str = "(yes)";
/// What it means.
pub(crate) const IMPLIED_NOTE: &str =
    "(yes): the step was too short to prove it; a higher rate met the objectives";
/// Shares of one that two means of the same may be apart.
const NOISE: f64 = 0.99;

pub(super) fn write(page: &mut Page, ramp: &RampReport) {
    let curve = curve(ramp);
    found(page, ramp);
    page.blank();
    page.table(&steps(ramp));
    for note in notes(ramp) {
        page.footnote(&note);
    }
    let drawn = curve
        .iter()
        .filter(|step| step.purpose == StepPurpose::Curve);
    let rates: Vec<f64> = drawn.map(|step| step.iops).collect();
    if rates.len() > 1 {
        page.blank();
        page.entry("IOPS", &sparkline(&rates, BARS));
    }
}

/// The answer, and what is to be said of the curve.
pub(super) fn found(page: &mut Page, ramp: &RampReport) {
    if let Some(answer) = &ramp.answer {
        for sentence in sentences(ramp, answer) {
            page.entry("answer", &sentence);
        }
    }
    for sentence in bend(ramp, &curve(ramp)) {
        page.entry("curve", &sentence);
    }
}

/// The steps but for those of the search, by their place on the axis.
fn curve(ramp: &RampReport) -> Vec<&RampStep> {
    let steps = ramp.steps.iter();
    let mut curve: Vec<&RampStep> = steps
        .filter(|step| step.purpose != StepPurpose::Search)
        .collect();
    curve.small_sort_by(|a, b| a.value.total_cmp(&b.value));
    curve
}

/// The curve as a table.
pub(super) fn steps(ramp: &RampReport) -> Table {
    let knee = ramp.knee.and_then(|index| ramp.steps.get(index));
    table(ramp, &curve(ramp), knee)
}

/// How to read the table, and what it leaves out.
pub(super) fn notes(ramp: &RampReport) -> Vec<String> {
    let searched = ramp.steps.len() - curve(ramp).len();
    let searched = (searched > 0).then(|| {
        format!("{searched} more steps were run for the rate search; they are in the JSON format")
    });
    let is_implied = curve(ramp).iter().any(|step| is_implied(ramp, step));
    let implied = is_implied.then(|| IMPLIED_NOTE.to_owned());
    implied.into_iter().chain(searched).collect()
}

/// Whether a step was too short to prove that it met the objectives, but a longer run at a higher
/// rate met them. One that missed them at no higher rate speaks against that.
fn is_implied(ramp: &RampReport, step: &RampStep) -> bool {
    let outcome = |step: &RampStep, word: &str| step.objectives.as_deref() == Some(word);
    let is_met = ramp.verified().any(|rate| rate > step.value);
    let mut steps = ramp.steps.iter();
    let is_missed = steps.any(|other| outcome(other, "fail") && other.value <= step.value);
    step.purpose == StepPurpose::Curve && outcome(step, "undecided") && is_met && !is_missed
}

fn sentences(ramp: &RampReport, answer: &RateAnswer) -> Vec<String> {
    let mut first = ramp.answer_words().unwrap_or_default();
    if answer.rates.len() > 1 {
        first.push_str(&format!(", from {} searches", answer.rates.len()));
    }
    if let Some(share) = answer.share_percent {
        first.push_str(&format!("; {} of the maximum", percent(share)));
    }
    if let Some(broken) = answer.broken_at {
        first.push_str(&format!(
            "; {} IOPS are not proven to meet it",
            iops(broken)
        ));
    }
    let mut all = vec![first];
    if let Some(depth) = answer.outstanding {
        all.push(format!(
            "at this rate {} requests are outstanding",
            outstanding(depth)
        ));
    }
    all
}

fn bend(ramp: &RampReport, curve: &[&RampStep]) -> Vec<String> {
    let mut all = Vec::new();
    let knee = ramp.knee.and_then(|index| ramp.steps.get(index));
    if let Some(knee) = knee {
        all.push(format!(
            "saturation point at {}: {} IOPS for {} (best ratio of throughput to latency)",
            ramp.axis.place(knee.value),
            iops(knee.iops),
            knee.mean_ns.map(time).unwrap_or_default()
        ));
    }
    match &ramp.law {
        Some(RampLaw::Usl {
            gamma,
            alpha,
            beta,
            peak_at,
            peak_iops,
        }) => {
            let peak = match (peak_at, peak_iops) {
                (Some(at), Some(most)) => format!(
                    "peak at {} with {} IOPS",
                    ramp.axis.place(at.round()),
                    iops(*most)
                ),
                _ => "no peak seen".to_owned(),
            };
            all.push(format!(
                "scalability law: {} IOPS at 1, contention {alpha:.4}, coherency {beta:.6}; {peak}",
                iops(*gamma)
            ));
        }
        Some(RampLaw::Capped {
            gamma, cap_iops, ..
        }) => all.push(format!(
            "{} IOPS at 1 and a hard limit at {} IOPS, which contention does not explain",
            iops(*gamma),
            iops(*cap_iops)
        )),
        Some(RampLaw::Sizes {
            iops: requests,
            bytes_per_second,
            corner_bytes,
            worst_residual,
        }) => all.extend(of_sizes(
            *requests,
            *bytes_per_second,
            *corner_bytes,
            *worst_residual,
        )),
        Some(RampLaw::None { reason }) => all.push(format!(
            "no scalability law was fitted: \
                                         {reason}"
        )),
        None => {}
    }
    if let Some(least) = ramp.least_outstanding
        && ramp.axis != RampAxis::Rate
    {
        let most = curve.iter().map(|step| step.iops).fold(0.0, f64::max);
        all.push(format!(
            "at least {} outstanding requests are needed for {} IOPS",
            figure::count(needed(least, most, curve)),
            iops(most)
        ));
    }
    all
}

/// Outstanding requests that are needed for the most IOPS: by Little's law, and no more than those
/// with which a step came to it.
fn needed(least: f64, most: f64, curve: &[&RampStep]) -> u64 {
    // A hundredth above a whole number is the noise of two means.
    let by_law = (least * NOISE).ceil() as u64;
    let enough = curve.iter().filter(|step| step.iops >= most * NOISE);
    let shown = enough.map(|step| (step.outstanding * NOISE).ceil() as u64);
    shown.min().map_or(by_law, |shown| by_law.min(shown)).max(1)
}

/// The limits that the rates at several sizes show.
fn of_sizes(
    requests: Option<f64>,
    bytes_per_second: Option<f64>,
    corner_bytes: Option<f64>,
    worst_residual: f64,
) -> Vec<String> {
    let missed = percent(worst_residual * 100.0);
    let sentence = match (requests, bytes_per_second) {
        (Some(requests), Some(rate)) => format!(
            "limits: {} IOPS and {} MB/s; every step is within {missed} of them",
            iops(requests),
            megabytes(rate)
        ),
        (Some(requests), None) => format!(
            "a limit of {} IOPS, and no limit of bytes up to the largest size; every step is \
             within {missed}",
            iops(requests)
        ),
        (_, rate) => format!(
            "a limit of {} MB/s, and no limit of requests down to the smallest size; every step is \
             within {missed}",
            megabytes(rate.unwrap_or_default())
        ),
    };
    let corner = corner_bytes.map(|bytes| {
        format!(
            "the limits meet at {}: smaller requests reach the IOPS limit, larger ones the MB/s \
             limit; within a quarter of this size they cannot be distinguished",
            figure::size(bytes.round() as u64)
        )
    });
    std::iter::once(sentence).chain(corner).collect()
}

fn table(ramp: &RampReport, curve: &[&RampStep], knee: Option<&RampStep>) -> Table {
    let mut table = Table::default();
    let judged = curve.iter().any(|step| step.objectives.is_some());
    let axis = match ramp.axis {
        RampAxis::QueueDepth => "depth",
        RampAxis::Threads => "threads",
        RampAxis::BlockSize => "size",
        RampAxis::Rate => "offered",
    };
    table.column(axis, Align::Right);
    let heads = [
        ("IOPS", 0),
        ("MB/s", 4),
        ("held", 3),
        ("mean", 2),
        ("p99", 0),
    ];
    for (head, spare) in heads {
        table.spare_column(head, Align::Right, spare);
    }
    if judged {
        table.column("met", Align::Left);
    }
    table.column("", Align::Left);
    for step in curve {
        let offered = match (ramp.axis, step.purpose) {
            (_, StepPurpose::Maximum) => "closed".to_owned(),
            (RampAxis::Rate, _) => iops(step.value),
            (RampAxis::BlockSize, _) => figure::size(step.value as u64),
            _ => format!("{}", step.value),
        };
        let latency = |value: Option<f64>| match (step.overloaded, value) {
            (true, _) => "overload".to_owned(),
            (false, Some(value)) => time(value),
            (false, None) => "--".to_owned(),
        };
        let mut cells = vec![
            offered,
            iops(step.iops),
            megabytes(step.bytes_per_second),
            outstanding(step.outstanding),
            latency(step.mean_ns),
            latency(step.p99_ns.map(|value| value as f64)),
        ];
        if judged {
            cells.push(match step.objectives.as_deref() {
                Some("pass") => "yes".to_owned(),
                Some("fail") => "no".to_owned(),
                _ if is_implied(ramp, step) => IMPLIED.to_owned(),
                Some(other) => other.to_owned(),
                None => String::new(),
            });
        }
        let is_knee = knee.is_some_and(|knee| std::ptr::eq(knee, *step));
        cells.push(match (is_knee, step.purpose) {
            (true, _) => "knee".to_owned(),
            (_, StepPurpose::Verify) => "verified".to_owned(),
            _ => String::new(),
        });
        table.row(cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(iops: f64, outstanding: f64) -> RampStep {
        RampStep {
            phase: String::new(),
            purpose: StepPurpose::Curve,
            value: outstanding,
            iops,
            bytes_per_second: 0.0,
            outstanding,
            overloaded: false,
            mean_ns: None,
            p99_ns: None,
            objectives: None,
        }
    }

    #[test]
    fn no_more_are_needed_than_a_step_had() {
        let steps = [step(20e3, 2.0), step(39.8e3, 4.0), step(40e3, 8.0)];
        let curve: Vec<&RampStep> = steps.iter().collect();
        // By Little's law 4.2, but four came to it.
        let cases = [(4.2, 4), (3.02, 3), (0.001, 1)];
        for (least, expected) in cases {
            assert_eq!(needed(least, 40e3, &curve), expected, "{least}");
        }
    }

    #[test]
    fn what_a_higher_rate_proves_is_not_undecided() {
        let at = |value: f64, objectives: &str, purpose| RampStep {
            objectives: Some(objectives.to_owned()),
            purpose,
            ..step(value, value)
        };
        let report = |steps: &[(f64, &str)]| RampReport {
            axis: RampAxis::Rate,
            steps: steps
                .iter()
                .map(|(rate, outcome)| match *outcome {
                    "verified" => at(*rate, "pass", StepPurpose::Verify),
                    outcome => at(*rate, outcome, StepPurpose::Curve),
                })
                .collect(),
            knee: None,
            law: None,
            least_outstanding: None,
            answer: None,
        };
        let met = |steps: &[(f64, &str)]| -> Vec<String> {
            let table = super::steps(&report(steps));
            let rows = table.rows().iter();
            rows.map(|row| row[6].clone()).collect()
        };
        let proven = [
            (100.0, "undecided"),
            (200.0, "verified"),
            (300.0, "undecided"),
        ];
        assert_eq!(met(&proven), ["(yes)", "yes", "undecided"]);
        assert_eq!(notes(&report(&proven)), [IMPLIED_NOTE]);
        // A rate that missed them lower down contradicts.
        let broken = [
            (50.0, "undecided"),
            (80.0, "fail"),
            (100.0, "undecided"),
            (200.0, "verified"),
        ];
        assert_eq!(met(&broken), ["(yes)", "no", "undecided", "yes"]);
        let unproven = [(100.0, "undecided"), (200.0, "undecided")];
        assert_eq!(met(&unproven), ["undecided", "undecided"]);
        assert_eq!(notes(&report(&unproven)), Vec::<String>::new());
    }
}
