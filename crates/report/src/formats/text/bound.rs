//! What held each phase back, below the table that people look at.

use crate::page::Page;
use fathom_core::result::RunResult;

pub(super) fn write(page: &mut Page, result: &RunResult) {
    let bounds = result
        .phases
        .iter()
        .filter_map(|phase| Some((phase, phase.bound.as_ref()?)));
    for (index, (phase, bound)) in bounds.enumerate() {
        if index == 0 {
            page.heading("bottleneck");
        }
        let label = if result.phases.len() > 1 {
            super::repeats::label(result, phase)
        } else {
            "limit".to_owned()
        };
        page.entry(&label, &bound.sentence);
        for evidence in &bound.evidence {
            page.entry("", evidence);
        }
        if !bound.advice.is_empty() {
            page.entry("", &format!("try: {}", bound.advice));
        }
    }
}
