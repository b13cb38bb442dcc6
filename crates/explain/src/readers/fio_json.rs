//! JSON and JSON+ of fio 2.x and 3.x.

use super::ReaderMatch;
use super::fio_options::of_options;
use crate::evidence::{Direction, Disk, Evidence, Latency, Side};
use crate::number::plain;
use crate::paste::Line;
use fathom_core::SmallSort as _;
use serde_json::Value;
use std::collections::BTreeMap;

pub(crate) fn read(lines: &[Line]) -> Option<ReaderMatch> {
    let (document, used) = super::json(lines, "\"jobs\"")?;
    let version = document["fio version"].as_str()?;
    let jobs = document["jobs"].as_array()?;
    let global = document.get("global options");
    let disks: Vec<Disk> = document["disk_util"]
        .as_array()
        .map(|all| all.iter().map(disk).collect())
        .unwrap_or_default();
    let mut evidence = Vec::new();
    for job in jobs {
        let mut one = of_job(job, global);
        version
            .trim_start_matches("fio-")
            .clone_into(&mut one.version);
        one.lines = (lines[0].number, lines[used - 1].number);
        // Counters are of the whole run: where several jobs ran, they are of none of them.
        if jobs.len() == 1 {
            one.disks.clone_from(&disks);
        }
        evidence.push(one);
    }
    Some(ReaderMatch { evidence, used })
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| plain(value.as_str()?))
}

fn of_job(job: &Value, global: Option<&Value>) -> Evidence {
    let mut evidence = Evidence::new("fio", "fio-json");
    job["jobname"]
        .as_str()
        .unwrap_or_default()
        .clone_into(&mut evidence.title);
    let mut options = BTreeMap::new();
    for from in [global, job.get("job options")].into_iter().flatten() {
        for (name, value) in from.as_object().into_iter().flatten() {
            options.insert(name.clone(), value.as_str().unwrap_or_default().to_owned());
        }
    }
    let has_options = job.get("job options").is_some();
    evidence.load = of_options(options);
    evidence.load.is_complete = has_options;
    evidence.errors = number(&job["error"]).unwrap_or(0.0);
    for (name, direction) in [("read", Direction::Read), ("write", Direction::Write)] {
        if let Some(side) = side(&job[name], direction) {
            evidence.sides.push(side);
            let seconds = number(&job[name]["runtime"]).unwrap_or(0.0) / 1e3;
            evidence.runtime_s = Some(evidence.runtime_s.unwrap_or(0.0).max(seconds));
        }
    }
    let flush = &job["sync"]["lat_ns"];
    if number(&flush["N"]).is_some_and(|count| count > 0.0) {
        evidence.flush = latency(flush, 1.0);
    }
    evidence.cpu = number(&job["usr_cpu"]).zip(number(&job["sys_cpu"]));
    evidence.switches = number(&job["ctx"]);
    let levels = job["iodepth_level"].as_object().into_iter().flatten();
    let mut depths: Vec<(f64, f64)> = levels
        .filter_map(|(depth, share)| Some((plain(depth.trim_start_matches(">="))?, number(share)?)))
        .collect();
    depths.small_sort_by(|a, b| a.0.total_cmp(&b.0));
    evidence.depths = depths;
    let grouped = evidence.option("group_reporting").is_some();
    if !grouped {
        evidence.load.jobs = Some(1.0);
    }
    evidence
}

fn side(value: &Value, direction: Direction) -> Option<Side> {
    let requests = number(&value["total_ios"]);
    let iops = number(&value["iops"]).filter(|iops| *iops > 0.0)?;
    let kib = number(&value["bw"]).map(|kib| kib * 1024.0);
    let mut side = Side {
        direction,
        requests,
        iops: Some(iops),
        rate: number(&value["bw_bytes"]).or(kib),
        bytes: number(&value["io_bytes"]),
        ..Side::default()
    };
    // Up to 2.x in microseconds, under names without a unit.
    let latency_of = |name: &str| {
        let (new, old) = (&value[format!("{name}_ns")], &value[name]);
        latency(new, 1.0).or_else(|| latency(old, 1e3))
    };
    side.submission = latency_of("slat").filter(|slat| slat.max.is_some_and(|max| max > 0.0));
    let completion = latency_of("clat");
    let mut total = latency_of("lat").filter(|total| total.mean.is_some_and(|mean| mean > 0.0));
    match (&mut total, completion) {
        (Some(total), Some(completion)) if total.percentiles.is_empty() => {
            total.percentiles = completion.percentiles;
        }
        (None, completion) => {
            total = completion.filter(|one| one.mean.is_some_and(|mean| mean > 0.0));
        }
        _ => {}
    }
    if let Some(total) = &mut total {
        total.samples = requests;
    }
    side.latency = total;
    let samples = ["iops_min", "iops_max", "iops_mean", "iops_stddev"];
    let samples: Vec<f64> = samples
        .iter()
        .filter_map(|name| number(&value[*name]))
        .collect();
    side.samples = samples.try_into().ok();
    Some(side)
}

fn latency(value: &Value, factor: f64) -> Option<Latency> {
    let field = |name: &str| number(&value[name]).map(|number| number * factor);
    let percentiles = value["percentile"].as_object().into_iter().flatten();
    let mut percentiles: Vec<(f64, f64)> = percentiles
        .filter_map(|(at, time)| Some((plain(at)?, number(time)? * factor)))
        .filter(|(at, _)| *at > 0.0)
        .collect();
    percentiles.small_sort_by(|a, b| a.0.total_cmp(&b.0));
    let latency = Latency {
        min: field("min"),
        max: field("max"),
        mean: field("mean"),
        deviation: field("stddev"),
        samples: number(&value["N"]),
        percentiles,
    };
    latency.mean.is_some().then_some(latency)
}

fn disk(value: &Value) -> Disk {
    let pair = |name: &str| {
        let of = |side: &str| number(&value[format!("{side}_{name}")]).unwrap_or(0.0);
        (of("read"), of("write"))
    };
    Disk {
        name: value["name"].as_str().unwrap_or_default().to_owned(),
        requests: pair("ios"),
        merged: pair("merges"),
        util: number(&value["util"]),
        is_stacked: value.get("aggr_read_ios").is_some(),
    }
}
