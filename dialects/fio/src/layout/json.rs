//! The JSON of fio 3.33: its field names, nesting and order.
//!
//! What Fathom does not measure is 0, never made up: `drop_ios`. One key is added: `fathom`, the
//! warnings about the run. What the source of an import does not say is `null`.

mod unknown;

use super::clients::{Client, clients, row_of_all, rows};
use super::figures::{
    Direction, EDGES, Figures, Latency, added_up, engine, figures, latency_shares,
};
use super::stage::Stage;
use super::value::Value;
use super::when::When;
use super::{FioLayout, FioPart, idleness, version_of};
use crate::terse::MIXED;
use crate::{FioJob, Unified};
use fathom_core::result::{ResultField, RunResult};
use std::collections::BTreeMap;

/// The document of a run, or of the clients of runs.
pub(crate) fn render(first: FioPart<'_>, parts: &[FioPart<'_>], with_bins: bool) -> String {
    let FioPart { result, layout } = first;
    let when = When::end_of(result);
    let mut top = vec![
        ("fio version", Value::text(version(result))),
        ("timestamp", Value::number(when.seconds)),
        ("timestamp_ms", Value::number(when.milliseconds)),
        ("time", Value::text(when.words())),
    ];
    if !result.provenance.origin.knows(ResultField::StartedAt) {
        for (_, value) in &mut top[1..] {
            *value = Value::Null;
        }
    }
    if let Some(clients) = clients(parts) {
        top.push(("global options", of_clients(&clients)));
        let told = client_stats(result, &clients, with_bins);
        top.push(("client_stats", Value::List(told)));
    } else {
        if !layout.global_options.is_empty() {
            top.push(("global options", options(&layout.global_options)));
        }
        top.push(("jobs", Value::List(jobs(result, layout, with_bins))));
    }
    if layout.disk_util {
        let of_parts = parts.iter().flat_map(|part| disks(part.result));
        let disks: Vec<Value> = of_parts.collect();
        // fio's clients have it always.
        if !disks.is_empty() || layout.clients.is_some() {
            top.push(("disk_util", Value::List(disks)));
        }
    }
    if let Some(wanted) = layout.idleness {
        top.push(("cpu_idleness", idleness::value(result, wanted)));
    }
    if !layout.is_interim {
        let of_parts = parts.iter();
        let mut of_parts = of_parts.map(|part| fathom(part.result, part.layout));
        let told = match parts {
            [_] => of_parts.next().unwrap_or(Value::Null),
            _ => Value::List(of_parts.collect()),
        };
        top.push(("fathom", told));
    }
    let mut text = Value::object(top).to_string();
    text.push('\n');
    text
}

/// The rows.
fn jobs(result: &RunResult, layout: &FioLayout, with_bins: bool) -> Vec<Value> {
    let origin = &result.provenance.origin;
    let rows = figures(result, layout);
    rows.iter()
        .map(|job| unknown::erased(self::job(job, with_bins), origin))
        .collect()
}

