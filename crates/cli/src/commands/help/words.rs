//! The words of the reports, as `docs/words.md` explains them.

use crate::paragraph::{hanging, indented, wrapped};

const PAGE: &str = include_str!("../../../../../docs/words.md");

/// Columns of the words in the list of all.
const NAMES: usize = 20;

/// A word with its other names, and what they mean.
pub(super) struct Word {
    names: &'static str,
    pub(super) meaning: &'static str,
}

impl Word {
    /// The first name is the usual one.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.names.split(", ")
    }

    /// The usual name.
    pub(super) fn name(&self) -> &'static str {
        self.names().next().unwrap_or_default()
    }

    pub(super) fn text(&self) -> String {
        format!("{}\n{}", self.names, indented(self.meaning))
    }
}

/// All words, in the order of the page.
pub(super) fn all() -> impl Iterator<Item = Word> {
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| "));
    // The heading and the line below it.
    rows.skip(2).filter_map(|row| {
        let (names, meaning) = row.strip_suffix(" |")?.split_once(" | ")?;
        Some(Word { names, meaning })
    })
}

/// The word of one of its names, in any case and with any of blank, `-` and `_`.
pub(super) fn named(name: &str) -> Option<Word> {
    let name = plain(name);
    // There are more percentiles than names of them.
    let share = name.strip_prefix('p');
    let is_percentile = share.is_some_and(|share| share.parse::<f64>().is_ok());
    let name = if is_percentile { "percentile" } else { &name };
    all().find(|word| word.names().any(|one| plain(one) == name))
}

/// A name as it is compared.
pub(super) fn plain(name: &str) -> String {
    let name = name.trim_matches(['[', ']', '`']).to_lowercase();
    name.replace(['-', '_'], " ")
}

/// All words in a line each.
pub(super) fn list() -> String {
    let mut text = wrapped("Words of the reports. `fathom help WORD` explains one.");
    text.push('\n');
    for word in all() {
        let first = word.meaning.split_inclusive(". ").next();
        text += &hanging(word.name(), NAMES, first.unwrap_or_default().trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{all, named, plain};

    #[test]
    fn each_name_is_of_one_word_in_a_row_of_the_page() {
        let mut names: Vec<String> = all().flat_map(|word| word.names().map(plain)).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!((names.len(), count > 150), (count, true));
        let rows = super::PAGE.lines().filter(|line| line.starts_with('|'));
        assert_eq!(all().count(), rows.count() - 2);
    }

    #[test]
    fn a_word_is_found_as_it_is_typed() {
        let cases = [
            ("suspect", Some("SUSPECT")),
            ("[SUSPECT]", Some("SUSPECT")),
            ("service time", Some("service time")),
            ("service-time", Some("service time")),
            ("p99.95", Some("percentile")),
            ("iops", Some("IOPS")),
            ("phantom", None),
        ];
        for (typed, expected) in cases {
            assert_eq!(named(typed).map(|word| word.name()), expected, "{typed}");
        }
    }
}
