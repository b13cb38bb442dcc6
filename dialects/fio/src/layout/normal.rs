//! fio's form for people. `slat` has no line where it has no samples, as with fio.

mod amount;
pub(crate) mod heading;

use super::clients::{clients, row_of_all, rows};
use super::figures::{Direction, Figures, Latency, added_up, figures, latency_shares};
use super::json::devices;
use super::when::When;
use super::{FioLayout, FioPart, idleness};
use crate::{FioJob, FioUnits};
use fathom_core::result::RunResult;
use std::collections::BTreeMap;

/// The report of a run, or of each of the clients of runs and of all of them.
pub(crate) fn report(first: FioPart<'_>, parts: &[FioPart<'_>]) -> String {
    let FioPart { result, layout } = first;
    // What the terminal shows of the progress ends in its line.
    let mut text = "\n".to_owned();
    let Some(clients) = clients(parts) else {
        return text + &render(result, layout);
    };
    for client in &clients {
        text += &format!("<{}> ", client.name());
        text += &render(&client.result, client.layout);
    }
    if let Some(all) = row_of_all(&clients) {
        let figures = added_up(&rows(&clients), &all, result);
        text += &row(&figures, 0, &When::end_of(result).words());
    }
    text
}

fn render(result: &RunResult, layout: &FioLayout) -> String {
    let all = figures(result, layout);
    let when = When::end_of(result).words();
    let mut text = String::new();
    // fio says nothing of a job that has done nothing.
    for figures in all.iter().filter(|one| has_done_any(one)) {
        text += &row(figures, layout.process, &when);
    }
    text += &groups(&all);
    if layout.disk_util {
        text += &disks(result);
    }
    if let Some(wanted) = layout.idleness {
        text += &idleness::lines(result, wanted);
    }
    text
}

fn has_done_any(figures: &Figures<'_>) -> bool {
    figures.directions.iter().any(|(_, found)| found.ios > 0)
}

fn row(figures: &Figures<'_>, process: u32, when: &str) -> String {
    let FioJob {
        name,
        group,
        clones,
        ..
    } = figures.row;
    let error = match figures.error {
        0 => " 0".to_owned(),
        error => format!("{error:>2} (error={})", words_of(error)),
    };
    let mut text =
        format!("{name}: (groupid={group}, jobs={clones}): err={error}: pid={process}: {when}\n");
    if let Some(description) = &figures.row.description {
        text += &format!("  Description  : [{description}]\n");
    }
    let resets = zone_resets(figures);
    for (name, direction) in &figures.directions {
        if direction.ios > 0 && !(*name == "trim" && resets > 0) {
            text += &self::direction(name, direction, figures.row, resets);
        }
    }
    text += &shares(figures);
    if figures.sync.count > 0 {
        text += "  fsync/fdatasync/sync_file_range:\n";
        text += &moments("    sync", &figures.sync);
        text += &percentiles("sync", &figures.sync, figures.row);
    }
    text += &format!(
        "  cpu          : usr={:.2}%, sys={:.2}%, ctx={}, majf={}, minf={}\n",
        figures.user_percent,
        figures.system_percent,
        figures.switches,
        figures.major_faults,
        figures.minor_faults
    );
    text += &depths(figures);
    if let Some(steady) = &figures.steady {
        let units = figures.row.units;
        text += &steady.line(|rate| units.rate_both(rate), |rate| units.count(rate));
    }
    text
}

/// The resets of zones, which are trims of no bytes.
fn zone_resets(figures: &Figures<'_>) -> u64 {
    let mut trims = figures
        .directions
        .iter()
        .filter(|(name, _)| *name == "trim");
    let trims = trims.next().filter(|(_, trims)| trims.bytes == 0);
    trims.map_or(0, |(_, trims)| trims.ios)
}

fn direction(name: &str, direction: &Direction, row: &FioJob, zone_resets: u64) -> String {
    let units = row.units;
    let resets = if name == "write" {
        format!("; {zone_resets} zone resets")
    } else {
        String::new()
    };
    let mut text = format!(
        "  {name}: IOPS={}, BW={}({}/{}msec){resets}\n",
        units.count(direction.iops),
        units.rate_both(direction.bytes_per_second),
        units.bytes(direction.bytes as f64),
        direction.runtime_ms
    );
    if direction.submission.count > 0 {
        text += &moments("    slat", &direction.submission);
    }
    if direction.latency.count > 0 {
        text += &moments("    clat", &direction.latency);
    }
    if direction.total.count > 0 {
        text += &moments("     lat", &direction.total);
    }
    if row.submission_percentiles {
        text += &percentiles("slat", &direction.submission, row);
    }
    if row.completion_percentiles {
        text += &percentiles("clat", &direction.latency, row);
    }
    if row.total_percentiles {
        text += &percentiles("lat", &direction.total, row);
    }
    text + &samples(direction, units)
}

