//! Strips over time, below each other.

use super::lines::{Look, shade_key};
use super::panel::{Panel, WIDTH};
use super::scale::{self, Axis};
use super::{Drawn, Key, across, escaped, ranged, tenth, words};
use crate::charts::Unit;
use crate::charts::clock::Tick;
use crate::charts::course::{Strip, StripLine, TimeAxis, TimeStrips};
use fathom_core::SmallSort as _;
use std::fmt::Write as _;

/// Pixels of a strip: alone, of two, of more.
const HEIGHTS: [f64; 3] = [190.0, 128.0, 104.0];
/// Round values upwards.
const TICKS: usize = 6;
/// Lines of so few points that they can be distinguished have dots.
const DOTTED: usize = 40;
/// Markers along the line of a run.
const MARKERS: usize = 6;
/// Letters of a name at the end of a line.
const NAME_LETTERS: usize = 12;
/// A shade narrower than this share has no room for its name.
const NAMED_SHADE: f64 = 0.09;
/// The same on a phone.
const NAMED_NARROW: f64 = 0.25;
/// Pixels that the names of phases take, on two lines.
const NAMES_HEIGHT: f64 = 26.0;
/// Seconds between two marks of a time axis.
const STEPS: [f64; 21] = [
    0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0,
    3600.0, 7200.0, 14400.0, 21600.0, 43200.0, 86400.0,
];
/// Marks of a time axis, at most: as many as a phone has room for.
const MARKS: f64 = 7.0;
/// The same where their words have hours, minutes and seconds.
const HOURS_MARKS: f64 = 4.0;
/// Seconds.
const HOUR: f64 = 3600.0;

pub(super) fn draw(course: &TimeStrips) -> Drawn {
    let mut drawn = Drawn::default();
    let height = HEIGHTS[course.strips.len().clamp(1, 3) - 1];
    let last = course.strips.len().saturating_sub(1);
    let named = is_named_directly(course);
    for (index, strip) in course.strips.iter().enumerate() {
        drawn.svg += &panel(course, strip, height, index == 0, index == last, named);
    }
    drawn.keys = if named && has_short_names(course) {
        Vec::new()
    } else {
        keys(course, named)
    };
    drawn.keys.extend(unnamed_shades(&course.axis));
    drawn.edges = edges(&course.axis);
    table(course, &mut drawn);
    drawn.spoken = spoken(course);
    drawn
}

/// Whether the names of all runs have room at the end of their lines, on a phone too.
fn has_short_names(course: &TimeStrips) -> bool {
    let mut lines = course.strips.iter().flat_map(|strip| &strip.lines);
    lines.all(|line| line.label.chars().count() <= NAME_LETTERS)
}

/// The name at the end of a line: two that are cut may be the same, so a long one has a number and
/// stands whole in the legend.
fn end_name(index: usize) -> String {
    format!("run {}", index + 1)
}

/// What the shades are that have no room for their name.
fn unnamed_shades(axis: &TimeAxis) -> Vec<Key> {
    let is_named = |label: &str| {
        let mut same = axis.shades.iter().filter(|shade| shade.label == label);
        same.any(|shade| (shade.to_s - shade.from_s) / axis.end_s >= NAMED_NARROW)
    };
    let mut keys: Vec<Key> = Vec::new();
    for shade in &axis.shades {
        let is_known = keys.iter().any(|key| key.label == shade.label);
        if !is_known && !is_named(shade.label) {
            keys.push(Key {
                label: shade.label.to_owned(),
                svg: shade_key(),
            });
        }
    }
    keys
}

/// Runs are named at the end of their lines.
fn is_named_directly(course: &TimeStrips) -> bool {
    let lines = || course.strips.iter().flat_map(|strip| &strip.lines);
    lines().count() > 0 && lines().all(|line| line.role.starts_with("run "))
}

