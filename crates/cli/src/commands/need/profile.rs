//! A need as a workload: open loads at the rates that are needed.

use crate::commands::recorded::{Needed, Recorded, TOGETHER};
use fathom_core::{Op, figure};
use fathom_volume::FlowKind;
use fathom_volume::sizing::{Peak, SasRule, Vector};
use std::fmt::Write as _;

/// Sizes of requests are multiples of this, which every device takes.
const UNIT: f64 = 4_096.0;
/// Small requests are multiples of a sector.
const SECTOR: f64 = 512.0;
/// A kind with a smaller share of the requests is left out.
const LEAST_SHARE: f64 = 0.001;
/// A request of SAS, and the share of reads: as `fathom plan --sas-cores` assumes.
const SAS_BYTES: f64 = 65_536.0;
const SAS_READS: f64 = 0.7;

/// The need of a recording as text.
pub(super) fn of_recording(recorded: &Recorded, needed: &Needed<'_>) -> String {
    let names: Vec<&str> = recorded
        .subjects
        .iter()
        .map(|subject| subject.name.as_str())
        .filter(|name| *name != TOGETHER)
        .collect();
    let description = format!(
        "What {} needed, {}, recorded by {}",
        names.join(" and "),
        recorded.basis_in_words(),
        recorded.source
    );
    let mut text = head(
        &description,
        "Rates, mix and mean sizes are those of the recording. Not recorded, and so assumed: all \
         requests go to random offsets, evenly over the target; arrivals are random.",
    );
    let phases: Vec<(&Peak, &Vector)> = needed
        .peaks
        .iter()
        .zip(needed.moments.iter().copied())
        .collect();
    for (index, (peak, moment)) in phases.iter().enumerate() {
        let name = match (phases.len(), index) {
            (1, _) => "needed",
            (_, 0) => "most-requests",
            _ => "most-bytes",
        };
        let depth = depth(
            peak.iops,
            moment.outstanding.unwrap_or(0.0) * recorded.factor(),
        );
        phase(&mut text, name, peak, depth);
    }
    text
}

/// The need of SAS by its cores.
pub(super) fn of_sas(rule: SasRule) -> String {
    let description = format!(
        "What a SAS server of {} needs of each of its file systems",
        figure::plural(u64::from(rule.cores), "physical core")
    );
    let mut text = head(
        &description,
        &format!(
            "{} MB/s for each physical core. Assumed: requests of 64 KiB in order, 70 % reads.",
            figure::megabytes(rule.bytes_per_second_per_core())
        ),
    );
    let peak = peak_of_sas(rule);
    phase(&mut text, "needed", &peak, depth(peak.iops, 0.0));
    text
}

/// The rule of SAS as a load.
pub(super) fn peak_of_sas(rule: SasRule) -> Peak {
    let kind = |op, weight| FlowKind {
        op,
        bytes: SAS_BYTES,
        sequential: 1.0,
        together: 1.0,
        weight,
    };
    Peak {
        flow: fathom_volume::Flow {
            kinds: vec![kind(Op::Read, SAS_READS), kind(Op::Write, 1.0 - SAS_READS)],
        },
        iops: rule.bytes_per_second() / SAS_BYTES,
    }
}

fn head(description: &str, source: &str) -> String {
    let mut text = String::from("name = \"need\"\n");
    let _ = writeln!(text, "description = {}", quoted(description));
    let _ = writeln!(text, "source = {}", quoted(source));
    text
}

fn phase(text: &mut String, name: &str, peak: &Peak, depth: u32) {
    let _ = write!(
        text,
        "\n[[phase]]\nname = \"{name}\"\nwarm_up = \"10s\"\nduration = \"120s\"\n\n\
         [[phase.job]]\nname = \"load\"\nqueue_depth = {depth}\nrate = \"{} IOPS\"\n\
         arrivals = \"poisson\"\nio = [\n",
        rounded(peak.iops)
    );
    for kind in &peak.flow.kinds {
        for (bytes, weight) in sizes(kind) {
            let op = if kind.op == Op::Read { "read" } else { "write" };
            let random = 100.0 - kind.sequential * 100.0;
            // Weights in percent, to four digits: the mean sizes stay what they were.
            let _ = writeln!(
                text,
                "  {{ op = \"{op}\", block_size = {bytes}, random = {random}, weight = {} }},",
                (weight * 1e6).round() / 1e4
            );
        }
    }
    text.push_str("]\n");
}

/// Two neighbouring sizes whose mean is that of a kind, with their shares of all requests.
fn sizes(kind: &FlowKind) -> Vec<(u64, f64)> {
    let unit = if kind.bytes >= UNIT { UNIT } else { SECTOR };
    let low = (kind.bytes / unit).floor().max(1.0) * unit;
    let upper = ((kind.bytes - low) / unit).clamp(0.0, 1.0);
    let both = [
        (low as u64, kind.weight * (1.0 - upper)),
        ((low + unit) as u64, kind.weight * upper),
    ];
    both.into_iter()
        .filter(|(_, weight)| *weight >= LEAST_SHARE)
        .collect()
}

/// Outstanding requests that do not hold the rate back: four times those that were in flight, or
/// those of the rate at 20 ms each.
fn depth(iops: f64, in_flight: f64) -> u32 {
    let most = (in_flight * 4.0)
        .max(iops * 0.02)
        .ceil()
        .clamp(16.0, 4_096.0);
    (most as u32).next_power_of_two()
}

fn rounded(iops: f64) -> f64 {
    (iops * 1_000.0).round() / 1_000.0
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_tools::native;

    #[test]
    fn sizes_keep_their_mean() {
        let kind = |bytes| FlowKind {
            op: Op::Read,
            bytes,
            sequential: 0.0,
            together: 1.0,
            weight: 1.0,
        };
        assert_eq!(sizes(&kind(8_192.0)), [(8_192, 1.0)]);
        assert_eq!(sizes(&kind(10_240.0)), [(8_192, 0.5), (12_288, 0.5)]);
        assert_eq!(sizes(&kind(1_280.0)), [(1_024, 0.5), (1_536, 0.5)]);
        assert_eq!(sizes(&kind(100.0)), [(512, 1.0)]);
    }

    #[test]
    fn the_rule_of_sas_is_a_workload() {
        let text = of_sas(SasRule {
            cores: 16,
            is_heavy: false,
        });
        let workload = native::parse(&text, "need.toml").unwrap();
        let job = &workload.phases[0].jobs[0];
        assert_eq!(job.queue_depth, 512);
        let kinds: Vec<(u64, f64, f64)> = job
            .kinds
            .iter()
            .map(|kind| (kind.block_size.0, kind.random.0, kind.weight))
            .collect();
        assert_eq!(kinds, [(65_536, 0.0, 70.0), (65_536, 0.0, 30.0)]);
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a \"b\"\\\n"), "\"a \\\"b\\\"\\\\ \"");
    }
}