/// What is reported of the samples; nothing where the time was too short for one.
fn samples(direction: &Direction, units: FioUnits) -> String {
    let (bw, iops) = (&direction.bw, &direction.iops_samples);
    let [small, large] = if units.decimal {
        [("kB", 1000.0 / 1024.0), ("MB", 1e6 / 1024.0)]
    } else {
        [("KiB", 1.0), ("MiB", 1024.0)]
    };
    let is_large = bw.mean / large.1 > large.1 / small.1;
    let (unit, factor) = if is_large { large } else { small };
    let mut text = String::new();
    if bw.count > 0 {
        text += &format!(
            "   bw ({unit:>5}/s): min={:>5.0}, max={:>5.0}, per={:.2}%, avg={:>5.2}, \
             stdev={:>5.2}, samples={}\n",
            bw.min / factor,
            bw.max / factor,
            direction.of_group,
            bw.mean / factor,
            bw.stddev / factor,
            bw.count
        );
    }
    if iops.count > 0 {
        text += &format!(
            "   iops        : min={:>5.0}, max={:>5.0}, avg={:>5.2}, stdev={:>5.2}, \
             samples={}\n",
            iops.min, iops.max, iops.mean, iops.stddev, iops.count
        );
    }
    text
}

/// The unit in which two ends of a range are short, and its length in nanoseconds.
const fn unit(least: u64, most: u64) -> (&'static str, u64) {
    if least > 2_000_000 && most > 99_999_999 {
        ("msec", 1_000_000)
    } else if least > 2_000 && most > 99_999 {
        ("usec", 1_000)
    } else {
        ("nsec", 1)
    }
}

fn moments(label: &str, latency: &Latency) -> String {
    // Of times that hardly differ the deviation, too, is to be of a unit at least.
    let most = match latency.stddev {
        0.0..=1e3 => 0,
        0.0..=1e6 => latency.max.min(99_999_999),
        _ => latency.max,
    };
    let (unit, factor) = unit(latency.min, most);
    let scale = factor as f64;
    format!(
        "{label} ({unit}): min={}, max={}, avg={:>5.2}, stdev={:>5.2}\n",
        FioUnits::LATENCIES.count((latency.min / factor) as f64),
        FioUnits::LATENCIES.count((latency.max / factor) as f64),
        latency.mean / scale,
        latency.stddev / scale
    )
}

fn percentiles(label: &str, latency: &Latency, row: &FioJob) -> String {
    let values: Vec<(f64, u64)> = row
        .percentiles
        .iter()
        .filter_map(|percent| Some((*percent, latency.percentile(*percent)?)))
        .collect();
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return String::new();
    };
    let (unit, factor) = unit(first.1, last.1);
    let width = (last.1 / factor).to_string().len().max(5);
    let decimals = row.percentile_decimals;
    let before = decimals + 3;
    let cell = |(percent, value): &(f64, u64)| {
        let value = value.div_ceil(factor);
        format!("{percent:>before$.decimals$}th=[{value:>width$}]")
    };
    let cells: Vec<String> = values.iter().map(cell).collect();
    // As many as fit in 80 columns, the cells counted as fio counts them.
    let in_line = (73 / (decimals + 10 + width)).max(1);
    let lines: Vec<String> = cells
        .chunks(in_line)
        .map(|line| format!("     | {}", line.join(", ")))
        .collect();
    format!("    {label} percentiles ({unit}):\n{}\n", lines.join(",\n"))
}

/// The latencies of all requests in steps.
fn shares(figures: &Figures<'_>) -> String {
    let mut text = String::new();
    for (series, unit) in ["nsec", "usec", "msec"].into_iter().enumerate() {
        let shares = latency_shares(&figures.all, series);
        let cells: Vec<String> = shares
            .into_iter()
            .filter(|(_, share)| *share > 0.0)
            .map(|(name, share)| format!("{name}={share:.2}%"))
            .collect();
        for line in cells.chunks(5) {
            text += &format!("  lat ({unit})   : {}\n", line.join(", "));
        }
    }
    text
}

