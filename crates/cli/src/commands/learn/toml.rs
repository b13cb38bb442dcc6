//! The twin as a page that a person reads and edits.

use super::Learned;
use fathom_capture::learn::{Loop, Role};
use fathom_core::foreign::visible;
use fathom_core::spec::{Arrivals, Bursts, Distribution, IoKind, Job, Pacing, PauseLength};
use fathom_core::spec::{RateCurve, Workload};
use fathom_core::{Op, figure};
use std::fmt::Write as _;
use std::path::Path;

/// Arrivals are called bursty above this index of dispersion.
const BURSTY: f64 = 2.0;

/// The text of a twin, with what is known of each role.
pub(super) fn text(trace: &Path, learned: &Learned, twin: &Workload) -> String {
    let name = trace.file_name().unwrap_or_default().to_string_lossy();
    let name = visible(&name);
    let mut text = format!("# The twin of {name}, by `fathom learn`.\n");
    let _ = writeln!(text, "name = \"{}\"", twin.name);
    let length = figure::duration(learned.length_ns);
    let roles = figure::plural(learned.roles.len() as u64, "role");
    let _ = writeln!(text, "description = \"{roles} of a trace of {length}\"");
    for phase in &twin.phases {
        text += "\n[[phase]]\n";
        if let Some(duration) = phase.duration {
            let _ = writeln!(text, "duration = \"{duration}\"");
        }
        for (job, role) in phase.jobs.iter().zip(&learned.roles) {
            text += "\n";
            comments(&mut text, role);
            text += "[[phase.job]]\n";
            lines(&mut text, job);
        }
    }
    text
}

/// What was found, and what the job cannot have.
fn comments(text: &mut String, role: &Role) {
    let process = if role.process.is_empty() {
        String::new()
    } else {
        format!(" of {}", visible(&role.process))
    };
    let iops = figure::iops(role.iops);
    let megabytes = figure::megabytes(role.bytes_per_second);
    let sequential = if role.sequential_share < 0.01 {
        String::new()
    } else {
        let share = figure::percent(role.sequential_share * 100.0);
        let run = figure::size(role.run_bytes as u64);
        format!(", {share} sequential in runs of {run}")
    };
    let _ = writeln!(
        text,
        "# {}{process}: {iops} IOPS, {megabytes} MB/s{sequential}; {}.",
        role.name,
        role.kind.evidence()
    );
    for missing in missing(role) {
        let _ = writeln!(text, "# Not expressed: {missing}.");
    }
}

/// What a job cannot have, or what was not known.
fn missing(role: &Role) -> Vec<String> {
    let mut missing = Vec::new();
    let index = |scale: usize| role.dispersion[scale].unwrap_or(0.0);
    let most = (0..3).map(index).fold(0.0, f64::max);
    let is_expressed = role.rate_curve.is_some()
        || !role.pauses.is_empty()
        || matches!(
            role.pace,
            Loop::Open {
                arrivals: Arrivals::Bursts(_)
            }
        );
    if most > BURSTY && !is_expressed {
        let each: Vec<String> = role
            .dispersion
            .iter()
            .zip(["10 ms", "100 ms", "1 s"])
            .filter_map(|(index, scale)| {
                Some(format!("{} at {scale}", figure::significant((*index)?)))
            })
            .collect();
        missing.push(format!("bursts, index of dispersion {}", each.join(", ")));
    }
    if !role.is_pace_known {
        missing.push("whether requests wait for others, which the trace does not show".to_owned());
    }
    if role.sizes > role.kinds.len() as u64 {
        missing.push(format!(
            "{} sizes; the most frequent are here",
            figure::count(role.sizes)
        ));
    }
    if role.joined > 0 {
        missing.push(format!(
            "roles of their own for {} of other processes or areas, which are counted here",
            figure::plural(role.joined, "request")
        ));
    }
    missing
}

