//! Lists: the volume types of a day, the instances of a cloud.

use super::footnotes::Footnotes;
use super::outdated;
use super::read::Known;
use crate::commands::listed;
use crate::error::Error;
use crate::paragraph::wrapped;
use crate::table::Table;
use fathom_core::figure;
use fathom_volume::catalog::{Cloud, InstanceType, PathLimit, VolumeType};
use std::fmt::Write as _;

/// The volume types of a cloud or of all as they were on the day.
pub(super) fn volumes(known: &Known, cloud: Option<Cloud>, json: bool) -> Result<String, Error> {
    let types = names(known, cloud);
    if json {
        return Ok(listed::document("volumes", &types)?);
    }
    let mut notes = Footnotes::default();
    let heads = [
        "CLOUD",
        "TYPE",
        "GiB",
        "IOPS",
        "THROUGHPUT",
        "BURST",
        "HELD",
        "AS OF",
    ];
    let mut table = Table::new(&heads);
    for volume in &types {
        table.row([
            volume.cloud.to_string(),
            volume.name.clone(),
            volume.sizes_in_words(),
            volume.iops_in_words(),
            volume.throughput_in_words(),
            volume.burst_in_words(),
            volume.validity.to_string(),
            notes.mark(&volume.evidence),
        ]);
    }
    let mut text = format!("volume types on {}\n\n{table}\n{notes}", known.at);
    text += "\nRows marked `memory` are unverified; `fathom catalog NAME` shows the history, the \
             notes\nand the prices of a type.\n";
    let prices = known.catalog.prices().prices().iter();
    let newest = Cloud::ALL.into_iter().filter_map(|own| {
        let own = prices.clone().filter(|price| price.cloud == own);
        let last = own.max_by_key(|price| price.evidence.as_of.date())?;
        Some((last.cloud, &last.evidence))
    });
    let newest = newest.filter(|(own, _)| cloud.is_none_or(|cloud| cloud == *own));
    for old in outdated(known, newest) {
        text.push_str(&wrapped(&format!("warning: even the latest {old}")));
    }
    let clouds = [Cloud::Aws, Cloud::Azure];
    for cloud in clouds
        .into_iter()
        .filter(|own| cloud.is_none_or(|cloud| cloud == *own))
    {
        let count = instance_names(known, cloud).len();
        let _ = writeln!(
            text,
            "{} instance types of {cloud}: `fathom catalog {cloud} --instances`",
            figure::count(count as u64)
        );
    }
    Ok(text)
}

/// Each type once, in the order of the files: the period nearest to the day.
fn names(known: &Known, cloud: Option<Cloud>) -> Vec<&VolumeType> {
    let mut types: Vec<&VolumeType> = Vec::new();
    for volume in known.catalog.volumes() {
        if cloud.is_some_and(|cloud| cloud != volume.cloud)
            || types.iter().any(|listed| listed.name == volume.name)
        {
            continue;
        }
        if let Ok(volume) = known.catalog.volume(&volume.name, known.at)
            && volume.validity.from.is_none_or(|from| from <= known.at)
        {
            types.push(volume);
        }
    }
    types
}

/// Each name once; where limits differ by interface, one for each.
fn instance_names(known: &Known, cloud: Cloud) -> Vec<&InstanceType> {
    let rows = known.catalog.instances().iter();
    let mut last: Option<(&str, Option<&str>)> = None;
    let mut found = Vec::new();
    for row in rows.filter(|row| row.cloud == cloud) {
        let key = (row.name.as_str(), row.interface.as_deref());
        if last.replace(key) == Some(key) {
            continue;
        }
        if let Ok(row) = known.catalog.instance(key.0, key.1, known.at) {
            found.push(row);
        }
    }
    found
}

/// The instances of a cloud with their limits of the day.
pub(super) fn instances(known: &Known, cloud: Option<Cloud>, json: bool) -> Result<String, Error> {
    let cloud = cloud.unwrap_or(Cloud::Aws);
    let rows = instance_names(known, cloud);
    if json {
        return Ok(listed::document("instances", &rows)?);
    }
    let mut notes = Footnotes::default();
    let mut table = Table::new(&[
        "INSTANCE", ">vCPU", "IOPS", "MB/s", "LOCAL", "SEEN", "AS OF",
    ]);
    for row in rows {
        table.row(cells(row, &mut notes));
    }
    Ok(format!(
        "instance types of {cloud} on {}\n\n{table}\n{notes}",
        known.at
    ))
}

/// An instance in a line: its name, processors, limits, disks, days and source.
pub(super) fn cells(row: &InstanceType, notes: &mut Footnotes) -> [String; 7] {
    let interface = row.interface.as_ref().map(|word| format!(" ({word})"));
    let vcpus = match (row.active_vcpus, row.vcpus) {
        (Some(active), Some(all)) => format!("{active} of {all}"),
        (_, Some(all)) => all.to_string(),
        (_, None) => String::new(),
    };
    let network = row.network.as_ref();
    [
        format!("{}{}", row.name, interface.unwrap_or_default()),
        vcpus,
        network.map_or_else(String::new, PathLimit::iops_in_words),
        network.map_or_else(String::new, PathLimit::throughput_in_words),
        row.local_in_words(),
        row.validity.to_string(),
        notes.mark(&row.evidence),
    ]
}
