//! Draws the devices. Pure: the same `Watched` on the same area gives the same cells.

use super::rows::{self, HEADS};
use fathom_core::recording::{Moment, Sample};
use fathom_core::{Nanos, figure};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Row, Sparkline, Table};
use std::collections::{BTreeSet, VecDeque};

/// Points of the series that are kept for the widest of terminals.
const HISTORY: usize = 600;
/// Height of one device's series with its title.
const SPARK: u16 = 4;
/// Columns of the table behind the name, and which heads they have: the narrowest terminals go
/// without the sizes.
const SIZES: std::ops::Range<usize> = 4..6;
const WIDE: u16 = 108;
const HELP: [&str; 4] = [
    "q  Ctrl-C  leave",
    "s          sort by name, requests, bytes, await, queue",
    "p          hold the display, or let it go on",
    "?          show or hide this help",
];

/// By what the devices are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Name,
    Requests,
    Bytes,
    Await,
    Queue,
}

impl Sort {
    pub(super) const fn next(self) -> Self {
        match self {
            Self::Name => Self::Requests,
            Self::Requests => Self::Bytes,
            Self::Bytes => Self::Await,
            Self::Await => Self::Queue,
            Self::Queue => Self::Name,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Requests => "requests",
            Self::Bytes => "bytes",
            Self::Await => "await",
            Self::Queue => "queue",
        }
    }

    fn key(self, sample: &Sample) -> f64 {
        match self {
            // Names are in the kernel's order already.
            Self::Name => 0.0,
            Self::Requests => sample.ios_per_second,
            Self::Bytes => sample.bytes_per_second(),
            Self::Await => sample.await_ms.unwrap_or(0.0),
            Self::Queue => sample.queue_depth.unwrap_or(0.0),
        }
    }
}

/// The devices so far.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) sort: Sort,
    pub(super) help: bool,
    paused: bool,
    interval: Nanos,
    seekers: BTreeSet<String>,
    last: Option<Moment>,
    /// Bytes a second by device and time.
    series: Vec<(String, VecDeque<u64>)>,
}

impl Watched {
    pub(super) fn new(seekers: BTreeSet<String>, interval: Nanos) -> Self {
        Self {
            sort: Sort::Name,
            help: false,
            paused: false,
            interval,
            seekers,
            last: None,
            series: Vec::new(),
        }
    }

    /// Takes in what happened.
    pub(super) fn take_in(&mut self, moment: Moment) {
        let here = |name: &String| moment.devices.iter().any(|one| one.device == *name);
        self.series.retain(|(name, _)| here(name));
        for one in &moment.devices {
            let known = self.series.iter().position(|(name, _)| *name == one.device);
            let index = known.unwrap_or_else(|| {
                self.series.push((one.device.clone(), VecDeque::new()));
                self.series.len() - 1
            });
            let values = &mut self.series[index].1;
            if values.len() == HISTORY {
                values.pop_front();
            }
            values.push_back(one.sample.bytes_per_second().round() as u64);
        }
        self.last = Some(moment);
    }

    /// What to show while the display is held.
    pub(super) fn paused(&self) -> Self {
        Self {
            paused: true,
            ..self.clone()
        }
    }

    /// The devices in the order that was asked for, the largest first.
    fn sorted(&self) -> Vec<(&str, &Sample)> {
        let devices = self.last.iter().flat_map(|moment| &moment.devices);
        let mut rows: Vec<_> = devices
            .map(|one| (one.device.as_str(), &one.sample))
            .collect();
        rows.sort_by(|(_, one), (_, other)| self.sort.key(other).total_cmp(&self.sort.key(one)));
        rows
    }
}

