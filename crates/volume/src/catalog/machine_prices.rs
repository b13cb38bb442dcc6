//! What machines cost an hour: tens of thousands of rows, of which a question needs one region.
//!
//! The file is a table of `name,hour,region,currency,as_of,source,confidence`; cells that a row
//! leaves out at its end are those of the row above. It is kept as text and read by region.

use super::dates::AsOf;
use super::price_book::distance;
use super::rows::{EvidenceRow, Sources};
use super::{CatalogError, CatalogFile, Cloud, Confidence, Date, Evidence, PriceTerm};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;

/// Hours of a month, as vendors count them.
pub const MONTH_HOURS: f64 = 730.0;

/// The price of a machine in a region.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachinePrice {
    /// For an hour; Linux, on demand, where there are no terms.
    pub hour: f64,
    /// As in `USD`.
    pub currency: String,
    /// Who says so, and when.
    pub evidence: Evidence,
    /// Licences and commitments that the hour includes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<PriceTerm>,
}

impl MachinePrice {
    /// For a month of 730 hours.
    pub fn month(&self) -> f64 {
        self.hour * MONTH_HOURS
    }
}

/// A file of prices of one cloud.
#[derive(Clone, Debug)]
struct PriceFile {
    cloud: Cloud,
    text: Cow<'static, str>,
    /// Whether its rows are added to those of the files before; otherwise they replace them.
    adds: bool,
}

/// Prices of machines, as text until a region is asked for.
#[derive(Clone, Debug, Default)]
pub struct MachinePrices {
    files: Vec<PriceFile>,
    sources: Sources,
}

/// Cells that hold for the rows below too.
#[derive(Clone, Copy, Default)]
struct Ditto<'a> {
    region: &'a str,
    currency: &'a str,
    as_of: &'a str,
    source: &'a str,
    confidence: &'a str,
}

/// A row with all its cells.
struct MachinePriceRow<'a> {
    name: &'a str,
    hour: &'a str,
    rest: Ditto<'a>,
}

impl MachinePrices {
    pub(super) fn add(
        &mut self,
        text: Cow<'static, str>,
        file: &CatalogFile<'_>,
        cloud: Cloud,
        sources: &Sources,
    ) -> Result<(), CatalogError> {
        // What is built in is checked by a test; the same check on each start would cost more
        // than the plan.
        let text = match text {
            Cow::Owned(own) => Cow::Owned(without_spaces(own)),
            built_in @ Cow::Borrowed(_) => built_in,
        };
        if matches!(text, Cow::Owned(_)) {
            check(&text, sources).map_err(|(line, cause)| CatalogError::Row {
                file: file.path.to_owned(),
                line,
                cause,
            })?;
        }
        self.files.push(PriceFile {
            cloud,
            text,
            adds: false,
        });
        self.sources = sources.clone();
        Ok(())
    }

    /// As [`Self::add`], but rows nearer to a day beat others whatever file they are of.
    pub(super) fn extend(
        &mut self,
        text: Cow<'static, str>,
        file: &CatalogFile<'_>,
        cloud: Cloud,
        sources: &Sources,
    ) -> Result<(), CatalogError> {
        self.add(text, file, cloud, sources)?;
        if let Some(last) = self.files.last_mut() {
            last.adds = true;
        }
        Ok(())
    }

