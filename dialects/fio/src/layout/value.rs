//! JSON values in the order in which they are given, written as fio writes them.

use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::layout) enum Value {
    /// Nothing is known.
    Null,
    Text(String),
    /// Digits as they are to be written.
    Number(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Value {
    pub(in crate::layout) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(in crate::layout) fn number(number: impl fmt::Display) -> Self {
        Self::Number(number.to_string())
    }

    /// A number with six decimals.
    pub(in crate::layout) fn decimal(number: f64) -> Self {
        let number = if number.is_finite() { number } else { 0.0 };
        Self::Number(format!("{number:.6}"))
    }

    pub(in crate::layout) fn object(fields: Vec<(&str, Self)>) -> Self {
        let fields = fields.into_iter();
        Self::Object(
            fields
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }

    /// An object with more fields behind its own.
    #[must_use]
    pub(in crate::layout) fn with(mut self, more: Vec<(&str, Self)>) -> Self {
        if let Self::Object(fields) = &mut self {
            let more = more.into_iter();
            fields.extend(more.map(|(name, value)| (name.to_owned(), value)));
        }
        self
    }

    /// An object but for these fields.
    #[must_use]
    pub(in crate::layout) fn without(mut self, keys: &[&str]) -> Self {
        if let Self::Object(fields) = &mut self {
            fields.retain(|(name, _)| !keys.contains(&name.as_str()));
        }
        self
    }

    /// The value under a key of an object.
    pub(in crate::layout) fn field(&mut self, key: &str) -> Option<&mut Self> {
        let Self::Object(fields) = self else {
            return None;
        };
        let found = fields.iter_mut().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    /// Sets the value under a key to null; a dot goes into an object.
    pub(in crate::layout) fn erase(&mut self, key: &str) {
        let (key, rest) = key.split_once('.').unwrap_or((key, ""));
        match self.field(key) {
            Some(value) if rest.is_empty() => *value = Self::Null,
            Some(value) => value.erase(rest),
            None => {}
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth + 1);
        let end = "  ".repeat(depth);
        match self {
            Self::Null => f.write_str("null"),
            Self::Text(text) => quote(f, text),
            Self::Number(digits) => f.write_str(digits),
            Self::List(values) if values.is_empty() => f.write_str("[]"),
            Self::Object(fields) if fields.is_empty() => f.write_str("{}"),
            Self::List(values) => {
                f.write_str("[\n")?;
                for (index, value) in values.iter().enumerate() {
                    f.write_str(&indent)?;
                    value.write(f, depth + 1)?;
                    f.write_str(if index + 1 < values.len() {
                        ",\n"
                    } else {
                        "\n"
                    })?;
                }
                write!(f, "{end}]")
            }
            Self::Object(fields) => {
                f.write_str("{\n")?;
                for (index, (name, value)) in fields.iter().enumerate() {
                    f.write_str(&indent)?;
                    quote(f, name)?;
                    f.write_str(" : ")?;
                    value.write(f, depth + 1)?;
                    f.write_str(if index + 1 < fields.len() {
                        ",\n"
                    } else {
                        "\n"
                    })?;
                }
                write!(f, "{end}}}")
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

fn quote(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            control if control < ' ' => write!(f, "\\u{:04x}", control as u32)?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_fio_writes_them() {
        let value = Value::object(vec![
            (
                "a",
                Value::List(vec![Value::number(1), Value::decimal(f64::NAN)]),
            ),
            ("b", Value::object(vec![("c\"", Value::text("x\\\n\u{1}"))])),
            ("d", Value::object(vec![])),
        ]);
        let written = "{\n  \"a\" : [\n    1,\n    0.000000\n  ],\n  \"b\" : {\n    \"c\\\"\" : \
                       \"x\\\\\\n\\u0001\"\n  },\n  \"d\" : {}\n}";
        assert_eq!(value.to_string(), written);
    }
}
