//! Groups of bars, each with its whisker; values far apart are points on a logarithmic axis, where
//! bars would lie.

use super::lines::Look;
use super::scale::{self, Axis};
use super::{Drawn, Key, across, escaped, key_svg, words};
use crate::charts::bars::{Bars, Series};
use std::fmt::Write as _;

/// Pixels of a bar and of the gap between groups.
const BAR: f64 = 12.0;
const GAP: f64 = 12.0;
/// Pixels for the name above its bars, and for the axis above all.
const NAME: f64 = 15.0;
const AXIS: f64 = 20.0;
/// Share of the width for bars; the value of each is printed to their right.
const PLOT: f64 = 0.8;
/// Share of the width between the words of two ticks, at least: what a phone has room for.
const TICK_APART: f64 = 0.17;
/// Further apart than this, values are on a logarithmic axis.
const FAR_APART: f64 = 60.0;

pub(super) fn draw(bars: &Bars) -> Drawn {
    let values = || bars.series.iter().flat_map(|one| &one.value).copied();
    let known = || values().filter(|value| *value > 0.0);
    let (least, most) = (
        known().fold(f64::INFINITY, f64::min),
        known().fold(0.0, f64::max),
    );
    let is_log = most > least * FAR_APART;
    let ends = bars
        .series
        .iter()
        .flat_map(|one| one.low.iter().chain(&one.high))
        .copied();
    let axis = Axis::over(bars.unit, is_log, values().chain(ends), 6);
    let looks = looks(bars);
    let mut out = String::new();
    let mut top = AXIS;
    for (group, name) in bars.groups.iter().enumerate() {
        let _ = write!(
            out,
            "<text class=\"ink\" y=\"{}\">{}</text>",
            top + 11.0,
            escaped(name)
        );
        top += NAME;
        for (one, look) in bars.series.iter().zip(&looks) {
            if one.value[group].is_finite() {
                bar(one, group, look, &axis, top, &mut out);
                top += BAR;
            }
        }
        top += GAP;
    }
    let unit = scale::name(bars.unit);
    let log = if is_log { "log scale" } else { "" };
    let title = [unit, log].into_iter().filter(|part| !part.is_empty());
    let title = title.collect::<Vec<_>>().join(", ");
    let height = top + 8.0;
    let mut svg = format!(
        "<svg class=\"panel flat\" height=\"{height}\" aria-hidden=\"true\">\
         <text class=\"name end\" \
         x=\"100%\" y=\"{}\">{title}</text>",
        height - 4.0
    );
    ticks(&axis, height - 18.0, &mut svg);
    let mut drawn = Drawn {
        svg: svg + &out + "</svg>",
        keys: keys(bars, &looks),
        ..Drawn::default()
    };
    table(bars, &mut drawn);
    drawn
}

/// Lines at round values, down to `bottom`, with those words that do not touch the ones before.
fn ticks(axis: &Axis, bottom: f64, svg: &mut String) {
    let mut said = f64::NEG_INFINITY;
    for (share, words) in axis.ticks() {
        let share = share * PLOT;
        let x = across(share);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{x}%\" x2=\"{x}%\" y1=\"{AXIS}\" y2=\"{bottom}\"/>"
        );
        if share - said >= TICK_APART {
            let class = if share < 0.03 { "" } else { "middle" };
            let _ = write!(
                svg,
                "<text class=\"{class}\" x=\"{x}%\" y=\"12\">{words}</text>"
            );
            said = share;
        }
    }
}

fn looks(bars: &Bars) -> Vec<Look> {
    let series = bars.series.iter().enumerate();
    let look = |(index, one): (usize, &Series)| Look::of(&one.role, index, true);
    series.map(look).collect()
}

fn bar(one: &Series, group: usize, look: &Look, axis: &Axis, top: f64, out: &mut String) {
    let place = |value: f64| PLOT * axis.share(value).unwrap_or(0.0).clamp(0.0, 1.0);
    let at = place(one.value[group]);
    if axis.is_log() {
        let _ = write!(
            out,
            "<circle class=\"bar {}\" cx=\"{}%\" cy=\"{}\" r=\"4\"/>",
            look.class,
            across(at),
            top + BAR / 2.0
        );
    } else {
        let _ = write!(
            out,
            "<rect class=\"bar {}\" y=\"{}\" width=\"{}%\" height=\"{}\"/>",
            look.class,
            top + 1.0,
            across(at),
            BAR - 2.0
        );
    }
    let (low, high) = (place(one.low[group]), place(one.high[group]));
    if high - low > 0.002 {
        let _ = write!(
            out,
            "<line class=\"whisker\" x1=\"{}%\" x2=\"{}%\" y1=\"{2}\" y2=\"{2}\"/>",
            across(low),
            across(high),
            top + BAR / 2.0
        );
    }
    look.mark(at, top + BAR / 2.0, out);
    let _ = write!(
        out,
        "<text class=\"ink end\" x=\"100%\" y=\"{}\">{}</text>",
        top + BAR - 2.0,
        words(axis.unit, "", one.value[group])
    );
}

fn keys(bars: &Bars, looks: &[Look]) -> Vec<Key> {
    if bars.series.len() < 2 {
        return Vec::new();
    }
    let key = |(one, look): (&Series, &Look)| match look.marker {
        Some(_) => look.key(&one.label),
        None => Key {
            label: one.label.clone(),
            svg: key_svg(&look.class),
        },
    };
    bars.series.iter().zip(looks).map(key).collect()
}

fn table(bars: &Bars, drawn: &mut Drawn) {
    drawn.heads.push(String::new());
    for one in &bars.series {
        drawn
            .heads
            .extend([one.label.clone(), "from".to_owned(), "to".to_owned()]);
    }
    let mut spoken = Vec::new();
    for (group, name) in bars.groups.iter().enumerate() {
        let mut row = vec![name.clone()];
        for one in &bars.series {
            let say = |values: &[f64]| words(bars.unit, "", values[group]);
            if one.value[group].is_finite() {
                spoken.push(format!("{name} {} {}", one.label, say(&one.value)));
            }
            row.extend([say(&one.value), say(&one.low), say(&one.high)]);
        }
        drawn.rows.push(row);
    }
    drawn.spoken = spoken.join(", ");
}
