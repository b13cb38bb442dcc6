//! Lists and answers for programs: each states its format and version.

use crate::error::Problem;
use crate::exit::Exit;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Version of all of them; raised where a field loses its meaning.
pub(super) const VERSION: u32 = 1;

/// A list as a document: `schema`, `schema_version`, and the list under its name.
pub(super) fn document(name: &str, list: &impl Serialize) -> Result<String, Problem> {
    stamped(name, &BTreeMap::from([(name, list)]))
}

/// Writes a list as the same document, item by item as it is serialized.
pub(super) fn stream(name: &str, list: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Stamped { name, list })?;
    writeln!(out)
}

struct Stamped<'a, L> {
    name: &'a str,
    list: &'a L,
}

impl<L: Serialize> Serialize for Stamped<'_, L> {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        let mut fields = writer.serialize_map(None)?;
        fields.serialize_entry(self.name, self.list)?;
        fields.serialize_entry("schema", &format_args!("fathom-{}", self.name))?;
        fields.serialize_entry("schema_version", &VERSION)?;
        fields.end()
    }
}

/// The fields of an answer in the order of their names, with its format and version.
pub(super) fn stamped(name: &str, answer: &impl Serialize) -> Result<String, Problem> {
    let mut answer = serde_json::to_value(answer).map_err(|error| {
        Problem::new(Exit::Defect, "cannot write the answer as JSON").because(error.to_string())
    })?;
    if let Some(fields) = answer.as_object_mut() {
        fields.insert("schema".to_owned(), json!(format!("fathom-{name}")));
        fields.insert("schema_version".to_owned(), json!(VERSION));
    }
    Ok(format!("{answer:#}\n"))
}
