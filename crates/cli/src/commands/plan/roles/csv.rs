//! Plans of roles as CSV: a row for each role of each plan.

use super::Shown;
use crate::error::{Error, Problem};
use crate::exit::Exit;

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

pub(super) fn rows(shown: &Shown<'_>) -> Result<String, Error> {
    let defect = || Problem::new(Exit::Defect, "cannot write the plan as CSV");
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADS).map_err(|_| defect())?;
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
            writer.write_record(row).map_err(|_| defect())?;
        }
    }
    let bytes = writer.into_inner().map_err(|_| defect())?;
    Ok(String::from_utf8(bytes).map_err(|_| defect())?)
}
