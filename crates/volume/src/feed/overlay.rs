//! What feeds say as files of a catalogue: rows that are added to those of the same file.

use super::FeedKind;
use super::fresh::{Fresh, FreshInstance};
use crate::catalog::{Catalog, CatalogError, CatalogFile, Cloud};
use std::collections::BTreeMap;

/// The first line of each file: what makes it one of ours.
pub(super) const MARK: &str =
    "# fathom catalog refresh: rows of the vendors' feeds, added to the catalogue";

const PRICES: [&str; 8] = [
    "region", "name", "meter", "above", "price", "currency", "as_of", "source",
];
const MACHINE_PRICES: [&str; 7] = [
    "name",
    "hour",
    "region",
    "currency",
    "as_of",
    "source",
    "confidence",
];
const INSTANCES: [&str; 23] = [
    "name",
    "vcpus",
    "active_vcpus",
    "memory_mib",
    "arch",
    "cores",
    "net_gbps",
    "net_max_gbps",
    "nvme",
    "hypervisor",
    "max_volumes",
    "seen_from",
    "seen_to",
    "base_iops",
    "base_mbps",
    "max_iops",
    "max_mbps",
    "cached_iops",
    "cached_mbps",
    "store_disks",
    "store_disk_gb",
    "store_media",
    "source",
];

/// A file of the user's catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayFile {
    /// Its path inside the folder, as in `aws/prices.csv`.
    pub path: &'static str,
    /// The contents.
    pub text: String,
    /// Rows in it.
    pub rows: usize,
    /// Rows that were not in it before.
    pub added: usize,
}

/// Files that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OverlayError {
    /// A file in the folder is of somebody else.
    #[error("{0} was not written by `fathom catalog refresh`")]
    Foreign(String),
    /// A file in the folder cannot be read.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// The rows are none of a catalogue: nothing of them is written.
    #[error("{0}")]
    Rows(#[from] CatalogError),
}

/// The files with what was read from feeds; `known` gives the text of a file that is there.
///
/// A row replaces one of the same thing and day. All files are read as a catalogue before they are
/// handed out.
///
/// # Errors
///
/// [`OverlayError`] where a file is not ours, or the rows are none of a catalogue.
pub fn overlay(
    fresh: &Fresh,
    known: impl Fn(&str) -> Option<String>,
) -> Result<Vec<OverlayFile>, OverlayError> {
    let mut files = Vec::new();
    for cloud in [Cloud::Aws, Cloud::Azure, Cloud::Gcp] {
        let [prices, machine_prices, instances] = paths(cloud);
        let rows = price_rows(fresh, cloud);
        files.extend(file(prices, &PRICES, &[0, 1, 2, 3, 6], rows, &known)?);
        let rows = machine_rows(fresh, cloud);
        files.extend(file(
            machine_prices,
            &MACHINE_PRICES,
            &[0, 2, 4],
            rows,
            &known,
        )?);
        let rows = instance_rows(fresh, cloud);
        files.extend(file(instances, &INSTANCES, &[0, 11], rows, &known)?);
    }
    let mut catalog = Catalog::embedded();
    for file in &files {
        catalog.overlay(&CatalogFile {
            path: file.path,
            text: &file.text,
        })?;
    }
    Ok(files)
}

const fn paths(cloud: Cloud) -> [&'static str; 3] {
    match cloud {
        Cloud::Azure => [
            "azure/prices.csv",
            "azure/machine_prices.csv",
            "azure/instances.csv",
        ],
        Cloud::Gcp => [
            "gcp/prices.csv",
            "gcp/machine_prices.csv",
            "gcp/instances.csv",
        ],
        _ => [
            "aws/prices.csv",
            "aws/machine_prices.csv",
            "aws/instances.csv",
        ],
    }
}

