//! Draws the run so far. Pure: the same `App` on the same area gives the same cells.

use super::app::{Amount, App, LiveOp, PhaseState, Stage};
use super::clock_face::seconds;
use super::course;
use super::surround::{Key, KeyWords, Surround, shortened};
use super::{chart, hosts, table};
use fathom_core::figure;
use fathom_core::interval::Part;
use fathom_core::table::{Align, Table};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Gauge, Paragraph};

/// Rows that the charts have at least, before phases that are over lose theirs.
const LEAST_CHARTS: u16 = 7;
/// Rows with which there are two charts and not one.
const TWO_CHARTS: u16 = 7;
/// Things that happened among hosts that are shown.
const MOST_NOTES: u16 = 3;
/// A label has at most this share of the width.
const LABEL: u16 = 3;
const KEYS: [KeyWords; 2] = [
    (
        Key::Quit,
        "stop and report",
        "stop now, and report the measured part",
    ),
    (
        Key::Interrupt,
        "",
        "the same; once more: exit without a report",
    ),
];

/// Draws all of it.
pub(crate) fn draw(frame: &mut Frame<'_>, app: &App) {
    let surround = Surround {
        title: format!("fathom · {} · {}", app.workload, app.targets),
        right: app.engine.as_deref().unwrap_or("…"),
        is_held: app.paused,
        has_help: app.help,
        keys: &KEYS,
    };
    let inner = surround.draw(frame);
    let current = u16::try_from(app.rows.len()).unwrap_or(u16::MAX).max(1);
    let free = inner.height.saturating_sub(3 + current);
    // Numbers of now first, then the charts, then what is over.
    let notes = (app.notes.len() as u16).min(MOST_NOTES).min(free);
    let hosts = rows_of_hosts(app, free - notes);
    let left = free - notes - hosts;
    let done = usize::from(left.saturating_sub(LEAST_CHARTS)).min(app.done.len());
    let table = current.saturating_add(1 + done as u16);
    let areas: [Rect; 6] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(table),
        Constraint::Length(hosts),
        Constraint::Fill(1),
        Constraint::Length(notes),
    ])
    .areas(inner);
    frame.render_widget(Paragraph::new(headline(app)), areas[0]);
    draw_progress(frame, app, areas[1]);
    draw_table(frame, app, done, areas[2]);
    hosts::draw(frame, &app.hosts, areas[3]);
    draw_charts(frame, app, areas[4]);
    draw_notes(frame, app, areas[5]);
    surround.draw_help(frame, inner);
}

/// Rows for the hosts where `free` are free: one each where enough is left for charts, else two
/// thirds.
fn rows_of_hosts(app: &App, free: u16) -> u16 {
    if app.hosts.is_empty() {
        return 0;
    }
    let all = hosts::rows(&app.hosts);
    all.min(free.saturating_sub(LEAST_CHARTS).max(free * 2 / 3))
}

/// The last things that happened among the hosts.
fn draw_notes(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let first = app.notes.len().saturating_sub(usize::from(area.height));
    let width = usize::from(area.width);
    let notes = app.notes[first..].iter();
    let lines = notes.map(|note| Line::from(shortened(note, width)).red());
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
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
        _ => format!("{elapsed}, until it is complete"),
    };
    let label = match all.filter(|_| phase.number < phase.count) {
        Some(all) => {
            let about = if app.unplanned() > 0 { "about " } else { "" };
            format!("{label}, {about}{} to the end", seconds(all))
        }
        None => label,
    };
    let total = phase.total_ns().map_or(f64::INFINITY, |total| total as f64);
    (phase.elapsed_ns as f64 / total.max(1.0), label)
}

