//! The members of a measurement from many hosts: all hosts, and the members that tell something.

use super::probes::Block;
use crate::figure::{count, iops, megabytes, plural, time};
use crate::page::Entry;
use crate::table::{Align, Table};
use fathom_core::SmallSort as _;
use fathom_core::result::{
    ClusterMember, ClusterPhase, ClusterReport, MemberPhase, MemberState, RunResult,
};
use fathom_verdict::slow_member;

/// Members that are all listed; of more only those that did not finish, and the slowest.
const LISTED: usize = 32;

/// A table of hosts and one of members for each phase.
pub(super) fn blocks(result: &RunResult) -> Vec<Block> {
    let numbers = 0..result.phases.len();
    numbers
        .flat_map(|number| of_phase(result, number))
        .collect()
}

/// Those of the phase of this number.
pub(crate) fn of_phase(result: &RunResult, number: usize) -> Vec<Block> {
    let report = result.cluster.as_deref();
    let blocks = report.map(|report| vec![hosts(report, number), members(report, number)]);
    blocks.unwrap_or_default()
}

/// How many took part, how close together they began, and how unequal they were.
pub(crate) fn in_a_line(result: &RunResult) -> Option<String> {
    let report = result.cluster.as_deref()?;
    let spread = report
        .phases
        .iter()
        .max_by_key(|phase| phase.start_spread_ns);
    let spread = spread.map_or((0, 0), |phase| {
        (phase.start_spread_ns, phase.start_error_ns)
    });
    let phases = report.members.iter().flat_map(|member| &member.phases);
    let rates = phases
        .filter(|phase| phase.measured_ns.is_some())
        .map(|phase| phase.iops);
    let least = rates.clone().fold(f64::INFINITY, f64::min);
    let most = rates.fold(0.0, f64::max);
    let mut text = format!(
        "{} of {} on {}, by {}; starts within {} ± {}",
        report.finished(),
        plural(report.members.len() as u64, "member"),
        plural(report.hosts().len() as u64, "host"),
        report.transport,
        time(spread.0 as f64),
        time(spread.1 as f64)
    );
    if least.is_finite() {
        let each = [iops(least), iops(most)].join(" to ");
        text = [text, format!("{each} IOPS each")].join("; ");
    }
    let phases = 0..result.phases.len();
    let slow = phases.filter_map(|number| slow_member(report, number));
    if let Some(slow) = slow.min_by(|a, b| (a.iops / a.median).total_cmp(&(b.iops / b.median))) {
        let (host, rank) = (&slow.member.host, slow.member.rank);
        let rates = format!(
            "{} of a median of {} IOPS",
            iops(slow.iops),
            iops(slow.median)
        );
        text = format!("{text}; {host} (rank {rank}) is slow: {rates}");
    }
    Some(text)
}

fn columns(names: &[(&str, Align)]) -> Table {
    let mut table = Table::default();
    for (name, align) in names {
        table.column(*name, *align);
    }
    table
}

/// What several members did together.
#[derive(Default)]
struct Sum {
    ios: u64,
    errors: u64,
    iops: f64,
    bytes_per_second: f64,
    p99_ns: Option<u64>,
    finished: usize,
}

fn sum(members: &[&ClusterMember], number: usize) -> Sum {
    let mut sum = Sum::default();
    for member in members {
        sum.finished += usize::from(member.state == MemberState::Finished);
        if let Some(phase) = member.phases.get(number) {
            sum.ios += phase.ios;
            sum.errors += phase.errors;
            sum.iops += phase.iops;
            sum.bytes_per_second += phase.bytes_per_second;
            sum.p99_ns = sum.p99_ns.max(phase.p99_ns);
        }
    }
    sum
}

fn worst(p99_ns: Option<u64>) -> String {
    p99_ns.map_or_else(|| "--".to_owned(), |ns| time(ns as f64))
}

