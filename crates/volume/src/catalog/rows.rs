//! Reading CSV files with comments at the top, row by row, with line numbers for errors.

use super::dates::{AsOf, first_day};
use super::{CatalogError, CatalogFile, Confidence, Evidence, Validity};
use fathom_core::units::plain_message;
use jiff::civil::Date;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Calls `each` with every row of a file.
pub(super) fn read<R: DeserializeOwned>(
    file: &CatalogFile<'_>,
    mut each: impl FnMut(R) -> Result<(), String>,
) -> Result<(), CatalogError> {
    let error = |line: u64, cause: String| CatalogError::Row {
        file: file.path.to_owned(),
        line,
        cause,
    };
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(file.text.as_bytes());
    let heads = reader
        .headers()
        .map_err(|cause| error(1, words(&cause)))?
        .clone();
    let mut record = csv::StringRecord::new();
    loop {
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(cause) => return Err(error(line, words(&cause))),
        }
        let line = record.position().map_or(line, csv::Position::line);
        let row = record
            .deserialize(Some(&heads))
            .map_err(|cause| error(line, words(&cause)))?;
        each(row).map_err(|cause| error(line, cause))?;
    }
}

/// What is wrong with a record, without the place, which we give in our own way.
fn words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => plain_message(&err.to_string()),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields under {expected_len} headings"),
        csv::ErrorKind::Utf8 { .. } => "not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// The columns on source and day that every file has.
pub(super) struct EvidenceRow {
    pub(super) source: String,
    pub(super) as_of: Option<String>,
    pub(super) confidence: Option<Confidence>,
    pub(super) note: Option<String>,
}

impl EvidenceRow {
    /// Of a file without columns for confidence and notes.
    pub(super) const fn of(source: String, as_of: Option<String>) -> Self {
        Self {
            source,
            as_of,
            confidence: None,
            note: None,
        }
    }
}

/// What the short names of sources stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources(BTreeMap<String, String>);

impl Sources {
    pub(super) fn add(&mut self, file: &CatalogFile<'_>) -> Result<(), CatalogError> {
        #[derive(Deserialize)]
        struct Row {
            name: String,
            text: String,
        }
        read(file, |row: Row| {
            self.0.insert(row.name, row.text);
            Ok(())
        })
    }

    /// The evidence of a row, its source in full.
    pub(super) fn evidence(&self, row: EvidenceRow) -> Result<Evidence, String> {
        if row.source.is_empty() {
            return Err("no source is named".to_owned());
        }
        let as_of = row.as_of.unwrap_or_default();
        if as_of.is_empty() {
            return Err("no day is given in `as_of`".to_owned());
        }
        Ok(Evidence {
            source: self.spell_out(&row.source),
            as_of: AsOf::new(&as_of),
            confidence: row.confidence.unwrap_or_default(),
            note: row.note,
        })
    }

    /// A source with its short names spelt out: `ec2-guide (x.md); other` keeps the rest.
    fn spell_out(&self, source: &str) -> String {
        let part = |part: &str| {
            let (name, rest) = part.split_once(" (").unwrap_or((part, ""));
            match self.0.get(name) {
                Some(text) if rest.is_empty() => text.clone(),
                Some(text) => format!("{text} ({rest}"),
                None => part.to_owned(),
            }
        };
        source.split("; ").map(part).collect::<Vec<_>>().join("; ")
    }
}

/// The days between which a row holds.
pub(super) fn validity(from: Option<&str>, to: Option<&str>) -> Result<Validity, String> {
    let day = |text: Option<&str>| -> Result<Option<Date>, String> {
        text.map(|text| first_day(text).ok_or_else(|| format!("`{text}` is not a day")))
            .transpose()
    };
    let (from, to) = (day(from)?, day(to)?);
    if from.zip(to).is_some_and(|(from, to)| to < from) {
        return Err("it ends before it begins".to_owned());
    }
    Ok(Validity { from, to })
}
