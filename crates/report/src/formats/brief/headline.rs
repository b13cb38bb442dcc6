//! The first lines: one sentence with the disk and its numbers, the state at its right, and what
//! ran where for how long.

use super::lines::BriefLines;
use super::rows::Doubted;
use crate::figure::duration;
use crate::first_line::{answer, trust};
use crate::paint::Style;
use fathom_core::State;
use fathom_core::result::{Origin, RunResult};

/// Lines of the sentence.
const ANSWER_LINES: usize = 4;

pub(super) fn write(lines: &mut BriefLines, result: &RunResult, doubted: Option<Doubted>) {
    let state = match doubted {
        Some(Doubted { rows, of }) if result.state >= State::Suspect && rows < of => {
            format!("{} ({rows} of {of})", trust(result))
        }
        _ => trust(result).to_owned(),
    };
    let style = Style::of_state(result.state);
    lines.sentence_ends(&answer(result), &state, style, ANSWER_LINES);
    lines.faint(&ran(result, lines.width()));
}

/// The origin, the command, where it ran and for how long; the path goes first where it is too
/// long.
fn ran(result: &RunResult, room: usize) -> String {
    let provenance = &result.provenance;
    let name = &provenance.workload.name;
    let command = match (&provenance.origin, &result.ramp) {
        (Origin::Imported { tool, .. }, _) => format!("imported from {tool}: {name}"),
        (origin, Some(_)) => {
            format!(
                "{}: ramp {}",
                origin.word(),
                name.trim_start_matches("ramp-")
            )
        }
        (origin, None) => format!("{}: {name}", origin.word()),
    };
    let ran = result.phases.iter();
    let ran_ns = ran.map(|phase| phase.warm_up_ns + phase.measured_ns + phase.cool_down_ns);
    let length = duration(ran_ns.sum());
    let whole = [command.as_str(), &provenance.place(), &length]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ");
    if whole.chars().count() <= room {
        whole
    } else {
        format!("{command} · {length}")
    }
}
