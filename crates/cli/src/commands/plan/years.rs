//! What a load that grows costs: what is bought now, and what changes after each year.

use super::Shown;
use super::answer::{price, thing};
use crate::args::PlanArgs;
use fathom_core::figure;
use fathom_volume::plan::{Market, Need, Offer, Pick, Reason, plan};
use serde::Serialize;
use std::fmt::Write as _;

const MONTHS: f64 = 12.0;

/// What is needed after some years.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Year {
    /// Years from now.
    after: u8,
    /// Load and capacity over those of now.
    factor: f64,
    /// The cheapest layout that gives it for good.
    offer: Option<Offer>,
}

/// More of a load, and of its capacity.
pub(super) fn grown(need: &Need, factor: f64) -> Need {
    Need {
        capacity_gib: need.capacity_gib * factor,
        ..need.times(factor)
    }
}

/// All years that are asked for, the first after a year.
pub(super) fn of(args: &PlanArgs, need: &Need, market: &Market<'_>) -> Vec<Year> {
    let (Some(years), Some(yearly)) = (args.years, args.recording.yearly()) else {
        return Vec::new();
    };
    let year = |after: u8| {
        let factor = yearly.powi(after.into());
        let found = plan(&grown(need, factor), market);
        let mut picks = found.picks.iter();
        let is_first = |pick: &&Pick| matches!(pick.reason, Reason::Safer | Reason::Cheapest);
        let index = picks.find(is_first);
        let offer = index.map(|pick| pick.index);
        Year {
            after,
            factor,
            offer: offer.and_then(|index| found.offers.into_iter().nth(index)),
        }
    };
    (1..=years).map(year).collect()
}

/// A line for each year, and what all of them cost.
pub(super) fn sentences(shown: &Shown<'_>, now: &Offer) -> Vec<String> {
    let mut lines = Vec::new();
    let mut before = Some(now);
    let mut months = vec![now];
    for year in &shown.years {
        let offer = year.offer.as_ref();
        let what = match (offer, before) {
            (None, _) => "no layout with a known price sustains it".to_owned(),
            (Some(offer), Some(before)) if is_same(offer, before) => "no change".to_owned(),
            (Some(offer), before) => {
                let more = before.map_or_else(String::new, |before| change(offer, before));
                format!("{}: {}{more}", thing(offer), price(shown, offer))
            }
        };
        let after = figure::plural(year.after.into(), "year");
        let factor = figure::decimal(year.factor, 2);
        lines.push(format!("after {after}, {factor} times as much: {what}"));
        before = offer;
        months.extend(offer);
    }
    if months.len() > 1
        && months.len() == shown.years.len() + 1
        // What the last change brings is paid after these years.
        && months.pop().is_some()
        && let Some(last) = months.last()
        && let Some(cost) = &last.cost
    {
        let paid: f64 = months.iter().map(|offer| offer.price() * MONTHS).sum();
        let at_once = last.price() * MONTHS * months.len() as f64;
        let years = figure::plural(months.len() as u64, "year");
        let mut line = format!("in {years}: {} {}", figure::decimal(paid, 2), cost.currency);
        if months.len() > 1 {
            let _ = write!(
                line,
                " with these changes, {} if the layout of the last year is bought now",
                figure::decimal(at_once, 2)
            );
        }
        lines.push(line);
    }
    lines
}

fn is_same(one: &Offer, other: &Offer) -> bool {
    one.layout == other.layout && one.machine == other.machine
}

/// `, 12.30 more`.
fn change(offer: &Offer, before: &Offer) -> String {
    let more = offer.price() - before.price();
    let word = if more < 0.0 { "less" } else { "more" };
    format!(", {} {word}", figure::decimal(more.abs(), 2))
}
