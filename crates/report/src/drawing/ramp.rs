//! Latency against throughput, step by step.

use super::lines::Look;
use super::panel::Panel;
use super::scale::{self, Axis};
use super::{Drawn, across, escaped, words};
use crate::charts::Unit;
use crate::charts::ramp::{Ramp, RampLine};
use std::fmt::Write as _;

const HEIGHT: f64 = 250.0;

pub(super) fn draw(ramp: &Ramp) -> Drawn {
    let times = ramp
        .lines
        .iter()
        .flat_map(|line| line.mean_ns.iter().chain(&line.p99_ns));
    let kept = ramp.guides.iter().map(|guide| guide.value);
    let y = Axis::over(Unit::Ns, true, times.copied().chain(kept), 8);
    let rates = ramp.lines.iter().flat_map(|line| &line.throughput);
    let x = Axis::over(ramp.unit, false, rates.copied(), 8);
    let mut panel = Panel::new(HEIGHT, "latency", &y);
    panel.x = x.ticks();
    let x_title = format!("throughput, {}", scale::name(ramp.unit));
    panel.x_title = &x_title;
    for guide in &ramp.guides {
        panel.guides.extend(
            y.share(guide.value)
                .map(|share| (share, guide.label.clone())),
        );
    }
    let several = ramp.lines.len() > 1;
    let mut keys = Vec::new();
    for (index, line) in ramp.lines.iter().enumerate() {
        let mut mean = Look::run(index);
        let mut p99 = mean.clone();
        if several {
            p99.dash = "6 4";
        } else {
            (mean.class, p99.class) = ("c-read".to_owned(), "c-p99".to_owned());
            (mean.dash, p99.dash) = ("", "6 4");
        }
        for (look, name, values) in [(&mean, "mean", &line.mean_ns), (&p99, "p99", &line.p99_ns)] {
            if values.iter().any(|value| value.is_finite()) {
                steps(line, values, look, &x, &mut panel, name == "mean");
                let own = if several {
                    format!("{} {name}", line.label)
                } else {
                    name.to_owned()
                };
                keys.push(look.key(&own));
            }
        }
    }
    let mut drawn = Drawn {
        svg: panel.svg(""),
        keys,
        ..Drawn::default()
    };
    table(ramp, &mut drawn);
    drawn
}

/// A line through the steps, each with its marker, and its name where there is room.
fn steps(
    line: &RampLine,
    values: &[f64],
    look: &Look,
    x: &Axis,
    panel: &mut Panel<'_>,
    named: bool,
) {
    /// Places nearer than this share have no room for two names.
    const APART: f64 = 0.045;
    /// Share of the height under which a name has no room below its marker.
    const LOWEST: f64 = 0.08;
    let places = line.throughput.iter().zip(values).zip(&line.step);
    let places = places.filter_map(|((rate, value), step)| {
        Some((
            x.share(*rate)?,
            panel.y.share(*value)?,
            *value,
            step.as_str(),
        ))
    });
    let places: Vec<(f64, f64, f64, &str)> = places.collect();
    let path = panel.path(places.iter().map(|place| (place.0, place.2, true)));
    let mut out = String::new();
    look.line(&path, &mut out);
    panel.area += &out;
    let mut last = f64::NEG_INFINITY;
    for (at, share, _, step) in places {
        let top = panel.top(share);
        look.mark(at, top, &mut panel.over);
        if named && (at - last).abs() >= APART {
            last = at;
            // Below the lowest stand the words of the axis.
            let y = if share < LOWEST {
                top - 8.0
            } else {
                top + 17.0
            };
            let _ = write!(
                panel.over,
                "<text class=\"middle soft\" x=\"{}%\" y=\"{y}\">{}</text>",
                across(at),
                escaped(step)
            );
        }
    }
}

fn table(ramp: &Ramp, drawn: &mut Drawn) {
    let heads = ["run", ramp.knob, "throughput", "mean", "p99"];
    drawn.heads = heads.map(str::to_owned).to_vec();
    for line in &ramp.lines {
        for (index, step) in line.step.iter().enumerate() {
            let rate = words(ramp.unit, "", line.throughput[index]);
            drawn.rows.push(vec![
                line.label.clone(),
                step.clone(),
                rate.clone(),
                words(Unit::Ns, "", line.mean_ns[index]),
                words(Unit::Ns, "", line.p99_ns[index]),
            ]);
            let mean = words(Unit::Ns, "", line.mean_ns[index]);
            let _ = write!(drawn.spoken, "{} {step}: {rate} at {mean}; ", ramp.knob);
        }
    }
}