    /// Prices by the name of the machine, in a region, each nearest to a day. Names of Azure are
    /// without `Standard_`. What a later file says of a name beats what earlier ones said.
    pub fn of_region(&self, cloud: Cloud, region: &str, at: Date) -> HashMap<&str, MachinePrice> {
        let mut found: HashMap<&str, MachinePrice> = HashMap::new();
        for file in self.files.iter().filter(|file| file.cloud == cloud) {
            let mut of_file: HashMap<&str, (f64, Ditto<'_>)> = HashMap::new();
            for row in of_place(&file.text, region) {
                let Ok(hour) = row.hour.parse::<f64>() else {
                    continue;
                };
                let is_nearer = |known: &(f64, Ditto<'_>)| {
                    let of = |rest: &Ditto<'_>| distance(&AsOf::new(rest.as_of), at);
                    of(&row.rest) < of(&known.1)
                };
                if of_file.get(row.name).is_none_or(is_nearer) {
                    of_file.insert(row.name, (hour, row.rest));
                }
            }
            let mut known: Vec<(Ditto<'_>, Evidence)> = Vec::new();
            for (name, (hour, rest)) in of_file {
                let Some(evidence) = self.known(&mut known, rest) else {
                    continue;
                };
                let days = distance(&evidence.as_of, at);
                let nearer = |known: &MachinePrice| distance(&known.evidence.as_of, at) < days;
                if file.adds && found.get(name).is_some_and(nearer) {
                    continue;
                }
                let price = MachinePrice {
                    hour,
                    currency: rest.currency.to_owned(),
                    evidence,
                    terms: Vec::new(),
                };
                found.insert(name, price);
            }
        }
        found
    }

    /// The evidence of a row, put together once for all rows of a kind.
    fn known<'a>(
        &self,
        known: &mut Vec<(Ditto<'a>, Evidence)>,
        rest: Ditto<'a>,
    ) -> Option<Evidence> {
        let key = |rest: &Ditto<'a>| (rest.source, rest.as_of, rest.confidence);
        if let Some((_, evidence)) = known.iter().find(|(other, _)| key(other) == key(&rest)) {
            return Some(evidence.clone());
        }
        let new = evidence(&rest, &self.sources).ok()?;
        known.push((rest, new.clone()));
        Some(new)
    }

    /// The regions of a cloud in which machines have prices, each once, sorted.
    pub fn regions(&self, cloud: Cloud) -> Vec<&str> {
        let texts = self.files.iter().filter(|file| file.cloud == cloud);
        let mut regions: Vec<&str> = Vec::new();
        for row in texts.flat_map(|file| rows(&file.text)) {
            if regions.last() != Some(&row.rest.region) {
                regions.push(row.rest.region);
            }
        }
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    /// How many prices there are, by day, source and confidence, sorted.
    pub fn counts(&self, cloud: Cloud) -> Vec<(String, String, String, usize)> {
        let mut counts: std::collections::BTreeMap<(&str, &str, &str), usize> =
            std::collections::BTreeMap::new();
        let texts = self.files.iter().filter(|file| file.cloud == cloud);
        for row in texts.flat_map(|file| rows(&file.text)) {
            let key = (row.rest.as_of, row.rest.source, row.rest.confidence);
            *counts.entry(key).or_default() += 1;
        }
        let words = |((as_of, source, confidence), count): ((&str, &str, &str), usize)| {
            let own = [as_of, source, confidence].map(str::to_owned);
            let [as_of, source, confidence] = own;
            (as_of, source, confidence, count)
        };
        counts.into_iter().map(words).collect()
    }
}

fn evidence(rest: &Ditto<'_>, sources: &Sources) -> Result<Evidence, String> {
    let confidence = match rest.confidence {
        "" => Confidence::default(),
        word => {
            let value = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(word);
            Confidence::deserialize(value).map_err(|error| error.to_string())?
        }
    };
    sources.evidence(EvidenceRow {
        source: rest.source.to_owned(),
        as_of: Some(rest.as_of.to_owned()),
        confidence: Some(confidence),
        note: None,
    })
}

/// The rows of a file, heads and comments left out.
fn rows(text: &str) -> impl Iterator<Item = MachinePriceRow<'_>> {
    let mut rest = Ditto::default();
    let lines = text.lines().filter(|line| is_row(line));
    lines.map(move |line| {
        let mut cells = line.split(',').map(str::trim);
        let name = cells.next().unwrap_or_default();
        let hour = cells.next().unwrap_or_default();
        if let Some(region) = cells.next() {
            let mut next = || cells.next().unwrap_or_default();
            rest = Ditto {
                region,
                currency: next(),
                as_of: next(),
                source: next(),
                confidence: next(),
            };
        }
        MachinePriceRow { name, hour, rest }
    })
}

/// Regions are looked for between two commas.
fn without_spaces(mut text: String) -> String {
    for beside in [" ,", ", "] {
        while text.contains(beside) {
            text = text.replace(beside, ",");
        }
    }
    text
}

/// The rows of a region. They stand in blocks, each below a row that names the region, so that most
/// of a file need not be looked at row by row.
fn of_place<'a>(text: &'a str, region: &str) -> impl Iterator<Item = MachinePriceRow<'a>> {
    let mut from = 0;
    let word = format!(",{region},");
    std::iter::from_fn(move || {
        let found = from + text.get(from..)?.find(&word)?;
        let begin = text[..found].rfind('\n').map_or(0, |end| end + 1);
        let block = &text[begin..];
        // It ends with the first row that names another place, comments and heads included.
        let is_other = |line: &&str| {
            let mut cells = line.split(',').map(str::trim).skip(2);
            is_row(line) && cells.next().is_some_and(|place| place != region)
        };
        let length: usize = block
            .split_inclusive('\n')
            .take_while(|line| !is_other(&line.trim_end()))
            .map(str::len)
            .sum();
        from = begin + length.max(found - begin + word.len());
        Some(rows(&block[..length]).filter(move |row| row.rest.region == region))
    })
    .flatten()
}

