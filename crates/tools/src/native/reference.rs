//! The tables of `docs/specification.md`, made of the rows of the fields.

use super::kind::way;
use fathom_core::engine::EngineRow;
use fathom_core::spec::fields::{
    ACCESS, ARRIVALS, COMPAT, DATA, DATA_FILE, DISTRIBUTIONS, DURABILITY, Default, EVERYDAY, FILES,
    Field, Group, IO, JOB, Kind, PACINGS, PHASE, REPLAY, STEADY, STOP, SYNC, ValueForm, WALKS,
    WORKLOAD, Word,
};
use serde_json::Value;
use std::fmt::Write as _;

/// Every table of the page, with the name by which the page marks its place.
fn tables() -> Vec<(&'static str, String)> {
    let mut tables: Vec<_> = [&WORKLOAD, &PHASE, &JOB, &EVERYDAY]
        .map(|group| (group.name, keys("key", group)))
        .into();
    let below: [&Group; 11] = [
        &STEADY,
        &IO,
        &ACCESS,
        &DURABILITY,
        &SYNC,
        &DATA,
        &DATA_FILE,
        &REPLAY,
        &FILES,
        &STOP,
        &COMPAT,
    ];
    for group in below {
        tables.push((group.name, keys(&format!("key of `{}`", group.name), group)));
    }
    let forms: [(&str, &[ValueForm]); 4] = [
        ("distribution", DISTRIBUTIONS),
        ("walk", WALKS),
        ("pacing", PACINGS),
        ("arrivals", ARRIVALS),
    ];
    tables.extend(forms.map(|(name, list)| (name, self::forms(name, list))));
    tables.push(("engines", engines()));
    tables
}

/// The engines that a run can ask for, with what they cannot do.
fn engines() -> String {
    let mut out = "| engine | method | limits |\n|---|---|---|\n".to_owned();
    for row in EngineRow::of_runs() {
        let limits = row.cannot.iter();
        let limits = limits.map(|limit| format!("{}: {}", limit.feature.name(), limit.because));
        let limits: Vec<String> = limits.collect();
        let (name, what) = (row.name, row.description);
        let _ = writeln!(out, "| `{name}` | {what} | {} |", limits.join("; "));
    }
    out
}

fn keys(header: &str, group: &Group) -> String {
    let has_options = group.fields.iter().any(|field| field.option.is_some());
    let (title, rule) = if has_options {
        (" option |", "---|")
    } else {
        ("", "")
    };
    let mut out =
        format!("| {header} | kind | default | meaning |{title}\n|---|---|---|---|{rule}\n");
    for field in group.fields {
        let option = match &field.option {
            Some(option) => format!(" `--{}` |", option.name),
            None if has_options => " |".to_owned(),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} |{option}",
            field.name,
            kind(&field.kind, ", "),
            default(group, field),
            meaning(field)
        );
    }
    out
}

fn forms(name: &str, forms: &[ValueForm]) -> String {
    let mut out = format!("| form of `{name}` | keys | meaning |\n|---|---|---|\n");
    for form in forms {
        let keys: Vec<String> = form
            .group
            .fields
            .iter()
            .map(|field| key(form, field))
            .collect();
        let _ = writeln!(
            out,
            "| `{}` | {} | {} |",
            form.name,
            keys.join("; "),
            form.meaning
        );
    }
    out
}

/// A key of a form, with its kind and its default.
fn key(form: &ValueForm, field: &Field) -> String {
    let mut words = format!("`{}`: {}", field.name, kind(&field.kind, " or "));
    if !matches!(field.default, Default::Needed(_)) {
        let _ = write!(words, ", {}", default(form.group, field));
    }
    let more = [field.meaning.to_owned(), field.range_in_words()];
    let more: Vec<String> = more.into_iter().filter(|text| !text.is_empty()).collect();
    if !more.is_empty() {
        let _ = write!(words, " ({})", more.join(", "));
    }
    words
}

