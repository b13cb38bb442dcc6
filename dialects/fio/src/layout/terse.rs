//! fio's terse form, versions 2 to 5: one line a row, times in microseconds.

use super::clients::{clients, row_of_all, rows};
use super::figures::{Direction, Figures, Latency, added_up, figures, latency_shares};
use super::json::{devices, version};
use super::{FioLayout, FioPart};
use crate::terse::TerseVersion;
use crate::terse::{Figure, Moment, NO_PERCENTILE, SERIES, Sample, TersePlace, Time, places};
use fathom_core::result::RunResult;
use fathom_core::summary::Spread;
use std::array;

/// The lines of a run, or of each of the clients of runs and of all of them.
pub(crate) fn render(first: FioPart<'_>, parts: &[FioPart<'_>], version: TerseVersion) -> String {
    let FioPart { result, layout } = first;
    let Some(clients) = clients(parts) else {
        return lines(result, layout, version);
    };
    let own = clients.iter();
    let own = own.map(|client| lines(&client.result, client.layout, version));
    let all = row_of_all(&clients).map(|all| {
        let figures = added_up(&rows(&clients), &all, result);
        line(&figures, &self::version(result), version).join(";") + "\n"
    });
    own.chain(all).collect()
}

fn lines(result: &RunResult, layout: &FioLayout, version: TerseVersion) -> String {
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
    let shares = array::from_fn::<_, 2, _>(|at| latency_shares(&figures.all, SERIES[at].0));
    // There are no places for nanoseconds: the first of microseconds has them.
    let below = latency_shares(&figures.all, 0).into_iter();
    let below: f64 = below.map(|(_, share)| share).sum();
    let share = |series: usize, bucket: usize| {
        let at = SERIES.iter().position(|(known, _)| *known == series);
        let found = at.and_then(|at| shares[at].get(bucket));
        let found = found.map_or(0.0, |(_, share)| *share);
        if (at, bucket) == (Some(0), 0) {
            return found + below;
        }
        found
    };
    let empty = Direction::default();
    let named = |name: &str| {
        let found = figures.directions.iter().find(|(other, _)| *other == name);
        found.map_or(&empty, |(_, direction)| direction)
    };
    let text = |place: TersePlace| match place {
        TersePlace::Version => version.number().to_string(),
        TersePlace::Fio => fio.to_owned(),
        TersePlace::Job => row.name.clone(),
        TersePlace::Group => row.group.to_string(),
        TersePlace::Error => figures.error.to_string(),
        TersePlace::Of(name, figure) => self::figure(named(name), figure, figures),
        TersePlace::UserPercent => format!("{:.6}%", figures.user_percent),
        TersePlace::SystemPercent => format!("{:.6}%", figures.system_percent),
        TersePlace::Switches => figures.switches.to_string(),
        TersePlace::MajorFaults => figures.major_faults.to_string(),
        TersePlace::MinorFaults => figures.minor_faults.to_string(),
        TersePlace::Depth(bucket) => format!("{:.1}%", figures.depth_shares[bucket]),
        TersePlace::Share(series, bucket) => format!("{:.2}%", share(series, bucket)),
    };
    places(version, row.unified).into_iter().map(text).collect()
}

fn figure(direction: &Direction, figure: Figure, figures: &Figures<'_>) -> String {
    match figure {
        Figure::Kib => (direction.bytes / 1024).to_string(),
        Figure::KibPerSecond => ((direction.bytes_per_second / 1024.0) as u64).to_string(),
        Figure::Iops => (direction.iops as u64).to_string(),
        Figure::RuntimeMs => direction.runtime_ms.to_string(),
        Figure::Time(time, moment) => {
            let latency = match time {
                Time::Submission => &direction.submission,
                Time::Completion => &direction.latency,
                Time::Total => &direction.total,
            };
            self::moment(latency, moment)
        }
        Figure::Percentile(index) => percentile(direction, index, figures),
        Figure::Bandwidth(of) => sample(&direction.bw, of),
        Figure::GroupPercent => format!("{:.6}%", direction.of_group),
        Figure::IopsBy(of) => sample(&direction.iops_samples, of),
    }
}

/// One place for percentiles: those of the whole time, where they are wanted.
fn percentile(direction: &Direction, index: usize, figures: &Figures<'_>) -> String {
    let row = figures.row;
    let latency = if row.total_percentiles {
        &direction.total
    } else {
        &direction.latency
    };
    let is_wanted = row.total_percentiles || row.completion_percentiles;
    match row.percentiles.get(index).filter(|_| is_wanted) {
        Some(percent) => {
            let value = latency.percentile(*percent).unwrap_or(0);
            format!("{percent:.6}%={}", value / 1000)
        }
        None => NO_PERCENTILE.to_owned(),
    }
}

fn moment(latency: &Latency, moment: Moment) -> String {
    match moment {
        Moment::Min => (latency.min / 1000).to_string(),
        Moment::Max => (latency.max / 1000).to_string(),
        Moment::Mean => format!("{:.6}", latency.mean / 1000.0),
        Moment::Deviation => format!("{:.6}", latency.stddev / 1000.0),
    }
}

fn sample(spread: &Spread, of: Sample) -> String {
    match of {
        Sample::Of(Moment::Min) => (spread.min.round() as u64).to_string(),
        Sample::Of(Moment::Max) => (spread.max.round() as u64).to_string(),
        Sample::Of(Moment::Mean) => format!("{:.6}", spread.mean),
        Sample::Of(Moment::Deviation) => format!("{:.6}", spread.stddev),
        Sample::Count => spread.count.to_string(),
    }
}