/// The line of errors, where they are counted.
fn errors(figures: &Figures<'_>) -> String {
    let Some((total, first)) = figures.errors else {
        return String::new();
    };
    let words = words_of(first);
    format!("     errors    : total={total}, first_error={first}/<{words}>\n")
}

/// What the system says of an error.
fn words_of(error: i32) -> String {
    let words = std::io::Error::from_raw_os_error(error).to_string();
    let words = words.split(" (os error ").next();
    words.unwrap_or_default().to_owned()
}

fn depths(figures: &Figures<'_>) -> String {
    let list = |names: [&str; 7], shares: [f64; 7]| {
        let cells = names.into_iter().zip(shares);
        let cells: Vec<String> = cells.map(|(n, share)| format!("{n}={share:.1}%")).collect();
        cells.join(", ")
    };
    let ops = |of: fn(&Direction) -> u64| {
        ["read", "write", "trim"].map(|name| {
            let mut found = figures
                .directions
                .iter()
                .filter(|(other, _)| *other == name);
            found.next().map_or(0, |(_, direction)| of(direction))
        })
    };
    let [reads, writes, trims] = ops(|direction| direction.ios);
    let short = ops(|direction| direction.short);
    let sent = ["0", "4", "8", "16", "32", "64", ">=64"];
    format!(
        "  IO depths    : {}\n     submit    : {}\n     complete  : {}\n     issued rwts: \
         total={reads},{writes},{trims},{} short={},{},{},0 dropped=0,0,0,0\n{}     \
         latency   : target=0, window=0, percentile=100.00%, depth={}\n",
        list(
            ["1", "2", "4", "8", "16", "32", ">=64"],
            figures.depth_shares
        ),
        list(sent, figures.submitted_shares),
        list(sent, figures.completed_shares),
        figures.sync_ios,
        short[0],
        short[1],
        short[2],
        errors(figures),
        figures.depth,
    )
}

fn groups(all: &[Figures<'_>]) -> String {
    let mut groups: BTreeMap<u32, Vec<&Figures<'_>>> = BTreeMap::new();
    for figures in all {
        groups.entry(figures.row.group).or_default().push(figures);
    }
    let mut text = String::new();
    for (group, rows) in groups {
        text += &format!("\nRun status group {group} (all jobs):\n");
        for name in ["read", "write", "trim", "mixed"] {
            let directions: Vec<&Direction> = rows
                .iter()
                .flat_map(|figures| &figures.directions)
                // fio sums up nothing that took no time: the writes that `verify_only` leaves out.
                .filter(|(other, direction)| *other == name && direction.bytes_per_second > 0.0)
                .map(|(_, direction)| direction)
                .collect();
            // fio takes those of the last.
            let units = rows.last().map(|figures| figures.row.units);
            text += &sum(name, &directions, units.unwrap_or_default());
        }
    }
    text
}

fn sum(name: &str, directions: &[&Direction], units: FioUnits) -> String {
    let rates = || {
        directions
            .iter()
            .map(|direction| direction.bytes_per_second)
    };
    let times = || directions.iter().map(|direction| direction.runtime_ms);
    let (Some(shortest), Some(longest)) = (times().min(), times().max()) else {
        return String::new();
    };
    let bytes: u64 = directions.iter().map(|direction| direction.bytes).sum();
    let total = bytes as f64 * 1000.0 / longest.max(1) as f64;
    let slowest = units.rates(rates().fold(f64::INFINITY, f64::min));
    let fastest = units.rates(rates().fold(0.0, f64::max));
    format!(
        "{:>7}: bw={}, {}-{} ({}-{}), io={}, run={shortest}-{longest}msec\n",
        name.to_uppercase(),
        units.rate_both(total),
        slowest[0],
        fastest[0],
        slowest[1],
        fastest[1],
        units.bytes_both(bytes as f64),
    )
}

fn disks(result: &RunResult) -> String {
    let disks = devices(result);
    if disks.is_empty() {
        return String::new();
    }
    let mut text = "\nDisk stats (read/write):\n".to_owned();
    for (name, disk) in disks {
        text += &format!(
            "  {name}: ios={}/{}, merge={}/{}, ticks={}/{}, in_queue={}, util={:.2}%\n",
            disk.reads,
            disk.writes,
            disk.reads_merged,
            disk.writes_merged,
            disk.read_ms,
            disk.write_ms,
            disk.queue_ms,
            disk.util_percent.min(100.0)
        );
    }
    text
}
