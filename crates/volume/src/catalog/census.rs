//! How many rows there are of what, by who says so, when, and how it is known.

use super::{Catalog, Cloud, Confidence, Evidence};
use serde::Serialize;
use std::collections::BTreeMap;

/// Rows of one kind with one origin.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Count {
    /// Whose.
    pub cloud: Cloud,
    /// What: `volumes`, `instances`, `disk prices`, `machine prices` or `disk limits`.
    pub what: &'static str,
    /// Who says so. Of prices of machines, by which there are tens of thousands, its short name.
    pub source: String,
    /// When, as the source writes it.
    pub as_of: String,
    /// How it is known, in one word.
    pub confidence: String,
    /// Number of rows.
    pub rows: usize,
}

impl Catalog {
    /// All rows but links, counted by cloud, kind, source, day and confidence, sorted by these.
    pub fn census(&self) -> Vec<Count> {
        let mut counts: BTreeMap<(Cloud, &'static str, String, String, String), usize> =
            BTreeMap::new();
        let mut add = |cloud: Cloud, what: &'static str, evidence: &Evidence| {
            let key = (
                cloud,
                what,
                evidence.source.clone(),
                evidence.as_of.to_string(),
                evidence.confidence.word().to_owned(),
            );
            *counts.entry(key).or_default() += 1;
        };
        for row in &self.volumes {
            add(row.cloud, "volumes", &row.evidence);
        }
        for row in &self.instances {
            add(row.cloud, "instances", &row.evidence);
        }
        for row in &self.disk_limits {
            add(Cloud::Gcp, "disk limits", &row.evidence);
        }
        for row in &self.series_disks {
            add(row.cloud, "series", &row.evidence);
        }
        for store in &self.instance_stores {
            add(store.cloud, "host disks", &store.evidence);
        }
        for row in self.prices.prices() {
            add(row.cloud, "disk prices", &row.evidence);
        }
        for cloud in Cloud::ALL {
            for (as_of, source, confidence, rows) in self.machine_prices.counts(cloud) {
                // A cell that is left out says `sourced`.
                let word = Confidence::default().word().to_owned();
                let known = Some(confidence)
                    .filter(|word| !word.is_empty())
                    .unwrap_or(word);
                *counts
                    .entry((cloud, "machine prices", source, as_of, known))
                    .or_default() += rows;
            }
        }
        let count = |((cloud, what, source, as_of, confidence), rows)| Count {
            cloud,
            what,
            source,
            as_of,
            confidence,
            rows,
        };
        counts.into_iter().map(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_counted_once() {
        let catalog = Catalog::embedded();
        let sum = |what: &str| -> usize {
            let census = catalog.census();
            let own = census.iter().filter(|one| one.what == what);
            own.map(|one| one.rows).sum()
        };
        let expected = [
            catalog.volumes().len(),
            catalog.instances().len(),
            catalog.prices().prices().len(),
            17_208 + 63_913 + 6_459 + 423,
        ];
        let kinds = ["volumes", "instances", "disk prices", "machine prices"];
        assert_eq!(kinds.map(sum), expected);
    }
}
