//! Draws the run so far. Pure: the same `App` on the same area gives the same cells.

use super::app::{Amount, App, PhaseState, Row, Stage};
use super::clock_face::seconds;
use fathom_core::figure;
use fathom_core::interval::Part;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Gauge, Paragraph, Sparkline, Table};
use std::collections::VecDeque;

/// Rows of the table that are always left room for.
const LEAST_TABLE: u16 = 4;
/// Heights of a series with its title.
const SPARK: std::ops::RangeInclusive<u16> = 2..=8;
const HELP: [&str; 4] = [
    "q  Ctrl-C  stop now, and report what was measured",
    "   Ctrl-C  once more: leave without a report",
    "p          hold the display, or let it go on",
    "?          show or hide this help",
];

/// Draws all of it.
pub(crate) fn draw(frame: &mut Frame<'_>, app: &App) {
    let outer = block(app);
    let inner = outer.inner(frame.area());
    frame.render_widget(outer, frame.area());
    let table_rows = u16::try_from(app.rows.len()).unwrap_or(u16::MAX);
    let table_height = table_rows.saturating_add(2).max(LEAST_TABLE);
    // Numbers first: where there is no room for both, the series go.
    let spark = match inner.height.saturating_sub(3 + table_height) / 2 {
        small if small < *SPARK.start() => 0,
        large => large.min(*SPARK.end()),
    };
    let areas: [Rect; 6] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(spark),
        Constraint::Length(spark),
    ])
    .areas(inner);
    frame.render_widget(Paragraph::new(headline(app)), areas[0]);
    draw_progress(frame, app, areas[1]);
    draw_table(frame, app, areas[3]);
    draw_series(frame, "IOPS", &app.iops, figure::count, areas[4]);
    draw_series(
        frame,
        "p99",
        &app.p99_ns,
        |ns| figure::time(ns as f64),
        areas[5],
    );
    if app.help {
        draw_help(frame, inner);
    }
}

fn block(app: &App) -> Block<'_> {
    let engine = app.engine.as_deref().unwrap_or("…");
    let title = format!(" fathom · {} · {} ", app.workload, app.targets);
    let keys = if app.paused {
        " PAUSED · p go on "
    } else {
        " q stop and report · p pause · ? help "
    };
    Block::bordered()
        .title(Line::from(title).bold())
        .title(Line::from(format!(" {engine} ")).alignment(Alignment::Right))
        .title_bottom(Line::from(keys).alignment(Alignment::Right))
}

fn headline(app: &App) -> Line<'_> {
    let doing = match (&app.stage, &app.phase) {
        _ if app.stopping => "stopping".to_owned(),
        (Stage::Layout(amount), _) => format!("laying out {}", amount.path),
        (Stage::WriteBack(path), _) => format!("waiting until {path} is written"),
        (Stage::Verify(amount), _) => format!("checking {}", amount.path),
        (Stage::Load, Some(phase)) => match phase.part {
            Part::WarmUp => "warming up".to_owned(),
            Part::Measure => "measuring".to_owned(),
            Part::CoolDown => "cooling down".to_owned(),
        },
        _ => "preparing".to_owned(),
    };
    let place = app.phase.as_ref().map_or_else(String::new, |phase| {
        format!("phase {}/{} {}  ", phase.number, phase.count, phase.name)
    });
    Line::from(vec![Span::from(place).bold(), Span::from(doing)])
}

fn draw_progress(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let (ratio, label) = match (&app.stage, &app.phase) {
        (Stage::Layout(amount) | Stage::Verify(amount), _) => amount_progress(amount),
        (_, Some(phase)) => phase_progress(app, phase),
        _ => (0.0, String::new()),
    };
    let gauge = Gauge::default()
        .ratio(ratio.clamp(0.0, 1.0))
        .label(label)
        .gauge_style(Style::new().fg(Color::Cyan).bg(Color::DarkGray));
    frame.render_widget(gauge, area);
}

fn amount_progress(amount: &Amount) -> (f64, String) {
    let done = figure::size(amount.done_bytes);
    let total = figure::size(amount.total_bytes);
    let ratio = amount.done_bytes as f64 / (amount.total_bytes as f64).max(1.0);
    (ratio, format!("{done} of {total}"))
}

fn phase_progress(app: &App, phase: &PhaseState) -> (f64, String) {
    let elapsed = seconds(phase.elapsed_ns);
    let (left, all) = app.left_ns();
    let label = match (phase.total_ns(), left) {
        (Some(total), Some(left)) => {
            format!("{elapsed} of {}, {} left", seconds(total), seconds(left))
        }
        _ => format!("{elapsed}, until it is done"),
    };
    let label = match all.filter(|_| phase.number < phase.count) {
        Some(all) => format!("{label}, {} to the end", seconds(all)),
        None => label,
    };
    let total = phase.total_ns().map_or(f64::INFINITY, |total| total as f64);
    (phase.elapsed_ns as f64 / total.max(1.0), label)
}

