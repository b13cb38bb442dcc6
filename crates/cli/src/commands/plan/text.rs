//! A plan as a table for people, with what was assumed and who says so below it.

use super::verdict;
use crate::commands::catalog::Footnotes;
use crate::table::Table;
use fathom_core::figure;
use fathom_volume::plan::{Market, Meets, Need, Offer, Plan, arithmetic};
use std::fmt::Write as _;

const HEADS: [&str; 14] = [
    "#",
    "LAYOUT",
    "ENOUGH",
    ">IOPS",
    ">MB/s",
    "BOUND BY",
    ">BURST IOPS",
    ">FOR",
    ">REFILL",
    ">CROSSOVER",
    ">PRICE",
    ">PER 1,000 IOPS",
    "INSTANCE",
    "SOURCES",
];

pub(super) fn table(
    plan: &Plan,
    need: &Need,
    market: &Market<'_>,
    explain: bool,
    more: usize,
) -> String {
    let mut notes = Footnotes::default();
    let mut table = Table::new(&HEADS);
    for (index, offer) in plan.offers.iter().enumerate() {
        table.row(row(index, offer, market, &mut notes));
    }
    let behind = market.instance.map_or_else(String::new, |instance| {
        format!(", behind {}", instance.name)
    });
    let mut text = format!("{} on {}{behind}\n\n{table}\n", need.in_words(), market.at);
    if more > 0 {
        let _ = writeln!(text, "{more} more; --top shows them\n");
    }
    for remark in &plan.remarks {
        let _ = writeln!(text, "{remark}");
    }
    if !plan.remarks.is_empty() {
        text.push('\n');
    }
    let _ = write!(text, "{notes}");
    if explain {
        for (index, offer) in plan.offers.iter().enumerate() {
            let _ = writeln!(text, "\n{} {}", index + 1, offer.layout);
            for line in arithmetic(offer, need) {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    text
}

fn row(index: usize, offer: &Offer, market: &Market<'_>, notes: &mut Footnotes) -> [String; 14] {
    let figures = &offer.figures;
    let span = |seconds: Option<f64>| {
        seconds.map_or_else(String::new, |seconds| {
            figure::duration((seconds * 1e9) as u64)
        })
    };
    let burst = figures
        .burst_seconds
        .map_or_else(String::new, |_| figure::iops(figures.burst_iops));
    let enough = match &offer.meets {
        Meets::Burst(seconds) => span(Some(*seconds)),
        Meets::No(why) => format!("no: {why}"),
        other => verdict(other).to_owned(),
    };
    let instance = match (market.instance, &offer.smallest_instance) {
        (Some(_), _) => String::new(),
        (None, Some(smallest)) => smallest.name.clone(),
        (None, None) => "none known".to_owned(),
    };
    let mut marks: Vec<String> = offer.sources.iter().map(|one| notes.mark(one)).collect();
    for part in offer.cost.iter().flat_map(|cost| &cost.parts) {
        let mark = format!("price {}", notes.mark(&part.evidence));
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    let price = match &offer.cost {
        Some(cost) => format!("{} {}", figure::decimal(cost.total, 2), cost.currency),
        None => "unknown".to_owned(),
    };
    [
        (index + 1).to_string(),
        offer.layout.clone(),
        enough,
        figure::iops(figures.sustained_iops),
        figure::megabytes(figures.sustained_bytes_per_second),
        figures.bound_by.join(" = "),
        burst,
        span(figures.burst_seconds),
        span(figures.refill_seconds),
        figures
            .crossover_bytes
            .map_or_else(String::new, |size| figure::size(size.round() as u64)),
        price,
        offer
            .price_per_1000_iops()
            .map_or_else(String::new, |price| figure::decimal(price, 2)),
        instance,
        marks.join(", "),
    ]
}
