//! The document: a base, and each other side against it.

use super::contrast::{self, Contrast};
use super::factor::{Factor, FactorRole};
use super::gate_report::GateReport;
use super::metric::Metric;
use super::sentence;
use super::sides::Sides;
use super::trust;
use super::verdict::{Limits, Verdict};
use crate::stats::holm;
use fathom_core::caveat::State;
use fathom_core::result::{Origins, RunResult};
use serde::Serialize;

/// Version of the document.
pub const COMPARISON_VERSION: u32 = 2;

/// Options of a comparison.
#[derive(Clone, Debug, Default)]
pub struct CompareOptions {
    /// The declared questions; without any IOPS, or the 99th percentile of open loads.
    pub metrics: Vec<Metric>,
    /// How sure a verdict has to be.
    pub limits: Limits,
    /// Compare what should not be compared, and say so.
    pub force: bool,
    /// Names of factors that are under test.
    pub expected: Vec<String>,
    /// Whether a single differing factor is taken as the one under test.
    pub expect_one: bool,
    /// Whether the runs of the sides are pairs in the order given.
    pub paired: bool,
}

/// One run of a side.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SideRun {
    /// Id of the run.
    pub run_id: String,
    /// When it was started.
    pub started_at: String,
    /// How far it may be trusted.
    pub state: State,
}

/// One side.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// Its letter.
    pub label: String,
    /// As it was named.
    pub name: String,
    /// Where the numbers of its runs come from.
    pub origins: Origins,
    /// The runs of the side.
    pub runs: Vec<SideRun>,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// What this document is: `fathom-comparison`.
    pub schema: &'static str,
    /// [`COMPARISON_VERSION`].
    pub schema_version: u32,
    /// How sure the verdicts are.
    pub limits: Limits,
    /// Number of declared questions that p is corrected for.
    pub questions: usize,
    /// The sides, the base first.
    pub sides: Vec<Side>,
    /// Each other side against the base.
    pub contrasts: Vec<Contrast>,
    /// What the gate says, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateReport>,
}

impl Comparison {
    /// What stands above everything: numbers that Fathom did not measure, and sides that are the
    /// same run.
    pub fn warning(&self) -> Option<String> {
        let ids = |side: &Side| -> Vec<String> {
            side.runs.iter().map(|run| run.run_id.clone()).collect()
        };
        let base = self.sides.first();
        let mut others = self.sides.iter().skip(1);
        let same = others.find(|other| base.is_some_and(|base| ids(base) == ids(other)));
        let same = base
            .zip(same)
            .map(|(base, other)| format!("{} and {} are the same run", base.label, other.label));
        let parts: Vec<String> = self.origins().warning().into_iter().chain(same).collect();
        (!parts.is_empty()).then(|| parts.join(". "))
    }

    /// The first line with its warning.
    pub fn first_line(&self, text: &str) -> String {
        let warning = self.warning().map(|warning| format!("{warning}. {text}"));
        warning.unwrap_or_else(|| text.to_owned())
    }

    /// Where the numbers of all sides come from.
    pub fn origins(&self) -> Origins {
        self.sides.iter().map(|side| side.origins).sum()
    }

    /// Whether any side was refused.
    pub fn is_refused(&self) -> bool {
        self.contrasts
            .iter()
            .any(|contrast| contrast.refusal.is_some())
    }

    /// Whether a side was refused for more than SUSPECT and INVALID runs: because the sides differ
    /// in more than the result. Questionable runs alone leave the question open.
    pub fn is_of_other_things(&self) -> bool {
        let differs = |factor: &Factor| factor.role == FactorRole::Blocks && factor.name != "state";
        self.contrasts.iter().any(|contrast| {
            contrast.refusal.is_some()
                && (contrast.factors.iter().any(differs) || !self.is_doubtful(contrast))
        })
    }

    /// Whether nothing forbids it but the states of its runs, of which more may show them to be
    /// chance.
    pub fn may_be_lifted(&self) -> bool {
        let factors = self.contrasts.iter().flat_map(|contrast| &contrast.factors);
        let mut blocking = factors.filter(|factor| factor.role == FactorRole::Blocks);
        blocking.all(|factor| factor.name == "state")
    }

    /// Verdicts on the declared questions.
    pub fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        let rows = self.contrasts.iter().flat_map(|contrast| &contrast.rows);
        rows.filter(|row| row.declared).map(|row| row.verdict)
    }
}

/// Compares sides, each a name and its runs, with the first. Sides without runs are left out; with
/// fewer than two there is nothing to compare.
pub fn compare(sides: &[(String, Vec<RunResult>)], options: &CompareOptions) -> Comparison {
    let sides: Vec<_> = sides.iter().filter(|(_, runs)| !runs.is_empty()).collect();
    let mut contrasts = Vec::new();
    if let Some(((_, base), others)) = sides.split_first() {
        for (index, (_, other)) in others.iter().enumerate() {
            let all = Sides::of(base, other, options.paired);
            let both = if options.force {
                all
            } else {
                trust::without_doubtful(all)
            };
            contrasts.push(contrast::of(label(index + 1), &both, options));
        }
    }
    let questions = pass_verdicts(&mut contrasts, options.limits);
    Comparison {
        schema: "fathom-comparison",
        schema_version: COMPARISON_VERSION,
        limits: options.limits,
        questions,
        sides: sides
            .iter()
            .enumerate()
            .map(|(index, (name, runs))| Side {
                label: label(index),
                name: name.clone(),
                origins: runs.iter().map(|run| &run.provenance.origin).collect(),
                runs: runs.iter().map(side_run).collect(),
            })
            .collect(),
        contrasts,
        gate: None,
    }
}

/// A, B, … Z, then by number.
fn label(index: usize) -> String {
    let letter = u8::try_from(index).ok().filter(|index| *index < 26);
    letter.map_or_else(
        || format!("S{}", index + 1),
        |index| char::from(b'A' + index).to_string(),
    )
}

fn side_run(run: &RunResult) -> SideRun {
    SideRun {
        run_id: run.run_id.clone(),
        started_at: run.provenance.started_at.clone(),
        state: run.state,
    }
}

/// Corrects p for the number of declared questions and passes the verdicts; tells that number.
fn pass_verdicts(contrasts: &mut [Contrast], limits: Limits) -> usize {
    let made = contrasts.iter().filter(|one| one.refusal.is_none());
    let rows = made.flat_map(|contrast| &contrast.rows);
    let declared = rows.filter(|row| row.declared);
    let asked: Vec<f64> = declared
        .filter_map(|row| row.ratio.map(|ratio| ratio.p))
        .collect();
    let mut adjusted = holm(&asked).into_iter();
    for contrast in contrasts {
        let (label, design) = (contrast.label.clone(), contrast.design);
        if contrast.refusal.is_some() {
            for row in &mut contrast.rows {
                row.verdict = Verdict::NotComparable;
                row.sentence = sentence::not_comparable(row);
            }
            continue;
        }
        for row in &mut contrast.rows {
            if let (Some(ratio), Some(inner)) = (row.ratio, row.inner) {
                let corrected = if row.declared { adjusted.next() } else { None };
                let p = corrected.unwrap_or(ratio.p);
                row.p_adjusted = Some(p);
                row.verdict = limits.judge(ratio, inner, p, row.metric.is_rate());
                if row.verdict == Verdict::Inconclusive {
                    row.allow_for_few_runs(design, asked.len(), limits.alpha);
                }
            } else {
                row.verdict = Verdict::CannotTell;
            }
            row.sentence = sentence::verdict(&label, design, row, limits);
        }
    }
    asked.len()
}