/// Draws all of it.
pub(super) fn draw(frame: &mut Frame<'_>, watched: &Watched) {
    let outer = block(watched);
    let inner = outer.inner(frame.area());
    frame.render_widget(outer, frame.area());
    let rows = watched.sorted();
    let groups = watched
        .last
        .as_ref()
        .map_or(0, |moment| moment.groups.len());
    let is_marked =
        |(name, sample): &(&str, &Sample)| rows::misleads(name, sample, &watched.seekers);
    let remark = if rows.iter().any(is_marked) { 2 } else { 0 };
    let table = u16::try_from(rows.len() + groups + 1).unwrap_or(u16::MAX);
    let left = inner
        .height
        .saturating_sub(table.saturating_add(remark + 2));
    let sparks = usize::from(left / SPARK).min(rows.len());
    let mut heights = vec![Constraint::Length(1), Constraint::Length(1)];
    heights.extend([Constraint::Fill(1), Constraint::Length(remark)]);
    heights.extend(std::iter::repeat_n(Constraint::Length(SPARK), sparks));
    let areas = Layout::vertical(heights).split(inner);
    frame.render_widget(Paragraph::new(headline(watched)), areas[0]);
    draw_table(frame, watched, &rows, areas[2]);
    let remark = Paragraph::new(rows::MISLEADS).wrap(ratatui::widgets::Wrap { trim: true });
    frame.render_widget(remark.style(Style::new().fg(Color::Yellow)), areas[3]);
    for ((name, _), area) in rows.iter().zip(areas.iter().skip(4)) {
        draw_series(frame, watched, name, *area);
    }
    if watched.help {
        draw_help(frame, inner);
    }
}

fn block(watched: &Watched) -> Block<'_> {
    let keys = if watched.paused {
        " PAUSED · p go on "
    } else {
        " q quit · s sort · p pause · ? help "
    };
    let interval = figure::duration(watched.interval.0);
    let sort = watched.sort.word();
    Block::bordered()
        .title(Line::from(format!(" fathom watch · every {interval} ")).bold())
        .title(Line::from(format!(" by {sort} ")).alignment(Alignment::Right))
        .title_bottom(Line::from(keys).alignment(Alignment::Right))
}

fn headline(watched: &Watched) -> Line<'_> {
    let Some(moment) = &watched.last else {
        return Line::from("waiting for the first interval");
    };
    let time = moment.at.get(11..19).unwrap_or(&moment.at);
    let shares = moment.processors.as_ref().map(rows::processors);
    Line::from(vec![
        Span::from(format!("{time} UTC  ")).bold(),
        Span::from(shares.unwrap_or_default()),
    ])
}

fn draw_table(frame: &mut Frame<'_>, watched: &Watched, rows: &[(&str, &Sample)], area: Rect) {
    let is_wide = area.width >= WIDE;
    let shown = |index: &usize| is_wide || !SIZES.contains(index);
    let columns: Vec<usize> = (0..HEADS.len()).filter(shown).collect();
    let right = |text: &str| Line::from(text.to_owned()).alignment(Alignment::Right);
    let heads = columns
        .iter()
        .map(|column| right(HEADS[*column].trim_start_matches('>')));
    let header = Row::new(std::iter::once(Line::from("")).chain(heads))
        .style(Style::new().add_modifier(Modifier::DIM));
    let row = |name: String, sample: &Sample, is_marked: bool| {
        let cells = rows::cells(sample, is_marked);
        let cells = columns.iter().map(|column| right(&cells[*column]));
        Row::new(
            std::iter::once(Line::from(name).bold())
                .chain(cells)
                .collect::<Vec<_>>(),
        )
    };
    let devices = rows.iter().map(|(name, sample)| {
        row(
            (*name).to_owned(),
            sample,
            rows::misleads(name, sample, &watched.seekers),
        )
    });
    let groups = watched.last.iter().flat_map(|moment| &moment.groups);
    let groups = groups.map(|one| row(format!("{} {}", one.device, one.group), &one.sample, false));
    let width = |column: &usize| match column {
        2 => 10,
        3..6 => 11,
        8 => 6,
        9 => 9,
        _ => 8,
    };
    let widths = std::iter::once(Constraint::Fill(1)).chain(
        columns
            .iter()
            .map(|column| Constraint::Length(width(column))),
    );
    let table = Table::new(devices.chain(groups), widths)
        .column_spacing(0)
        .header(header);
    frame.render_widget(table, area);
}