/// The last phases that are over, then the operations of the one that runs.
fn draw_table(frame: &mut Frame<'_>, app: &App, done: usize, area: Rect) {
    let over = app.done[app.done.len() - done..].iter();
    let over: Vec<&LiveOp> = over.collect();
    let rows = || over.iter().copied().chain(&app.rows);
    let label = |row: &LiveOp| shortened(&row.label(), usize::from((area.width / LABEL).max(8)));
    let has_errors = rows().any(|row| row.errors > 0);
    let mut table = Table::default();
    table.column("", Align::Left);
    // The highest goes first where it gets narrow; what went wrong never does.
    table.column("IOPS", Align::Right);
    table.spare_column("MB/s", Align::Right, 3);
    table.spare_column("p50", Align::Right, 2);
    table.spare_column("p99", Align::Right, 1);
    table.spare_column("p99.9", Align::Right, 5);
    table.spare_column("max", Align::Right, 4);
    table.spare_column("errors", Align::Right, if has_errors { 0 } else { 6 });
    for row in rows() {
        table.row(vec![
            label(row),
            figure::iops(row.iops),
            figure::megabytes(row.bytes_per_second),
            time_or_dash(row.p50_ns),
            time_or_dash(row.p99_ns),
            time_or_dash(row.p999_ns),
            time_or_dash(row.max_ns),
            figure::count(row.errors),
        ]);
    }
    let style = |index: usize| match rows().nth(index) {
        Some(row) if row.errors > 0 => Style::new().fg(Color::Red).bold(),
        _ if index >= over.len() => Style::new().bold(),
        _ => Style::new(),
    };
    table::draw(frame, &table, style, area);
}

/// A latency that the sample may not support.
fn time_or_dash(ns: Option<u64>) -> String {
    ns.map_or_else(|| "-".to_owned(), |ns| figure::time(ns as f64))
}

/// Rate and p99 over the whole run, in all rows that are left.
fn draw_charts(frame: &mut Frame<'_>, app: &App, area: Rect) {
    if app.courses.is_empty() || area.height < 3 {
        return;
    }
    let end_ns = app.end_ns();
    let lower = if area.height >= TWO_CHARTS {
        (area.height - 1) / 2
    } else {
        0
    };
    let areas: [Rect; 3] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(lower),
        Constraint::Length(1),
    ])
    .areas(area);
    course::rates(&app.courses, end_ns).draw(frame, areas[0]);
    course::latencies(&app.courses, end_ns).draw(frame, areas[1]);
    let phases = app.courses.iter();
    let phases: Vec<(u64, String)> = phases
        .map(|course| (course.begin_ns, course.label.clone()))
        .collect();
    chart::draw_axis(frame, areas[2], end_ns, &phases);
}