fn is_row(line: &str) -> bool {
    !(line.is_empty() || line.starts_with('#') || line.starts_with("name,"))
}

/// What is wrong in a file, with its line.
fn check(text: &str, sources: &Sources) -> Result<(), (u64, String)> {
    let heads = "name,hour,region,currency,as_of,source,confidence";
    let lines = (1_u64..).zip(text.lines());
    let first = lines.clone().find(|(_, line)| !line.starts_with('#'));
    if let Some((number, line)) = first.filter(|(_, line)| *line != heads) {
        return Err((number, format!("the columns are `{line}`, not `{heads}`")));
    }
    let numbers = lines
        .filter(|(_, line)| is_row(line))
        .map(|(number, _)| number);
    for (number, row) in numbers.zip(rows(text)) {
        let error = |cause: &str| Err((number, cause.to_owned()));
        if row.name.is_empty() {
            return error("no machine is named");
        }
        let hour = row.hour.parse::<f64>();
        if !hour.is_ok_and(|hour| hour.is_finite() && hour > 0.0) {
            return error(&format!("`{}` is not a price of an hour", row.hour));
        }
        if row.rest.region.is_empty() || row.rest.currency.is_empty() {
            return error("neither this row nor one above names region and currency");
        }
        evidence(&row.rest, sources).map_err(|cause| (number, cause))?;
    }
    Ok(())
}