fn draw_series(frame: &mut Frame<'_>, watched: &Watched, name: &str, area: Rect) {
    let found = watched.series.iter().find(|(device, _)| device == name);
    let Some((_, series)) = found else { return };
    let [title, chart] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let skip = series.len().saturating_sub(usize::from(chart.width));
    let values: Vec<u64> = series.iter().skip(skip).copied().collect();
    let highest = values.iter().copied().max().unwrap_or(0);
    let rate = figure::megabytes(highest as f64);
    let line = Line::from(vec![
        Span::from(name.to_owned()).bold(),
        Span::from(format!("  read and written, highest {rate} MB/s")).dim(),
    ]);
    frame.render_widget(Paragraph::new(line), title);
    let spark = Sparkline::default()
        .data(values)
        .max(highest.max(1))
        .style(Style::new().fg(Color::Cyan));
    frame.render_widget(spark, chart);
}

fn draw_help(frame: &mut Frame<'_>, area: Rect) {
    let width = 62.min(area.width);
    let height = 6.min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let text: Vec<Line<'_>> = HELP.map(|line| Line::from(format!(" {line}"))).into();
    frame.render_widget(Clear, place);
    let help = Paragraph::new(text).block(Block::bordered().title(" Keys "));
    frame.render_widget(help, place);
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::recording::{DeviceMoment, ProcessorSample};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    fn sample(reads: f64, queue: f64, busy: f64) -> Sample {
        Sample {
            ios_per_second: reads,
            reads_per_second: Some(reads),
            writes_per_second: Some(0.0),
            read_bytes_per_second: reads * 4096.0,
            await_ms: Some(queue * 1000.0 / reads),
            read_await_ms: Some(queue * 1000.0 / reads),
            queue_depth: Some(queue),
            busy_percent: Some(busy),
            ..Sample::default()
        }
    }

    fn watched() -> Watched {
        let mut watched = Watched::new(BTreeSet::new(), Nanos(1_000_000_000));
        for second in 0..40 {
            let device = |device: &str, sample| DeviceMoment {
                device: device.to_owned(),
                sample,
            };
            watched.take_in(Moment {
                at: format!("2026-11-21T15:00:{second:02}.000Z"),
                length_ns: 1_000_000_000,
                processors: Some(ProcessorSample {
                    user_percent: 12.5,
                    system_percent: 4.0,
                    iowait_percent: 25.0,
                    ..ProcessorSample::default()
                }),
                devices: vec![
                    device(
                        "nvme0n1",
                        sample(1000.0 + 500.0 * f64::from(second), 8.0, 99.9),
                    ),
                    device("sda", sample(50.0, 0.4, 35.0)),
                ],
                groups: Vec::new(),
            });
        }
        watched
    }

    fn drawn(watched: &Watched, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, watched)).unwrap();
        let buffer = terminal.backend().buffer();
        let mut text = String::new();
        for row in buffer.content().chunks(usize::from(width)) {
            let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn compare(drawn: &str, file: &str, expected: &str) {
        assert_eq!(drawn, expected, "{file}");
    }

    #[test]
    fn two_devices_in_a_small_terminal() {
        let expected = include_str!("view-80x24.txt");
        compare(&drawn(&watched(), 80, 24), "80x24", expected);
    }

    #[test]
    fn the_busiest_first_with_sizes_and_help() {
        let mut watched = watched();
        watched.sort = Sort::Await;
        watched.help = true;
        let expected = include_str!("view-120x30.txt");
        compare(&drawn(&watched, 120, 30), "120x30", expected);
    }

    #[test]
    fn keys_go_through_all_orders() {
        let mut sort = Sort::Name;
        let mut words = Vec::new();
        for _ in 0..6 {
            words.push(sort.word());
            sort = sort.next();
        }
        assert_eq!(
            words,
            ["name", "requests", "bytes", "await", "queue", "name"]
        );
        let mut watched = watched();
        watched.sort = Sort::Await;
        let names: Vec<&str> = watched.sorted().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["sda", "nvme0n1"]);
    }

    #[test]
    fn no_terminal_is_too_small() {
        let mut watched = watched().paused();
        watched.help = true;
        let sizes = [(1, 1), (2, 2), (10, 3), (500, 2), (3, 200)];
        for (width, height) in sizes {
            let lines = drawn(&watched, width, height).lines().count();
            assert_eq!(lines, usize::from(height));
        }
    }
}
