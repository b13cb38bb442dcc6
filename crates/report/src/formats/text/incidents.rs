//! What went wrong: errors by their number, blocks that were not what was written.

use crate::figure::{count, duration, plural, size};
use crate::page::Page;
use crate::paint::Style;
use fathom_core::result::{ErrorTally, PhaseResult};

/// Places of errors that are listed.
const PLACES: usize = 8;

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    for job in &phase.jobs {
        let prefix = super::job_prefix(phase, &job.name);
        for tally in &job.errors {
            page.styled_entry("errors", Style::Bad, &(prefix.clone() + &error(tally)));
        }
        if let Some(verified) = job.verified {
            let style = if verified.wrong > 0 {
                Style::Bad
            } else {
                Style::Plain
            };
            let kinds = verified.kinds.each();
            let kinds: Vec<String> = kinds
                .map(|(number, kind)| format!("{} {kind}", count(number)))
                .collect();
            let mut text = format!(
                "{prefix}{} of 512 B checked, {} wrong",
                plural(verified.blocks, "block"),
                count(verified.wrong)
            );
            if !kinds.is_empty() {
                text = format!("{text}: {}", kinds.join(", "));
            }
            if verified.unwritten > 0 {
                text = format!("{text}; {} not evaluated", count(verified.unwritten));
            }
            page.styled_entry("verified", style, &text);
        }
        if let Some(back) = &job.read_back {
            let text = format!(
                "{prefix}{} in {} and {}, after the measured time",
                size(back.read.bytes),
                plural(back.read.ios, "request"),
                duration(back.active_ns)
            );
            page.styled_entry("read back", Style::Plain, &text);
        }
    }
}

fn error(tally: &ErrorTally) -> String {
    let offsets = tally.first_offsets.iter().take(PLACES);
    let offsets: Vec<String> = offsets.map(u64::to_string).collect();
    let places = match offsets.as_slice() {
        [] => String::new(),
        [one] => format!(", at byte {one}"),
        many => format!(", first at bytes {}", many.join(", ")),
    };
    let number = if tally.errno == 0 {
        String::new()
    } else {
        format!(" (error {})", tally.errno)
    };
    format!(
        "{} × {}: {}{number} on {}{places}",
        count(tally.count),
        tally.op,
        tally.message,
        tally.target
    )
}
