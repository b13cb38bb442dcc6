//! A need as JSON: every figure.

use super::{Machines, Report, text};
use crate::commands::listed;
use crate::commands::recorded::{Needed, Subject};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::recording::{Sample, Uncounted};
use fathom_volume::sizing::{Peak, SasRule};
use serde::Serialize;
use serde_json::{Value, json};

pub(super) fn document(report: &Report<'_>, needed: Option<&Needed<'_>>) -> Result<String, Error> {
    let recorded = report.recorded;
    let subjects = recorded.subjects.iter().map(subject);
    let mut subjects: Vec<Value> = subjects.collect::<Result<_, Problem>>()?;
    let replays = report
        .played
        .iter()
        .map(|played| Ok(json!({ "volume": played.volume, "replay": value(&played.replay)? })));
    let replays: Vec<Value> = replays.collect::<Result<_, Problem>>()?;
    let mut needed = needed.map(|needed| {
        let peaks: Vec<Value> = needed.peaks.iter().map(peak).collect();
        json!({ "device": needed.subject.name, "loads": peaks })
    });
    if recorded.uncounted == Some(Uncounted::Bytes) {
        subjects
            .iter_mut()
            .chain(&mut needed)
            .for_each(forget_bytes);
    }
    let remarks = value(&text::remarks(report))?;
    let document = json!({
        "source": recorded.source,
        "by": value(&recorded.basis())?,
        "growth_percent": (recorded.factor() - 1.0) * 100.0,
        "uncounted": value(&recorded.uncounted)?,
        "devices": subjects,
        "needed": needed,
        "disks": report.disks.json(),
        "sas": report.sas.map(rule_of_sas),
        "machines": report.machines.as_ref().map(super::Machines::json),
        "volumes": replays,
        "remarks": remarks,
    });
    Ok(listed::stamped("need", document))
}

/// The need by the rule of SAS, without a recording.
pub(super) fn of_sas(rule: SasRule, machines: &Machines) -> String {
    let own = machines.own().map(|machine| {
        let rate = machine.bytes_per_second;
        json!({
            "name": machine.name,
            "bytes_per_second": rate,
            "sas": rate.map(|rate| rule.verdict(rate)),
        })
    });
    let answer = json!({
        "sas": rule_of_sas(rule),
        "machine": own,
        "machines": machines.json(),
    });
    listed::stamped("need", answer)
}

fn rule_of_sas(rule: SasRule) -> Value {
    json!({
        "cores": rule.cores,
        "bytes_per_second_per_core": rule.bytes_per_second_per_core(),
        "bytes_per_second": rule.bytes_per_second(),
    })
}

/// Bytes that are not counted are unknown, not zero.
fn forget_bytes(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(forget_bytes),
        Value::Object(fields) => {
            for (name, field) in fields {
                match name.as_str() {
                    "bytes" | "bytes_per_second" | "read_bytes" | "write_bytes" => {
                        *field = Value::Null;
                    }
                    _ => forget_bytes(field),
                }
            }
        }
        _ => {}
    }
}

fn subject(subject: &Subject) -> Result<Value, Problem> {
    let lengths: Option<u64> = subject
        .samples
        .first()
        .and_then(|one: &Sample| one.length_ns);
    Ok(json!({
        "device": subject.name,
        "interval_ns": lengths,
        "observed": value(&subject.observed)?,
    }))
}

fn peak(peak: &Peak) -> Value {
    let kinds: Vec<Value> = peak
        .flow
        .kinds
        .iter()
        .map(|kind| json!({ "op": kind.op, "bytes": kind.bytes, "share": kind.weight }))
        .collect();
    json!({
        "iops": peak.iops,
        "bytes_per_second": peak.bytes_per_second(),
        "requests": kinds,
    })
}

fn value<T: Serialize>(of: &T) -> Result<Value, Problem> {
    serde_json::to_value(of).map_err(|error| {
        Problem::new(Exit::Defect, "cannot write the need as JSON").because(error.to_string())
    })
}
