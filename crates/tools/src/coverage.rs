//! How far a dialect is honoured, word by word: the table that its page in the documentation is
//! made from.

use crate::translation::Standing;
use std::fmt::Write as _;

/// One word of a dialect, in one of its forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// As it is written.
    pub form: &'static str,
    /// What it asks for.
    pub meaning: &'static str,
    /// How far it is honoured.
    pub standing: Standing,
    /// In what it differs, or why it is not honoured; empty for what is kept.
    pub remark: &'static str,
}

impl OptionRow {
    /// A word that is honoured to the letter.
    pub const fn kept(form: &'static str, meaning: &'static str) -> Self {
        Self::new(form, meaning, Standing::Kept, "")
    }

    /// A word that is honoured nearly.
    pub const fn near(form: &'static str, meaning: &'static str, remark: &'static str) -> Self {
        Self::new(form, meaning, Standing::Approximated, remark)
    }

    /// A word without an effect.
    pub const fn ignored(form: &'static str, meaning: &'static str, remark: &'static str) -> Self {
        Self::new(form, meaning, Standing::Ignored, remark)
    }

    /// A word that ends the translation.
    pub const fn refused(form: &'static str, meaning: &'static str, remark: &'static str) -> Self {
        Self::new(form, meaning, Standing::Refused, remark)
    }

    const fn new(
        form: &'static str,
        meaning: &'static str,
        standing: Standing,
        remark: &'static str,
    ) -> Self {
        Self {
            form,
            meaning,
            standing,
            remark,
        }
    }
}

/// How many rows have each standing.
pub fn counts(rows: &[OptionRow]) -> [(Standing, usize); 4] {
    Standing::ALL.map(|standing| {
        let count = rows.iter().filter(|row| row.standing == standing).count();
        (standing, count)
    })
}

/// The rows as a table in Markdown, with their counts below.
pub fn markdown(rows: &[OptionRow]) -> String {
    let mut text = "| form | meaning | honoured | remark |\n|---|---|---|---|\n".to_owned();
    let cell = |text: &str| text.replace('|', "\\|");
    for row in rows {
        let OptionRow {
            form,
            meaning,
            standing,
            remark,
        } = row;
        let (form, meaning, remark) = (cell(form), cell(meaning), cell(remark));
        let line = format!("| `{form}` | {meaning} | {} | {remark} |", standing.name());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.replace("|  |", "| |"));
    }
    let words = counts(rows).map(|(standing, count)| format!("{count} {}", standing.name()));
    let _ = writeln!(text, "\n{} forms: {}.", rows.len(), words.join(", "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_and_drawn() {
        let rows = [
            OptionRow::kept("bs=N", "block size"),
            OptionRow::refused("a|b", "copy", "it copies"),
        ];
        let expected = "\
| form | meaning | honoured | remark |
|---|---|---|---|
| `bs=N` | block size | kept | |
| `a\\|b` | copy | refused | it copies |

2 forms: 1 kept, 0 approximated, 0 ignored, 1 refused.
";
        assert_eq!(markdown(&rows), expected);
    }
}
