//! The first lines: the answer where one question was asked; what was measured, on what, for how
//! long, and how far it can be trusted.

use super::answer;
use super::lines::Lines;
use super::rows::Doubted;
use crate::figure::{duration, volume};
use crate::paint::Style;
use fathom_core::result::{RunResult, TargetDevice, TargetInfo};
use fathom_core::{Level, State};
use std::path::Path;

/// Lines of an answer that is too long for the first one: it is never cut at 60 columns.
const ANSWER_LINES: usize = 4;

pub(super) fn write(lines: &mut Lines, result: &RunResult, doubted: Option<Doubted>) {
    let state = match doubted {
        Some(Doubted { rows, of }) if result.state >= State::Suspect && rows < of => {
            format!("{} ({rows} of {of})", result.state.word())
        }
        _ if !has_been_judged(result) => "NOT CHECKED".to_owned(),
        _ => result.state.word().to_owned(),
    };
    let room = lines.width() - state.chars().count() - 1;
    let style = Style::of_state(result.state);
    match answer::headline(result) {
        Some(answer) if answer.chars().count() <= room => {
            lines.ends(&answer, &state, style);
            lines.faint(&left(result, lines.width()));
        }
        answer => {
            if let Some(answer) = answer {
                lines.sentence(&answer, ANSWER_LINES);
            }
            lines.ends(&left(result, room), &state, style);
        }
    }
}

/// A result is made invalid, and stays so without a reason until it is judged.
fn has_been_judged(result: &RunResult) -> bool {
    let reasons = result.caveats.iter();
    let mut decide = reasons.filter(|caveat| caveat.level != Level::Note);
    result.state == State::Valid || decide.any(|caveat| caveat.level.state() == result.state)
}

/// As much as there is room for: the model of the device goes first, then its name.
fn left(result: &RunResult, room: usize) -> String {
    let name = &result.provenance.workload.name;
    let title = match &result.ramp {
        Some(_) => format!("fathom ramp {}", name.trim_start_matches("ramp-")),
        None => format!("fathom {name}"),
    };
    let ran = result.phases.iter();
    let ran_ns = ran.map(|phase| phase.warm_up_ns + phase.measured_ns + phase.cool_down_ns);
    let length = duration(ran_ns.sum());
    let targets = &result.provenance.targets;
    let place = place(targets);
    let device = targets.first().and_then(leaf);
    let file_system = targets.first().map_or("", |one| one.file_system.as_str());
    let mut tries = vec![words(device, file_system, true)];
    tries.push(words(device, file_system, false));
    tries.push(String::new());
    let mut line = String::new();
    for device in tries {
        let parts = [title.as_str(), &place, &device, &length];
        let shown: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        line = shown.join(" · ");
        if line.chars().count() <= room {
            break;
        }
    }
    line
}

/// Where it was: the folder of a scratch file, the path of anything else.
fn place(targets: &[TargetInfo]) -> String {
    let mut places: Vec<&Path> = Vec::new();
    for target in targets {
        let path = Path::new(&target.path);
        let folder = path.parent().filter(|_| target.made_by_fathom);
        let place = folder.unwrap_or(path);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    match places.split_first() {
        None => String::new(),
        Some((only, [])) => only.display().to_string(),
        Some((first, others)) => format!("{} +{}", first.display(), others.len()),
    }
}

pub(super) fn leaf(target: &TargetInfo) -> Option<&TargetDevice> {
    let devices = &target.devices;
    devices.iter().find(|device| device.leaf).or(devices.last())
}

fn words(device: Option<&TargetDevice>, file_system: &str, whole: bool) -> String {
    let device = device.map(|device| {
        let mut parts = vec![device.name.clone()];
        if whole && !device.model.is_empty() {
            parts.push(device.model.clone());
        }
        if device.size_bytes > 0 {
            parts.push(volume(device.size_bytes));
        }
        parts.join(" ")
    });
    match (device, file_system) {
        (Some(device), "") => device,
        (Some(device), file_system) => format!("{device}, {file_system}"),
        (None, file_system) => file_system.to_owned(),
    }
}
