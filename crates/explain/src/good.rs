//! Whether a number is good: against classes of devices, and against what an application requires.

use crate::evidence::{Direction, Evidence, Latency, Load};
use crate::number;
use fathom_core::figure;
use fathom_verdict::{Application, Need, Per};
use fathom_volume::classes::class_figures;

/// A figure lies within a class if it is at most this factor outside of the figures found.
const NEAR: f64 = 1.25;

/// The smallest request of a stream, and the largest of a random load, in the figures of classes.
const STREAM: f64 = 131_072.0;
const SMALL: f64 = 8192.0;

/// What class of devices gives such a number; nothing where no figure is of such a load.
pub(crate) fn class(evidence: &Evidence) -> Option<String> {
    let [side] = evidence.sides.as_slice() else {
        return None;
    };
    let load = &evidence.load;
    if load.is_limited {
        // The rate is what was asked for.
        return None;
    }
    let (depth, block) = (evidence.total_depth()?, load.block?);
    let is_read = match side.direction {
        Direction::Read => true,
        Direction::Write => false,
        Direction::Both => return None,
    };
    let word = if is_read { "read" } else { "write" };
    let (metrics, value, unit) = match load.random {
        Some(true) if block <= SMALL => {
            let metrics = match depth {
                1.0 => vec![format!("random_{word}_iops_qd1")],
                16.0..=64.0 => vec![
                    format!("random_{word}_iops_qd32"),
                    format!("random_{word}_iops_qd16"),
                ],
                deep if deep > 64.0 => vec![format!("random_{word}_iops_deep")],
                _ => return None,
            };
            (metrics, evidence.iops_of(side)?, "IOPS")
        }
        Some(false) if block >= STREAM => (
            vec![format!("seq_{word}_mbps"), "seq_mbps".to_owned()],
            evidence.rate_of(side)? / 1e6,
            "MB/s",
        ),
        _ => return None,
    };
    let known = class_figures()
        .iter()
        .filter(|figure| metrics.contains(&figure.metric));
    let mut ranges: Vec<Range> = known
        .filter_map(|figure| Some((figure.title.as_str(), figure.range()?)))
        .collect();
    if is_seek(load) && ranges.iter().all(|(_, (least, _))| *least > SEEKS.1) {
        ranges.push(("a hard disk", SEEKS));
    }
    // Several drives are no class of one.
    placed(value, unit, &ranges).filter(|text| load.drives < 2.0 || !text.starts_with(ABOVE_ALL))
}

/// How the place above all classes begins.
const ABOVE_ALL: &str = "More than the fastest class";

/// Requests a second that the seeks of one hard disk allow, with a queue.
const SEEKS: (f64, f64) = (75.0, 450.0);

fn is_seek(load: &Load) -> bool {
    load.random == Some(true) && load.read_percent != Some(0.0)
}

/// A class in words, with the least and the greatest figure.
type Range = (&'static str, (f64, f64));

/// Where a value lies among classes.
fn placed(value: f64, unit: &str, ranges: &[Range]) -> Option<String> {
    let words = |(least, most): (f64, f64)| {
        let number = |value: f64| figure::count(value as u64);
        if (least - most).abs() < 0.5 {
            format!("{} {unit}", number(least))
        } else {
            format!("{} to {} {unit}", number(least), number(most))
        }
    };
    let within = |(least, most): (f64, f64)| value >= least / NEAR && value <= most * NEAR;
    let inside = |(_, range): &&Range| (range.0..=range.1).contains(&value);
    if let Some((title, range)) = ranges.iter().find(inside) {
        return Some(format!(
            "Usual for {title}: {} at this load in published figures.",
            words(*range)
        ));
    }
    if let Some((title, range)) = ranges.iter().find(|(_, range)| within(*range)) {
        let side = if value > range.1 { "more" } else { "less" };
        return Some(format!(
            "A little {side} than {title} gives: {} at this load in published figures.",
            words(*range)
        ));
    }
    let below = ranges
        .iter()
        .filter(|(_, range)| range.1 < value)
        .max_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let above = ranges
        .iter()
        .filter(|(_, range)| range.0 > value)
        .min_by(|a, b| a.1.0.total_cmp(&b.1.0));
    match (below, above) {
        (Some((slow, low)), Some((fast, high))) => Some(format!(
            "More than {slow} gives ({}), and less than {fast} ({}).",
            words(*low),
            words(*high)
        )),
        // One class, of hard disks, is no measure of flash.
        (Some(_), None) if ranges.len() == 1 => None,
        (Some((slow, low)), None) => Some(format!(
            "More than the fastest class known here: {slow} ({}).",
            words(*low)
        )),
        (None, Some((fast, high))) => Some(format!(
            "Less than {fast} gives ({}), the slowest class with a figure for this load.",
            words(*high)
        )),
        (None, None) => None,
    }
}

/// What an application's requirement comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// Whether it is met; none where the output cannot tell.
    pub is_met: Option<bool>,
    /// In words, with the source.
    pub sentence: String,
}

