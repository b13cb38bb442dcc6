//! Sources below a table, numbered in the order in which they are met.

use fathom_volume::catalog::Evidence;
use std::fmt;

/// The sources that a table has named so far.
#[derive(Debug, Default)]
pub(crate) struct Footnotes(Vec<String>);

impl Footnotes {
    /// Number of a source of one day, the day being in the footnote: `[2]`, `memory [4]`.
    pub(crate) fn number(&mut self, evidence: &Evidence) -> String {
        let dated = format!("{}, as of {}", evidence.source, evidence.as_of);
        let index = self.0.iter().position(|known| *known == dated);
        let index = index.unwrap_or_else(|| {
            self.0.push(dated);
            self.0.len() - 1
        });
        let number = index + 1;
        if evidence.confidence.is_fact() {
            format!("[{number}]")
        } else {
            format!("{} [{number}]", evidence.confidence.word())
        }
    }

    /// Day, kind and number of a row's source: `2023-05-11 [2]`, `2025 memory [4]`.
    pub(crate) fn mark(&mut self, evidence: &Evidence) -> String {
        let index = self.0.iter().position(|known| *known == evidence.source);
        let index = index.unwrap_or_else(|| {
            self.0.push(evidence.source.clone());
            self.0.len() - 1
        });
        let number = index + 1;
        if evidence.confidence.is_fact() {
            format!("{} [{number}]", evidence.as_of)
        } else {
            format!(
                "{} {} [{number}]",
                evidence.as_of,
                evidence.confidence.word()
            )
        }
    }
}

impl fmt::Display for Footnotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, source) in self.0.iter().enumerate() {
            writeln!(f, "[{}] {source}", index + 1)?;
        }
        Ok(())
    }
}
