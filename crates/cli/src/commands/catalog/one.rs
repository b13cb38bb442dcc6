//! One volume type or instance: its history, its notes, its prices.

use super::footnotes::Footnotes;
use super::listing::cells;
use super::read::Known;
use super::unknown;
use crate::args::CatalogArgs;
use crate::commands::listed;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::table::Table;
use fathom_core::figure;
use fathom_volume::catalog::{Cloud, InstanceType, Price, Remark, VolumeType};
use serde::Serialize;
use std::fmt::Write as _;

/// A volume type, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct VolumeDocument<'a> {
    /// Its limits in each period.
    limits: &'a [&'a VolumeType],
    prices: Vec<&'a Price>,
}

/// A volume type, a family of tiers, or an instance.
pub(super) fn show(
    known: &Known,
    cloud: Option<Cloud>,
    name: &str,
    args: &CatalogArgs,
) -> Result<String, Error> {
    let fits = |own: Cloud| cloud.is_none_or(|cloud| cloud == own);
    let volumes: Vec<&VolumeType> = known
        .catalog
        .volumes()
        .iter()
        .filter(|row| fits(row.cloud) && (row.is_called(name) || row.is_of_family(name)))
        .collect();
    if !volumes.is_empty() {
        return volume(known, &volumes, args);
    }
    if let Ok(volume) = known.catalog.volume(name, known.at) {
        return Err(not_of(&volume.name, cloud).into());
    }
    if args.region.is_some()
        && let Err(error) = known.catalog.volume(name, known.at)
    {
        // Only volumes have prices here.
        return Err(unknown(&error).into());
    }
    match known.catalog.instance(name, None, known.at) {
        Ok(row) if fits(row.cloud) => instance(known, row, args.json),
        Ok(row) => Err(not_of(&row.name, cloud).into()),
        Err(no_instance) => {
            // A misspelt volume type is nearer than a misspelt instance.
            let error = match known.catalog.volume(name, known.at) {
                Err(no_volume) if no_volume.nearest.is_some() => no_volume,
                _ => no_instance,
            };
            Err(unknown(&error).into())
        }
    }
}

fn not_of(name: &str, cloud: Option<Cloud>) -> Problem {
    let cloud = cloud.map_or("", Cloud::name);
    Problem::new(Exit::Usage, format!("{name} is not of {cloud}"))
        .remedy(format!("`fathom catalog {name}`"))
}

fn volume(known: &Known, rows: &[&VolumeType], args: &CatalogArgs) -> Result<String, Error> {
    let prices = prices(known, rows, args.region.as_deref())?;
    if args.json {
        let limits = rows;
        return Ok(listed::stamped(
            "volume",
            &VolumeDocument { limits, prices },
        )?);
    }
    let mut notes = Footnotes::default();
    let heads = [
        "",
        "TYPE",
        "HELD",
        "GiB",
        "IOPS",
        "THROUGHPUT",
        "BURST",
        "AS OF",
    ];
    let mut table = Table::new(&heads);
    let mut remarks: Vec<String> = Vec::new();
    for row in rows {
        let now = known.catalog.volume(&row.name, known.at).ok() == Some(*row);
        table.row([
            if now { ">" } else { "" }.to_owned(),
            row.name.clone(),
            row.validity.to_string(),
            row.sizes_in_words(),
            row.iops_in_words(),
            row.throughput_in_words(),
            row.burst_in_words(),
            notes.mark(&row.evidence),
        ]);
        if now {
            remarks.extend(row.remarks(known.at).iter().map(Remark::to_string));
            if row.evidence.confidence.is_fact() {
                remarks.extend(row.evidence.note.iter().map(|note| format!("note: {note}")));
            }
        }
    }
    let mut text = format!("{table}\n> holds on {}\n", known.at);
    remarks.dedup();
    for remark in remarks {
        text += &(remark + "\n");
    }
    if !prices.is_empty() {
        let _ = write!(text, "\n{}", price_table(&prices, &mut notes));
        text += "Prices are list prices of the given date, for comparison only. They are not a \
                 quote.\n";
    }
    Ok(format!("{text}\n{notes}"))
}

