//! Plans of roles as CSV: a row for each role of each plan.

use super::Shown;
use fathom_report::sheet::Sheet;

const HEADS: [&str; 11] = [
    "plan",
    "cloud",
    "role",
    "layout",
    "sustained_iops",
    "sustained_bytes_per_second",
    "bound_by",
    "disks_month",
    "currency",
    "machine",
    "plan_month",
];

pub(super) fn rows(shown: &Shown<'_>) -> String {
    let mut sheet = Sheet::new(HEADS);
    for (number, plan) in (1..).zip(shown.plans) {
        let machine = plan.machine.as_ref();
        for role in &plan.roles {
            let figures = &role.offer.figures;
            let row: [String; 11] = [
                i32::to_string(&number),
                plan.cloud.to_string(),
                role.role.clone(),
                role.offer.layout.clone(),
                figures.sustained_iops.to_string(),
                figures.sustained_bytes_per_second.to_string(),
                figures.bound_by.join(" = "),
                role.offer.price().to_string(),
                plan.currency.clone(),
                machine.map_or_else(String::new, |machine| machine.name.clone()),
                plan.total
                    .map_or_else(String::new, |total| total.to_string()),
            ];
            sheet.push(row);
        }
    }
    sheet.finish()
}
