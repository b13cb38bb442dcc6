//! The hosts that measure together, a row for each as far as there is room: those first of which
//! there is something to say, and the slowest marked.

use super::table;
use fathom_core::SmallSort as _;
use fathom_core::figure;
use fathom_core::table::{Align, Table};
use fathom_session::{HostNow, Standing};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style, Stylize as _};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

/// Rows that all of them take.
pub(super) fn rows(hosts: &[HostNow]) -> u16 {
    u16::try_from(hosts.len() + 1).unwrap_or(u16::MAX)
}

/// Draws as many as there is room for; what the others do is a line.
pub(super) fn draw(frame: &mut Frame<'_>, hosts: &[HostNow], area: Rect) {
    let room = usize::from(area.height.saturating_sub(1));
    if hosts.is_empty() || room == 0 {
        return;
    }
    let slowest = slowest(hosts);
    let order = order(hosts, room);
    let shown = if hosts.len() > room && room > 1 {
        room - 1
    } else {
        room
    };
    let (shown, others) = order.split_at(shown.min(order.len()));
    let mut table = Table::default();
    table.column("host", Align::Left);
    table.spare_column("members", Align::Right, 2);
    table.column("IOPS", Align::Right);
    table.spare_column("MB/s", Align::Right, 1);
    table.spare_column("errors", Align::Right, 3);
    table.column("", Align::Left);
    for number in shown {
        let host = &hosts[*number];
        table.row(vec![
            host.name.clone(),
            figure::count(host.members as u64),
            figure::iops(host.iops),
            figure::megabytes(host.bytes_per_second),
            figure::count(host.errors),
            word(host.standing, slowest == Some(*number)).to_owned(),
        ]);
    }
    let style = |row: usize| {
        let host = shown.get(row).map(|number| (&hosts[*number], *number));
        match host {
            Some((host, _)) if host.standing > Standing::There => {
                Style::new().fg(Color::Red).bold()
            }
            Some((_, number)) if slowest == Some(number) => Style::new().fg(Color::Yellow).bold(),
            _ => Style::new(),
        }
    };
    table::draw(frame, &table, style, area);
    if !others.is_empty() && room > 1 {
        let last = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        frame.render_widget(Paragraph::new(Line::from(rest(hosts, others)).dim()), last);
    }
}

/// The slowest of those that measure, where there are several.
fn slowest(hosts: &[HostNow]) -> Option<usize> {
    let there = || {
        let numbered = hosts.iter().enumerate();
        numbered.filter(|(_, host)| host.standing == Standing::There)
    };
    let is_busy = there().any(|(_, host)| host.iops > 0.0);
    let least = there().min_by(|(_, one), (_, other)| one.iops.total_cmp(&other.iops));
    let least = least.map(|(number, _)| number);
    least.filter(|_| is_busy && there().count() > 1)
}

/// Numbers of the hosts as they are shown: where all have room as they were named, otherwise the
/// worst and the slowest first.
fn order(hosts: &[HostNow], room: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..hosts.len()).collect();
    if hosts.len() > room {
        order.small_sort_by(|one, other| {
            let (one, other) = (&hosts[*one], &hosts[*other]);
            let standing = other.standing.cmp(&one.standing);
            standing.then(one.iops.total_cmp(&other.iops))
        });
    }
    order
}

const fn word(standing: Standing, is_slowest: bool) -> &'static str {
    match standing {
        Standing::There if is_slowest => "slowest",
        Standing::There => "",
        Standing::Done => "done",
        Standing::Awaited => "awaited",
        Standing::Silent => "silent",
        Standing::Gone => "gone",
    }
}

/// What those do that have no row.
fn rest(hosts: &[HostNow], others: &[usize]) -> String {
    let rates = others.iter().map(|number| hosts[*number].iops);
    let least = rates.clone().fold(f64::INFINITY, f64::min);
    let most = rates.fold(0.0, f64::max);
    let count = figure::count(others.len() as u64);
    let (least, most) = (figure::iops(least), figure::iops(most));
    format!("and {count} more, {least} to {most} IOPS")
}
