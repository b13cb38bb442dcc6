//! Percentiles on an axis of nines.

use super::lines::Look;
use super::panel::{Panel, WIDTH};
use super::scale::Axis;
use super::{Drawn, ranged, tenth};
use crate::charts::Unit;
use crate::charts::curve::{Curve, CurveLine};
use crate::figure::count;

const HEIGHT: f64 = 240.0;
/// Markers along the line of a run.
const MARKERS: usize = 5;

pub(super) fn draw(curve: &Curve) -> Drawn {
    let all = || {
        curve
            .lines
            .iter()
            .flat_map(|line| [&line.latency_ns, &line.low_ns, &line.high_ns])
            .flatten()
            .copied()
    };
    let y = Axis::over(Unit::Ns, true, all(), 8);
    let shares = curve.lines.iter().flat_map(|line| &line.quantile);
    let end = shares.map(|share| nines(*share)).fold(1.0, f64::max);
    let mut panel = Panel::new(HEIGHT, "latency", &y);
    panel.x = ticks(end);
    let looks = Look::all(
        &curve
            .lines
            .iter()
            .map(|line| line.role.as_str())
            .collect::<Vec<_>>(),
    );
    for (line, look) in curve.lines.iter().zip(&looks) {
        let points = line.quantile.iter().zip(&line.latency_ns);
        let points = points.map(|(share, value)| (nines(*share) / end, *value));
        let path = panel.path(points.clone().map(|(x, value)| (x, value, true)));
        let mut out = band(line, end, &panel, &look.class);
        look.line(&path, &mut out);
        panel.area += &out;
        let step = line.quantile.len().div_ceil(MARKERS).max(1);
        for (x, value) in points.skip(step / 2).step_by(step) {
            if let Some(share) = y.share(value) {
                look.mark(x, panel.top(share), &mut panel.over);
            }
        }
    }
    let keys = curve.lines.iter().zip(&looks);
    let keys: Vec<_> = keys.map(|(line, look)| look.key(&line.label)).collect();
    let mut drawn = Drawn {
        svg: panel.svg(""),
        keys: if keys.len() > 1 { keys } else { Vec::new() },
        ..Drawn::default()
    };
    table(curve, end, &mut drawn);
    drawn.spoken = curve
        .lines
        .iter()
        .map(spoken)
        .collect::<Vec<_>>()
        .join("; ");
    drawn
}

/// From the lowest to the highest run.
fn band(line: &CurveLine, end: f64, panel: &Panel<'_>, class: &str) -> String {
    let place = |(share, value): (&f64, &f64)| {
        let top = panel.top(panel.y.share(*value).unwrap_or(0.0));
        format!("{} {top}", tenth(nines(*share) / end * WIDTH))
    };
    let upper = line.quantile.iter().zip(&line.high_ns).map(place);
    let lower = line.quantile.iter().zip(&line.low_ns).rev().map(place);
    let edge = upper.chain(lower).collect::<Vec<_>>().join("L");
    match edge.as_str() {
        "" => String::new(),
        edge => format!("<path class=\"band {class}\" d=\"M{edge}Z\"/>"),
    }
}

/// How many nines a share has.
fn nines(share: f64) -> f64 {
    -(1.0 - share).max(1e-15).log10()
}

/// The median and every nine.
fn ticks(end: f64) -> Vec<(f64, String)> {
    let mut ticks = vec![(nines(0.5) / end, "p50".to_owned())];
    for nine in 1..=(end + 0.01).floor() as usize {
        let words = match nine {
            1 => "p90".to_owned(),
            2 => "p99".to_owned(),
            more => format!("p99.{}", "9".repeat(more - 2)),
        };
        ticks.push((nine as f64 / end, words));
    }
    ticks
}

fn table(curve: &Curve, end: f64, drawn: &mut Drawn) {
    let longest = curve.lines.iter().max_by_key(|line| line.percent.len());
    let Some(longest) = longest else { return };
    drawn.heads.push("percentile".to_owned());
    drawn
        .heads
        .extend(curve.lines.iter().map(|line| line.label.clone()));
    let mut edges = Vec::new();
    for (index, percent) in longest.percent.iter().enumerate() {
        let mut row = vec![format!("p{percent}")];
        row.extend(curve.lines.iter().map(|line| {
            let at = |values: &[f64]| values.get(index).copied().unwrap_or(f64::NAN);
            let range = (at(&line.low_ns), at(&line.high_ns));
            ranged(Unit::Ns, "", at(&line.latency_ns), range)
        }));
        drawn.rows.push(row);
        let next = longest
            .quantile
            .get(index + 1)
            .unwrap_or(&longest.quantile[index]);
        let middle = f64::midpoint(nines(longest.quantile[index]), nines(*next));
        edges.push(format!("{}", (middle / end * 1000.0).round()));
    }
    drawn.edges = edges.join(" ");
}

fn spoken(line: &CurveLine) -> String {
    let (Some(percent), Some(value)) = (line.percent.last(), line.latency_ns.last()) else {
        return line.label.clone();
    };
    let value = super::words(Unit::Ns, "", *value);
    format!(
        "{}: p{percent} is {value}, of {} requests",
        line.label,
        count(line.count)
    )
}
