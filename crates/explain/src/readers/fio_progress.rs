//! The lines that fio prints while it runs.

use crate::number::{lead, plain, si, size_with, time_unit};

/// Rates by the time at which they were printed.
#[derive(Default)]
pub(super) struct Progress {
    pub(super) lines: (usize, usize),
    /// Seconds of the whole run.
    seconds: f64,
    /// Percentages of the time, and the requests per second at each.
    points: Vec<(f64, f64)>,
    /// The last rates of reads and of writes: bytes and requests per second.
    pub(super) last: [(Option<f64>, Option<f64>); 2],
}

impl Progress {
    /// `Jobs: 4 (f=4): [w(4)][16.7%][r=0KiB/s,w=47.7MiB/s][r=0,w=12.2k IOPS][eta 00m:50s]`
    pub(super) fn take(&mut self, number: usize, text: &str) {
        let mut percent = None;
        for field in text.split('[').skip(1) {
            let field = field.split(']').next().unwrap_or(field);
            if let Some(share) = field.strip_suffix('%') {
                percent = plain(share);
            } else if let Some(eta) = field.strip_prefix("eta ") {
                let left = clock(eta).zip(percent.filter(|percent| *percent < 100.0));
                let all = left.map(|(left, percent)| left / (1.0 - percent / 100.0));
                self.seconds = all.unwrap_or(0.0).max(self.seconds);
            } else {
                let is_count = field.ends_with(" IOPS");
                for cell in field.trim_end_matches(" IOPS").split(',') {
                    let (name, value) = cell.split_once('=').unwrap_or_default();
                    let side = match name {
                        "r" => &mut self.last[0],
                        "w" => &mut self.last[1],
                        _ => continue,
                    };
                    if is_count {
                        side.1 = si(value).filter(|rate| *rate > 0.0);
                    } else {
                        side.0 = size_with(value, false).filter(|rate| *rate > 0.0);
                    }
                }
            }
        }
        let all: f64 = self.last.iter().filter_map(|(_, requests)| *requests).sum();
        let last = self.points.last().map_or(0.0, |(at, _)| *at);
        if let Some(percent) = percent.filter(|percent| *percent > last && *percent <= 100.0)
            && all > 0.0
        {
            self.points.push((percent, all));
        }
        if self.lines.0 == 0 {
            self.lines.0 = number;
        }
        self.lines.1 = number;
    }

    /// The rate in each hundredth of the run, as far as it was seen.
    pub(super) fn series(&self) -> Option<(f64, Vec<f64>)> {
        let mut rates = Vec::new();
        for (percent, rate) in &self.points {
            rates.resize(percent.round() as usize, *rate);
        }
        (self.points.len() >= 4 && self.seconds > 0.0).then_some((self.seconds / 100.0, rates))
    }
}

/// Seconds of `01h:17m:44s`.
fn clock(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        let (number, unit) = lead(part)?;
        seconds += number * time_unit(unit).unwrap_or(8.64e13) / 1e9;
    }
    Some(seconds)
}
