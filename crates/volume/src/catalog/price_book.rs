//! What volumes cost: list prices with the day on which they were read. Never a quote.

use super::dates::AsOf;
use super::rows::{self, EvidenceRow, Sources};
use super::{CatalogError, CatalogFile, Cloud, Confidence, Date, Evidence};
use fathom_core::SmallSort as _;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// One price: of a meter, in a region, on a day.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Price {
    /// Whose price.
    pub cloud: Cloud,
    /// The region, as in `eu-west-1`.
    pub region: String,
    /// The volume type or tier.
    pub name: String,
    /// What is counted, one of [`METERS`].
    pub meter: String,
    /// Where the meter begins to count: 3,000 IOPS of gp3 are free.
    pub above: f64,
    /// For one of what is counted.
    pub price: f64,
    /// As in `USD`.
    pub currency: String,
    /// Who says so, and when.
    pub evidence: Evidence,
}

/// All known prices.
#[derive(Clone, Debug, Default)]
pub struct PriceBook {
    prices: Vec<Price>,
    /// Places in the list by cloud and name in small letters.
    by_name: HashMap<(Cloud, String), Vec<usize>>,
}

impl PriceBook {
    pub(super) fn add(
        &mut self,
        file: &CatalogFile<'_>,
        cloud: Cloud,
        sources: &Sources,
    ) -> Result<(), CatalogError> {
        let new = read(file, cloud, sources)?;
        // A later file knows better for the places and types that it names.
        let named: HashSet<(&str, &str)> = new
            .iter()
            .map(|price| (price.region.as_str(), price.name.as_str()))
            .collect();
        self.prices.retain(|known| {
            known.cloud != cloud || !named.contains(&(known.region.as_str(), known.name.as_str()))
        });
        self.push(new);
        Ok(())
    }

    /// Adds prices to those that are known; the nearest to a day counts.
    pub(super) fn extend(
        &mut self,
        file: &CatalogFile<'_>,
        cloud: Cloud,
        sources: &Sources,
    ) -> Result<(), CatalogError> {
        self.push(read(file, cloud, sources)?);
        Ok(())
    }

    fn push(&mut self, new: Vec<Price>) {
        self.prices.extend(new);
        self.by_name.clear();
        for (index, price) in self.prices.iter().enumerate() {
            let key = (price.cloud, price.name.to_lowercase());
            self.by_name.entry(key).or_default().push(index);
        }
    }

    /// All of them.
    pub fn prices(&self) -> &[Price] {
        &self.prices
    }

    /// The regions in which a volume type has prices, each once, sorted.
    pub fn regions(&self, cloud: Cloud, name: &str) -> Vec<&str> {
        let mut regions: Vec<&str> = self
            .of(cloud, name)
            .map(|price| price.region.as_str())
            .collect();
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    /// All regions of a cloud, each once, sorted.
    pub fn all_regions(&self, cloud: Cloud) -> Vec<&str> {
        let prices = self.prices.iter().filter(|price| price.cloud == cloud);
        let mut regions: Vec<&str> = prices.map(|price| price.region.as_str()).collect();
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    fn of(&self, cloud: Cloud, name: &str) -> impl Iterator<Item = &Price> {
        let places = self.by_name.get(&(cloud, name.to_lowercase()));
        let places = places.into_iter().flatten();
        places.map(|place| &self.prices[*place])
    }

    /// The price of a meter nearest to a day: the latest read until then, or else the first read
    /// after. Prices of unknown date come last.
    pub fn price(
        &self,
        cloud: Cloud,
        region: &str,
        name: &str,
        meter: &str,
        at: Date,
    ) -> Option<&Price> {
        let fits = self
            .of(cloud, name)
            .filter(|price| price.region == region && price.meter == meter);
        fits.min_by_key(|price| distance(&price.evidence.as_of, at))
    }

    /// All meters of a volume type in a region, each at its price nearest to a day. Banded meters
    /// (io2) have one entry for each band, lowest first.
    pub fn meters(&self, cloud: Cloud, region: &str, name: &str, at: Date) -> Vec<&Price> {
        let mut found: Vec<&Price> = Vec::new();
        for price in self.of(cloud, name).filter(|price| price.region == region) {
            let same = |other: &&Price| {
                other.meter == price.meter && (other.above - price.above).abs() < 0.5
            };
            match found.iter().position(same) {
                Some(known)
                    if distance(&price.evidence.as_of, at)
                        < distance(&found[known].evidence.as_of, at) =>
                {
                    found[known] = price;
                }
                Some(_) => {}
                None => found.push(price),
            }
        }
        let rank = |meter: &str| METERS.iter().position(|known| *known == meter);
        found.small_sort_by(|one, other| {
            (rank(&one.meter), one.above)
                .partial_cmp(&(rank(&other.meter), other.above))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        found
    }
}

/// The prices of a file.
fn read(
    file: &CatalogFile<'_>,
    cloud: Cloud,
    sources: &Sources,
) -> Result<Vec<Price>, CatalogError> {
    #[derive(Deserialize)]
    struct PriceRow {
        region: String,
        name: String,
        meter: String,
        above: Option<f64>,
        price: f64,
        currency: String,
        as_of: Option<String>,
        source: String,
        confidence: Option<Confidence>,
        note: Option<String>,
    }
    let mut new: Vec<Price> = Vec::new();
    rows::read(file, |row: PriceRow| {
        if !METERS.contains(&row.meter.as_str()) {
            return Err(format!(
                "`{}` is not a meter: {}",
                row.meter,
                METERS.join(", ")
            ));
        }
        new.push(Price {
            cloud,
            region: row.region,
            name: row.name,
            meter: row.meter,
            above: row.above.unwrap_or(0.0),
            price: row.price,
            currency: row.currency,
            evidence: sources.evidence(EvidenceRow {
                source: row.source,
                as_of: row.as_of,
                confidence: row.confidence,
                note: row.note,
            })?,
        });
        Ok(())
    })?;
    Ok(new)
}

/// What can be counted, in the order of a bill: a month each, but transactions by 10,000.
pub const METERS: [&str; 13] = [
    "tier_month_lrs",
    "gib_month",
    "iops_month",
    "iops_month_above",
    "mibps_month",
    "mibps_month_above",
    "mbps_month",
    "mbps_month_above",
    "burst_enable_month_lrs",
    "burst_transactions_10k_lrs",
    "transactions_10k_lrs",
    "snapshot_gib_month",
    "vcpu_reservation_month",
];

/// How far a price is from a day: read before it, read after it, of unknown date.
pub(super) fn distance(as_of: &AsOf, at: Date) -> (u8, i64) {
    match as_of.date() {
        None => (2, 0),
        Some(day) => {
            let days = day_number(at) - day_number(day);
            if days >= 0 { (0, days) } else { (1, -days) }
        }
    }
}

/// Days since some day long past; months are taken as 31 days, which keeps their order.
fn day_number(day: Date) -> i64 {
    (i64::from(day.year()) * 12 + i64::from(day.month())) * 31 + i64::from(day.day())
}
