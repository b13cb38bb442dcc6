//! The parts of which a text is put together.

use std::fmt::Display;

/// Lines of the form `key = value`.
#[derive(Default)]
pub(super) struct TomlLines(Vec<String>);

impl TomlLines {
    pub(super) fn line(&mut self, key: &str, value: impl Display) {
        self.0.push(format!("{key} = {value}"));
    }

    pub(super) fn header(&mut self, header: &str) {
        self.0.push(format!("\n[[{header}]]"));
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push(String::new());
        self.0.join("\n")
    }
}

/// A table on one line.
#[derive(Default)]
pub(super) struct Inline {
    fields: Vec<String>,
}

impl Inline {
    pub(super) fn with(mut self, key: &str, value: impl Display) -> Self {
        self.fields.push(format!("{key} = {value}"));
        self
    }

    pub(super) fn with_if(self, key: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }
}

impl Display for Inline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.fields.is_empty() {
            return f.write_str("{}");
        }
        write!(f, "{{ {} }}", self.fields.join(", "))
    }
}

/// Tables below each other.
pub(super) struct List(pub(super) Vec<Inline>);

impl Display for List {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[\n")?;
        for table in &self.0 {
            writeln!(f, "  {table},")?;
        }
        f.write_str("]")
    }
}

/// A table with one key, which says which form it is.
pub(super) fn nested(form: &str, table: &Inline) -> String {
    format!("{{ {form} = {table} }}")
}

/// A text in quotes, escaped where TOML wants it.
pub(super) fn text(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A quantity in quotes; none of them has a character to escape.
pub(super) fn quoted(quantity: impl Display) -> String {
    format!("\"{quantity}\"")
}

/// A number, the whole ones without a fraction as a person would write them.
pub(super) fn number(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        format!("{number:.0}")
    } else {
        toml::Value::from(number).to_string()
    }
}
