//! Lines over named steps, one after another at even distances.

use super::lines::Look;
use super::panel::Panel;
use super::scale::{self, Axis};
use super::{Drawn, words};
use crate::charts::steps::Steps;

const HEIGHT: f64 = 220.0;

pub(super) fn draw(steps: &Steps) -> Drawn {
    let values = steps.lines.iter().flat_map(|line| &line.values).copied();
    let y = Axis::over(steps.unit, true, values, 8);
    let mut panel = Panel::new(HEIGHT, scale::name(steps.unit), &y);
    let count = steps.names.len().max(1) as f64;
    let place = |index: usize| (index as f64 + 0.5) / count;
    panel.x = steps
        .names
        .iter()
        .enumerate()
        .map(|(at, name)| (place(at), name.clone()))
        .collect();
    panel.x_title = &steps.knob;
    let mut drawn = Drawn::default();
    drawn.heads.push(steps.knob.clone());
    for (index, line) in steps.lines.iter().enumerate() {
        let look = Look::run(index);
        let points = line
            .values
            .iter()
            .enumerate()
            .map(|(at, value)| (place(at), *value));
        let path = panel.path(points.clone().map(|(x, value)| (x, value, true)));
        let mut out = String::new();
        look.line(&path, &mut out);
        panel.area += &out;
        for (x, value) in points {
            if let Some(share) = y.share(value) {
                look.mark(x, panel.top(share), &mut panel.over);
            }
        }
        drawn.keys.push(look.key(&line.label));
        drawn.heads.push(line.label.clone());
    }
    for (at, name) in steps.names.iter().enumerate() {
        let mut row = vec![name.clone()];
        row.extend(
            steps
                .lines
                .iter()
                .map(|line| words(steps.unit, "", line.values[at])),
        );
        drawn.spoken += &format!("{}; ", row.join(" "));
        drawn.rows.push(row);
    }
    drawn.edges = (1..=steps.names.len())
        .map(|at| format!("{}", (at as f64 / count * 1000.0).round()))
        .collect::<Vec<_>>()
        .join(" ");
    drawn.svg = panel.svg("");
    drawn
}
