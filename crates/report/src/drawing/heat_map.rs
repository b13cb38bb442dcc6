//! Requests by time and latency, the darker the more.

use super::course::{clock, shades};
use super::panel::Panel;
use super::scale::Axis;
use super::{Drawn, words};
use crate::charts::Unit;
use crate::charts::course::TimeAxis;
use crate::charts::heat_map::HeatMap;
use crate::figure::count;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEIGHT: f64 = 200.0;
/// Shades that can be distinguished, the faintest first.
const SHADES: usize = 6;

pub(super) fn draw(axis: &TimeAxis, map: &HeatMap) -> Drawn {
    let most = map
        .cells
        .iter()
        .map(|cell| cell.2)
        .max()
        .unwrap_or(1)
        .max(2);
    let bands = map.cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(1);
    let edge = |band: i32| 10_f64.powf(f64::from(map.first_band + band) / map.bands);
    let y = Axis::over(Unit::Ns, true, [edge(0), edge(bands)].into_iter(), 7);
    let mut panel = Panel::new(HEIGHT, map.label.as_str(), &y);
    panel.x = super::course::times(axis.end_s);
    shades(axis, true, &mut panel);
    let shade = |requests: u64| {
        let share = (requests as f64).ln() / (most as f64).ln();
        ((share * SHADES as f64) as usize).min(SHADES - 1)
    };
    let mut paths = vec![String::new(); SHADES];
    for (column, band, requests) in &map.cells {
        let place = |seconds: f64| (seconds / axis.end_s * super::panel::WIDTH).round();
        let (left, right) = (place(map.edges_s[*column]), place(map.edges_s[*column + 1]));
        let level = |band: i32| panel.top(y.share(edge(band)).unwrap_or(0.0)).round();
        let (top, bottom) = (level(band + 1), level(*band));
        let path = &mut paths[shade(*requests)];
        let _ = write!(path, "M{left} {top}H{right}V{bottom}H{left}z");
    }
    for (index, path) in paths
        .iter()
        .enumerate()
        .filter(|(_, path)| !path.is_empty())
    {
        let _ = write!(panel.area, "<path class=\"heat c-h{index}\" d=\"{path}\"/>");
    }
    let mut drawn = Drawn {
        svg: panel.svg(""),
        ..Drawn::default()
    };
    for index in 0..SHADES {
        let from = (most as f64).powf(index as f64 / SHADES as f64).ceil() as u64;
        drawn.keys.push(super::Key {
            label: format!(
                "{}{}",
                count(from.max(1)),
                if index + 1 == SHADES {
                    " requests or more"
                } else {
                    ""
                }
            ),
            svg: super::key_svg(&format!("c-h{index}")),
        });
    }
    table(map, bands, &edge, &mut drawn);
    let total: u64 = map.cells.iter().map(|cell| cell.2).sum();
    drawn.spoken = format!(
        "{} requests between {} and {}",
        count(total),
        words(Unit::Ns, "", edge(0)),
        words(Unit::Ns, "", edge(bands))
    );
    drawn
}

/// A row for each column of the map, a column for each of its bands.
fn table(map: &HeatMap, bands: i32, edge: &dyn Fn(i32) -> f64, drawn: &mut Drawn) {
    drawn.heads.push("time".to_owned());
    let heads = (0..bands).map(|band| format!("from {}", words(Unit::Ns, "", edge(band))));
    drawn.heads.extend(heads);
    let cells: BTreeMap<(usize, i32), u64> = map
        .cells
        .iter()
        .map(|(column, band, requests)| ((*column, *band), *requests))
        .collect();
    for (column, times) in map.edges_s.windows(2).enumerate() {
        let mut row = vec![format!("{} – {}", clock(times[0]), clock(times[1]))];
        row.extend((0..bands).map(|band| {
            let requests = cells.get(&(column, band));
            requests.map_or_else(String::new, |requests| count(*requests))
        }));
        drawn.rows.push(row);
    }
}
