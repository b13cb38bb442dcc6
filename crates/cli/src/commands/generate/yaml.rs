//! Values as YAML in block style. Strings that YAML could read otherwise are quoted as in JSON.

use serde_json::Value;
use std::fmt::Write as _;

/// One document after its separator.
pub(super) fn document(value: &Value) -> String {
    let mut text = "---".to_owned();
    entries(value, 0, &mut text);
    text.push('\n');
    text
}

/// Writes what follows `key:`, `-` or the separator.
fn after(value: &Value, indent: usize, to: &mut String) {
    match value {
        Value::Object(fields) if !fields.is_empty() => entries(value, indent, to),
        Value::Array(items) if !items.is_empty() => entries(value, indent, to),
        other => push(to, format_args!(" {}", scalar(other))),
    }
}

/// A value on one line.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Writes the lines of a mapping or a list.
fn entries(value: &Value, indent: usize, to: &mut String) {
    if let Value::Object(fields) = value {
        for (key, value) in fields {
            let key = scalar(&Value::from(key.as_str()));
            push(to, format_args!("\n{:indent$}{key}:", ""));
            after(value, indent + 2, to);
        }
    }
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    for item in items {
        push(to, format_args!("\n{:indent$}-", ""));
        let mut text = String::new();
        after(item, indent + 2, &mut text);
        // The first field of a mapping is on the line of its dash.
        let first = text.trim_start();
        push(to, format_args!(" {first}"));
    }
}

fn push(to: &mut String, text: std::fmt::Arguments<'_>) {
    to.write_fmt(text)
        .expect("writing to a string does not fail");
}

/// Whether no version of YAML reads anything but these letters from it without quotes.
fn is_plain(text: &str) -> bool {
    const OTHER: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
        && !OTHER.contains(&text.to_ascii_lowercase().as_str())
}
