//! Links and buses: what a lane carries.

use super::rows::{self, EvidenceRow, Sources};
use super::{CatalogError, CatalogFile, Confidence, Evidence};
use serde::{Deserialize, Serialize};

/// A link or a bus, by one lane and one direction.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Link {
    /// Its name, as in `sata-6g` or `pcie3`.
    pub name: String,
    /// Line rate: 10^9 symbols a second.
    pub gbaud: f64,
    /// Of this number of bits on the line …
    pub line_bits: f64,
    /// … this number is the sender's: 8 of 10, 128 of 130.
    pub code_bits: f64,
    /// Share of this that was seen in practice, the lowest and the highest.
    pub seen: Option<(f64, f64)>,
    /// Who says so.
    pub evidence: Evidence,
}

impl Link {
    /// Bytes a second over a number of lanes, one direction: line rate × code ÷ 8.
    pub fn bytes_per_second(&self, lanes: u32) -> f64 {
        self.gbaud * 1e9 * self.code_bits / self.line_bits / 8.0 * f64::from(lanes)
    }
}

#[derive(Deserialize)]
struct LinkRow {
    name: String,
    gbaud: f64,
    code_bits: f64,
    line_bits: f64,
    seen_low: Option<f64>,
    seen_high: Option<f64>,
    source: String,
    as_of: Option<String>,
    confidence: Option<Confidence>,
    note: Option<String>,
}

pub(super) fn read(file: &CatalogFile<'_>, sources: &Sources) -> Result<Vec<Link>, CatalogError> {
    let mut links = Vec::new();
    rows::read(file, |row: LinkRow| {
        if row.code_bits > row.line_bits {
            return Err("a code cannot carry more bits than the line".to_owned());
        }
        links.push(Link {
            name: row.name,
            gbaud: row.gbaud,
            code_bits: row.code_bits,
            line_bits: row.line_bits,
            seen: row.seen_low.zip(row.seen_high),
            evidence: sources.evidence(EvidenceRow {
                source: row.source,
                as_of: row.as_of,
                confidence: row.confidence,
                note: row.note,
            })?,
        });
        Ok(())
    })?;
    Ok(links)
}
