//! The format for people.
//!
//! The first screen answers how fast, how steady and how trustworthy: the state and its reason,
//! what was measured on what, one table. The evidence follows, then every caveat, then what is
//! needed to repeat the run. A latency is never printed without saying which one it is.

mod account;
mod beside_bursts;
mod blame;
mod bound;
mod caveats;
mod cliff;
mod cluster;
mod course;
mod devices;
mod distribution;
mod headline;
mod imported;
mod incidents;
mod ledger;
mod levels;
mod load_words;
mod origin;
mod probes;
mod ramp;
mod repeats;
mod settings;
mod setup;
mod slowest;
mod steadiness;
mod summary;

use crate::page::{Entry, Page};
use crate::table::Table;
use crate::text_options::TextOptions;
use fathom_core::result::{PhaseResult, RampReport, RunResult};

pub(crate) fn render(result: &RunResult, options: TextOptions) -> String {
    let mut page = Page::new(options);
    headline::write(&mut page, result);
    for requirement in &result.requirements {
        let words = format!("{} {}", requirement.text, requirement.words());
        page.entry("require", &words);
    }
    page.blank();
    if let Some(source) = imported::source(result) {
        imported::setup(&mut page, result, source);
        page.blank();
        summary::write(&mut page, result);
        for phase in &result.phases {
            imported::detail(&mut page, result, phase);
        }
        caveats::write(&mut page, &result.caveats);
        imported::origin(&mut page, result);
        return page.finish();
    }
    setup::write(&mut page, result);
    page.blank();
    if let Some(ramp) = &result.ramp {
        // Dozens of steps in detail would bury the curve; the JSON format has them all.
        ramp::write(&mut page, ramp);
        page.blank();
    } else {
        summary::write(&mut page, result);
        bound::write(&mut page, result);
        for phase in &result.phases {
            detail(&mut page, result, phase);
        }
        probes::write(&mut page, result);
    }
    caveats::write(&mut page, &result.caveats);
    caveats::coverage(&mut page, result.coverage.as_ref());
    origin::write(&mut page, result);
    page.finish()
}

fn detail(page: &mut Page, result: &RunResult, phase: &PhaseResult) {
    if result.phases.len() == 1 {
        page.blank();
    } else {
        page.heading(&repeats::label(result, phase));
        setup::load(page, result, phase);
    }
    // A phase that was ended in its warm-up has no figures to account for.
    if phase.measured_ns > 0 {
        steadiness::write(page, phase, result.provenance.workload.interval);
        levels::write(page, phase);
        distribution::write(page, phase);
        slowest::write(page, phase);
        ledger::write(page, phase);
        devices::write(page, result, phase);
        account::write(page, phase);
        blame::write(page, phase);
    }
    course::write(page, phase);
    incidents::write(page, phase);
}

pub(crate) use cluster::{in_a_line as members_in_a_line, of_phase as member_blocks};
pub use headline::verdict;
pub(crate) use headline::write as headline;
pub(crate) use ledger::replayed;
pub(crate) use probes::{Block, blocks as probe_blocks};
pub(crate) use ramp::{IMPLIED, IMPLIED_NOTE};
pub(crate) use repeats::{
    deviation_percent, histograms_together, label as phase_label, rate_spread,
};
pub(crate) use slowest::render as slowest;
pub(crate) use summary::table as summary_table;

/// The state and what decided it: the first entry's label is the state.
pub(crate) fn headline_entries(result: &RunResult) -> Vec<Entry> {
    entries(|page| headline::write(page, result))
}

/// The answer of a ramp and its saturation point, as labels and texts.
pub(crate) fn ramp_entries(ramp: &RampReport) -> Vec<Entry> {
    entries(|page| ramp::found(page, ramp))
}

/// The curve of a ramp, and what is to be said below it.
pub(crate) fn ramp_table(ramp: &RampReport) -> (Table, Vec<String>) {
    (ramp::steps(ramp), ramp::notes(ramp))
}

/// What was measured on what, as labels and texts.
pub(crate) fn setup_entries(result: &RunResult) -> Vec<Entry> {
    entries(|page| match imported::source(result) {
        Some(source) => imported::setup(page, result, source),
        None => setup::write(page, result),
    })
}

/// What held each phase back, as labels and texts.
pub(crate) fn bound_entries(result: &RunResult) -> Vec<Entry> {
    entries(|page| bound::write(page, result))
}

/// How the result came about, as labels and texts.
pub(crate) fn origin_entries(result: &RunResult) -> Vec<Entry> {
    entries(|page| match imported::source(result) {
        Some(_) => imported::origin(page, result),
        None => origin::write(page, result),
    })
}

/// The load of a phase and its length.
pub(crate) fn load_entries(result: &RunResult, phase: &PhaseResult) -> Vec<Entry> {
    entries(|page| match imported::source(result) {
        Some(_) => imported::load(page, result, phase),
        None => setup::load(page, result, phase),
    })
}

pub(crate) fn evidence_entries(result: &RunResult, phase: &PhaseResult) -> Vec<Entry> {
    entries(|page| {
        if imported::source(result).is_some() {
            return imported::evidence(page, result, phase);
        }
        if phase.measured_ns > 0 {
            slowest::write(page, phase);
            ledger::write(page, phase);
            devices::write(page, result, phase);
            blame::write(page, phase);
        }
        course::write(page, phase);
        incidents::write(page, phase);
    })
}

fn entries(write: impl FnOnce(&mut Page)) -> Vec<Entry> {
    let mut page = Page::new(TextOptions::default());
    write(&mut page);
    page.into_entries()
}

/// `name: ` where a phase has several jobs, nothing where there is only one.
fn job_prefix(phase: &PhaseResult, job: &str) -> String {
    if phase.jobs.len() > 1 {
        format!("{job}: ")
    } else {
        String::new()
    }
}
