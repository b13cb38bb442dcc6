//! fio's terse form, versions 2 to 5: one line a row, times in microseconds.

use super::figures::{Direction, Figures, Latency, figures, latency_shares};
use super::json::{devices, version};
use super::{FioLayout, TerseVersion};
use crate::fio::FioJob;
use fathom_core::result::RunResult;

/// Places for percentiles in a line.
const PERCENTILES: usize = 20;

pub(crate) fn render(result: &RunResult, layout: &FioLayout, version: TerseVersion) -> String {
    let disks: Vec<String> = devices(result)
        .into_iter()
        .filter(|_| layout.disk_util && version != TerseVersion::V2)
        .flat_map(|(name, disk)| {
            [
                name.to_owned(),
                disk.reads.to_string(),
                disk.writes.to_string(),
                disk.reads_merged.to_string(),
                disk.writes_merged.to_string(),
                "0".to_owned(),
                "0".to_owned(),
                disk.queue_ms.to_string(),
                format!("{:.2}%", disk.util_percent.min(100.0)),
            ]
        })
        .collect();
    let mut text = String::new();
    for figures in figures(result, layout) {
        let mut fields = line(&figures, &self::version(result), version);
        fields.extend(disks.iter().cloned());
        if let Some((total, first)) = figures.errors {
            fields.extend([total.to_string(), first.to_string()]);
        }
        let description = figures.row.description.clone();
        if version == TerseVersion::V2 {
            text += &fields.join(";");
            text.push('\n');
            text += &description.map_or_else(String::new, |words| format!(";{words}\n"));
            continue;
        }
        fields.extend(description);
        text += &fields.join(";");
        text.push('\n');
    }
    text
}

fn line(figures: &Figures<'_>, fio: &str, version: TerseVersion) -> Vec<String> {
    let row = figures.row;
    let mut fields = match version {
        TerseVersion::V2 => vec!["2".to_owned()],
        TerseVersion::V3 => vec!["3".to_owned(), fio.to_owned()],
        TerseVersion::V4 => vec!["4".to_owned(), fio.to_owned()],
        TerseVersion::V5 => vec!["5".to_owned(), fio.to_owned()],
    };
    fields.extend([
        row.name.clone(),
        row.group.to_string(),
        figures.error.to_string(),
    ]);
    let empty = Direction::default();
    let named = |name: &str| {
        let found = figures.directions.iter().find(|(other, _)| *other == name);
        found.map(|(_, direction)| direction)
    };
    // One set over all directions has one place.
    let names: &[&str] = match (named("read"), version) {
        (None, _) => &["mixed"],
        (Some(_), TerseVersion::V3) => &["read", "write"],
        (Some(_), _) => &["read", "write", "trim"],
    };
    for name in names {
        let found = named(name).unwrap_or(&empty);
        direction(&mut fields, found, row, version == TerseVersion::V5);
    }
    fields.extend([
        format!("{:.6}%", figures.user_percent),
        format!("{:.6}%", figures.system_percent),
        figures.switches.to_string(),
        figures.major_faults.to_string(),
        "0".to_owned(),
    ]);
    fields.extend(figures.depth_shares.map(|share| format!("{share:.1}%")));
    for series in [1, 2] {
        let shares = latency_shares(&figures.all, series);
        fields.extend(shares.into_iter().map(|(_, share)| format!("{share:.2}%")));
    }
    fields
}

fn direction(fields: &mut Vec<String>, direction: &Direction, row: &FioJob, with_iops: bool) {
    let bw = &direction.bw;
    fields.extend([
        (direction.bytes / 1024).to_string(),
        ((direction.bytes_per_second / 1024.0) as u64).to_string(),
        (direction.iops as u64).to_string(),
        direction.runtime_ms.to_string(),
    ]);
    moments(fields, &direction.submission);
    moments(fields, &direction.latency);
    // One place for percentiles: those of the whole time, where they are wanted.
    let latency = if row.total_percentiles {
        &direction.total
    } else {
        &direction.latency
    };
    let mut given = row.percentiles.iter().take(PERCENTILES);
    for _ in 0..PERCENTILES {
        fields.push(match given.next() {
            Some(percent) => {
                let value = latency.percentile(*percent).unwrap_or(0);
                format!("{percent:.6}%={}", value / 1000)
            }
            None => "0%=0".to_owned(),
        });
    }
    moments(fields, &direction.total);
    fields.extend([
        (bw.min.round() as u64).to_string(),
        (bw.max.round() as u64).to_string(),
        format!("{:.6}%", direction.of_group),
        format!("{:.6}", bw.mean),
        format!("{:.6}", bw.stddev),
    ]);
    if with_iops {
        let iops = &direction.iops_samples;
        fields.extend([
            bw.count.to_string(),
            (iops.min.round() as u64).to_string(),
            (iops.max.round() as u64).to_string(),
            format!("{:.6}", iops.mean),
            format!("{:.6}", iops.stddev),
            iops.count.to_string(),
        ]);
    }
}

fn moments(fields: &mut Vec<String>, latency: &Latency) {
    fields.extend([
        (latency.min / 1000).to_string(),
        (latency.max / 1000).to_string(),
        format!("{:.6}", latency.mean / 1000.0),
        format!("{:.6}", latency.stddev / 1000.0),
    ]);
}
