//! Requests a second by host and time, the darker the more: a host a row.

use super::course::{clock, shades};
use super::panel::{Panel, WIDTH};
use super::scale::Axis;
use super::{Drawn, Key, escaped, tenth, words};
use crate::charts::Unit;
use crate::charts::course::TimeAxis;
use crate::charts::host_map::HostMap;
use crate::picture::Scale;
use std::fmt::Write as _;

/// Pixels of a row, of few hosts and of many.
const ROW: f64 = 18.0;
const LOW_ROW: f64 = 12.0;
const FEW: usize = 16;
/// Shades that can be distinguished, the faintest first.
const SHADES: usize = 6;
/// Letters of a name that have room at the left.
const LETTERS: usize = 9;

pub(super) fn draw(axis: &TimeAxis, map: &HostMap) -> Drawn {
    let rates = || map.hosts.iter().flat_map(|(_, rates)| rates);
    let most = rates().copied().fold(0.0, f64::max);
    let row = if map.hosts.len() > FEW { LOW_ROW } else { ROW };
    let y = Axis::plain(Scale::Linear, std::iter::once(1.0), 1);
    let mut panel = Panel::new(row * map.hosts.len() as f64, "", &y);
    panel.x = super::course::times(axis.end_s);
    shades(axis, false, &mut panel);
    let shade = |rate: f64| ((rate / most * SHADES as f64) as usize).min(SHADES - 1);
    let mut paths = vec![String::new(); SHADES];
    for (number, (host, rates)) in map.hosts.iter().enumerate() {
        let top = number as f64 * row;
        panel.names.push((top + row / 2.0, name(host)));
        for (rate, edges) in rates.iter().zip(map.edges_s.windows(2)) {
            // Where nothing was done nothing is drawn.
            if *rate > 0.0 {
                let place = |seconds: f64| tenth((seconds / axis.end_s).min(1.0) * WIDTH);
                let (left, right) = (place(edges[0]), place(edges[1]));
                let (from, to) = (tenth(top + 1.0), tenth(top + row - 1.0));
                let _ = write!(paths[shade(*rate)], "M{left} {from}H{right}V{to}H{left}z");
            }
        }
    }
    let paths = paths
        .iter()
        .enumerate()
        .filter(|(_, path)| !path.is_empty());
    for (index, path) in paths {
        let _ = write!(panel.area, "<path class=\"heat c-h{index}\" d=\"{path}\"/>");
    }
    let mut drawn = Drawn {
        svg: panel.svg(""),
        ..Drawn::default()
    };
    for index in 0..SHADES {
        let from = most * index as f64 / SHADES as f64;
        let end = if index + 1 == SHADES {
            " IOPS or more"
        } else {
            ""
        };
        drawn.keys.push(Key {
            label: format!("{}{end}", words(Unit::Iops, "", from)),
            svg: super::key_svg(&format!("c-h{index}")),
        });
    }
    table(map, &mut drawn);
    let least = rates().copied().fold(f64::INFINITY, f64::min);
    drawn.spoken = format!(
        "{} hosts, each between {} and {} IOPS",
        map.hosts.len(),
        words(Unit::Iops, "", least),
        words(Unit::Iops, "", most)
    );
    drawn
}

/// A name as long as there is room: of long ones the end, which tells hosts of one site apart.
fn name(host: &str) -> String {
    let letters = host.chars().count();
    if letters <= LETTERS {
        return escaped(host).into_owned();
    }
    let end: String = host.chars().skip(letters - LETTERS + 1).collect();
    escaped(&format!("…{end}")).into_owned()
}

/// A row for each column of the map, a column for each host.
fn table(map: &HostMap, drawn: &mut Drawn) {
    drawn.heads.push("time".to_owned());
    drawn
        .heads
        .extend(map.hosts.iter().map(|(host, _)| host.clone()));
    for (column, times) in map.edges_s.windows(2).enumerate() {
        let mut row = vec![format!("{} – {}", clock(times[0]), clock(times[1]))];
        let rates = map.hosts.iter().map(|(_, rates)| rates.get(column));
        row.extend(
            rates.map(|rate| rate.map_or_else(String::new, |rate| words(Unit::Iops, "", *rate))),
        );
        drawn.rows.push(row);
    }
}
