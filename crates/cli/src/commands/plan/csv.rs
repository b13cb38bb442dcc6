//! A plan as CSV: a row for each layout, numbers without units, which the heads name.

use super::{Shown, verdict};
use fathom_report::sheet::Sheet;
use fathom_volume::plan::{Meets, Offer};
use fathom_volume::sizing::Replay;

const HEADS: [&str; 25] = [
    "layout",
    "cloud",
    "volumes",
    "size_bytes",
    "enough",
    "enough_seconds",
    "sustained_iops",
    "sustained_bytes_per_second",
    "bound_by",
    "burst_iops",
    "burst_seconds",
    "refill_seconds",
    "crossover_bytes",
    "price_month",
    "currency",
    "price_per_1000_iops",
    "disks_month",
    "machine",
    "machine_month",
    "is_fact",
    "recording_held_seconds",
    "recording_held_in_repeat",
    "asked_iops",
    "headroom_percent",
    "growth_percent",
];

pub(super) fn rows(shown: &Shown<'_>) -> String {
    let mut sheet = Sheet::new(HEADS);
    for (index, offer) in shown.plan.offers.iter().enumerate() {
        sheet.push(row(shown, offer, shown.played.get(index)));
    }
    sheet.finish()
}

fn row(shown: &Shown<'_>, offer: &Offer, replay: Option<&Replay>) -> [String; 25] {
    // No figure is no figure: a cell stays empty rather than infinite.
    let number = |number: Option<f64>| {
        let known = number.filter(|number| number.is_finite());
        known.map_or_else(String::new, |number| number.to_string())
    };
    let figures = &offer.figures;
    let cost = offer.cost.as_ref();
    let machine = offer.machine.as_ref();
    let machine_price = machine.and_then(|machine| machine.price.as_ref());
    [
        offer.layout.clone(),
        offer.cloud.to_string(),
        offer.volumes.to_string(),
        offer.size_bytes.to_string(),
        verdict(&offer.meets).to_owned(),
        number(match offer.meets {
            Meets::Burst(seconds) => Some(seconds),
            _ => None,
        }),
        number(Some(figures.sustained_iops)),
        number(Some(figures.sustained_bytes_per_second)),
        figures.bound_by.join(" = "),
        number(Some(figures.burst_iops)),
        number(figures.burst_seconds),
        number(figures.refill_seconds),
        number(figures.crossover_bytes),
        number(cost.map(|cost| cost.total)),
        cost.map_or_else(String::new, |cost| cost.currency.clone()),
        number(offer.price_per_1000_iops()),
        number(cost.map(|cost| cost.disks)),
        machine.map_or_else(String::new, |machine| machine.name.clone()),
        number(machine_price.map(fathom_volume::catalog::MachinePrice::month)),
        offer.is_fact().to_string(),
        number(replay.map(|replay| replay.held_seconds)),
        number(
            replay
                .and_then(|replay| replay.held_in_repeat)
                .map(f64::from),
        ),
        number(shown.asked.iops),
        number(Some(shown.headroom_percent)),
        number(Some(shown.growth_percent)),
    ]
}