/// The options for all jobs of each client: those of one client by themselves, of several with the
/// host and port of each.
fn of_clients(clients: &[Client<'_>]) -> Value {
    if let [client] = clients {
        return options(&client.layout.global_options);
    }
    let has_any = |client: &&Client<'_>| !client.layout.global_options.is_empty();
    let told = clients.iter().filter(has_any);
    let told = told.map(|client| options(&client.layout.global_options).with(place(client)));
    Value::List(told.collect())
}

fn place(client: &Client<'_>) -> Vec<(&'static str, Value)> {
    vec![
        ("hostname", Value::text(client.host.clone())),
        ("port", Value::number(client.port)),
    ]
}

/// The rows of each client, and of all where there are several; fio has its own times in none.
fn client_stats(result: &RunResult, clients: &[Client<'_>], with_bins: bool) -> Vec<Value> {
    const OF_A_RUN: &[&str] = &["eta", "elapsed"];
    const OF_A_JOB: &[&str] = &[
        "eta",
        "elapsed",
        "job options",
        "latency_depth",
        "latency_target",
        "latency_percentile",
        "latency_window",
    ];
    let mut told = Vec::new();
    for client in clients {
        let rows = jobs(&client.result, client.layout, with_bins).into_iter();
        told.extend(rows.map(|row| row.without(OF_A_RUN).with(place(client))));
    }
    // fio puts the position of the last next to the values of all.
    if let (Some(all), Some(last)) = (row_of_all(clients), clients.last()) {
        let figures = added_up(&rows(clients), &all, result);
        let row = job(&figures, with_bins).without(OF_A_JOB);
        told.push(row.with(place(last)));
    }
    told
}

/// What readers of the version see: the layout, and who wrote it.
pub(super) fn version(result: &RunResult) -> String {
    version_of(&result.provenance.version)
}

fn fathom(result: &RunResult, layout: &FioLayout) -> Value {
    let caveats = result.caveats.iter().map(|caveat| {
        Value::object(vec![
            ("code", Value::text(caveat.code.to_string())),
            ("message", Value::text(caveat.message.clone())),
        ])
    });
    let mut fields = vec![
        ("version", Value::text(result.provenance.version.clone())),
        ("run_id", Value::text(result.run_id.clone())),
        ("state", Value::text(result.state.word())),
        ("caveats", Value::List(caveats.collect())),
    ];
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    if jobs.into_iter().any(|job| !job.engine.is_empty()) {
        let stages = Stage::all(result);
        let engines = layout.rows.iter().map(|row| {
            let stage = stages.get(row.phase.as_str());
            (row.name.clone(), Value::text(engine(result, stage, row)))
        });
        fields.push(("engines", Value::Object(engines.collect())));
    }
    let unknown = result.provenance.origin.unknown();
    if let Some(unknown) = unknown.filter(|unknown| !unknown.is_empty()) {
        let names = unknown
            .iter()
            .map(|field| Value::text(field.name().to_owned()));
        fields.push(("unknown", Value::List(names.collect())));
    }
    Value::object(fields)
}

fn options(options: &[(String, String)]) -> Value {
    let pair = |(name, value): &(String, String)| (name.clone(), Value::text(value.clone()));
    // The last mention of an option is the one that holds.
    let last = options
        .iter()
        .enumerate()
        .filter(|(index, (name, _))| !options[index + 1..].iter().any(|(other, _)| other == name));
    Value::Object(last.map(|(_, option)| pair(option)).collect())
}

fn job(figures: &Figures<'_>, with_bins: bool) -> Value {
    let row = figures.row;
    let mut fields = vec![
        ("jobname", Value::text(row.name.clone())),
        ("groupid", Value::number(row.group)),
        ("error", Value::number(figures.error)),
        ("eta", Value::number(0)),
        ("elapsed", Value::number(figures.elapsed_s)),
    ];
    // fio has no key where a section says nothing.
    if !row.options.is_empty() {
        fields.push(("job options", options(&row.options)));
    }
    let (mixed, apart): (Vec<_>, Vec<_>) = figures
        .directions
        .iter()
        .map(|(name, direction)| (*name, self::direction(direction, row, with_bins)))
        .partition(|(name, _)| *name == MIXED);
    fields.extend(apart);
    if row.unified != Unified::Mixed {
        let percentiles = row.completion_percentiles || row.total_percentiles;
        let sync = vec![
            ("total_ios", Value::number(figures.sync_ios)),
            ("lat_ns", detail(&figures.sync, row, percentiles, with_bins)),
        ];
        fields.push(("sync", Value::object(sync)));
    }
    fields.extend(mixed);
    fields.extend([
        ("job_runtime", Value::number(figures.runtime_ms)),
        ("usr_cpu", Value::decimal(figures.user_percent)),
        ("sys_cpu", Value::decimal(figures.system_percent)),
        ("ctx", Value::number(figures.switches)),
        ("majf", Value::number(figures.major_faults)),
        ("minf", Value::number(figures.minor_faults)),
        ("iodepth_level", levels(&figures.depth_shares)),
        ("iodepth_submit", steps(&figures.submitted_shares)),
        ("iodepth_complete", steps(&figures.completed_shares)),
    ]);
    for (series, (name, ..)) in EDGES.iter().enumerate() {
        let shares = latency_shares(&figures.all, series);
        let shares = shares
            .into_iter()
            .map(|(name, share)| (name, Value::decimal(share)));
        fields.push((name, Value::object(shares.collect())));
    }
    if let Some((total, first)) = figures.errors {
        fields.extend([
            ("total_err", Value::number(total)),
            ("first_error", Value::number(first)),
        ]);
    }
    fields.extend([
        ("latency_depth", Value::number(figures.depth)),
        ("latency_target", Value::number(0)),
        ("latency_percentile", Value::decimal(100.0)),
        ("latency_window", Value::number(0)),
    ]);
    if let Some(description) = &row.description {
        fields.push(("desc", Value::text(description.clone())));
    }
    if let Some(steady) = &figures.steady {
        fields.push(("steadystate", steady.json()));
    }
    Value::object(fields)
}

fn direction(direction: &Direction, row: &FioJob, with_bins: bool) -> Value {
    let Direction {
        bw, iops_samples, ..
    } = direction;
    let whole = |number: f64| Value::number(number.round() as u64);
    let detailed =
        |latency: &Latency, percentiles: bool| detail(latency, row, percentiles, with_bins);
    let mut fields = vec![
        ("io_bytes", Value::number(direction.bytes)),
        ("io_kbytes", Value::number(direction.bytes / 1024)),
        ("bw_bytes", Value::number(direction.bytes_per_second as u64)),
        (
            "bw",
            Value::number((direction.bytes_per_second / 1024.0) as u64),
        ),
        ("iops", Value::decimal(direction.iops)),
        ("runtime", Value::number(direction.runtime_ms)),
        ("total_ios", Value::number(direction.ios)),
        ("short_ios", Value::number(direction.short)),
        ("drop_ios", Value::number(0)),
        (
            "slat_ns",
            detailed(&direction.submission, row.submission_percentiles),
        ),
        (
            "clat_ns",
            detailed(&direction.latency, row.completion_percentiles),
        ),
        ("lat_ns", detailed(&direction.total, row.total_percentiles)),
    ];
    fields.extend([
        ("bw_min", whole(bw.min)),
        ("bw_max", whole(bw.max)),
        ("bw_agg", Value::decimal(direction.of_group)),
        ("bw_mean", Value::decimal(bw.mean)),
        ("bw_dev", Value::decimal(bw.stddev)),
        ("bw_samples", Value::number(bw.count)),
        ("iops_min", whole(iops_samples.min)),
        ("iops_max", whole(iops_samples.max)),
        ("iops_mean", Value::decimal(iops_samples.mean)),
        ("iops_stddev", Value::decimal(iops_samples.stddev)),
        ("iops_samples", Value::number(iops_samples.count)),
    ]);
    Value::object(fields)
}

fn moments(latency: &Latency) -> Vec<(&'static str, Value)> {
    vec![
        ("min", Value::number(latency.min)),
        ("max", Value::number(latency.max)),
        ("mean", Value::decimal(latency.mean)),
        ("stddev", Value::decimal(latency.stddev)),
        ("N", Value::number(latency.count)),
    ]
}

/// A distribution, with percentiles where they are wanted, as fio has them: only with samples.
fn detail(latency: &Latency, row: &FioJob, wanted: bool, with_bins: bool) -> Value {
    let mut fields = moments(latency);
    let told = latency.percentiles(&row.percentiles);
    if wanted && latency.count > 0 && !told.is_empty() {
        fields.push(("percentile", percentiles(told)));
        if let (true, Some(histogram)) = (with_bins, &latency.histogram) {
            let bins = histogram
                .buckets()
                .map(|(edge, count)| (edge.to_string(), Value::number(count)));
            fields.push(("bins", Value::Object(bins.collect())));
        }
    }
    Value::object(fields)
}

fn percentiles(told: Vec<(f64, u64)>) -> Value {
    let pairs = told.into_iter();
    let pairs = pairs.map(|(percent, value)| (format!("{percent:.6}"), Value::number(value)));
    Value::Object(pairs.collect())
}

fn levels(shares: &[f64; 7]) -> Value {
    let names = ["1", "2", "4", "8", "16", "32", ">=64"];
    let pairs = names.into_iter().zip(shares);
    Value::object(
        pairs
            .map(|(name, share)| (name, Value::decimal(*share)))
            .collect(),
    )
}

/// How many requests calls submitted or completed.
fn steps(shares: &[f64; 7]) -> Value {
    let names = ["0", "4", "8", "16", "32", "64", ">=64"];
    let pairs = names.into_iter().zip(shares);
    Value::object(
        pairs
            .map(|(name, share)| (name, Value::decimal(*share)))
            .collect(),
    )
}

/// What one device counted over all phases.
#[derive(Default)]
pub(super) struct Disk {
    pub(super) reads: u64,
    pub(super) writes: u64,
    pub(super) reads_merged: u64,
    pub(super) writes_merged: u64,
    pub(super) read_ms: u64,
    pub(super) write_ms: u64,
    pub(super) queue_ms: u64,
    pub(super) util_percent: f64,
}

/// The devices by name.
pub(super) fn devices(result: &RunResult) -> BTreeMap<&str, Disk> {
    let mut all: BTreeMap<&str, Disk> = BTreeMap::new();
    let measured: u64 = result.phases.iter().map(|phase| phase.measured_ns).sum();
    for device in result.phases.iter().flat_map(|phase| &phase.devices) {
        let disk = all.entry(&device.device).or_default();
        disk.reads += device.reads;
        disk.writes += device.writes;
        disk.reads_merged += device.reads_merged;
        disk.writes_merged += device.writes_merged;
        disk.read_ms += device.read_time_ns / 1_000_000;
        disk.write_ms += device.write_time_ns / 1_000_000;
        disk.queue_ms += device.queue_ns / 1_000_000;
        disk.util_percent += device.busy_ns as f64 * 100.0 / measured.max(1) as f64;
    }
    all
}

fn disks(result: &RunResult) -> Vec<Value> {
    let disk = |(name, disk): (&str, Disk)| {
        Value::object(vec![
            ("name", Value::text(name)),
            ("read_ios", Value::number(disk.reads)),
            ("write_ios", Value::number(disk.writes)),
            ("read_merges", Value::number(disk.reads_merged)),
            ("write_merges", Value::number(disk.writes_merged)),
            ("read_ticks", Value::number(disk.read_ms)),
            ("write_ticks", Value::number(disk.write_ms)),
            ("in_queue", Value::number(disk.queue_ms)),
            ("util", Value::decimal(disk.util_percent.min(100.0))),
        ])
    };
    devices(result).into_iter().map(disk).collect()
}
