//! Bars over the whole time of a run, for every live view: phases side by side, each with the scale
//! of its own highest value.

use super::clock_face::seconds;
use super::surround::shortened;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

/// Eighths of a cell.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// Columns between two times of the axis.
const TIME_COLUMNS: u16 = 14;

/// A value over a span of time, nanoseconds after the start of the chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bar {
    pub(crate) from_ns: u64,
    pub(crate) to_ns: u64,
    pub(crate) value: f64,
}

/// A time with a scale of its own: a phase.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) from_ns: u64,
    pub(crate) bars: Vec<Bar>,
    /// What the highest value is, in words, after which it is scaled.
    pub(crate) highest: String,
}

/// Several segments over one axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) segments: Vec<Segment>,
    pub(crate) end_ns: u64,
    /// Whether the highest value of a column stands for it, and not the mean.
    pub(crate) is_worst: bool,
}

impl Chart {
    /// Draws the scales above the bars.
    pub(crate) fn draw(&self, frame: &mut Frame<'_>, area: Rect) {
        if area.height < 2 || area.width < 8 {
            return;
        }
        self.scales(frame, area);
        let rows = area.height - 1;
        for (index, segment) in self.segments.iter().enumerate() {
            let highest = segment.bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
            let from = self.column(segment.from_ns, area.width);
            let next = self.segments.get(index + 1);
            let to = next.map_or(area.width, |next| self.column(next.from_ns, area.width));
            for column in from..to {
                let Some(value) = self.value(segment, column, area.width) else {
                    continue;
                };
                let share = if highest > 0.0 { value / highest } else { 0.0 };
                let eighths = (share * f64::from(rows) * 8.0).round() as u16;
                draw_bar(frame, area, column, eighths.max(u16::from(value > 0.0)));
            }
        }
    }

    /// Which column a time lies in.
    pub(crate) fn column(&self, ns: u64, width: u16) -> u16 {
        let share = ns as f64 / self.end_ns.max(1) as f64;
        ((share * f64::from(width)) as u16).min(width.saturating_sub(1))
    }

    /// What stands for a column: the values that reach into it.
    fn value(&self, segment: &Segment, column: u16, width: u16) -> Option<f64> {
        let edge = |column: u16| u64::from(column) * self.end_ns / u64::from(width);
        let (from, to) = (edge(column), edge(column + 1).max(edge(column) + 1));
        let mut sum = 0.0;
        let mut covered = 0.0;
        let mut worst: Option<f64> = None;
        for bar in &segment.bars {
            let overlap = bar.to_ns.min(to).saturating_sub(bar.from_ns.max(from)) as f64;
            if overlap > 0.0 && bar.value.is_finite() {
                sum += bar.value * overlap;
                covered += overlap;
                worst = Some(worst.map_or(bar.value, |other| other.max(bar.value)));
            }
        }
        if self.is_worst {
            return worst;
        }
        (covered > 0.0).then(|| sum / covered)
    }

    /// The highest value of each segment above it, where there is room for all of it; the last,
    /// which is under way, at the left otherwise.
    fn scales(&self, frame: &mut Frame<'_>, area: Rect) {
        let buffer = frame.buffer_mut();
        let strong = Style::new().bold();
        let dim = Style::new().dim();
        let title = self.title.chars().count() as u16;
        buffer.set_string(area.x, area.y, &self.title, strong);
        let many = self.segments.len() > 1;
        let mut free = title + 2;
        for (index, segment) in self.segments.iter().enumerate() {
            let words = match segment.highest.as_str() {
                "" if many => String::new(),
                "" => "too few requests".to_owned(),
                highest if many => highest.to_owned(),
                highest => format!("highest {highest}"),
            };
            let length = words.chars().count() as u16;
            let from = self
                .column(segment.from_ns, area.width)
                .max(if many { 0 } else { free });
            let next = self.segments.get(index + 1);
            let to = next.map_or(area.width, |next| self.column(next.from_ns, area.width));
            let from = from.max(free);
            if !words.is_empty() && from + length <= to {
                buffer.set_string(area.x + from, area.y, words, dim);
                free = from + length + 1;
            }
        }
    }
}

/// One column of eighths, from the bottom.
fn draw_bar(frame: &mut Frame<'_>, area: Rect, column: u16, eighths: u16) {
    let style = Style::new().fg(Color::Cyan);
    for row in 0..area.height - 1 {
        let cell = eighths.saturating_sub(row * 8).min(8);
        if cell == 0 {
            break;
        }
        let y = area.y + area.height - 1 - row;
        let symbol = EIGHTHS[usize::from(cell)];
        frame
            .buffer_mut()
            .set_string(area.x + column, y, symbol, style);
    }
}

/// The axis below charts: where phases begin, and the time at both ends and between.
pub(crate) fn draw_axis(frame: &mut Frame<'_>, area: Rect, end_ns: u64, phases: &[(u64, String)]) {
    if area.height == 0 || area.width < 8 {
        return;
    }
    let buffer = frame.buffer_mut();
    let dim = Style::new().dim();
    buffer.set_string(area.x, area.y, "─".repeat(usize::from(area.width)), dim);
    let column = |ns: u64| {
        let share = ns as f64 / end_ns.max(1) as f64;
        ((share * f64::from(area.width)) as u16).min(area.width - 1)
    };
    let end = seconds(end_ns);
    let last = area.width.saturating_sub(end.chars().count() as u16);
    buffer.set_string(area.x + last, area.y, &end, dim);
    if phases.len() > 1 {
        for (index, (begin, name)) in phases.iter().enumerate() {
            let from = column(*begin);
            let next = phases
                .get(index + 1)
                .map_or(last, |(next, _)| column(*next));
            let room = usize::from(next.min(last).saturating_sub(from + 2));
            let number = name.split(' ').next().unwrap_or(name);
            let name = if room >= name.chars().count() {
                name.clone()
            } else if room >= number.len() {
                number.to_owned()
            } else {
                String::new()
            };
            if from < last {
                let mark = format!("┬{}", shortened(&name, room));
                buffer.set_string(area.x + from, area.y, mark, dim);
            }
        }
        return;
    }
    buffer.set_string(area.x, area.y, "0s", dim);
    let parts = (area.width / TIME_COLUMNS).clamp(1, 6);
    for part in 1..parts {
        let at = u64::from(part) * end_ns / u64::from(parts);
        buffer.set_string(
            area.x + column(at),
            area.y,
            format!("┬{}", seconds(at)),
            dim,
        );
    }
}
