//! Plans of roles for people: the answer, a table for each plan, what was assumed.

use super::Shown;
use crate::commands::catalog::Footnotes;
use crate::paragraph::{fitted, hanging, wrapped};
use crate::table::Table;
use crate::width;
use fathom_core::figure;
use fathom_volume::plan::{Machine, RoleOffer, RolesPlan, arithmetic, risks};
use std::fmt::Write as _;

pub(super) fn render(shown: &Shown<'_>, explain: bool, why: Option<usize>) -> String {
    let mut text = String::new();
    for sentence in answer(shown) {
        text.push_str(&wrapped(&sentence));
    }
    text.push('\n');
    for role in shown.needs {
        let _ = writeln!(text, "{}: {}", role.role, role.need.in_words());
    }
    let _ = writeln!(text, "on {}\n", shown.market.at);
    let mut notes = Footnotes::default();
    for (number, plan) in (1..).zip(shown.plans) {
        text.push_str(&one(number, plan, &mut notes));
        text.push('\n');
    }
    for remark in shown.remarks() {
        text.push_str(&wrapped(&remark));
    }
    let _ = write!(text, "\n{notes}");
    let numbered = (1..).zip(shown.plans);
    for (number, plan) in numbered.filter(|(number, _)| explain || why == Some(*number)) {
        for role in &plan.roles {
            let _ = writeln!(text, "\n{number} {}: {}", role.role, role.offer.layout);
            for line in arithmetic(&role.offer, shown.need(role)) {
                let _ = writeln!(text, "  {line}");
            }
        }
        let _ = writeln!(text, "\n{number} in all");
        for line in bill(plan) {
            let _ = writeln!(text, "  {line}");
        }
    }
    fitted(&text, width::of_pages())
}

/// What to buy, in words.
pub(super) fn answer(shown: &Shown<'_>) -> Vec<String> {
    let Some(best) = shown.plans.first() else {
        return Vec::new();
    };
    let parts = best.roles.iter().map(|role| {
        let lost = if role.offer.is_volatile() {
            " (volatile: all data is lost when the machine stops or fails)"
        } else {
            ""
        };
        format!("{} for {}{lost}", role.offer.layout, role.role)
    });
    let parts: Vec<String> = parts.collect();
    let mut lines = vec![format!("buy {}, {}", parts.join(", "), price(best))];
    if let Some(other) = shown.plans.get(1) {
        lines.push(format!("of {}: {}", other.cloud, price(other)));
    }
    lines
}

/// `on m7i.xlarge: 412.30 USD a month (disks 120.00, machine 292.30)`.
pub(super) fn price(plan: &RolesPlan) -> String {
    let money = |amount: f64| format!("{} {}", figure::decimal(amount, 2), plan.currency);
    let machine = plan.machine.as_ref();
    let name = machine.map_or_else(
        || "no machine of the catalogue".to_owned(),
        Machine::in_words,
    );
    match plan.total {
        Some(total) => format!(
            "on {name}: {} a month (disks {}, machine {})",
            money(total),
            figure::decimal(plan.disks, 2),
            figure::decimal(total - plan.disks, 2)
        ),
        None => format!(
            "on {name}, at an unknown price: the disks {} a month",
            money(plan.disks)
        ),
    }
}

/// How the price in all follows, and what the machine lets through.
pub(super) fn bill(plan: &RolesPlan) -> Vec<String> {
    let money = |amount: f64| format!("{} {}", figure::decimal(amount, 2), plan.currency);
    let mut lines: Vec<String> = plan
        .roles
        .iter()
        .map(|role| format!("disks of {}: {}", role.role, money(role.offer.price())))
        .collect();
    let machine = plan.machine.as_ref();
    if let Some(price) = machine.and_then(|machine| machine.price.as_ref()) {
        lines.push(format!(
            "machine: {} an hour × {} = {} [{}]",
            price.hour,
            fathom_volume::catalog::MONTH_HOURS,
            money(price.month()),
            price.evidence
        ));
    }
    lines.push(match plan.total {
        Some(total) => format!("in all: {} a month", money(total)),
        None => "in all: unknown, as no price of the machine is known".to_owned(),
    });
    lines.push(together(plan));
    lines
}

