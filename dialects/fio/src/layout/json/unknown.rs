//! What an import knows nothing of, taken out of a row: `null` stands where a number would lie.

use crate::layout::value::Value;
use fathom_core::result::{Origin, ResultField};

/// Fields of the document, and the keys of a row that rest on each; a dot goes into an object.
const KEYS: &[(ResultField, &[&str])] = &[
    (ResultField::Failed, &["error"]),
    (ResultField::StartNs, &["elapsed"]),
    (
        ResultField::Process,
        &["usr_cpu", "sys_cpu", "ctx", "majf", "minf"],
    ),
    (ResultField::QueueDepth, &["latency_depth"]),
    (
        ResultField::QueueDepthHeld,
        &["iodepth_level", "iodepth_submit", "iodepth_complete"],
    ),
    (
        ResultField::Workload,
        &["latency_target", "latency_percentile", "latency_window"],
    ),
];

/// The same for each direction.
const OF_DIRECTIONS: &[(ResultField, &[&str])] = &[
    (
        ResultField::Bytes,
        &[
            "io_bytes",
            "io_kbytes",
            "bw_bytes",
            "bw",
            "bw_min",
            "bw_max",
            "bw_agg",
            "bw_mean",
            "bw_dev",
            "bw_samples",
        ],
    ),
    (
        ResultField::Ios,
        &[
            "total_ios",
            "iops",
            "iops_min",
            "iops_max",
            "iops_mean",
            "iops_stddev",
            "iops_samples",
            "clat_ns",
            "lat_ns",
        ],
    ),
    (ResultField::Short, &["short_ios"]),
    (ResultField::ServiceNsMin, &["clat_ns.min", "lat_ns.min"]),
    (ResultField::ServiceNsMax, &["clat_ns.max", "lat_ns.max"]),
    (
        ResultField::ServiceNsStddev,
        &["clat_ns.stddev", "lat_ns.stddev"],
    ),
];

/// Numbers of samples, and what rests on them.
const OF_SAMPLES: [(&str, &[&str]); 2] = [
    (
        "bw_samples",
        &["bw_min", "bw_max", "bw_agg", "bw_mean", "bw_dev"],
    ),
    (
        "iops_samples",
        &["iops_min", "iops_max", "iops_mean", "iops_stddev"],
    ),
];

/// Never said by any source: Fathom reads neither of them, and fio's own may not be zero.
const NEVER: [&str; 2] = ["drop_ios", "slat_ns"];
const SHARES: [&str; 3] = ["latency_ns", "latency_us", "latency_ms"];
const DIRECTIONS: [&str; 4] = ["read", "write", "trim", "mixed"];

/// The row without what is unknown.
pub(super) fn erased(mut row: Value, origin: &Origin) -> Value {
    if !origin.is_imported() {
        return row;
    }
    erase(&mut row, origin, KEYS);
    for direction in DIRECTIONS {
        let Some(figures) = row.field(direction) else {
            continue;
        };
        erase(figures, origin, OF_DIRECTIONS);
        for key in NEVER {
            figures.erase(key);
        }
        for (count, keys) in OF_SAMPLES {
            if figures.field(count) == Some(&mut Value::number(0)) {
                for key in keys {
                    figures.erase(key);
                }
            }
        }
    }
    // Shares of latencies come from the histogram, which few sources have.
    for key in SHARES {
        let Some(Value::Object(shares)) = row.field(key) else {
            continue;
        };
        if shares
            .iter()
            .all(|(_, share)| *share == Value::decimal(0.0))
        {
            row.erase(key);
        }
    }
    row
}

fn erase(value: &mut Value, origin: &Origin, keys: &[(ResultField, &[&str])]) {
    for (field, keys) in keys {
        if !origin.knows(*field) {
            for key in *keys {
                value.erase(key);
            }
        }
    }
}
