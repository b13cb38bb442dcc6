//! A result as JSON, with what differs from run to run taken out.

use serde_json::{Value, json};
use std::path::Path;

/// Reads a result document.
#[track_caller]
pub(crate) fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("the result was written");
    crate::schemas::check(&text);
    serde_json::from_str(&text).expect("JSON")
}

/// A list for programs, out of the document that says what it is.
#[track_caller]
pub(crate) fn listed(json: &str, name: &str) -> Vec<Value> {
    let mut document: Value = serde_json::from_str(json).expect("JSON");
    let head = (&document["schema"], &document["schema_version"]);
    let schema = format!("fathom-{name}");
    assert_eq!(head, (&json!(schema), &json!(1)));
    match document[name].take() {
        Value::Array(list) => list,
        other => panic!("{other} is no list"),
    }
}

/// Replaces the identity of a run, the clock on the wall and what the machine spent on it.
pub(crate) fn without_chance(mut document: Value) -> Value {
    document["run_id"] = Value::Null;
    let provenance = &mut document["provenance"];
    provenance["started_at"] = Value::Null;
    provenance["timings"] = Value::Null;
    provenance["engine"]["clock_cost_ns"] = Value::Null;
    for phase in document["phases"].as_array_mut().into_iter().flatten() {
        phase["process"] = Value::Null;
        phase["machine"] = Value::Null;
        phase["ledger"] = Value::Null;
    }
    document
}

/// A selection of fields by their paths, as `phases.0.name`.
pub(crate) fn fields(document: &Value, paths: &[&str]) -> Value {
    let values = paths.iter().map(|path| {
        let pointer = format!("/{}", path.replace('.', "/"));
        document.pointer(&pointer).cloned().unwrap_or(Value::Null)
    });
    json!(values.collect::<Vec<_>>())
}
