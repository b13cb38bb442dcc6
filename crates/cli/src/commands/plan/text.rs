//! A plan for people: the answer, a table of layouts, what was assumed and who says so below it.

use super::answer::{self, span};
use super::{Shown, picture, played, verdict};
use crate::commands::catalog::Footnotes;
use crate::paragraph::{fitted, hanging, wrapped};
use crate::table::Table;
use crate::width;
use fathom_core::figure;
use fathom_volume::plan::{Meets, Offer, Pick, Scope, arithmetic, risks};
use std::fmt::Write as _;

const HEADS: [&str; 9] = [
    "#", "LAYOUT", "MACHINE", "ENOUGH", ">IOPS", ">MB/s", ">PRICE", ">DISKS", "SOURCES",
];

pub(super) fn table(shown: &Shown<'_>, explain: bool, why: Option<usize>) -> String {
    let (plan, market) = (shown.plan, shown.market);
    let behind = market.instance.map_or_else(String::new, |instance| {
        let interface = instance.interface.as_ref();
        let interface = interface.map_or_else(String::new, |word| format!("/{word}"));
        format!(", behind {}{interface}", instance.name)
    });
    let mut text = String::new();
    for sentence in answer::sentences(shown) {
        text.push_str(&wrapped(&sentence));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let asked = format!("{} on {}{behind}", shown.need_in_words(), market.at);
    text.push_str(&wrapped(&asked));
    text.push('\n');
    let mut notes = Footnotes::default();
    rows(&mut text, shown, &mut notes);
    text.push('\n');
    let more = shown.all - shown.rows.len();
    if more > 0 {
        let more = format!(
            "{more} more; --top {} shows all, --why ROW the arithmetic of one",
            shown.all
        );
        text.push_str(&wrapped(&more));
        text.push('\n');
    }
    let drawn = picture::draw(shown);
    if !drawn.is_empty() {
        let _ = writeln!(text, "{drawn}");
    }
    let above = answer::sentences(shown);
    for remark in remarks(shown)
        .iter()
        .filter(|remark| !above.contains(remark))
    {
        text.push_str(&wrapped(remark));
    }
    if !plan.remarks.is_empty() {
        text.push('\n');
    }
    for note in notes.to_string().lines() {
        text.push_str(&wrapped(note));
    }
    let explained = shown
        .rows
        .iter()
        .copied()
        .filter(|row| explain || why.is_some_and(|why| why == row + 1));
    for index in explained {
        let offer = &plan.offers[index];
        let _ = writeln!(text, "\n{} {}", index + 1, offer.layout);
        for line in arithmetic(offer, shown.need) {
            let _ = writeln!(text, "  {line}");
        }
    }
    fitted(&text, width::of_pages())
}

/// The table, with what does not fit into columns below each row.
fn rows(text: &mut String, shown: &Shown<'_>, notes: &mut Footnotes) {
    let heads = heads(shown);
    let cells: Vec<Vec<String>> = shown
        .rows
        .iter()
        .map(|index| row(*index, shown, notes))
        .collect();
    let draw = |columns: usize| {
        let mut table = Table::new(&heads[..columns]);
        for row in &cells {
            table.row(row[..columns].iter().cloned());
        }
        table
    };
    let whole = draw(heads.len());
    // Where a terminal is too narrow, the sources go below.
    let is_narrow = whole.width() > width::of_pages();
    let table = if is_narrow {
        draw(heads.len() - 1)
    } else {
        whole
    };
    for (number, lines) in table.fitted(width::of_pages()).iter().enumerate() {
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
        let index = number.checked_sub(1).map(|row| (row, shown.rows[row]));
        let Some((row, index)) = index else { continue };
        let sources = cells[row].last().filter(|_| is_narrow);
        let sources = sources.map(|marks| format!("sources: {marks}"));
        let details = details(&shown.plan.offers[index], shown, index);
        for detail in details.into_iter().chain(sources) {
            text.push_str(&hanging("", 5, &detail));
        }
    }
}

/// What is said of the rows that are shown, and of all.
fn remarks(shown: &Shown<'_>) -> Vec<String> {
    let of_hidden = |remark: &&fathom_volume::catalog::Remark| {
        let mut offers = shown.plan.offers.iter().enumerate();
        let is_of_one = offers.any(|(_, offer)| offer.remarks.contains(remark));
        let mut rows = shown.rows.iter();
        let is_shown = rows.any(|row| shown.plan.offers[*row].remarks.contains(remark));
        is_shown || !(is_of_one || is_of_dropped(shown, remark))
    };
    let found = shown.plan.remarks.iter().filter(of_hidden);
    found.map(ToString::to_string).collect()
}

/// Warnings of layouts that were dropped behind the last row.
fn is_of_dropped(shown: &Shown<'_>, remark: &fathom_volume::catalog::Remark) -> bool {
    shown.all > shown.plan.offers.len()
        && remark.kind == fathom_volume::catalog::RemarkKind::Warning
}

/// The columns: named with the need, an instance needs none.
pub(super) fn heads(shown: &Shown<'_>) -> Vec<&'static str> {
    let with_machine = shown.market.instance.is_none();
    let with_disks = shown.market.scope == Scope::Whole;
    let heads = HEADS.into_iter();
    heads
        .filter(|head| *head != "MACHINE" || with_machine)
        .filter(|head| *head != ">DISKS" || with_disks)
        .map(|head| match head {
            ">PRICE" => ">A MONTH",
            ">DISKS" => ">FOR DISKS",
            head => head,
        })
        .collect()
}

/// A cell for each column.
pub(super) fn row(index: usize, shown: &Shown<'_>, notes: &mut Footnotes) -> Vec<String> {
    let offer = &shown.plan.offers[index];
    let figures = &offer.figures;
    let enough = match &offer.meets {
        Meets::Burst(seconds) => span(*seconds),
        other => verdict(other).to_owned(),
    };
    let mut marks: Vec<String> = offer.sources.iter().map(|one| notes.number(one)).collect();
    let cost = offer.cost.as_ref();
    let parts = cost.iter().flat_map(|cost| &cost.parts);
    let machine = cost.and_then(|cost| cost.machine.as_ref());
    let prices = parts.map(|part| &part.evidence);
    for evidence in prices.chain(machine.map(|machine| &machine.evidence)) {
        let mark = notes.number(evidence);
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    let price = cost.map_or_else(
        || "unknown".to_owned(),
        |cost| format!("{} {}", figure::decimal(cost.total, 2), cost.currency),
    );
    let mut cells = vec![(index + 1).to_string(), offer.layout.clone()];
    if shown.market.instance.is_none() {
        let machine = offer.machine.as_ref();
        cells.push(machine.map_or_else(
            || "none known".to_owned(),
            fathom_volume::plan::Machine::in_words,
        ));
    }
    cells.extend([
        enough,
        figure::iops(figures.sustained_iops),
        figure::megabytes(figures.sustained_bytes_per_second),
        price,
    ]);
    if shown.market.scope == Scope::Whole {
        cells.push(cost.map_or_else(String::new, |cost| figure::decimal(cost.disks, 2)));
    }
    cells.push(marks.join(" "));
    cells
}

/// Why it is here or not enough, what binds, the burst, what a recording meets, what can go wrong.
pub(super) fn details(offer: &Offer, shown: &Shown<'_>, index: usize) -> Vec<String> {
    let figures = &offer.figures;
    let mut lines = Vec::new();
    let pick = shown.plan.picks.iter().find(|pick| pick.index == index);
    lines.extend(pick.map(in_words));
    match &offer.meets {
        Meets::No(why) => lines.push(format!("not enough: {why}")),
        Meets::NotSold(why) => lines.push(why.clone()),
        _ => {}
    }
    if let Meets::Unknown(why) = &offer.meets {
        lines.push(format!("not known to work: {why}"));
    }
    lines.extend(
        offer
            .no_price
            .iter()
            .map(|why| format!("price unknown: {why}")),
    );
    let mut bound = format!("limited by {}", figures.bound_by.join(" = "));
    if let Some(size) = figures.crossover_bytes {
        let size = figure::size(size.round() as u64);
        let _ = write!(bound, "; requests above {size} by bytes");
    }
    if let Some(price) = offer.price_per_1000_iops() {
        let currency = offer.cost.as_ref().map_or("", |cost| &cost.currency);
        let price = figure::decimal(price, 2);
        let _ = write!(bound, "; {price} {currency} a month for 1,000 IOPS");
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
    if let Some(machine) = offer
        .machine
        .as_ref()
        .filter(|_| shown.market.instance.is_none())
    {
        lines.push(format!("machine: {}", machine.kind_in_words()));
    }
    if let Some(replay) = shown.played.get(index) {
        lines.push(format!("the recording: {}", played::in_words(replay)));
    }
    lines.extend(risks(offer).into_iter().map(|risk| format!("risk: {risk}")));
    lines
}

/// Why a layout is picked, what it has to spare, and what becomes of twice the load.
fn in_words(pick: &Pick) -> String {
    let mut words = vec![pick.reason.in_words().to_owned()];
    if let Some(headroom) = pick.headroom.filter(|share| *share >= 0.0) {
        words.push(format!("headroom {}", figure::percent(headroom * 100.0)));
    }
    if let Some(twice) = &pick.twice {
        words.push(format!("twice the load: {}", twice.in_words()));
    }
    words.join("; ")
}