fn kind(kind: &Kind, between: &str) -> String {
    let of = |words: &[Word]| {
        let offered = words.iter().filter(|word| !word.is_refused);
        let quoted: Vec<String> = offered.map(|word| format!("`\"{}\"`", word.word)).collect();
        quoted.join(between)
    };
    match kind {
        Kind::Text => "text".to_owned(),
        Kind::Texts => "list of texts".to_owned(),
        Kind::Flag => ["true", "false"].join(between),
        Kind::Count | Kind::SmallCount => "count".to_owned(),
        Kind::Integer => "whole number".to_owned(),
        Kind::SmallCounts => "list of counts".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Share => "share".to_owned(),
        Kind::Size => "size".to_owned(),
        Kind::Time => "time".to_owned(),
        Kind::Rate => "rate".to_owned(),
        Kind::Word(words) => of(words),
        Kind::Words(words) => format!("list of {}", of(words)),
        Kind::Fill(words) => format!("{}{between}`\"pattern:…\"`{between}`\"ior:…\"`", of(words)),
        Kind::Form(_) => "form".to_owned(),
        Kind::Table(_) => "table".to_owned(),
        Kind::Tables(group, fathom_core::spec::fields::Layout::Inline) => {
            let keys: Vec<String> = group.keys().iter().map(|key| format!("`{key}`")).collect();
            format!("list of {}", keys.join(", "))
        }
        Kind::Tables(..) => "list".to_owned(),
    }
}

fn default(group: &Group, field: &Field) -> String {
    let value = |value: Value| format!("`{}`", (way(&field.kind).write)(&value));
    match field.default {
        Default::Plain => {
            let plain = (group.plain)().get(field.name).cloned();
            plain.map_or("none".to_owned(), value)
        }
        Default::Given(text) => value(serde_json::from_str(text).expect(field.name)),
        Default::Like(other) => format!("as `{other}`"),
        Default::Needed(_) => "needed".to_owned(),
        Default::PlainAs(words) | Default::Said(words) => words.to_owned(),
    }
}

/// The sentence, with the range at the end of its first part.
fn meaning(field: &Field) -> String {
    let range = field.range_in_words();
    if range.is_empty() {
        return field.meaning.to_owned();
    }
    match field.meaning.split_once("; ") {
        Some((first, rest)) => format!("{first}, {range}; {rest}"),
        None => format!("{}, {range}", field.meaning),
    }
}

/// The page with each table as it is now between its marks.
fn renewed(page: &str) -> String {
    tables()
        .into_iter()
        .fold(page.to_owned(), |page, (name, table)| {
            let (begin, end) = (
                format!("<!-- fields:{name}:begin -->\n"),
                format!("<!-- fields:{name}:end -->\n"),
            );
            let (before, rest) = page.split_once(&begin).expect(&begin);
            let (_, after) = rest.split_once(&end).expect(&end);
            format!("{before}{begin}{table}{end}{after}")
        })
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    const PAGE: &str = "../../docs/specification.md";

    /// With `FATHOM_WRITE_DOCS=1` it writes the page.
    #[test]
    fn the_reference_is_made_of_the_fields() {
        let page = std::fs::read_to_string(PAGE).expect(PAGE);
        let renewed = renewed(&page);
        if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
            std::fs::write(PAGE, &renewed).expect(PAGE);
            return;
        }
        assert_eq!(page, renewed, "write it anew with FATHOM_WRITE_DOCS=1");
    }

    #[test]
    fn every_example_of_the_reference_is_valid() {
        let page = std::fs::read_to_string(PAGE).expect(PAGE);
        let blocks: Vec<&str> = page
            .split("```toml\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .collect();
        assert_eq!(blocks.len(), 9);
        for block in blocks {
            let found = parse(block, "example.toml").err().unwrap_or_default();
            assert_eq!(found, [], "{block}");
        }
    }
}
