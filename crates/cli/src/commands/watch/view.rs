//! Draws the devices. Pure: the same `Watched` on the same area gives the same cells.

use super::rows::{self, HEADS};
use crate::live::{
    Bar, Chart, Key, KeyWords, Segment, Surround, draw_axis, draw_table as draw_lines, shortened,
};
use fathom_core::SmallSort as _;
use fathom_core::recording::{Moment, Sample};
use fathom_core::table::{Align, Table};
use fathom_core::{Nanos, figure};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use std::collections::BTreeSet;

/// Points of a series that are kept: an hour of seconds.
const HISTORY: usize = 3600;
/// Least height of one device's series with its scale.
const SPARK: u16 = 3;
/// Processes that have rows.
const PROCESSES: usize = 4;
/// Which columns of [`HEADS`] go first where it gets narrow: the highest number.
const SPARE: [u8; 10] = [0, 0, 3, 4, 9, 8, 1, 2, 6, 7];
/// Columns that a name may have, of its width.
const NAME: u16 = 3;
const KEYS: [KeyWords; 4] = [
    (Key::Quit, "quit", "leave"),
    (Key::Interrupt, "", "leave"),
    (
        Key::Sort,
        "sort",
        "sort by queue, name, requests, bytes, await",
    ),
    (Key::Idle, "idle", "show or fold idle devices"),
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
            Self::Queue => rows::load(sample),
        }
    }
}

/// The devices so far.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) sort: Sort,
    pub(super) help: bool,
    /// Whether devices that do nothing have rows.
    pub(super) has_idle: bool,
    paused: bool,
    interval: Nanos,
    seekers: BTreeSet<String>,
    last: Option<Moment>,
    /// Bytes a second by device and time, nanoseconds after the first look.
    series: Vec<(String, Vec<Bar>)>,
    passed_ns: u64,
}

impl Watched {
    pub(super) fn new(seekers: BTreeSet<String>, interval: Nanos) -> Self {
        Self {
            sort: Sort::Queue,
            has_idle: false,
            help: false,
            paused: false,
            interval,
            seekers,
            last: None,
            series: Vec::new(),
            passed_ns: 0,
        }
    }

    /// Takes in what happened.
    pub(super) fn take_in(&mut self, moment: Moment) {
        let here = |name: &String| moment.devices.iter().any(|one| one.device == *name);
        self.series.retain(|(name, _)| here(name));
        for one in &moment.devices {
            let known = self.series.iter().position(|(name, _)| *name == one.device);
            let index = known.unwrap_or_else(|| {
                self.series.push((one.device.clone(), Vec::new()));
                self.series.len() - 1
            });
            let values = &mut self.series[index].1;
            if values.len() == HISTORY {
                // The whole time stays in view: two points become one.
                let pairs = std::mem::take(values);
                values.extend(pairs.chunks(2).map(mean));
            }
            values.push(Bar {
                from_ns: self.passed_ns,
                to_ns: self.passed_ns + moment.length_ns,
                value: one.sample.bytes_per_second(),
            });
        }
        self.passed_ns += moment.length_ns;
        self.last = Some(moment);
    }

    /// What to show while the display is held.
    pub(super) fn paused(&self) -> Self {
        Self {
            paused: true,
            ..self.clone()
        }
    }

    /// Names of the devices that did nothing.
    fn idle(&self) -> Vec<&str> {
        let devices = self.last.iter().flat_map(|moment| &moment.devices);
        let idle = devices.filter(|one| rows::is_idle(&one.sample));
        idle.map(|one| one.device.as_str()).collect()
    }

    /// The devices in the order that was asked for, the largest first.
    fn sorted(&self) -> Vec<(&str, &Sample)> {
        let devices = self.last.iter().flat_map(|moment| &moment.devices);
        let mut rows: Vec<_> = devices
            .filter(|one| self.has_idle || !rows::is_idle(&one.sample))
            .map(|one| (one.device.as_str(), &one.sample))
            .collect();
        rows.small_sort_by(|(_, one), (_, other)| {
            self.sort.key(other).total_cmp(&self.sort.key(one))
        });
        rows
    }
}