#[cfg(test)]
mod tests {
    use super::super::{fixture, screens};
    use super::*;
    use fathom_core::Op;
    use fathom_core::fixture::{JobPlan, Stream, series};
    use fathom_session::{Event, HostNow, Standing};
    use fathom_tools::profiles;

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
                let read = job.ops[Op::Read].as_mut().unwrap();
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
        screens::drawn(width, height, |frame| draw(frame, app))
    }

    /// Two phases are over, a third of many is under way.
    fn third_phase() -> App {
        let mut app = preparing();
        app.take(&fixture::ENGINE);
        let plan = JobPlan::closed(
            "one",
            8,
            vec![Stream::random(Op::Read, 1 << 20, series(1_200, 4))],
        );
        let over = fathom_core::fixture::run("w", &[("sequential-read", vec![plan])]);
        for index in 0..3_usize {
            let (name, ios) = [
                ("sequential-read", 1_200),
                ("random-read-deep", 165_000),
                ("random-read", 62_000),
            ][index];
            app.take(&Event::PhaseStart {
                name,
                index,
                count: 7,
                jobs: vec!["one"],
                warm_up_ns: SECOND_NS,
                duration_ns: Some(4 * SECOND_NS),
                cool_down_ns: 0,
            });
            for second in 0..(if index < 2 { 5 } else { 3 }) {
                let mut interval = fixture::interval(Part::Measure, second * 1000, 1000, &[0]);
                let job = &mut interval.jobs[0];
                job.ops[Op::Write] = None;
                let read = job.ops[Op::Read].as_mut().unwrap();
                read.ios = ios - ios / 20 * second;
                read.bytes = read.ios * if index == 0 { 1 << 20 } else { 4096 };
                app.take(&Event::Interval {
                    interval: &interval,
                });
            }
            if index < 2 {
                let mut result = over.phases[0].clone();
                result.name = name.to_owned();
                app.take(&Event::PhaseEnd { result: &result });
            }
        }
        app
    }

    #[test]
    fn screens_of_every_size_are_whole() {
        for (width, height) in [(120, 40), (80, 24), (60, 20), (50, 20)] {
            let one = drawn(&measuring(&["one"]), width, height);
            screens::check(&format!("measuring-{width}x{height}"), &one);
            let third = drawn(&third_phase(), width, height);
            screens::check(&format!("phases-{width}x{height}"), &third);
        }
    }

    /// So many hosts, each with another rate; the second is silent, if there are more than four.
    fn with_hosts(mut app: App, count: usize) -> App {
        let host = |number: usize| HostNow {
            name: format!("db{}", number + 1),
            members: 2,
            standing: if count > 4 && number == 1 {
                Standing::Silent
            } else {
                Standing::There
            },
            iops: 17_000.0 - 250.0 * ((number * 7) % 5) as f64,
            bytes_per_second: 69.6e6 - 1e6 * ((number * 7) % 5) as f64,
            errors: 0,
        };
        let hosts: Vec<HostNow> = (0..count).map(host).collect();
        app.take(&Event::Hosts { hosts: &hosts });
        if count > 4 {
            app.take(&Event::Members {
                line: "db2 (rank 3) has been silent for 5.0 s",
                matters: true,
            });
        }
        app
    }

    #[test]
    fn hosts_have_a_row_each_as_far_as_there_is_room() {
        for (width, height) in [(120, 40), (80, 24), (60, 20)] {
            for count in [4, 40] {
                let app = with_hosts(measuring(&["one"]), count);
                let name = format!("hosts-{count}-{width}x{height}");
                screens::check(&name, &drawn(&app, width, height));
            }
        }
    }

    #[test]
    fn the_slowest_host_is_marked_at_any_size() {
        let app = with_hosts(measuring(&["one"]), 4);
        for width in (30..120).step_by(7) {
            for height in 10..24 {
                let screen = drawn(&app, width, height);
                let marked = screen.lines().filter(|line| line.contains("slowest"));
                let marked: Vec<&str> = marked.filter_map(|line| line.split(' ').next()).collect();
                assert_eq!(marked, ["│db3"], "{width}x{height}\n{screen}");
            }
        }
    }

    #[test]
    fn digits_are_never_cut() {
        for width in 24..120 {
            let screen = drawn(&measuring(&["one"]), width, 20);
            assert_eq!(screen.matches(" 67,500").count(), 1, "{width} columns");
        }
    }

    #[test]
    fn two_jobs_in_a_large_terminal() {
        screens::check(
            "jobs-120x40",
            &drawn(&measuring(&["one", "another"]), 120, 40),
        );
    }

    #[test]
    fn help_lies_over_the_view() {
        let mut app = measuring(&["one"]);
        app.help = true;
        screens::check("help-80x24", &drawn(&app, 80, 24));
    }

    #[test]
    fn a_layout_that_is_held() {
        let mut app = preparing();
        app.take(&Event::Layout {
            path: "/data/scratch/fathom.x",
            done_bytes: 1 << 28,
            total_bytes: 1 << 30,
        });
        screens::check("layout-80x8", &drawn(&app.paused(), 80, 8));
    }

    #[test]
    fn no_terminal_is_too_small() {
        let mut app = with_hosts(measuring(&["one", "another"]), 40);
        app.help = true;
        let sizes = [(1, 1), (2, 2), (10, 3), (500, 2), (3, 200)];
        for (width, height) in sizes {
            let lines = drawn(&app, width, height).lines().count();
            assert_eq!(lines, usize::from(height));
        }
    }
}
