//! `docs/schemas/`: a JSON Schema for every document that the program prints, made from its types.

use super::{
    blame::BlameDocument, capture::CaptureDocument, catalog::VolumeDocument, check::CheckDocument,
    durability::DurabilityDocument, history::RunDocument, learn::LearnDocument, listed, need,
    plan::PlanDocument, plan::RolesDocument, profiles::ProfileRow, selftest::SelftestDocument,
    studies::StudiesDocument, suite::SuiteDocument, suite::SuiteRow, throttled::ThrottledDocument,
};
use fathom_core::SmallSort as _;
use fathom_core::recording::{Moment, Recording, RecordingHead};
use fathom_core::result::RunResult;
use fathom_device::tree::Tree;
use fathom_report::ExplanationDocument;
use fathom_store::RecordingRow;
use fathom_verdict::compare::{Comparison, Matrix};
use fathom_verdict::trend::Trends;
use fathom_volume::catalog::{Count, InstanceType, VolumeType};
use fathom_volume::fit::Fits;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas");

/// A document: the name of its file, who prints it, and its schema.
type Document = (&'static str, &'static str, Value);

#[expect(clippy::too_many_lines, reason = "a table")]
fn documents() -> Vec<Document> {
    let need = any_of(
        "What a load needs of storage.",
        [
            stamped("need", of::<need::NeedDocument<'_>>()),
            stamped("need", of::<need::SasNeedDocument<'_>>()),
            stamped("need", of::<need::ArrayDocument<'_>>()),
        ],
    );
    let line = "A line: the head of the recording, or all devices over one interval.";
    let watch = any_of(line, [of::<RecordingHead>(), of::<Moment>()]);
    let mut all = vec![
        ("blame", "fathom blame --json", of::<BlameDocument<'_>>()),
        (
            "capture",
            "fathom show CAPTURE --json",
            of::<CaptureDocument<'_>>(),
        ),
        ("check", "fathom check --json", of::<CheckDocument<'_>>()),
        ("learn", "fathom learn --json", of::<LearnDocument<'_>>()),
        ("plan", "fathom plan -o json", of::<PlanDocument<'_>>()),
        (
            "plan-roles",
            "fathom plan --role -o json",
            of::<RolesDocument<'_>>(),
        ),
        (
            "selftest",
            "fathom selftest --json",
            of::<SelftestDocument<'_>>(),
        ),
        (
            "studies",
            "fathom studies --json",
            of::<StudiesDocument<'_>>(),
        ),
        (
            "suite",
            "fathom suite NAME --list --json",
            of::<SuiteDocument<'_>>(),
        ),
        ("suites", "fathom suite --json", list::<SuiteRow>("suites")),
        (
            "throttled",
            "fathom throttled --json",
            of::<ThrottledDocument<'_>>(),
        ),
        (
            "volume",
            "fathom catalog NAME --json",
            of::<VolumeDocument<'_>>(),
        ),
        ("devices", "fathom devices --json", list::<Tree>("devices")),
        (
            "instances",
            "fathom catalog --instances --json",
            list::<InstanceType>("instances"),
        ),
        (
            "profiles",
            "fathom profiles --json",
            list::<ProfileRow<'_>>("profiles"),
        ),
        (
            "recordings",
            "fathom watch --recordings --json",
            list::<RecordingRow>("recordings"),
        ),
        (
            "runs",
            "fathom history --json",
            list::<RunDocument<'_>>("runs"),
        ),
        (
            "sources",
            "fathom catalog --sources --json",
            list::<Count>("sources"),
        ),
        (
            "volumes",
            "fathom catalog --json",
            list::<VolumeType>("volumes"),
        ),
    ];
    for (name, _, schema) in &mut all {
        *schema = stamped(name, schema.take());
    }
    all.extend([
        ("comparison", "fathom compare --json", of::<Comparison>()),
        (
            "durability",
            "fathom durability --json",
            of::<DurabilityDocument<'_>>(),
        ),
        (
            "explanation",
            "fathom explain --json",
            of::<ExplanationDocument<'_>>(),
        ),
        ("fit", "fathom fit --json", of::<Fits>()),
        ("matrix", "fathom compare --matrix -o json", of::<Matrix>()),
        ("need", "fathom need -o json", need),
        ("recording", "fathom watch FILE --json", of::<Recording>()),
        ("result", "fathom run -o json", of::<RunResult>()),
        ("trend", "fathom trend --json", of::<Trends>()),
        ("watch", "fathom watch --json, each line", watch),
    ]);
    all.small_sort_by_key(|(name, ..)| *name);
    for (name, _, schema) in &mut all {
        let types = schema["$defs"].clone();
        merge(schema, &types);
        tidy(schema, false);
        if *name == "need" {
            allow_null(schema, &need::OF_BYTES);
        }
    }
    all
}

/// The schema of what a type writes.
fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// An object with a list under its name.
fn list<T: JsonSchema>(name: &str) -> Value {
    let mut root = of::<Vec<T>>();
    let mut whole = json!({ "$schema": root["$schema"], "type": "object", "required": [name] });
    if let Some(types) = root.get_mut("$defs") {
        whole["$defs"] = types.take();
    }
    whole["properties"] = json!({ name: { "type": "array", "items": root["items"] } });
    whole
}

/// With the fields that [`listed`] adds.
fn stamped(name: &str, mut schema: Value) -> Value {
    let words = [
        (
            "schema",
            json!({ "const": format!("fathom-{name}"), "description": "Its format." }),
        ),
        (
            "schema_version",
            json!({
                "const": listed::VERSION,
                "description": "Version of the format; raised where a field loses its meaning.",
            }),
        ),
    ];
    for (word, value) in words {
        schema["properties"][word] = value;
        schema["required"]
            .as_array_mut()
            .expect("a list")
            .push(json!(word));
    }
    schema
}

/// A document of one of several forms.
fn any_of<const N: usize>(what: &str, mut forms: [Value; N]) -> Value {
    let mut types = Map::new();
    for form in &mut forms {
        let form = form.as_object_mut().expect("an object");
        form.remove("$schema");
        if let Some(Value::Object(own)) = form.remove("$defs") {
            for (name, own) in own {
                let known = types.entry(name).or_insert_with(|| own.clone());
                assert_eq!(*known, own, "two types of one name");
            }
        }
    }
    let dialect = "https://json-schema.org/draft/2020-12/schema";
    json!({ "$schema": dialect, "description": what, "anyOf": forms.to_vec(), "$defs": types })
}

/// Lets properties of these names be null.
fn allow_null(schema: &mut Value, names: &[&str]) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(|one| allow_null(one, names)),
        Value::Object(fields) => {
            for (name, field) in fields {
                if names.contains(&name.as_str()) && field["type"] == "number" {
                    field["type"] = json!(["number", "null"]);
                }
                allow_null(field, names);
            }
        }
        _ => {}
    }
}

/// Puts the fields of a type into each object that adds fields to it: two closed objects would
/// refuse each other's.
fn merge(schema: &mut Value, types: &Value) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(|one| merge(one, types)),
        Value::Object(fields) => {
            if fields.contains_key("properties")
                && let Some(Value::String(place)) = fields.remove("$ref")
            {
                let base = &types[place.trim_start_matches("#/$defs/")];
                for (name, field) in base["properties"].as_object().into_iter().flatten() {
                    fields["properties"][name] = field.clone();
                }
                let required = fields["required"].as_array_mut().expect("the tag");
                required.extend(base["required"].as_array().into_iter().flatten().cloned());
            }
            fields.values_mut().for_each(|one| merge(one, types));
        }
        _ => {}
    }
}

/// Closes objects, and leaves out what only Rust knows. A part of an object is not closed.
fn tidy(schema: &mut Value, is_part: bool) {
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    let of_rust = |format: &Value| format.as_str().is_some_and(|word| word != "date-time");
    if fields.get("format").is_some_and(of_rust) {
        fields.remove("format");
    }
    fields.remove("default");
    if let Some(Value::String(text)) = fields.get_mut("description") {
        *text = text
            .replace('\n', " ")
            .replace("[`", "`")
            .replace("`]", "`");
    }
    let has_parts = ["allOf", "anyOf", "oneOf", "$ref"]
        .iter()
        .any(|key| fields.contains_key(*key));
    let is_object = fields.contains_key("properties");
    if is_object && !is_part && !fields.contains_key("additionalProperties") {
        let rest = if has_parts {
            "unevaluatedProperties"
        } else {
            "additionalProperties"
        };
        fields.insert(rest.to_owned(), json!(false));
    }
    let required = fields.get("required").cloned().unwrap_or_default();
    let is_optional = |name: &String| {
        !required
            .as_array()
            .is_some_and(|all| all.contains(&json!(name)))
    };
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        let optional = properties.iter_mut().filter(|(name, _)| is_optional(name));
        optional.for_each(|(_, field)| forbid_null(field));
    }
    for (key, field) in fields {
        match (key.as_str(), field) {
            ("properties" | "patternProperties" | "$defs", Value::Object(all)) => {
                all.values_mut().for_each(|one| tidy(one, false));
            }
            ("prefixItems", Value::Array(all)) => all.iter_mut().for_each(|one| tidy(one, false)),
            ("allOf" | "anyOf" | "oneOf", Value::Array(all)) => {
                for one in all {
                    tidy(one, is_part || is_object);
                }
            }
            ("items" | "additionalProperties" | "propertyNames", field) => tidy(field, false),
            _ => {}
        }
    }
}

/// A field that is left out is never null.
fn forbid_null(field: &mut Value) {
    let is_null = |one: &Value| one.is_null() || one == "null" || one["type"] == "null";
    for key in ["type", "enum", "anyOf"] {
        if let Some(Value::Array(all)) = field.get_mut(key) {
            all.retain(|one| !is_null(one));
        }
    }
    if let Some([one]) = field["type"].as_array().map(Vec::as_slice) {
        field["type"] = one.clone();
    }
    if let Some([Value::Object(one)]) = field["anyOf"].as_array().map(Vec::as_slice) {
        let mut one = one.clone();
        let fields = field.as_object_mut().expect("it has a field");
        fields.remove("anyOf");
        one.append(fields);
        *fields = one;
    }
}

/// The table of all files.
fn page(documents: &[Document]) -> String {
    let mut page = "\
# JSON schemas

One file for each JSON document that Fathom prints (JSON Schema, draft 2020-12). They are made from
the types of the program, and the tests hold real output against them. Descriptions state units.
Objects are closed: a later version of Fathom may add fields, and then its schemas have them.
Generated by `FATHOM_WRITE_DOCS=1 cargo test -p fathom-cli --bin fathom schemas`.

    check-jsonschema --schemafile docs/schemas/result.schema.json result.json

| file | printed by |
| --- | --- |
"
    .to_owned();
    for (name, command, _) in documents {
        let _ = writeln!(page, "| [`{name}`]({name}.schema.json) | `{command}` |");
    }
    page
}

#[test]
fn the_files_are_those_of_the_types() {
    let documents = documents();
    let text = |schema| format!("{schema:#}\n");
    let files = documents
        .iter()
        .map(|(name, _, schema)| (format!("{name}.schema.json"), text(schema)));
    let mut files: BTreeMap<String, String> = files.collect();
    files.insert("README.md".to_owned(), page(&documents));
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        for (name, text) in &files {
            std::fs::write(Path::new(FOLDER).join(name), text).expect("a file");
        }
    }
    let found = std::fs::read_dir(FOLDER).expect("the folder");
    let found = found.map(|file| {
        let file = file.expect("a file");
        let text = std::fs::read_to_string(file.path()).expect("UTF-8");
        (file.file_name().into_string().expect("UTF-8"), text)
    });
    let found: BTreeMap<String, String> = found.collect();
    let differ = files
        .iter()
        .filter(|(name, text)| found.get(*name) != Some(text));
    let differ: Vec<&String> = differ.map(|(name, _)| name).collect();
    assert_eq!(
        differ,
        Vec::<&String>::new(),
        "FATHOM_WRITE_DOCS=1 writes them"
    );
    assert!(found.keys().eq(files.keys()), "{:?}", found.keys());
}
