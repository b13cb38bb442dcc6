//! How many rows there are, by who says so, when, and how it is known.

use super::read::Known;
use crate::commands::listed;
use crate::error::Error;
use crate::table::Table;
use fathom_core::figure;
use fathom_volume::Cloud;
use fathom_volume::catalog::{Confidence, Count};
use std::fmt::Write as _;

pub(super) fn show(known: &Known, cloud: Option<Cloud>, json: bool) -> Result<String, Error> {
    let mut counts = known.catalog.census();
    counts.retain(|one| cloud.is_none_or(|cloud| cloud == one.cloud));
    if json {
        return Ok(listed::document("sources", &counts)?);
    }
    let heads = ["CLOUD", "ROWS OF", ">ROWS", "AS OF", "KNOWN", "SOURCE"];
    let mut table = Table::new(&heads);
    for one in &counts {
        table.row([
            one.cloud.to_string(),
            one.what.to_owned(),
            figure::count(one.rows as u64),
            one.as_of.clone(),
            one.confidence.clone(),
            one.source.clone(),
        ]);
    }
    let mut text = format!("{table}\n");
    for (word, rows) in by_confidence(&counts) {
        let _ = writeln!(text, "{:>8}  {word}", figure::count(rows as u64));
    }
    Ok(text)
}

/// Rows by how they are known.
fn by_confidence(counts: &[Count]) -> Vec<(&'static str, usize)> {
    use Confidence::{Derived, Inferred, Memory, Sourced, Unchecked, Undated};
    let all = [Sourced, Derived, Inferred, Undated, Unchecked, Memory];
    let of = |confidence: Confidence| {
        let word = confidence.word();
        let own = counts.iter().filter(|one| one.confidence == word);
        (word, own.map(|one| one.rows).sum())
    };
    all.map(of)
        .into_iter()
        .filter(|(_, rows)| *rows > 0)
        .collect()
}