/// Neighbours as one, by their lengths.
fn mean(bars: &[Bar]) -> Bar {
    let length = |bar: &Bar| (bar.to_ns - bar.from_ns) as f64;
    let sum: f64 = bars.iter().map(|bar| bar.value * length(bar)).sum();
    let all: f64 = bars.iter().map(length).sum();
    Bar {
        from_ns: bars[0].from_ns,
        to_ns: bars[bars.len() - 1].to_ns,
        value: sum / all.max(1.0),
    }
}

/// Draws all of it.
pub(super) fn draw(frame: &mut Frame<'_>, watched: &Watched) {
    let interval = figure::duration(watched.interval.0);
    let by = format!("by {}", watched.sort.word());
    let surround = Surround {
        title: format!("fathom watch · every {interval}"),
        right: &by,
        is_held: watched.paused,
        has_help: watched.help,
        keys: &KEYS,
    };
    let inner = surround.draw(frame);
    let rows = watched.sorted();
    let is_marked =
        |(name, sample): &(&str, &Sample)| rows::misleads(name, sample, &watched.seekers);
    let remark = if rows.iter().any(is_marked) && inner.height > 14 {
        rows::MISLEADS
            .len()
            .div_ceil(usize::from(inner.width.max(1))) as u16
    } else {
        0
    };
    let groups = watched.last.iter().map(|moment| moment.groups.len());
    let devices = rows.len() + groups.sum::<usize>() + 1;
    let processes = processes(watched);
    let of_processes = processes.rows().len();
    let of_processes = if of_processes > 0 {
        of_processes as u16 + 1
    } else {
        0
    };
    let length = |rows: usize| Constraint::Length(u16::try_from(rows).unwrap_or(u16::MAX));
    let areas: [Rect; 6] = Layout::vertical([
        Constraint::Length(1),
        length(devices),
        Constraint::Length(u16::from(!watched.has_idle && !watched.idle().is_empty())),
        Constraint::Length(of_processes),
        Constraint::Length(remark),
        Constraint::Fill(1),
    ])
    .areas(inner);
    frame.render_widget(Paragraph::new(headline(watched, areas[0].width)), areas[0]);
    draw_devices(frame, watched, &rows, areas[1]);
    let idle = watched.idle();
    let words = format!(
        "{}: {}",
        figure::plural(idle.len() as u64, "idle device"),
        idle.join(" ")
    );
    let words = shortened(&words, usize::from(areas[2].width));
    frame.render_widget(Paragraph::new(Line::from(words).dim()), areas[2]);
    draw_lines(frame, &processes, |_| Style::new(), areas[3]);
    let remark = Paragraph::new(rows::MISLEADS).wrap(ratatui::widgets::Wrap { trim: true });
    frame.render_widget(remark.style(Style::new().fg(Color::Yellow)), areas[4]);
    draw_charts(frame, watched, &rows, areas[5]);
    surround.draw_help(frame, inner);
}

fn headline(watched: &Watched, width: u16) -> Line<'_> {
    let Some(moment) = &watched.last else {
        return Line::from("waiting for the first interval");
    };
    let time = moment.at.get(11..19).unwrap_or(&moment.at);
    let shares = moment.processors.as_ref().map(rows::processors);
    let time = format!("{time} UTC  ");
    let room = usize::from(width).saturating_sub(time.chars().count());
    let shares = shortened(&shares.unwrap_or_default(), room);
    Line::from(vec![Span::from(time).bold(), Span::from(shares)])
}

fn draw_devices(frame: &mut Frame<'_>, watched: &Watched, rows: &[(&str, &Sample)], area: Rect) {
    let mut table = Table::default();
    table.column("device", Align::Left);
    for (head, spare) in HEADS.iter().zip(SPARE) {
        table.spare_column(head.trim_start_matches('>'), Align::Right, spare);
    }
    let mut push = |name: &str, sample: &Sample, is_marked: bool| {
        let name = shortened(name, usize::from((area.width / NAME).max(8)));
        table.row(
            [name]
                .into_iter()
                .chain(rows::cells(sample, is_marked))
                .collect(),
        );
    };
    for (name, sample) in rows {
        push(name, sample, rows::misleads(name, sample, &watched.seekers));
    }
    for one in watched.last.iter().flat_map(|moment| &moment.groups) {
        push(&format!("{} {}", one.device, one.group), &one.sample, false);
    }
    draw_lines(frame, &table, |_| Style::new().bold(), area);
}

