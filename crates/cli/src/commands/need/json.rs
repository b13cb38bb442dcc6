//! A need as JSON: every figure.

use super::array::ArrayRow;
use super::disks::DisksRow;
use super::{Machines, Report, text};
use crate::commands::listed;
use crate::commands::recorded::{Needed, Subject};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::Op;
use fathom_core::recording::{Sample, Uncounted};
use fathom_volume::catalog::Remark;
use fathom_volume::plan::Machine;
use fathom_volume::sizing::{Basis, Observed, Peak, Replay, SasRule, SasVerdict};
use serde::Serialize;
use serde_json::Value;

/// Figures of bytes, which are null where a recording does not count bytes.
pub(in crate::commands) const OF_BYTES: [&str; 4] =
    ["bytes", "bytes_per_second", "read_bytes", "write_bytes"];

/// What a recorded load needs, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct NeedDocument<'a> {
    /// Who recorded it, and where.
    source: &'a str,
    /// What of the recording counts: `peak`, `sustained` or a percentile as in `p99`.
    by: Basis,
    /// Growth of the load, percent.
    growth_percent: f64,
    /// What the recording does not count; figures of bytes are null if it is bytes.
    uncounted: Option<Uncounted>,
    /// The devices, and last all of them together.
    devices: Vec<Observation<'a>>,
    /// What is needed of all devices together.
    needed: Option<NeededRow<'a>>,
    disks: DisksRow<'a>,
    /// The rule of SAS, with `--sas-cores`.
    sas: Option<SasRow>,
    /// Machines that let it through to their disks, the cheapest first.
    machines: Option<Vec<&'a Machine>>,
    /// What the load does to the volumes of `--volume`.
    volumes: Vec<VolumeRow<'a>>,
    remarks: Vec<&'a Remark>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Observation<'a> {
    device: &'a str,
    /// Length of the first interval, nanoseconds.
    interval_ns: Option<u64>,
    observed: &'a Observed,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NeededRow<'a> {
    device: &'a str,
    /// Each of them has to fit, at a time of its own.
    loads: Vec<LoadRow>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LoadRow {
    /// Requests per second.
    iops: f64,
    bytes_per_second: f64,
    requests: Vec<KindRow>,
}

/// Requests of one kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct KindRow {
    op: Op,
    /// Size of a request, bytes.
    bytes: f64,
    /// Share of all requests, from 0 to 1.
    share: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct VolumeRow<'a> {
    volume: &'a str,
    replay: &'a Replay,
}

/// What SAS asks for.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SasRow {
    cores: u32,
    bytes_per_second_per_core: f64,
    /// For each file system.
    bytes_per_second: f64,
}

/// The need by the rule of SAS without a recording, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct SasNeedDocument<'a> {
    sas: SasRow,
    /// The machine of `--instance`.
    machine: Option<OwnMachine<'a>>,
    machines: Vec<&'a Machine>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OwnMachine<'a> {
    name: &'a str,
    /// What it lets through to its volumes; null if no source states it.
    bytes_per_second: Option<f64>,
    sas: Option<SasVerdict>,
}

/// What disks deliver together, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct ArrayDocument<'a> {
    pub(super) array: ArrayRow<'a>,
}

pub(super) fn document(report: &Report<'_>, needed: Option<&Needed<'_>>) -> Result<String, Error> {
    let recorded = report.recorded;
    let replays = report.played.iter().map(|played| VolumeRow {
        volume: &played.volume,
        replay: &played.replay,
    });
    let document = NeedDocument {
        source: &recorded.source,
        by: recorded.basis(),
        growth_percent: (recorded.factor() - 1.0) * 100.0,
        uncounted: recorded.uncounted,
        devices: recorded.subjects.iter().map(observation).collect(),
        needed: needed.map(|needed| NeededRow {
            device: &needed.subject.name,
            loads: needed.peaks.iter().map(load).collect(),
        }),
        disks: report.disks.row(),
        sas: report.sas.map(sas_row),
        machines: report.machines.as_ref().map(Machines::all),
        volumes: replays.collect(),
        remarks: text::remarks(report),
    };
    let mut document = serde_json::to_value(&document).map_err(|error| {
        Problem::new(Exit::Defect, "cannot write the need as JSON").because(error.to_string())
    })?;
    if recorded.uncounted == Some(Uncounted::Bytes) {
        for part in ["devices", "needed"] {
            forget_bytes(&mut document[part]);
        }
    }
    Ok(listed::stamped("need", &document)?)
}

/// The need by the rule of SAS, without a recording.
pub(super) fn of_sas(rule: SasRule, machines: &Machines) -> Result<String, Problem> {
    let own = machines.own().map(|machine| OwnMachine {
        name: &machine.name,
        bytes_per_second: machine.bytes_per_second,
        sas: machine.bytes_per_second.map(|rate| rule.verdict(rate)),
    });
    let document = SasNeedDocument {
        sas: sas_row(rule),
        machine: own,
        machines: machines.all(),
    };
    listed::stamped("need", &document)
}

fn sas_row(rule: SasRule) -> SasRow {
    SasRow {
        cores: rule.cores,
        bytes_per_second_per_core: rule.bytes_per_second_per_core(),
        bytes_per_second: rule.bytes_per_second(),
    }
}

/// Bytes that are not counted are unknown, not zero.
fn forget_bytes(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(forget_bytes),
        Value::Object(fields) => {
            for (name, field) in fields {
                if OF_BYTES.contains(&name.as_str()) {
                    *field = Value::Null;
                } else {
                    forget_bytes(field);
                }
            }
        }
        _ => {}
    }
}

fn observation(subject: &Subject) -> Observation<'_> {
    let first: Option<&Sample> = subject.samples.first();
    Observation {
        device: &subject.name,
        interval_ns: first.and_then(|one| one.length_ns),
        observed: &subject.observed,
    }
}

fn load(peak: &Peak) -> LoadRow {
    let kinds = peak.flow.kinds.iter().map(|kind| KindRow {
        op: kind.op,
        bytes: kind.bytes,
        share: kind.weight,
    });
    LoadRow {
        iops: peak.iops,
        bytes_per_second: peak.bytes_per_second(),
        requests: kinds.collect(),
    }
}