/// One file, if there is anything to add to it. `key` are the columns that say of what a row is.
fn file(
    path: &'static str,
    heads: &[&str],
    key: &[usize],
    new: Vec<Vec<String>>,
    known: impl Fn(&str) -> Option<String>,
) -> Result<Option<OverlayFile>, OverlayError> {
    if new.is_empty() {
        return Ok(None);
    }
    let of = |row: &[String]| -> Vec<String> {
        let cells = key.iter().map(|at| row.get(*at).cloned());
        cells.map(Option::unwrap_or_default).collect()
    };
    let mut rows: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    if let Some(text) = known(path) {
        if text.lines().next() != Some(MARK) {
            return Err(OverlayError::Foreign(path.to_owned()));
        }
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        for record in reader.records() {
            let row: Vec<String> = record?.iter().map(str::to_owned).collect();
            rows.insert(of(&row), row);
        }
    }
    let before = rows.len();
    rows.extend(new.into_iter().map(|row| (of(&row), row)));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(heads)?;
    for row in rows.values() {
        writer.write_record(row)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(OverlayFile {
        path,
        text: format!("{MARK}\n{text}"),
        rows: rows.len(),
        added: rows.len() - before,
    }))
}

/// A number as it would be written by hand; a price a month of what is billed by the hour has a
/// long tail of rounding.
fn number(value: f64) -> String {
    let rounded = (value * 1e9).round() / 1e9;
    rounded.to_string()
}

fn price_rows(fresh: &Fresh, cloud: Cloud) -> Vec<Vec<String>> {
    let own = fresh.prices.iter().filter(|one| one.cloud == cloud);
    own.map(|one| {
        vec![
            one.region.clone(),
            one.name.clone(),
            one.meter.to_owned(),
            one.above.map_or_else(String::new, number),
            number(one.price),
            one.currency.clone(),
            one.as_of.to_string(),
            one.source.to_owned(),
        ]
    })
    .collect()
}

fn machine_rows(fresh: &Fresh, cloud: Cloud) -> Vec<Vec<String>> {
    let own = fresh.machine_prices.iter().filter(|one| one.cloud == cloud);
    own.map(|one| {
        let confidence = if cloud == Cloud::Gcp {
            "derived"
        } else {
            "sourced"
        };
        vec![
            one.name.clone(),
            number(one.hour),
            one.region.clone(),
            one.currency.clone(),
            one.as_of.to_string(),
            one.source.to_owned(),
            confidence.to_owned(),
        ]
    })
    .collect()
}

fn instance_rows(fresh: &Fresh, cloud: Cloud) -> Vec<Vec<String>> {
    let own = fresh
        .instances
        .iter()
        .filter(|one| one.cloud == Some(cloud));
    own.map(instance_row).collect()
}

fn instance_row(one: &FreshInstance) -> Vec<String> {
    fn cell(value: Option<impl ToString>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    let kind = match one.cloud {
        Some(Cloud::Azure) => FeedKind::AzureResourceSkus,
        _ => FeedKind::Ec2InstanceTypes,
    };
    let figure = |value: Option<f64>| value.map_or_else(String::new, number);
    let day = cell(one.as_of);
    let (disks, gb, media) = &one.store;
    vec![
        one.name.clone(),
        cell(one.vcpus),
        cell(one.active_vcpus),
        cell(one.memory_mib),
        cell(one.arch.as_ref()),
        cell(one.cores),
        figure(one.net_gbps.0),
        figure(one.net_gbps.1),
        cell(one.is_nvme.then_some(1)),
        cell(one.hypervisor.as_ref()),
        cell(one.max_volumes),
        day.clone(),
        day,
        figure(one.iops.0),
        figure(one.mbps.0),
        figure(one.iops.1),
        figure(one.mbps.1),
        figure(one.cached.0),
        figure(one.cached.1),
        cell(*disks),
        figure(*gb),
        cell(
            media
                .as_ref()
                .filter(|media| matches!(media.as_str(), "ssd" | "hdd")),
        ),
        kind.source().to_owned(),
    ]
}