fn panel(
    course: &TimeStrips,
    strip: &Strip,
    height: f64,
    is_first: bool,
    is_last: bool,
    named: bool,
) -> String {
    let y = values(
        strip,
        if is_first {
            names_height(&course.axis) / height
        } else {
            0.0
        },
    );
    let unit = match strip.unit_words.as_str() {
        "" => scale::name(strip.unit),
        words => words,
    };
    let parts = [strip.label.as_str(), unit].into_iter();
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let mut panel = Panel::new(height, parts.join(", "), &y);
    panel.x = times(course.axis.end_s);
    panel.shows_x = is_last;
    if let Some(bytes) = strip.request_bytes {
        panel.right = y.beside(Unit::BytesPerSecond, bytes, TICKS);
        panel.right_title = scale::name(Unit::BytesPerSecond);
    }
    for guide in &strip.guides {
        if let Some(share) = y.share(guide.value) {
            panel.guides.push((share, guide.label.clone()));
        }
    }
    shades(&course.axis, is_first, &mut panel);
    marks(&course.axis, is_first, &mut panel);
    let looks = Look::all(
        &strip
            .lines
            .iter()
            .map(|line| line.role.as_str())
            .collect::<Vec<_>>(),
    );
    if strip.stacked {
        stacked(strip, &looks, &course.axis, &mut panel);
    } else {
        for (line, look) in strip.lines.iter().zip(&looks) {
            lines(line, look, &course.axis, &mut panel);
        }
        if named {
            names(strip, &looks, has_short_names(course), &mut panel);
        }
    }
    let mut class = String::new();
    if course
        .strips
        .iter()
        .any(|strip| strip.request_bytes.is_some())
    {
        class += "two-scales";
    }
    if named {
        class += " named";
    }
    panel.svg(&class)
}

/// What the names of phases take at the top of the first strip.
fn names_height(axis: &TimeAxis) -> f64 {
    if axis.marks.iter().any(|mark| mark.is_phase) {
        NAMES_HEIGHT
    } else {
        0.0
    }
}

/// The axis of values: everything drawn, and what was to be kept, below a share of the height that
/// names take.
fn values(strip: &Strip, named: f64) -> Axis {
    let mut all: Vec<f64> = strip.guides.iter().map(|guide| guide.value).collect();
    if strip.stacked {
        all.push(if strip.unit == Unit::Percent {
            100.0
        } else {
            1.0
        });
        return Axis::over(strip.unit, false, all.into_iter(), TICKS);
    }
    for line in &strip.lines {
        let level = &line.level;
        all.extend(level.value.iter().chain(&level.low).chain(&level.high));
    }
    let over = |all: &[f64]| Axis::over(strip.unit, strip.log, all.iter().copied(), TICKS);
    let axis = over(&all);
    let most = all.iter().copied().fold(0.0, f64::max);
    let least = all.iter().copied().filter(|value| *value > 0.0);
    let least = least.fold(f64::INFINITY, f64::min);
    if axis.share(most).is_none_or(|share| share <= 1.0 - named) {
        return axis;
    }
    all.push(if strip.log {
        least * (most / least).powf(1.0 / (1.0 - named))
    } else {
        most / (1.0 - named)
    });
    over(&all)
}

/// Round times: place and words.
pub(super) fn times(end_s: f64) -> Vec<(f64, String)> {
    let marks = if end_s < HOUR { MARKS } else { HOURS_MARKS };
    let step = STEPS.iter().find(|step| end_s / **step <= marks);
    let step = step
        .copied()
        .unwrap_or(86_400.0 * (end_s / 86_400.0 / MARKS).ceil());
    let count = (end_s / step + 1e-9).floor() as usize;
    let mark = |index: usize| {
        let at = index as f64 * step;
        let words = if step % HOUR == 0.0 {
            format!("{} h", at / HOUR)
        } else {
            clock(at)
        };
        (at / end_s, words)
    };
    (0..=count).map(mark).collect()
}

/// Minutes and seconds, with hours where there are any.
pub(super) fn clock(seconds: f64) -> String {
    let tenths = (seconds * 10.0).round() as u64;
    let (whole, rest) = (tenths / 10, tenths % 10);
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    let rest = if rest > 0 {
        format!(".{rest}")
    } else {
        String::new()
    };
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}{rest}")
    } else {
        format!("{minutes}:{seconds:02}{rest}")
    }
}