/// What a result shows of each requirement of an application.
pub(crate) fn against(evidence: &Evidence, application: &Application) -> Vec<Held> {
    let all = application.needs.iter();
    all.filter_map(|need| held(evidence, need)).collect()
}

fn held(evidence: &Evidence, need: &Need) -> Option<Held> {
    let is_least = need.text.contains(">=");
    let (name, limit) = need.text.split_once(if is_least { ">=" } else { "<=" })?;
    let (place, quantity) = name
        .split_once('.')
        .filter(|(place, _)| ["read", "write", "flush"].contains(place))
        .unwrap_or(("", name));
    let value = quantity_of(evidence, place, quantity);
    let is_rate = quantity == "throughput";
    let is_time = !is_rate && quantity != "iops";
    let limit = if is_time {
        number::time(limit)
    } else {
        number::size(limit)
    }?;
    let words = |value: f64| match quantity {
        "throughput" => format!("{} MB/s", figure::megabytes(value)),
        "iops" => format!("{} IOPS", figure::iops(value)),
        _ => figure::time(value),
    };
    let of = format!("{} ({}; {})", need.text, need.condition, need.source);
    let Some(value) = value else {
        return Some(Held {
            is_met: None,
            sentence: format!("cannot tell: the output does not show {name}. Required: {of}"),
        });
    };
    if need.per != Per::Volume {
        let (one, count) = match need.per {
            Per::Desktop => ("desktop", value / limit),
            _ => ("core", value / limit),
        };
        return Some(Held {
            is_met: None,
            sentence: format!(
                "{} is enough for {}. Required for each {one}: {of}",
                words(value),
                figure::plural(count as u64, one)
            ),
        });
    }
    let is_met = if is_least {
        value >= limit
    } else {
        value <= limit
    };
    let verb = if is_met { "met" } else { "not met" };
    Some(Held {
        is_met: Some(is_met),
        sentence: format!("{verb}: {name} is {}. Required: {of}", words(value)),
    })
}

fn quantity_of(evidence: &Evidence, place: &str, quantity: &str) -> Option<f64> {
    let sides = evidence.sides.iter().filter(|side| match place {
        "read" => side.direction == Direction::Read,
        "write" => side.direction == Direction::Write,
        _ => true,
    });
    let of_latency = |latency: &Latency| match quantity {
        "mean" => latency.mean,
        "max" => latency.max,
        percentile => latency.at(number::plain(percentile.strip_prefix('p')?)?),
    };
    match (place, quantity) {
        ("flush", _) => of_latency(evidence.flush.as_ref()?),
        (_, "iops") => sides
            .filter_map(|side| evidence.iops_of(side))
            .reduce(|a, b| a + b),
        (_, "throughput") => sides
            .filter_map(|side| evidence.rate_of(side))
            .reduce(|a, b| a + b),
        _ => sides
            .filter_map(|side| of_latency(side.latency.as_ref()?))
            .reduce(f64::max),
    }
}
