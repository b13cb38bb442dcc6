//! Lists and answers for programs: each says what it is and in which version.

use crate::error::Problem;
use crate::exit::Exit;
use serde::Serialize;
use serde_json::{Value, json};

/// Version of all of them; raised where a field loses its meaning.
const VERSION: u32 = 1;

/// A list as a document: `schema`, `schema_version`, and the list under its name.
pub(super) fn document(name: &str, list: &impl Serialize) -> Result<String, Problem> {
    let list = serde_json::to_value(list).map_err(|error| {
        Problem::new(Exit::Defect, "cannot write the list as JSON").because(error.to_string())
    })?;
    Ok(stamped(name, json!({ name: list })))
}

/// The fields of an answer, and beside them what it is and in which version.
pub(super) fn stamped(name: &str, mut answer: Value) -> String {
    if let Some(fields) = answer.as_object_mut() {
        fields.insert("schema".to_owned(), json!(format!("fathom-{name}")));
        fields.insert("schema_version".to_owned(), json!(VERSION));
    }
    format!("{answer:#}\n")
}
