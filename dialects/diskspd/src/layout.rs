//! Results in DISKSPD 2.2's two forms, for scripts that read DISKSPD's output.
//!
//! Both need the profile and the result: they begin with the request. Latency is DISKSPD's, issue
//! to completion; percentiles come from Fathom's histogram, so they are at most 0.1 % above
//! DISKSPD's exact ones.
#![expect(
    clippy::format_push_string,
    reason = "a report is written once; growing sentences read better than write! does"
)]

mod asked;
mod figures;
mod latency;
mod moments;
mod series;
mod text;
mod xml;

pub use asked::asked;
pub use text::{input_text, remarks, text};
pub use xml::xml;

use fathom_core::result::{ResultField, RunResult};
use fathom_core::summary::supports;
use fathom_tools::left_out;
use fathom_tools::writers::xml_comment;
use latency::NINES;

/// The text report of a run that was not asked for in DISKSPD's terms.
pub fn of_run(result: &RunResult) -> String {
    let profile = asked(result);
    let mut report = text(result, &profile, &result.provenance.command_line);
    for (index, remark) in remarks(result, &profile).iter().enumerate() {
        let blank = if index == 0 { "\n" } else { "" };
        report += &format!("{blank}note: {remark}\n");
    }
    report
        + "note: the input above is derived from the workload; settings that DISKSPD does not have \
           are shown as the nearest equivalent\n"
}

/// The XML of such a run; what it leaves out is said in a comment behind it.
pub fn xml_of_run(result: &RunResult) -> String {
    let note = left_out::operations(result);
    let notes: Vec<String> = note.into_iter().collect();
    xml(result, &asked(result)) + &xml_comment(&notes)
}

/// What DISKSPD's forms do not say: from which percentile on too few requests lie beyond. None
/// when there are enough of them, or no latency was asked for.
fn unsupported_percentiles(result: &RunResult) -> Option<String> {
    if !result.provenance.origin.knows(ResultField::Ios) {
        return None;
    }
    let counts = result.phases.iter().map(|phase| {
        let jobs = phase.jobs.iter();
        jobs.map(|job| job.completed).sum::<u64>()
    });
    let least = counts.min()?;
    let (first, _) = NINES.iter().find(|(_, share)| !supports(least, *share))?;
    Some(format!(
        "{least} requests say nothing about percentiles from {first} on: fewer than ten lie \
         beyond, so these rows rest on chance"
    ))
}
