//! Latency against throughput, step by step.

mod names;

use super::lines::Look;
use super::panel::Panel;
use super::scale::{self, Axis};
use super::{Drawn, words};
use crate::charts::Unit;
use crate::charts::ramp::{Ramp, RampLine};
use std::fmt::Write as _;

const HEIGHT: f64 = 250.0;

/// The places of a line's steps.
struct Curve<'a> {
    steps: Vec<Step<'a>>,
    is_named: bool,
}

struct Step<'a> {
    /// Share of the width.
    at: f64,
    /// Pixels from the top.
    top: f64,
    words: &'a str,
}

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
    panel.names_guides_left = true;
    for guide in &ramp.guides {
        panel.guides.extend(
            y.share(guide.value)
                .map(|share| (share, guide.label.clone())),
        );
    }
    let mut curves = Vec::new();
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
                curves.push(Curve {
                    steps: curve(line, values, look, &x, &mut panel),
                    is_named: name == "mean",
                });
                let own = if several {
                    format!("{} {name}", line.label)
                } else {
                    name.to_owned()
                };
                keys.push(look.key(&own));
            }
        }
    }
    names::write(&curves, &mut panel);
    let mut drawn = Drawn {
        svg: panel.svg(""),
        keys,
        ..Drawn::default()
    };
    table(ramp, &mut drawn);
    drawn
}

/// A line through the steps, with a marker for each.
fn curve<'a>(
    line: &'a RampLine,
    values: &[f64],
    look: &Look,
    x: &Axis,
    panel: &mut Panel<'_>,
) -> Vec<Step<'a>> {
    let places = line.throughput.iter().zip(values).zip(&line.step);
    let places = places.filter_map(|((rate, value), step)| {
        let (at, share) = (x.share(*rate)?, panel.y.share(*value)?);
        let top = panel.top(share);
        Some((
            *value,
            Step {
                at,
                top,
                words: step,
            },
        ))
    });
    let places: Vec<(f64, Step<'_>)> = places.collect();
    let path = panel.path(places.iter().map(|(value, step)| (step.at, *value, true)));
    let mut out = String::new();
    look.line(&path, &mut out);
    panel.area += &out;
    let steps = places.into_iter().map(|(_, step)| step);
    let steps: Vec<Step<'_>> = steps.collect();
    for step in &steps {
        look.mark(step.at, step.top, &mut panel.over);
    }
    steps
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