/// What the roles on attached volumes ask of the machine, and what it has. Disks of the host do not
/// use this limit.
pub(super) fn together(plan: &RolesPlan) -> String {
    let (in_host, attached): (Vec<&RoleOffer>, Vec<&RoleOffer>) =
        plan.roles.iter().partition(|role| role.offer.is_volatile());
    let names = |roles: &[&RoleOffer]| {
        let names: Vec<&str> = roles.iter().map(|role| role.role.as_str()).collect();
        names.join(", ")
    };
    let (who, iops, bytes) = if in_host.is_empty() || attached.is_empty() {
        let who = "all roles together".to_owned();
        (who, plan.iops, plan.bytes_per_second)
    } else {
        let who = format!("on attached volumes ({})", names(&attached));
        (who, plan.attached_iops, plan.attached_bytes_per_second)
    };
    let asked = format!(
        "{who} {} IOPS ({} MB/s)",
        figure::iops(iops),
        figure::megabytes(bytes)
    );
    let Some(machine) = &plan.machine else {
        return format!("{asked}: no machine is known to let that through");
    };
    let unknown = || "unknown".to_owned();
    let mut parts = vec![if attached.is_empty() {
        format!("{asked}, on disks of the host")
    } else {
        format!(
            "{asked}, of {} ({} MB/s) sustained",
            machine.iops.map_or_else(unknown, figure::iops),
            machine
                .bytes_per_second
                .map_or_else(unknown, figure::megabytes)
        )
    }];
    if !in_host.is_empty() && !attached.is_empty() {
        parts.push(format!("on disks of the host: {}", names(&in_host)));
    }
    parts.push(machine.kind_in_words());
    parts.join("; ")
}

/// What binds a layout, and what can go wrong.
pub(super) fn details(role: &RoleOffer) -> Vec<String> {
    let figures = &role.offer.figures;
    let bound = format!("limited by {}", figures.bound_by.join(" = "));
    let risks = risks(&role.offer).into_iter();
    std::iter::once(bound)
        .chain(risks.map(|risk| format!("risk: {risk}")))
        .collect()
}

/// The cells of a role, without its number.
pub(super) fn cells(role: &RoleOffer, plan: &RolesPlan, notes: &mut Footnotes) -> [String; 5] {
    let offer = &role.offer;
    let mut marks: Vec<String> = offer.sources.iter().map(|one| notes.number(one)).collect();
    let parts = offer.cost.iter().flat_map(|cost| &cost.parts);
    for part in parts {
        let mark = notes.number(&part.evidence);
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    [
        role.role.clone(),
        figure::iops(offer.figures.sustained_iops),
        figure::megabytes(offer.figures.sustained_bytes_per_second),
        format!("{} {}", figure::decimal(offer.price(), 2), plan.currency),
        marks.join(" "),
    ]
}

fn one(number: usize, plan: &RolesPlan, notes: &mut Footnotes) -> String {
    let mut text = format!("{number} {}\n", price(plan));
    let mut table = Table::new(&["ROLE", "LAYOUT", ">IOPS", ">MB/s", ">A MONTH", "SOURCES"]);
    for role in &plan.roles {
        let [name, iops, rate, price, marks] = cells(role, plan, notes);
        table.row([name, role.offer.layout.clone(), iops, rate, price, marks]);
    }
    for (index, lines) in table.fitted(width::of_pages()).iter().enumerate() {
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
        let role = index.checked_sub(1).and_then(|index| plan.roles.get(index));
        for detail in role.iter().flat_map(|role| details(role)) {
            text.push_str(&hanging("", 5, &detail));
        }
    }
    let machine = plan
        .machine
        .as_ref()
        .and_then(|machine| machine.price.as_ref());
    let mark = machine.map_or_else(String::new, |price| {
        format!(" {}", notes.number(&price.evidence))
    });
    text.push_str(&hanging("", 5, &format!("{}{mark}", together(plan))));
    text
}