/// What was not measured, named in the first strip.
pub(super) fn shades(axis: &TimeAxis, is_first: bool, panel: &mut Panel<'_>) {
    for shade in &axis.shades {
        let (from, to) = (shade.from_s / axis.end_s, shade.to_s / axis.end_s);
        let _ = write!(
            panel.under,
            "<rect class=\"shade\" x=\"{}%\" width=\"{}%\" height=\"{}\"/>",
            across(from),
            across(to - from),
            panel.height
        );
        if is_first && to - from >= NAMED_SHADE {
            let class = if to - from >= NAMED_NARROW {
                ""
            } else {
                " on-wide"
            };
            let _ = write!(
                panel.over,
                "<text class=\"middle soft{class}\" x=\"{}%\" y=\"{}\">{}</text>",
                across(f64::midpoint(from, to)),
                panel.height - 5.0,
                escaped(shade.label)
            );
        }
    }
}

/// Where phases begin, and what happened: a line in every strip, words in the first.
fn marks(axis: &TimeAxis, is_first: bool, panel: &mut Panel<'_>) {
    let phases = axis.marks.iter().filter(|mark| mark.is_phase);
    let starts: Vec<f64> = phases.map(|mark| mark.at_s / axis.end_s).collect();
    let mut falls = 0;
    for mark in &axis.marks {
        let share = (mark.at_s / axis.end_s).clamp(0.0, 1.0);
        let x = across(share);
        let class = if mark.is_phase { "phase-begin" } else { "fall" };
        let _ = write!(
            panel.over,
            "<line class=\"{class}\" x1=\"{x}%\" x2=\"{x}%\" y2=\"{}\"/>",
            panel.height
        );
        if !is_first {
            continue;
        }
        if mark.is_phase {
            let next = starts.iter().copied().find(|start| *start > share);
            let room = next.unwrap_or(1.0) - share;
            phase_name(&mark.label, share, room, panel);
        } else {
            fall_name(
                &mark.label,
                share,
                falls,
                names_height(axis) as usize,
                panel,
            );
            falls += 1;
        }
    }
}

/// The cause of a fall, next to its mark: on a wide page in a line, on a narrow one in two. Names
/// of falls that are near each other are not on the same line, and none is over those of phases.
fn fall_name(label: &str, share: f64, falls: usize, below: usize, panel: &mut Panel<'_>) {
    const LINE: usize = 13;
    let x = across(share);
    let mut line = |text: &str, class: &str, gap: i32, y: usize| {
        let _ = write!(
            panel.over,
            "<svg x=\"{x}%\" overflow=\"visible\"><text class=\"fall-name {class}\" x=\"{gap}\" \
             y=\"{y}\">{}</text></svg>",
            escaped(text)
        );
    };
    let (wide, gap) = if share > 0.5 {
        ("end on-wide", -5)
    } else {
        ("on-wide", 5)
    };
    line(label, wide, gap, below + 12 + LINE * (falls % 3));
    let (narrow, gap) = match share {
        early if early < 0.3 => ("on-narrow", 5),
        late if late > 0.7 => ("end on-narrow", -5),
        _ => ("middle on-narrow", 0),
    };
    let broken = [": ", ", "].iter().find_map(|sign| label.split_once(sign));
    let (what, cause) = broken.unwrap_or((label, ""));
    let y = below + 12 + 2 * LINE * (falls % 2);
    line(what, narrow, gap, y);
    line(cause, narrow, gap, y + LINE);
}

/// The whole name where a wide page has room for it, on two lines if need be, else the number.
fn phase_name(label: &str, share: f64, room: f64, panel: &mut Panel<'_>) {
    let number = label.split(' ').next().unwrap_or(label);
    let lines = in_room(label, room);
    let x = across(share);
    let mut line = |text: &str, class: &str, y: u32| {
        let _ = write!(
            panel.over,
            "<svg x=\"{x}%\" overflow=\"visible\"><text class=\"soft {class}\" x=\"3\" y=\"{y}\">{}\
             </text></svg>",
            escaped(text)
        );
    };
    for (text, y) in lines.iter().zip([11, 22]) {
        line(text, "on-wide", y);
    }
    let class = if lines.is_empty() { "" } else { "on-narrow" };
    line(number, class, 11);
}

