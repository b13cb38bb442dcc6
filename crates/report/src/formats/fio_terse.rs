//! fio's terse form, version 3: one line a row, times in microseconds.

use super::fio_figures::{Direction, Figures, Latency, figures, latency_shares};
use super::fio_json::{devices, version};
use super::fio_layout::{FioLayout, FioRow};
use fathom_core::result::RunResult;

/// Places for percentiles in a line.
const PERCENTILES: usize = 20;

pub(crate) fn render(result: &RunResult, layout: &FioLayout) -> String {
    let disks: Vec<String> = devices(result)
        .into_iter()
        .filter(|_| layout.disk_util)
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
        let mut fields = line(&figures, &version(result));
        fields.extend(disks.iter().cloned());
        fields.extend(figures.row.description.clone());
        text += &fields.join(";");
        text.push('\n');
    }
    text
}

fn line(figures: &Figures<'_>, version: &str) -> Vec<String> {
    let row = figures.row;
    let mut fields = vec![
        "3".to_owned(),
        version.to_owned(),
        row.name.clone(),
        row.group.to_string(),
        figures.error.to_string(),
    ];
    let empty = Direction::default();
    let named = |name: &str| {
        let found = figures.directions.iter().find(|(other, _)| *other == name);
        found.map(|(_, direction)| direction)
    };
    let mixed = named("mixed");
    let read = named("read").or(mixed).unwrap_or(&empty);
    let write = named("write").unwrap_or(&empty);
    direction(&mut fields, read, row);
    direction(&mut fields, write, row);
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

fn direction(fields: &mut Vec<String>, direction: &Direction, row: &FioRow) {
    let bw = &direction.bw;
    fields.extend([
        (direction.bytes / 1024).to_string(),
        ((direction.bytes_per_second / 1024.0) as u64).to_string(),
        (direction.iops as u64).to_string(),
        direction.runtime_ms.to_string(),
    ]);
    moments(fields, &Latency::default());
    moments(fields, &direction.latency);
    let mut given = row.percentiles.iter().take(PERCENTILES);
    for _ in 0..PERCENTILES {
        fields.push(match given.next() {
            Some(percent) => {
                let value = direction.latency.percentile(*percent).unwrap_or(0);
                format!("{percent:.6}%={}", value / 1000)
            }
            None => "0%=0".to_owned(),
        });
    }
    moments(fields, &direction.latency);
    fields.extend([
        (bw.min.round() as u64).to_string(),
        (bw.max.round() as u64).to_string(),
        format!("{:.6}%", direction.of_group),
        format!("{:.6}", bw.mean),
        format!("{:.6}", bw.stddev),
    ]);
}

fn moments(fields: &mut Vec<String>, latency: &Latency) {
    fields.extend([
        (latency.min / 1000).to_string(),
        (latency.max / 1000).to_string(),
        format!("{:.6}", latency.mean / 1000.0),
        format!("{:.6}", latency.stddev / 1000.0),
    ]);
}
