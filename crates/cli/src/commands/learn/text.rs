//! Roles, fidelity, and what a twin can answer, as text.

use super::Shown;
use crate::table::Table;
use fathom_capture::learn::{Axis, Fidelity, Loop, Measure, Obstacle, Role};
use fathom_core::figure::{self, percent, plural};
use fathom_core::foreign::visible;
use fathom_core::spec::{Arrivals, Distribution};
use std::fmt::Write as _;

const ROLE_HEADS: [&str; 9] = [
    "ROLE",
    "PROCESS",
    ">IOPS",
    ">MB/s",
    ">READS",
    ">MEAN SIZE",
    ">SEQUENTIAL",
    "OFFSETS",
    "REQUESTS",
];
const AXIS_HEADS: [&str; 6] = [
    "AXIS",
    ">ORIGINAL",
    ">TWIN",
    ">DISTANCE",
    ">ORIGINAL TO ITSELF",
    ">MULTIPLE",
];
/// From small pages, some devices take no larger request at once: 128 of 4 KiB.
const LEAST_SPLIT_BYTES: u64 = 512 << 10;
/// A multiple is shown up to this one.
const MOST_MULTIPLE: f64 = 999.0;

/// Roles, rate, mix, and how near the twin is.
pub(super) fn sentence(shown: &Shown<'_>) -> String {
    let roles = &shown.learned.roles;
    let iops: f64 = roles.iter().map(|role| role.iops).sum();
    let bytes: f64 = roles.iter().map(|role| role.bytes_per_second).sum();
    let closed = roles
        .iter()
        .filter(|role| matches!(role.pace, Loop::Closed { .. }));
    let pace = match closed.count() {
        0 if roles.iter().all(|role| !role.is_pace_known) => "",
        0 => " open",
        all if all == roles.len() => " closed",
        _ => " partly closed",
    };
    let value = |measure: Measure| {
        let mut axes = shown.fidelity.axes.iter();
        axes.find(|axis| axis.measure == measure)?.original
    };
    let reads = value(Measure::ReadShare).map_or_else(String::new, |share| {
        let size = figure::size((bytes / iops.max(1e-9)).round() as u64);
        format!(", {} reads, mean size {size}", percent(share * 100.0))
    });
    let nearness = nearness(shown.fidelity);
    format!(
        "{}: {}, {} IOPS{pace}{reads}; {nearness}",
        shown.trace.display(),
        plural(roles.len() as u64, "role"),
        figure::iops(iops),
    )
}

/// On how many axes the twin is near.
pub(super) fn nearness(fidelity: &Fidelity) -> String {
    if let Some(obstacle) = fidelity.obstacle {
        return hindrance(obstacle).to_owned();
    }
    let (near, known) = fidelity.near();
    let known = match known {
        1 => "1 axis".to_owned(),
        _ => format!("{known} axes"),
    };
    format!("the twin is as near to the original as the original is to itself on {near} of {known}")
}

const fn hindrance(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::TooFewRequests => "too few requests to judge",
        Obstacle::OutOfOrder => "too many requests are out of order to judge",
    }
}

/// Why an axis cannot be compared.
fn unknown(axes: &[Axis], measure: Measure) -> &'static str {
    let of = |measure: Measure| axes.iter().find(|axis| axis.measure == measure);
    let has_moves = of(Measure::ReadShare).is_some_and(|axis| axis.original.is_some());
    // Any window with a request has sizes.
    let is_idle = of(Measure::Sizes).is_some_and(|axis| axis.floor.is_none());
    match measure {
        Measure::ReadShare | Measure::HitRatio if !has_moves => "no reads or writes",
        _ if is_idle => "windows without requests",
        Measure::HitRatio => "too few requests",
        _ => "trace too short",
    }
}

