//! A plan as a table for people, with what was assumed and who says so below it.

use super::{Shown, played, verdict};
use crate::commands::catalog::Footnotes;
use crate::paragraph::wrapped;
use crate::table::Table;
use fathom_core::figure;
use fathom_volume::plan::{Meets, Offer, arithmetic};
use std::fmt::Write as _;

const HEADS: [&str; 9] = [
    "#",
    "LAYOUT",
    "ENOUGH",
    ">IOPS",
    ">MB/s",
    ">PRICE",
    ">/1,000 IOPS",
    "INSTANCE",
    "SOURCES",
];

pub(super) fn table(shown: &Shown<'_>, explain: bool, more: usize) -> String {
    let (plan, market) = (shown.plan, shown.market);
    let mut notes = Footnotes::default();
    // Named beside the need, an instance needs no column.
    let heads = heads(shown);
    let mut table = Table::new(&heads);
    for (index, offer) in plan.offers.iter().enumerate() {
        table.row(row(index, offer, market.instance.is_none(), &mut notes));
    }
    let behind = market.instance.map_or_else(String::new, |instance| {
        format!(", behind {}", instance.name)
    });
    let mut text = format!("{} on {}{behind}\n\n", shown.need.in_words(), market.at);
    // Below its row each layout says what does not fit into columns.
    for (index, line) in table.to_string().lines().enumerate() {
        let _ = writeln!(text, "{line}");
        let offer = index
            .checked_sub(1)
            .and_then(|index| plan.offers.get(index));
        for detail in offer
            .into_iter()
            .flat_map(|offer| details(offer, shown, index - 1))
        {
            let _ = writeln!(text, "     {detail}");
        }
    }
    text.push('\n');
    if more > 0 {
        let _ = writeln!(text, "{more} more; --top shows them\n");
    }
    for remark in &plan.remarks {
        text.push_str(&wrapped(&remark.to_string()));
    }
    if !plan.remarks.is_empty() {
        text.push('\n');
    }
    let _ = write!(text, "{notes}");
    if explain {
        for (index, offer) in plan.offers.iter().enumerate() {
            let _ = writeln!(text, "\n{} {}", index + 1, offer.layout);
            for line in arithmetic(offer, shown.need) {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    text
}

/// The columns.
pub(super) fn heads(shown: &Shown<'_>) -> Vec<&'static str> {
    let with_instance = shown.market.instance.is_none();
    let heads = HEADS.into_iter();
    heads
        .filter(|head| *head != "INSTANCE" || with_instance)
        .collect()
}

/// A cell for each column.
pub(super) fn row(
    index: usize,
    offer: &Offer,
    with_instance: bool,
    notes: &mut Footnotes,
) -> Vec<String> {
    let figures = &offer.figures;
    let enough = match &offer.meets {
        Meets::Burst(seconds) => span(*seconds),
        other => verdict(other).to_owned(),
    };
    let mut marks: Vec<String> = offer.sources.iter().map(|one| notes.number(one)).collect();
    for part in offer.cost.iter().flat_map(|cost| &cost.parts) {
        let mark = notes.number(&part.evidence);
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    let price = match &offer.cost {
        Some(cost) => format!("{} {}", figure::decimal(cost.total, 2), cost.currency),
        None => "unknown".to_owned(),
    };
    let mut cells = vec![
        (index + 1).to_string(),
        offer.layout.clone(),
        enough,
        figure::iops(figures.sustained_iops),
        figure::megabytes(figures.sustained_bytes_per_second),
        price,
        offer
            .price_per_1000_iops()
            .map_or_else(String::new, |price| figure::decimal(price, 2)),
    ];
    if with_instance {
        let smallest = offer.smallest_instance.as_ref();
        cells.push(smallest.map_or_else(|| "none known".to_owned(), |one| one.name.clone()));
    }
    cells.push(marks.join(" "));
    cells
}

/// Why it is not enough, what binds, the burst, what a recording meets.
pub(super) fn details(offer: &Offer, shown: &Shown<'_>, index: usize) -> Vec<String> {
    let figures = &offer.figures;
    let mut lines = Vec::new();
    if let Meets::No(why) = &offer.meets {
        lines.push(format!("not enough: {why}"));
    }
    let mut bound = format!("bound by {}", figures.bound_by.join(" = "));
    if let Some(size) = figures.crossover_bytes {
        let size = figure::size(size.round() as u64);
        let _ = write!(bound, "; requests above {size} by bytes");
    }
    lines.push(bound);
    if let (Some(seconds), Some(refill)) = (figures.burst_seconds, figures.refill_seconds) {
        lines.push(format!(
            "burst: {} IOPS for {}, again after {} of idleness",
            figure::iops(figures.burst_iops),
            span(seconds),
            span(refill)
        ));
    }
    if let Some(replay) = shown.played.get(index) {
        lines.push(format!("the recording: {}", played::in_words(replay)));
    }
    lines
}

fn span(seconds: f64) -> String {
    figure::duration((seconds * 1e9) as u64)
}