/// Every row with all its cells, sorted.
#[cfg(test)]
pub(super) fn every_row(text: &str) -> Vec<[&str; 7]> {
    let mut all: Vec<[&str; 7]> = rows(text)
        .map(|row| {
            let rest = row.rest;
            let [region, currency, as_of] = [rest.region, rest.currency, rest.as_of];
            [
                row.name,
                row.hour,
                region,
                currency,
                as_of,
                rest.source,
                rest.confidence,
            ]
        })
        .collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use jiff::civil::date;

    const HEADS: &str = "name,hour,region,currency,as_of,source,confidence\n";

    fn of(rows: &str) -> Result<Catalog, String> {
        let mut catalog = Catalog::default();
        let text = format!("{HEADS}{rows}");
        let file = CatalogFile {
            path: "aws/machine_prices.csv",
            text: &text,
        };
        catalog.add(&file).map_err(|error| error.to_string())?;
        Ok(catalog)
    }

    #[test]
    fn cells_left_out_are_those_above_and_the_nearest_day_counts() {
        let catalog = of("m5.large,0.1,us-east-1,USD,2025-01-01,a feed,sourced\n\
                          m5.xlarge,0.2\n\
                          m5.large,0.09,us-east-1,USD,2026-01-01,a feed,sourced\n\
                          m5.large,0.3,eu-west-1,USD,2026-01-01,a feed,unchecked\n")
        .unwrap();
        let hours = |region: &str, year: i16| {
            let prices = catalog.machine_prices();
            let found = prices.of_region(Cloud::Aws, region, date(year, 6, 1));
            let mut hours: Vec<(String, f64)> = found
                .into_iter()
                .map(|(name, price)| (name.to_owned(), price.hour))
                .collect();
            hours.sort_by(|one, other| one.0.cmp(&other.0));
            hours
        };
        let both = |hour: f64| vec![("m5.large".to_owned(), hour), ("m5.xlarge".to_owned(), 0.2)];
        assert_eq!(hours("us-east-1", 2025), both(0.1));
        assert_eq!(hours("us-east-1", 2026), both(0.09));
        assert_eq!(hours("eu-west-1", 2026), [("m5.large".to_owned(), 0.3)]);
        let regions = catalog.machine_prices().regions(Cloud::Aws);
        assert_eq!(regions, ["eu-west-1", "us-east-1"]);
    }

    #[test]
    fn blocks_of_a_region_are_found_wherever_they_stand() {
        let text = "# as of ,b,\n\nm1,1,a,USD,2025-01-01,x,sourced\nm2,2\n\
                    m1,3,b,USD,2025-01-01,x,sourced\n# m9,9\nm2,4\nm3,5,b,USD,2026-01-01,y\n\
                    m1,6,a,USD,2026-01-01,x,sourced\nm4,7,ab,USD,2026-01-01,x,sourced\nm5,8";
        let hours = |region: &str| -> Vec<String> {
            let found = of_place(text, region);
            found
                .map(|row| format!("{}={}", row.name, row.hour))
                .collect()
        };
        assert_eq!(hours("a"), ["m1=1", "m2=2", "m1=6"]);
        assert_eq!(hours("b"), ["m1=3", "m2=4", "m3=5"]);
        assert_eq!(hours("ab"), ["m4=7", "m5=8"]);
        assert_eq!(hours("c"), Vec::<String>::new());
    }

    #[test]
    fn a_row_that_cannot_be_is_told_with_its_line() {
        let cases = [
            (
                "m5.large,0.1\n",
                "2: neither this row nor one above names region and currency",
            ),
            (
                "m5.large,cheap,us-east-1,USD,2025-01-01,a feed\n",
                "2: `cheap` is not a price of an hour",
            ),
            (
                "m5.large,0.1,us-east-1,USD,2025-01-01\n",
                "2: no source is named",
            ),
            (
                "m5.large,0.1,us-east-1,USD,2025-01-01,a feed,sure\n",
                "2: unknown variant `sure`, expected one of `sourced`, `derived`, `inferred`, \
                 `undated`, `unchecked`, `memory`",
            ),
        ];
        for (rows, cause) in cases {
            let expected = format!("aws/machine_prices.csv:{cause}");
            assert_eq!(of(rows).unwrap_err(), expected, "{rows}");
        }
    }

    #[test]
    fn what_is_built_in_can_be_read() {
        let catalog = Catalog::embedded();
        for file in &catalog.machine_prices().files {
            assert_eq!(
                check(&file.text, &catalog.sources),
                Ok(()),
                "{}",
                file.cloud
            );
        }
        for file in &catalog.machine_prices().files {
            let mut by_region: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
            for row in rows(&file.text) {
                let known = by_region.entry(row.rest.region).or_default();
                known.push((row.name, row.hour));
            }
            for (region, expected) in by_region {
                let found = of_place(&file.text, region).map(|row| (row.name, row.hour));
                assert_eq!(found.collect::<Vec<_>>(), expected, "{region}");
            }
        }
        let prices = |cloud| {
            let counts = catalog.machine_prices().counts(cloud);
            let sum: usize = counts.iter().map(|(.., count)| count).sum();
            (sum, catalog.machine_prices().regions(cloud).len())
        };
        assert_eq!(
            [Cloud::Aws, Cloud::Azure, Cloud::Gcp].map(prices),
            [(17_208, 37), (63_913, 58), (6_459, 41)]
        );
    }
}