fn hosts(report: &ClusterReport, number: usize) -> Block {
    let mut table = columns(&[
        ("host", Align::Left),
        ("members", Align::Right),
        ("finished", Align::Right),
        ("requests", Align::Right),
        ("IOPS", Align::Right),
        ("MB/s", Align::Right),
        ("worst p99", Align::Right),
        ("errors", Align::Right),
    ]);
    let all: Vec<&ClusterMember> = report.members.iter().collect();
    let hosts = report.hosts();
    let rows = hosts
        .iter()
        .map(|(host, members)| (*host, members.as_slice()));
    for (host, members) in rows.chain([("total", all.as_slice())]) {
        let sum = sum(members, number);
        table.row(vec![
            host.to_owned(),
            count(members.len() as u64),
            count(sum.finished as u64),
            count(sum.ios),
            iops(sum.iops),
            megabytes(sum.bytes_per_second),
            worst(sum.p99_ns),
            count(sum.errors),
        ]);
    }
    let phase = report.phases.get(number);
    Block {
        heading: "Hosts",
        table,
        entries: phase
            .map(|phase| entries(report, phase))
            .unwrap_or_default(),
    }
}

fn entries(report: &ClusterReport, phase: &ClusterPhase) -> Vec<Entry> {
    let entry = |label: &str, text: String| Entry {
        label: label.to_owned(),
        text,
    };
    let finished = report.finished();
    let all = report.members.len();
    vec![
        entry(
            "members",
            format!(
                "{finished} of {} reported everything, by {}",
                plural(all as u64, "member"),
                report.transport
            ),
        ),
        entry(
            "start",
            format!(
                "all within {}, known to ±{}",
                time(phase.start_spread_ns as f64),
                time(phase.start_error_ns as f64)
            ),
        ),
        entry(
            "end",
            format!(
                "the first member finished after {}, the last after {}",
                time(phase.first_done_ns as f64),
                time(phase.last_done_ns as f64)
            ),
        ),
    ]
}

fn members(report: &ClusterReport, number: usize) -> Block {
    let mut table = columns(&[
        ("rank", Align::Right),
        ("host", Align::Left),
        ("state", Align::Left),
        ("requests", Align::Right),
        ("IOPS", Align::Right),
        ("MB/s", Align::Right),
        ("p99", Align::Right),
        ("max", Align::Right),
        ("start", Align::Right),
        ("clock", Align::Right),
    ]);
    let mut shown: Vec<&ClusterMember> = report.members.iter().collect();
    let none = MemberPhase::default();
    let of = |member: &ClusterMember| member.phases.get(number).cloned().unwrap_or_default();
    if shown.len() > LISTED {
        shown.small_sort_by(|a, b| {
            let key = |one: &ClusterMember| one.state == MemberState::Finished;
            (key(a), of(a).iops)
                .partial_cmp(&(key(b), of(b).iops))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        shown.truncate(LISTED);
    }
    for member in &shown {
        let phase = member.phases.get(number).unwrap_or(&none);
        let signed = |ns: i64| {
            let sign = if ns < 0 { "-" } else { "+" };
            format!("{sign}{}", time(ns.unsigned_abs() as f64))
        };
        table.row(vec![
            member.rank.to_string(),
            member.host.clone(),
            member.state.word().to_owned(),
            count(phase.ios),
            iops(phase.iops),
            megabytes(phase.bytes_per_second),
            worst(phase.p99_ns),
            worst(phase.max_ns),
            phase.start_late_ns.map_or_else(|| "--".to_owned(), signed),
            member
                .clock_error_ns
                .map_or_else(|| "--".to_owned(), |ns| format!("±{}", time(ns as f64))),
        ]);
    }
    let left_out = report.members.len() - shown.len();
    let entries = (left_out > 0).then(|| Entry {
        label: String::new(),
        text: format!(
            "{} more are in the JSON format; shown are those that did not finish, and the slowest",
            count(left_out as u64)
        ),
    });
    Block {
        heading: "Members",
        table,
        entries: entries.into_iter().collect(),
    }
}
