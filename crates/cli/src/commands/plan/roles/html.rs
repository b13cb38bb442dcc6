//! Plans of roles as a page: the answer, the layouts, the arithmetic of each.

use super::{Shown, text};
use crate::commands::catalog::Footnotes;
use fathom_report::{PlanPage, PlanRow};
use fathom_volume::plan::arithmetic;

const HEADS: [&str; 7] = [
    "#", "LAYOUT", "ROLE", ">IOPS", ">MB/s", ">A MONTH", "SOURCES",
];

pub(super) fn page(shown: &Shown<'_>) -> String {
    let mut notes = Footnotes::default();
    let mut rows = Vec::new();
    for (number, plan) in (1..).zip(shown.plans) {
        for (index, role) in plan.roles.iter().enumerate() {
            let [name, iops, rate, price, marks] = text::cells(role, plan, &mut notes);
            let mut details = text::details(role);
            let mut lines = arithmetic(&role.offer, shown.need(role));
            // The machine is printed once, with the last of its roles.
            if index + 1 == plan.roles.len() {
                details.push(format!("plan {number} {}", text::price(plan)));
                details.push(text::together(plan));
                lines.extend(text::bill(plan));
            }
            let layout = role.offer.layout.clone();
            rows.push(PlanRow {
                cells: vec![
                    i32::to_string(&number),
                    layout,
                    name,
                    iops,
                    rate,
                    price,
                    marks,
                ],
                details,
                arithmetic: lines,
            });
        }
    }
    let needs = shown.needs.iter();
    let needs: Vec<String> = needs
        .map(|role| format!("{}: {}", role.role, role.need.in_words()))
        .collect();
    let region = shown.market.region;
    let region = region.map_or_else(String::new, |region| format!(", prices of {region}"));
    PlanPage {
        answer: text::answer(shown),
        need: needs.join("; "),
        circumstances: format!("as of {}{region}", shown.market.at),
        heads: HEADS.map(str::to_owned).to_vec(),
        rows,
        pictures: Vec::new(),
        remarks: shown.remarks(),
        sources: notes.to_string().lines().map(str::to_owned).collect(),
        version: concat!("fathom ", env!("CARGO_PKG_VERSION")).to_owned(),
    }
    .render()
}