pub(super) fn report(shown: &Shown<'_>) -> String {
    let mut text = sentence(shown) + "\n";
    for warning in warnings(shown) {
        let _ = writeln!(text, "QUALIFIED: {warning}");
    }
    let mut table = Table::new(&ROLE_HEADS);
    for role in &shown.learned.roles {
        table.row(role_cells(role));
    }
    let _ = write!(text, "\n{table}\n");
    let mut table = Table::new(&AXIS_HEADS);
    for axis in &shown.fidelity.axes {
        table.row(axis_cells(axis));
    }
    text += &table.to_string();
    let fidelity = shown.fidelity;
    let _ = writeln!(
        text,
        "Original to itself: median of {} windows of {}, each compared with the next.\n\
         A distance that hardly matters is not far (`docs/numbers.md`).",
        fidelity.windows,
        figure::duration(fidelity.window_ns)
    );
    match shown.against {
        Some(file) => {
            let _ = writeln!(text, "Twin: the requests of {}.", file.display());
        }
        None => text += "Twin: its requests, generated without I/O.\n",
    }
    text.push('\n');
    let (can, cannot) = questions(shown);
    for (head, list) in [("The twin can answer", can), ("It cannot answer", cannot)] {
        if !list.is_empty() {
            let _ = writeln!(text, "{head}:");
            for one in list {
                let _ = writeln!(text, "  {one}");
            }
        }
    }
    if let Some(output) = shown.output {
        let file = output.display();
        let roles = shown.learned.roles.iter();
        let mut kinds = roles.flat_map(|role| &role.kinds);
        let is_large = kinds.any(|kind| kind.block_size.0 > LEAST_SPLIT_BYTES);
        let huge = if is_large { " --huge-pages" } else { "" };
        let _ = writeln!(text, "\nNext: fathom run {file} --target PATH{huge}");
    } else {
        text += "\nNext: --output twin.toml writes the twin\n";
    }
    text
}

fn warnings(shown: &Shown<'_>) -> Vec<String> {
    let mut warnings: Vec<String> = shown
        .learned
        .remarks
        .iter()
        .map(|remark| visible(remark).into_owned())
        .collect();
    if !shown.learned.is_complete && warnings.is_empty() {
        warnings.push("events were lost, or the file was cut. Requests are missing.".to_owned());
    }
    warnings
}

fn role_cells(role: &Role) -> [String; 9] {
    let process = if role.process.is_empty() {
        "-".to_owned()
    } else {
        visible(&role.process).into_owned()
    };
    [
        role.name.clone(),
        process,
        figure::iops(role.iops),
        figure::megabytes(role.bytes_per_second),
        percent(role.read_share * 100.0),
        figure::size((role.bytes_per_second / role.iops.max(1e-9)).round() as u64),
        percent(role.sequential_share * 100.0),
        offsets(role),
        pace(role),
    ]
}

fn offsets(role: &Role) -> String {
    let space = figure::size(role.footprint_bytes);
    match &role.distribution {
        Distribution::Zipf { theta } => format!("Zipf {theta} in {space}"),
        Distribution::Hot { ranges } => {
            let hot = ranges
                .iter()
                .max_by(|one, two| (one.ios.0 / one.of.0).total_cmp(&(two.ios.0 / two.of.0)));
            hot.map_or(space.clone(), |hot| {
                format!("{} on {} of {space}", percent(hot.ios.0), percent(hot.of.0))
            })
        }
        _ => space,
    }
}

fn pace(role: &Role) -> String {
    let pattern = &role.flush_pattern;
    let flush = match role.writes_per_flush {
        Some(_) if !pattern.is_empty() => {
            let writes = f64::from(pattern.iter().sum::<u32>()) / pattern.len() as f64;
            format!(", flush after {} writes", figure::decimal(writes, 2))
        }
        Some(1) => ", flush after each write".to_owned(),
        Some(writes) => format!(", flush after {writes} writes"),
        None if role.is_write_through => ", durable writes".to_owned(),
        None => String::new(),
    };
    let curve = role.rate_curve.as_ref();
    let curve = curve.map(|curve| format!(", {curve}")).unwrap_or_default();
    let pace = match role.pace {
        Loop::Open { .. } if !role.is_pace_known => "open (assumed)".to_owned(),
        Loop::Open {
            arrivals: Arrivals::Constant,
        } => "open, equal gaps".to_owned(),
        Loop::Open {
            arrivals: Arrivals::Bursts(bursts),
        } => format!("open, {bursts}"),
        Loop::Open { .. } => "open".to_owned(),
        Loop::Closed {
            threads,
            depth,
            burst,
            think_ns,
        } => {
            let mut text = format!("closed, {threads} × depth {depth}");
            if think_ns > 0 {
                let think = figure::time(think_ns as f64);
                let _ = match burst {
                    1 => write!(text, ", think {think}"),
                    _ => write!(text, ", think {think} after {burst}"),
                };
            }
            text
        }
    };
    pace + &curve + &flush
}

fn axis_cells(axis: &Axis) -> [String; 6] {
    let value = |value: Option<f64>| {
        value.map_or_else(|| "-".to_owned(), |value| value_text(axis.measure, value))
    };
    let distance = |value: Option<f64>| {
        value.map_or_else(
            || "-".to_owned(),
            |value| distance_text(axis.measure, value),
        )
    };
    let multiple = match (axis.is_near, axis.multiple()) {
        (None, _) => "-".to_owned(),
        (Some(_), Some(multiple)) if multiple <= MOST_MULTIPLE => {
            format!("{} ×", figure::decimal(multiple, 1))
        }
        (Some(true), None) => "equal".to_owned(),
        (Some(_), _) => format!("> {MOST_MULTIPLE} ×"),
    };
    let mark = match axis.is_near {
        Some(false) => " far",
        _ => "",
    };
    [
        name(axis.measure).to_owned(),
        value(axis.original),
        value(axis.twin),
        distance(axis.distance),
        distance(axis.floor),
        multiple + mark,
    ]
}