/// A name on one or two lines that fit this share of the width of a wide page; none where it does
/// not.
fn in_room(label: &str, room: f64) -> Vec<&str> {
    /// Share of the width that a letter takes.
    const LETTER: f64 = 0.0085;
    let fits = |text: &str| text.chars().count() as f64 * LETTER < room;
    if fits(label) {
        return vec![label];
    }
    let after = |(at, sign): (usize, &str)| label.split_at(at + sign.len());
    let breaks = label.rmatch_indices(['-', ' ', '/']).map(after);
    let two = breaks.into_iter().find(|(one, two)| fits(one) && fits(two));
    // A number alone is no first line.
    let two = two.filter(|(one, _)| one.contains(char::is_alphabetic));
    two.map_or_else(Vec::new, |(one, two)| vec![one.trim_end(), two])
}

/// Places across of the middles of the points.
fn middles(axis: &TimeAxis) -> impl Iterator<Item = (f64, &Tick)> + Clone {
    let middle = |tick: &Tick| f64::midpoint(tick.from_s, tick.to_s) / axis.end_s;
    axis.ticks.iter().map(move |tick| (middle(tick), tick))
}

fn lines(line: &StripLine, look: &Look, axis: &TimeAxis, panel: &mut Panel<'_>) {
    let level = &line.level;
    let band = band(axis, level, panel);
    if !band.is_empty() {
        let _ = write!(
            panel.area,
            "<path class=\"band {}\" d=\"{band}\"/>",
            look.class
        );
    }
    let points = middles(axis).zip(&level.value);
    let points = points.map(|((x, tick), value)| (x, *value, tick.follows));
    let path = panel.path(points.clone());
    let mut out = String::new();
    look.line(&path, &mut out);
    if level.value.len() <= DOTTED && look.marker.is_none() {
        let dots = points.clone().map(|(x, value, _)| (x, value, false));
        let dots = panel.path(dots).replace('M', "h0M");
        let dots = dots.strip_prefix("h0").unwrap_or(&dots);
        let _ = write!(out, "<path class=\"dots {}\" d=\"{dots}h0\"/>", look.class);
    }
    panel.area += &out;
    let known: Vec<(f64, f64)> = points
        .filter_map(|(x, value, _)| Some((x, panel.top(panel.y.share(value)?))))
        .collect();
    let step = known.len().div_ceil(MARKERS).max(1);
    for (x, top) in known.iter().skip(step / 2).step_by(step) {
        look.mark(*x, *top, &mut panel.over);
    }
}

/// From the smallest to the largest interval of each point.
fn band(axis: &TimeAxis, level: &crate::charts::clock::Level, panel: &Panel<'_>) -> String {
    let mut upper = String::new();
    let mut lower = Vec::new();
    for ((x, _), (low, high)) in middles(axis).zip(level.low.iter().zip(&level.high)) {
        let Some(top) = panel.y.share(*high) else {
            continue;
        };
        let bottom = panel.y.share(*low).unwrap_or(0.0);
        let pen = if upper.is_empty() { 'M' } else { 'L' };
        let x = tenth(x * WIDTH);
        let _ = write!(upper, "{pen}{x} {}", panel.top(top));
        lower.push((x, panel.top(bottom)));
    }
    for (x, bottom) in lower.into_iter().rev() {
        let _ = write!(upper, "L{x} {bottom}");
    }
    if !upper.is_empty() {
        upper.push('Z');
    }
    upper
}

/// Areas on top of each other.
fn stacked(strip: &Strip, looks: &[Look], axis: &TimeAxis, panel: &mut Panel<'_>) {
    let mut below = vec![0.0; axis.ticks.len()];
    for (line, look) in strip.lines.iter().zip(looks) {
        let mut path = String::new();
        let mut back = Vec::new();
        for (((x, _), value), base) in middles(axis).zip(&line.level.value).zip(&mut below) {
            let from = *base;
            *base += if value.is_finite() { *value } else { 0.0 };
            let place = |value: f64| panel.top(panel.y.share(value).unwrap_or(0.0).min(1.0));
            let pen = if path.is_empty() { 'M' } else { 'L' };
            let x = tenth(x * WIDTH);
            let _ = write!(path, "{pen}{x} {}", place(*base));
            back.push((x, place(from)));
        }
        for (x, top) in back.into_iter().rev() {
            let _ = write!(path, "L{x} {top}");
        }
        let _ = write!(
            panel.area,
            "<path class=\"stack {}\" d=\"{path}Z\"/>",
            look.class
        );
    }
}