/// The prices nearest to the day, in one region or in all.
fn prices<'a>(
    known: &'a Known,
    rows: &[&VolumeType],
    region: Option<&str>,
) -> Result<Vec<&'a Price>, Problem> {
    let book = known.catalog.prices();
    let mut found: Vec<&Price> = Vec::new();
    let mut names: Vec<(Cloud, &str)> = rows
        .iter()
        .map(|row| (row.cloud, row.name.as_str()))
        .collect();
    names.dedup();
    for (cloud, name) in &names {
        let regions = match region {
            Some(region) => vec![region],
            None => book.regions(*cloud, name),
        };
        for region in regions {
            found.extend(book.meters(*cloud, region, name, known.at));
        }
    }
    if let (Some(region), true) = (region, found.is_empty()) {
        let (cloud, name) = names.first().copied().unwrap_or((Cloud::Aws, ""));
        let problem = Problem::new(
            Exit::Usage,
            format!("no price of {name} is known in {region}"),
        );
        let regions = book.regions(cloud, name);
        return Err(if regions.is_empty() {
            problem.because("none is known anywhere")
        } else {
            problem.remedy(regions.join(", "))
        });
    }
    Ok(found)
}

fn price_table(prices: &[&Price], notes: &mut Footnotes) -> Table {
    let heads = ["REGION", "TYPE", "A MONTH FOR EACH", ">PRICE", "", "AS OF"];
    let mut table = Table::new(&heads);
    for price in prices {
        table.row([
            price.region.clone(),
            price.name.clone(),
            meter_in_words(price),
            price.price.to_string(),
            price.currency.clone(),
            notes.mark(&price.evidence),
        ]);
    }
    table
}

fn meter_in_words(price: &Price) -> String {
    let unit = match price.meter.as_str() {
        "gib_month" => "GiB",
        "iops_month" | "iops_month_above" => "IOPS",
        "mibps_month" | "mibps_month_above" => "MiB/s",
        "mbps_month_above" => "MB/s",
        _ => "disk (LRS)",
    };
    if price.above > 0.0 {
        format!("{unit} above {}", figure::count(price.above as u64))
    } else {
        unit.to_owned()
    }
}

fn instance(known: &Known, row: &InstanceType, json: bool) -> Result<String, Error> {
    let rows: Vec<&InstanceType> = known
        .catalog
        .instances()
        .iter()
        .filter(|other| other.name == row.name)
        .collect();
    if json {
        return Ok(listed::document("instances", &rows)?);
    }
    let mut notes = Footnotes::default();
    let mut table = Table::new(&[
        "", "INSTANCE", ">vCPU", "IOPS", "MB/s", "LOCAL", "SEEN", "AS OF",
    ]);
    for other in &rows {
        let now = known
            .catalog
            .instance(&other.name, other.interface.as_deref(), known.at)
            .ok()
            == Some(*other);
        let mark = if now { ">" } else { "" }.to_owned();
        table.row(std::iter::once(mark).chain(cells(other, &mut notes)));
    }
    let mut text = format!("{table}\n> holds on {}\n", known.at);
    let paths = [
        ("Premium SSD v2 and Ultra", row.fast),
        ("cached", row.cached),
    ];
    for (word, path) in paths {
        if let Some(path) = path {
            let _ = writeln!(
                text,
                "{word}: {} IOPS; {} MB/s",
                path.iops_in_words(),
                path.throughput_in_words()
            );
        }
    }
    if let Some(volumes) = row.max_volumes {
        let _ = writeln!(text, "at most {volumes} volumes");
    }
    for remark in known.catalog.instance_remarks(row, known.at) {
        let _ = writeln!(text, "{remark}");
    }
    Ok(format!("{text}\n{notes}"))
}