fn draw_table(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let right = |text: String| Line::from(text).alignment(Alignment::Right);
    let head = ["", "IOPS", "MB/s", "p50", "p99", "p99.9", "max", "errors"];
    let header = ratatui::widgets::Row::new(head.map(|name| right(name.to_owned())))
        .style(Style::new().add_modifier(Modifier::DIM));
    let cells = |row: &Row| {
        let errors = figure::count(row.errors);
        let errors = if row.errors > 0 {
            right(errors).red().bold()
        } else {
            right(errors)
        };
        ratatui::widgets::Row::new([
            Line::from(row.label()),
            right(figure::iops(row.iops)).bold(),
            right(figure::megabytes(row.bytes_per_second)).bold(),
            right(time_or_dash(row.p50_ns)),
            right(time_or_dash(row.p99_ns)),
            right(time_or_dash(row.p999_ns)),
            right(time_or_dash(row.max_ns)),
            errors,
        ])
    };
    let widths = [
        Constraint::Fill(1),
        Constraint::Length(10),
        Constraint::Length(9),
        Constraint::Length(8),
        Constraint::Length(8),
        Constraint::Length(8),
        Constraint::Length(8),
        Constraint::Length(6),
    ];
    let table = Table::new(app.rows.iter().map(cells), widths).header(header);
    frame.render_widget(table, area);
}

/// A latency that the sample may not support.
fn time_or_dash(ns: Option<u64>) -> String {
    ns.map_or_else(|| "-".to_owned(), |ns| figure::time(ns as f64))
}

fn draw_series(
    frame: &mut Frame<'_>,
    name: &str,
    series: &VecDeque<u64>,
    print: impl Fn(u64) -> String,
    area: Rect,
) {
    let [title, chart] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let skip = series.len().saturating_sub(usize::from(chart.width));
    let shown: Vec<u64> = series.iter().skip(skip).copied().collect();
    let Some(highest) = shown.iter().copied().max() else {
        return;
    };
    let line = Line::from(vec![
        Span::from(name.to_owned()).bold(),
        Span::from(format!("  by interval, highest {}", print(highest))).dim(),
    ]);
    frame.render_widget(Paragraph::new(line), title);
    let spark = Sparkline::default()
        .data(shown)
        .max(highest.max(1))
        .style(Style::new().fg(Color::Cyan));
    frame.render_widget(spark, chart);
}

fn draw_help(frame: &mut Frame<'_>, area: Rect) {
    let width = 60.min(area.width);
    let height = 6.min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let text: Vec<Line<'_>> = HELP.map(|line| Line::from(format!(" {line}"))).into();
    frame.render_widget(Clear, place);
    frame.render_widget(
        Paragraph::new(text).block(Block::bordered().title(" Keys ")),
        place,
    );
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use fathom_session::Event;
    use fathom_tools::profiles;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    const SECOND_NS: u64 = 1_000_000_000;

    fn preparing() -> App {
        let workload = profiles::find("quick").unwrap().workload().unwrap();
        App::new(&workload, "/data/scratch".to_owned())
    }

    /// 30 intervals into a run: the load grows, and its latency with it.
    fn measuring(jobs: &[&'static str]) -> App {
        let mut app = preparing();
        app.take(&fixture::ENGINE);
        app.take(&fixture::phase_start(jobs));
        let numbers: Vec<u32> = (0..).take(jobs.len()).collect();
        for second in 0..30 {
            let mut interval = fixture::interval(Part::Measure, second * 1000, 1000, &numbers);
            for job in &mut interval.jobs {
                let read = job.read.as_mut().unwrap();
                read.ios -= 2000 * (29 - second);
                let p99 = 200_000 + 30_000 * second;
                read.service_ns.percentiles.insert("99".to_owned(), p99);
            }
            app.take(&Event::Interval {
                interval: &interval,
            });
        }
        app.take(&Event::Tick {
            part: Part::Measure,
            elapsed_ns: 4 * SECOND_NS,
        });
        app
    }

    fn drawn(app: &App, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, app)).unwrap();
        let buffer = terminal.backend().buffer();
        let mut text = String::new();
        for row in buffer.content().chunks(usize::from(width)) {
            let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
    #[test]
    fn a_run_in_a_small_terminal() {
        let expected = include_str!("snapshots/measuring-80x24.txt");
        assert_eq!(drawn(&measuring(&["one"]), 80, 24), expected);
    }

    #[test]
    fn two_jobs_in_a_large_terminal() {
        let expected = include_str!("snapshots/jobs-120x40.txt");
        assert_eq!(drawn(&measuring(&["one", "another"]), 120, 40), expected);
    }

    #[test]
    fn help_lies_over_the_view() {
        let mut app = measuring(&["one"]);
        app.help = true;
        let expected = include_str!("snapshots/help-80x24.txt");
        assert_eq!(drawn(&app, 80, 24), expected);
    }

    #[test]
    fn a_layout_that_is_held() {
        let mut app = preparing();
        app.take(&Event::Layout {
            path: "/data/scratch/fathom.x",
            done_bytes: 1 << 28,
            total_bytes: 1 << 30,
        });
        let expected = "\
┌ fathom · quick · /data/scratch ─────────────────────────────────────────── … ┐
│laying out /data/scratch/fathom.x                                             │
│████████████████████           256 MiB of 1 GiB                               │
│                                                                              │
│                     IOPS      MB/s      p50      p99    p99.9      max errors│
│                                                                              │
│                                                                              │
└──────────────────────────────────────────────────────────── PAUSED · p go on ┘
";
        assert_eq!(drawn(&app.paused(), 80, 8), expected);
    }

    #[test]
    fn no_terminal_is_too_small() {
        let mut app = measuring(&["one", "another"]);
        app.help = true;
        let sizes = [(1, 1), (2, 2), (10, 3), (500, 2), (3, 200)];
        for (width, height) in sizes {
            let lines = drawn(&app, width, height).lines().count();
            assert_eq!(lines, usize::from(height));
        }
    }
}
