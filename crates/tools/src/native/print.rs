//! A workload as text: the resolved form, every choice written out.

use super::kind::way;
use super::toml_text::{Inline, TomlLines, nested, quoted, text};
use fathom_core::spec::Workload;
use fathom_core::spec::fields::{Default, Field, Group, Kind, Layout, ValueForm, WORKLOAD};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The text of `workload`: [`parse`](super::parse) makes the same value of it.
pub fn print(workload: &Workload) -> String {
    let tree = serde_json::to_value(workload).unwrap_or_default();
    let mut out = TomlLines::default();
    lines(&WORKLOAD, "", &tree, &mut out);
    out.finish()
}

/// The fields of a table that has a header, or none at the top.
fn lines(group: &Group, header: &str, tree: &Value, out: &mut TomlLines) {
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
            kind => out.line(field.name, (way(kind).write)(&value)),
        }
    }
}

/// The fields of a table on one line.
pub(super) fn inline(group: &Group, tree: &Value) -> Inline {
    let fields = group.fields.iter();
    fields.fold(Inline::default(), |table, field| {
        let value = printed(field, tree);
        table.with_if(
            field.name,
            value.map(|value| (way(&field.kind).write)(&value)),
        )
    })
}

/// The value of a field, if it is to be written: what the tree leaves out is as it is by default,
/// and a table without a key says nothing.
fn printed<'t>(field: &Field, tree: &'t Value) -> Option<Cow<'t, Value>> {
    match (tree.get(field.name), field.default) {
        (Some(Value::Object(table)), _) if table.is_empty() && !is_form(&field.kind) => None,
        (None, Default::Given(text)) if field.is_full => {
            serde_json::from_str(text).ok().map(Cow::Owned)
        }
        (value, _) => value.map(Cow::Borrowed),
    }
}

fn is_form(kind: &Kind) -> bool {
    matches!(kind, Kind::Form(_))
}

/// A word alone, or a table with one key.
pub(super) fn form(forms: &[ValueForm], value: &Value) -> String {
    let none = Map::new();
    let (name, below) = value
        .as_object()
        .unwrap_or(&none)
        .iter()
        .next()
        .map_or((word(value), &Value::Null), |(name, below)| {
            (name.as_str(), below)
        });
    let found = forms.iter().find(|form| form.name == name);
    let says_all = |form: &&ValueForm| form.alone && below.as_object().is_none_or(Map::is_empty);
    match found {
        Some(form) if !says_all(&form) => nested(name, &inline(form.group, below)),
        _ => text(name),
    }
}

pub(super) fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(super) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A whole number; beyond the integers of TOML in quotes.
pub(super) fn count(value: &Value) -> String {
    match value.as_u64() {
        Some(number) if i64::try_from(number).is_err() => quoted(number),
        _ => value.to_string(),
    }
}