/// Names next to the right ends of lines, each behind a piece of its line and moved apart where
/// they would lie over each other. A marker there would look like a measurement.
fn names(strip: &Strip, looks: &[Look], is_whole: bool, panel: &mut Panel<'_>) {
    const APART: f64 = 13.0;
    let mut ends: Vec<(f64, usize)> = Vec::new();
    for (index, line) in strip.lines.iter().enumerate() {
        let known = line.level.value.iter().rev();
        let end = known.copied().find_map(|value| panel.y.share(value));
        ends.extend(end.map(|share| (panel.top(share), index)));
    }
    ends.small_sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut least = 4.0;
    for (top, _) in &mut ends {
        *top = top.max(least);
        least = *top + APART;
    }
    // What was moved below the plot goes up again, and those above it with it.
    let mut most = panel.height;
    for (top, _) in ends.iter_mut().rev() {
        *top = top.min(most);
        most = *top - APART;
    }
    for (y, index) in ends {
        let label = if is_whole {
            strip.lines[index].label.clone()
        } else {
            end_name(index)
        };
        let mut piece = String::new();
        looks[index].line("M5 0H19", &mut piece);
        let _ = write!(
            panel.over,
            "<svg x=\"100%\" y=\"{}\" overflow=\"visible\">{piece}<text class=\"ink\" x=\"23\" \
             y=\"4\">{}</text></svg>",
            tenth(y),
            escaped(&label)
        );
    }
}

fn keys(course: &TimeStrips, named: bool) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    for strip in &course.strips {
        let looks = Look::all(
            &strip
                .lines
                .iter()
                .map(|line| line.role.as_str())
                .collect::<Vec<_>>(),
        );
        for (index, (line, look)) in strip.lines.iter().zip(&looks).enumerate() {
            let label = if named {
                format!("{}: {}", end_name(index), line.label)
            } else {
                line.label.clone()
            };
            if keys.iter().all(|key| key.label != label) {
                keys.push(look.key(&label));
            }
        }
    }
    if keys.len() < 2 {
        keys.clear();
    }
    keys
}

/// Right edges of the points, in thousandths of the width.
fn edges(axis: &TimeAxis) -> String {
    let edge = |tick: &Tick| format!("{}", (tick.to_s / axis.end_s * 1000.0).round());
    axis.ticks.iter().map(edge).collect::<Vec<_>>().join(" ")
}

fn table(course: &TimeStrips, drawn: &mut Drawn) {
    let several = course.strips.len() > 1;
    drawn.heads.push("time".to_owned());
    for strip in &course.strips {
        for line in &strip.lines {
            let is_said = !several || line.label.contains(&strip.label);
            let mut head = if is_said {
                line.label.clone()
            } else {
                format!("{} {}", strip.label, line.label)
            };
            let unit = scale::name(strip.unit);
            if strip.unit == Unit::Iops {
                let _ = write!(head, ", {unit}");
            }
            drawn.heads.push(head);
        }
    }
    for (index, tick) in course.axis.ticks.iter().enumerate() {
        let mut row = vec![format!("{} – {}", clock(tick.from_s), clock(tick.to_s))];
        for strip in &course.strips {
            row.extend(strip.lines.iter().map(|line| cell(strip, line, index)));
        }
        drawn.rows.push(row);
    }
}

/// A value, and from where to where the intervals or the runs of its point go.
fn cell(strip: &Strip, line: &StripLine, index: usize) -> String {
    let at = |values: &[f64]| values.get(index).copied().unwrap_or(f64::NAN);
    let level = &line.level;
    let range = (at(&level.low), at(&level.high));
    ranged(strip.unit, &strip.unit_words, at(&level.value), range)
}

fn spoken(course: &TimeStrips) -> String {
    let mut parts = Vec::new();
    for strip in &course.strips {
        for line in &strip.lines {
            let known = line
                .level
                .value
                .iter()
                .copied()
                .filter(|value| value.is_finite());
            let (low, high) = known
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                    (low.min(value), high.max(value))
                });
            if low <= high {
                let say = |value: f64| words(strip.unit, &strip.unit_words, value);
                parts.push(format!(
                    "{} {} from {} to {}",
                    strip.label,
                    line.label,
                    say(low),
                    say(high)
                ));
            }
        }
    }
    parts.join("; ")
}
