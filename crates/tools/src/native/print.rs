//! A workload as text: the resolved form, every choice written out.

use super::toml_text::{Inline, Lines, List, nested, number, quoted, text};
use fathom_core::spec::Workload;
use fathom_core::spec::fields::{Default, Field, Form, Group, Kind, Layout, WORKLOAD};
use serde_json::{Map, Value};

/// Before the bytes of a pattern.
pub(super) const PATTERN: &str = "pattern:";

/// The text of `workload`: [`parse`](super::parse) makes the same value of it.
pub fn print(workload: &Workload) -> String {
    let tree = serde_json::to_value(workload).unwrap_or_default();
    let mut out = Lines::default();
    lines(&WORKLOAD, "", &tree, &mut out);
    out.finish()
}

/// The fields of a table that has a header, or none at the top.
fn lines(group: &Group, header: &str, tree: &Value, out: &mut Lines) {
    for field in group.fields {
        let Some(value) = printed(field, tree) else {
            continue;
        };
        match &field.kind {
            Kind::Tables(group, Layout::Headers) => {
                let header = [header, field.name].join(".");
                let header = header.trim_start_matches('.');
                for tree in items(&value) {
                    out.header(header);
                    lines(group, header, tree, out);
                }
            }
            kind => out.line(field.name, written(kind, &value)),
        }
    }
}

/// The fields of a table on one line.
fn inline(group: &Group, tree: &Value) -> Inline {
    let fields = group.fields.iter();
    fields.fold(Inline::default(), |table, field| {
        let value = printed(field, tree);
        table.with_if(field.name, value.map(|value| written(&field.kind, &value)))
    })
}

/// The value of a field, if it is to be written: what the tree leaves out is as it is by default,
/// and a table without a key says nothing.
fn printed(field: &Field, tree: &Value) -> Option<Value> {
    match (tree.get(field.name), field.default) {
        (Some(Value::Object(table)), _) if table.is_empty() && !is_form(&field.kind) => None,
        (None, Default::Given(text)) if field.is_full => serde_json::from_str(text).ok(),
        (value, _) => value.cloned(),
    }
}

fn is_form(kind: &Kind) -> bool {
    matches!(kind, Kind::Form(_))
}

/// A value as the text of its kind.
pub(super) fn written(kind: &Kind, value: &Value) -> String {
    match kind {
        Kind::Text | Kind::Word(_) => text(word(value)),
        Kind::Texts | Kind::Words(_) => {
            let texts: Vec<String> = items(value).iter().map(|one| text(word(one))).collect();
            format!("[{}]", texts.join(", "))
        }
        Kind::Flag | Kind::SmallCount => value.to_string(),
        Kind::Count => count(value),
        Kind::Number | Kind::Share => number(value.as_f64().unwrap_or(f64::NAN)),
        // None of them has a character to escape.
        Kind::Size | Kind::Time | Kind::Rate => quoted(word(value)),
        Kind::Fill(_) => match value.get("pattern") {
            Some(pattern) => text(&format!("{PATTERN}{}", word(pattern))),
            None => text(word(value)),
        },
        Kind::Form(forms) => form(forms, value),
        Kind::Table(group) => inline(group, value).to_string(),
        Kind::Tables(group, Layout::Inline) => {
            let tables = items(value).iter().map(|one| inline(group, one));
            let tables: Vec<String> = tables.map(|table| table.to_string()).collect();
            format!("[{}]", tables.join(", "))
        }
        Kind::Tables(group, _) => {
            let tables = items(value).iter().map(|one| inline(group, one));
            List(tables.collect()).to_string()
        }
    }
}

/// A word alone, or a table with one key.
fn form(forms: &[Form], value: &Value) -> String {
    let none = Map::new();
    let (name, below) = value
        .as_object()
        .unwrap_or(&none)
        .iter()
        .next()
        .map_or((word(value), Value::Null), |(name, below)| {
            (name.as_str(), below.clone())
        });
    let found = forms.iter().find(|form| form.name == name);
    let says_all = |form: &&Form| form.alone && below.as_object().is_none_or(Map::is_empty);
    match found {
        Some(form) if !says_all(&form) => nested(name, &inline(form.group, &below)),
        _ => text(name),
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A whole number; beyond the integers of TOML in quotes.
fn count(value: &Value) -> String {
    match value.as_u64() {
        Some(number) if i64::try_from(number).is_err() => quoted(number),
        _ => value.to_string(),
    }
}