/// Who moves the bytes.
fn processes(watched: &Watched) -> Table {
    let mut table = Table::default();
    let is_traced = watched
        .last
        .iter()
        .any(|moment| moment.block_trace.is_some());
    table.column("process (/proc/PID/io)", Align::Left);
    table.column("read MB/s", Align::Right);
    table.column("write MB/s", Align::Right);
    if is_traced {
        table.spare_column("handed to devices (block trace)", Align::Left, 1);
    }
    let all = watched.last.iter().flat_map(|moment| &moment.processes);
    for one in all.take(PROCESSES) {
        let mut cells = vec![
            rows::process_name(one),
            figure::megabytes(one.read_bytes_per_second),
            figure::megabytes(one.written_bytes_per_second),
        ];
        cells.extend(is_traced.then(|| rows::handed(one)));
        table.row(cells);
    }
    table
}

/// Bytes of each device over the time, in all rows that are left, with one axis for all.
fn draw_charts(frame: &mut Frame<'_>, watched: &Watched, rows: &[(&str, &Sample)], area: Rect) {
    let count = usize::from(area.height.saturating_sub(1) / SPARK).min(rows.len());
    if count == 0 {
        return;
    }
    let end_ns = watched
        .passed_ns
        .max(watched.interval.0 * u64::from(area.width));
    let mut heights = vec![Constraint::Fill(1); count];
    heights.push(Constraint::Length(1));
    let areas = Layout::vertical(heights).split(area);
    for ((name, _), place) in rows.iter().zip(areas.iter()).take(count) {
        let found = watched.series.iter().find(|(device, _)| device == name);
        let Some((_, bars)) = found else { continue };
        let highest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
        let chart = Chart {
            title: (*name).to_owned(),
            segments: vec![Segment {
                from_ns: 0,
                bars: bars.clone(),
                highest: format!("{} MB/s read and written", figure::megabytes(highest)),
            }],
            end_ns,
            is_worst: false,
        };
        chart.draw(frame, *place);
    }
    draw_axis(frame, areas[count], end_ns, &[]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::screens;
    use fathom_core::recording::{
        BlockTraceMoment, DeviceMoment, ProcessDevice, ProcessMoment, ProcessorSample,
    };

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
                    device("sdb", Sample::default()),
                ],
                groups: Vec::new(),
                processes: vec![ProcessMoment {
                    pid: 4711,
                    name: "postgres".to_owned(),
                    read_bytes_per_second: 83_968_000.0,
                    written_bytes_per_second: 0.0,
                    devices: vec![ProcessDevice {
                        device: "nvme0n1".to_owned(),
                        read_bytes_per_second: 83_968_000.0,
                        written_bytes_per_second: 0.0,
                    }],
                }],
                block_trace: Some(BlockTraceMoment::default()),
                blame: None,
            });
        }
        watched
    }

    fn drawn(watched: &Watched, width: u16, height: u16) -> String {
        screens::drawn(width, height, |frame| draw(frame, watched))
    }

    #[test]
    fn screens_of_every_size_are_whole() {
        for (width, height) in [(120, 40), (80, 24), (60, 20), (50, 20)] {
            let screen = drawn(&watched(), width, height);
            screens::check(&format!("watch-{width}x{height}"), &screen);
        }
    }

    #[test]
    fn digits_are_never_cut() {
        for width in 24..120 {
            let screen = drawn(&watched(), width, 24);
            assert_eq!(screen.matches(" 20,500").count(), 1, "{width} columns");
        }
    }

    #[test]
    fn idle_devices_are_unfolded_by_a_key() {
        let mut watched = watched();
        watched.sort = Sort::Await;
        watched.has_idle = true;
        watched.help = true;
        screens::check("watch-idle-120x30", &drawn(&watched, 120, 30));
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
        watched.has_idle = true;
        assert_eq!(watched.sorted().len(), 3);
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