const fn name(measure: Measure) -> &'static str {
    match measure {
        Measure::ReadShare => "read share",
        Measure::Sizes => "sizes",
        Measure::Rate => "rate",
        Measure::Dispersion10Ms => "dispersion at 10 ms",
        Measure::Dispersion100Ms => "dispersion at 100 ms",
        Measure::Dispersion1S => "dispersion at 1 s",
        Measure::SequentialShare => "sequential share",
        Measure::HitRatio => "hit ratio, 10 % cached",
        Measure::Flushes => "flushes",
        Measure::ServiceTime => "service time",
    }
}

fn value_text(measure: Measure, value: f64) -> String {
    match measure {
        Measure::ReadShare | Measure::SequentialShare | Measure::HitRatio => percent(value * 100.0),
        Measure::Sizes => figure::size(value.round() as u64),
        Measure::Rate => figure::iops(value) + " IOPS",
        Measure::Flushes => figure::iops(value) + " /s",
        Measure::ServiceTime => figure::time(value),
        Measure::Dispersion10Ms | Measure::Dispersion100Ms | Measure::Dispersion1S => {
            figure::significant(value)
        }
    }
}

fn distance_text(measure: Measure, value: f64) -> String {
    match measure {
        Measure::ReadShare | Measure::SequentialShare | Measure::HitRatio => {
            format!("{} points", figure::decimal(value * 100.0, 1))
        }
        Measure::Sizes => figure::decimal(value, 3),
        Measure::Dispersion10Ms | Measure::Dispersion100Ms | Measure::Dispersion1S => {
            format!("factor {}", figure::decimal(1.0 + value, 2))
        }
        Measure::Rate | Measure::Flushes | Measure::ServiceTime => percent(value * 100.0),
    }
}

/// Questions that the twin can answer, by the axes that they rest on, and those it cannot.
fn questions(shown: &Shown<'_>) -> (Vec<String>, Vec<String>) {
    let axes = &shown.fidelity.axes;
    let (mut can, mut cannot) = (Vec::new(), Vec::new());
    let obstacle = shown.fidelity.obstacle.map(hindrance);
    for (question, measures) in QUESTIONS {
        let rests = axes.iter().filter(|axis| measures.contains(&axis.measure));
        let rests: Vec<&Axis> = rests.collect();
        let far: Vec<&str> = rests
            .iter()
            .filter(|axis| axis.is_near == Some(false))
            .map(|axis| name(axis.measure))
            .collect();
        let unknowns = rests.iter().filter(|axis| axis.is_near.is_none());
        let unknowns: Vec<Measure> = unknowns.map(|axis| axis.measure).collect();
        if rests.is_empty() {
            continue;
        }
        if !far.is_empty() {
            cannot.push(format!("{question} (far: {})", far.join(", ")));
        } else if let Some(first) = unknowns.first() {
            let why = obstacle.map_or_else(
                || {
                    let names: Vec<&str> = unknowns.iter().copied().map(name).collect();
                    format!("{}: {}", unknown(axes, *first), names.join(", "))
                },
                str::to_owned,
            );
            cannot.push(format!("{question} ({why})"));
        } else {
            can.push(question.to_owned());
        }
    }
    cannot.push(
        "what depends on the order between roles, such as a read before its log write".into(),
    );
    cannot.push("how the load changes after the time of the trace (the twin repeats it)".into());
    (can, cannot)
}

/// A question, and the axes that its answer rests on.
const QUESTIONS: [(&str, &[Measure]); 5] = [
    (
        "does another device sustain the mean load?",
        &[
            Measure::Rate,
            Measure::ReadShare,
            Measure::Sizes,
            Measure::SequentialShare,
        ],
    ),
    (
        "which latency do its peaks have there?",
        &[
            Measure::Rate,
            Measure::Dispersion10Ms,
            Measure::Dispersion100Ms,
            Measure::Dispersion1S,
        ],
    ),
    ("what does a cache of some size save?", &[Measure::HitRatio]),
    ("what do flushes cost there?", &[Measure::Flushes]),
    (
        "are its service times those of the original?",
        &[Measure::ServiceTime],
    ),
];