/// The keys of a job that are not as they are by default.
fn lines(text: &mut String, job: &Job) {
    let mut line = |key: &str, value: String| {
        let _ = writeln!(text, "{key} = {value}");
    };
    let quoted = |value: &dyn std::fmt::Display| format!("\"{value}\"");
    line("name", quoted(&job.name));
    if job.threads > 1 {
        line("threads", job.threads.to_string());
    }
    if job.queue_depth > 1 {
        line("queue_depth", job.queue_depth.to_string());
    }
    if let Some(size) = job.size {
        line("size", quoted(&size));
    }
    if job.offset.0 > 0 {
        line("offset", quoted(&job.offset));
    }
    if let Some(window) = job.window.filter(|window| Some(*window) != job.size) {
        line("window", quoted(&window));
    }
    match &job.pacing {
        Pacing::Open { rate, arrivals } => {
            line("rate", quoted(rate));
            line("arrivals", spread(arrivals));
        }
        Pacing::Closed { think, burst } if think.0 > 0 => {
            line("think", quoted(think));
            if *burst > 1 {
                line("burst", burst.to_string());
            }
            if !job.pauses.is_empty() {
                line("pauses", lengths(&job.pauses));
            }
        }
        Pacing::Closed { .. } | Pacing::Cyclic { .. } | Pacing::Triggered { .. } => {}
    }
    if let Some(RateCurve { every, levels }) = &job.rate_curve {
        let levels = format!("{levels:?}");
        line(
            "rate_curve",
            format!("{{ every = \"{every}\", levels = {levels} }}"),
        );
    }
    if let Some(distribution) = distribution(&job.access.distribution) {
        line("distribution", distribution);
    }
    if job.durability.write_through {
        line("write_through", "true".to_owned());
    }
    if let Some(sync) = job.durability.sync {
        line("fdatasync_every", sync.writes.to_string());
        if !job.sync_pattern.is_empty() {
            line("sync_pattern", format!("{:?}", job.sync_pattern));
        }
    }
    requests(text, &job.kinds);
}

/// Where offsets are, unless they are uniform.
fn distribution(distribution: &Distribution) -> Option<String> {
    match distribution {
        Distribution::Zipf { theta } => Some(format!("{{ zipf = {{ theta = {theta} }} }}")),
        Distribution::Hot { ranges } => {
            let each = ranges.iter();
            let each = each.map(|one| format!("{{ ios = {}, of = {} }}", one.ios.0, one.of.0));
            let ranges = each.collect::<Vec<_>>().join(", ");
            Some(format!("{{ hot = {{ ranges = [{ranges}] }} }}"))
        }
        Distribution::Uniform | Distribution::Pareto { .. } | Distribution::Normal { .. } => None,
    }
}

/// Lengths of pauses with their shares.
fn lengths(pauses: &[PauseLength]) -> String {
    let each = pauses.iter();
    let each = each.map(|one| format!("{{ share = {}, length = {} }}", one.share.0, one.length));
    format!("[{}]", each.collect::<Vec<_>>().join(", "))
}

/// How arrivals are spread.
fn spread(arrivals: &Arrivals) -> String {
    let Arrivals::Bursts(bursts) = arrivals else {
        let is_poisson = *arrivals == Arrivals::Poisson;
        return format!("\"{}\"", if is_poisson { "poisson" } else { "constant" });
    };
    let Bursts {
        share,
        every,
        length,
        clocked,
    } = bursts;
    let clocked = if *clocked { ", clocked = true" } else { "" };
    let share = share.0;
    format!(
        "{{ bursts = {{ share = {share}, every = \"{every}\", length = \"{length}\"{clocked} }} }}"
    )
}

/// The operations, each on a line; of one size in the short form.
fn requests(text: &mut String, kinds: &[IoKind]) {
    if let Some((read, kind)) = short(kinds) {
        let _ = writeln!(text, "block_size = \"{}\"\nread = {read}", kind.block_size);
        if kind.random.0 < 100.0 {
            let _ = writeln!(text, "random = {}", kind.random.0);
        }
        if kind.align != kind.block_size {
            let _ = writeln!(text, "align = \"{}\"", kind.align);
        }
        return;
    }
    text.push_str("io = [\n");
    for kind in kinds {
        let _ = write!(
            text,
            "  {{ op = \"{}\", block_size = \"{}\"",
            kind.op.name(),
            kind.block_size
        );
        if kind.random.0 < 100.0 {
            let _ = write!(text, ", random = {}", kind.random.0);
        }
        if kind.align != kind.block_size {
            let _ = write!(text, ", align = \"{}\"", kind.align);
        }
        let _ = writeln!(text, ", weight = {} }},", kind.weight);
    }
    text.push_str("]\n");
}

/// The share of reads in percent and what reads and writes have in common, if that is all but
/// their operation.
fn short(kinds: &[IoKind]) -> Option<(f64, &IoKind)> {
    let is = |kind: &IoKind, op: Op| kind.op == op;
    match kinds {
        [one] if is(one, Op::Read) => Some((100.0, one)),
        [one] if is(one, Op::Write) => Some((0.0, one)),
        [one, two] => {
            let other = IoKind {
                op: one.op,
                weight: one.weight,
                ..two.clone()
            };
            let read = if is(one, Op::Read) { one } else { two };
            let is_mix = is(read, Op::Read) && (is(one, Op::Write) || is(two, Op::Write));
            let percent = read.weight / (one.weight + two.weight) * 100.0;
            let percent = (percent * 1e4).round() / 1e4;
            (is_mix && other == *one).then_some((percent, read))
        }
        _ => None,
    }
}
