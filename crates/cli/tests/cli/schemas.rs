//! Every JSON document that a test sees is one of `docs/schemas/`.

use crate::command::Cli;
use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Deserializer, Value};
use std::collections::HashMap;
use std::sync::LazyLock;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas");

/// Fields that only one of the documents without `schema` has.
const MARKS: [(&str, &str); 7] = [
    ("phases", "result"),
    ("trend_version", "trend"),
    ("fit_version", "fit"),
    ("promises", "durability"),
    ("fathom_recording", "watch"),
    ("length_ns", "watch"),
    ("processors", "recording"),
];

static KNOWN: LazyLock<(Schemas, HashMap<String, SchemaIndex>)> = LazyLock::new(|| {
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    let files = std::fs::read_dir(FOLDER).expect("the folder");
    let names = files.filter_map(|file| {
        let name = file.expect("a file").file_name().into_string();
        Some(
            name.expect("UTF-8")
                .strip_suffix(".schema.json")?
                .to_owned(),
        )
    });
    let indices = names.map(|name| {
        let url = format!("{FOLDER}/{name}.schema.json");
        let index = compiler.compile(&url, &mut schemas);
        (name, index.expect("a schema"))
    });
    let indices = indices.collect();
    (schemas, indices)
});

/// Name of a document of ours.
fn name(document: &Value) -> Option<&str> {
    let stated = document["schema"]
        .as_str()
        .and_then(|name| name.strip_prefix("fathom-"));
    let marked = || {
        MARKS
            .iter()
            .find(|(field, _)| document.get(field).is_some())
    };
    stated.or_else(|| Some(marked()?.1))
}

/// Holds the documents of a text against their schemas, and gives their names.
#[track_caller]
pub(crate) fn check(text: &str) -> Vec<String> {
    if !text.starts_with('{') {
        return Vec::new();
    }
    let (schemas, indices) = &*KNOWN;
    // A text that was cut has whole documents before the cut.
    let documents = Deserializer::from_str(text)
        .into_iter()
        .map_while(Result::ok);
    let mut names = Vec::new();
    for document in documents {
        let Some(name) = name(&document) else {
            continue;
        };
        let index = indices
            .get(name)
            .unwrap_or_else(|| panic!("no schema of {name}"));
        if let Err(error) = schemas.validate(&document, *index) {
            panic!("{error:#}");
        }
        names.push(name.to_owned());
    }
    names
}

/// Documents that need no disk, with the words that print them after two runs.
const WORDS: [(&str, &str); 20] = [
    ("check", "check . --no-wait --json"),
    ("comparison", "compare @latest~1 @latest --json"),
    ("devices", "devices --json"),
    ("explanation", "explain dd.txt --json"),
    ("instances", "catalog aws --instances --json"),
    ("instances", "catalog r5d.xlarge --json"),
    ("matrix", "compare --matrix @latest~1 @latest -o json"),
    (
        "need",
        "need --disks 4 --disk-iops 200 --link pcie3:4 --json",
    ),
    (
        "need",
        "need --sas-cores 16 --instance Standard_E32s_v3 --json",
    ),
    ("plan", "plan --iops 3000 --capacity 1TiB -o json"),
    (
        "plan-roles",
        "plan --role data=iops:8000,capacity:1TiB --role log=iops:2000,capacity:100GiB -o json",
    ),
    ("profiles", "profiles --json"),
    ("result", "show @latest --json"),
    ("runs", "history --json"),
    ("sources", "catalog --sources --json"),
    ("studies", "studies --json"),
    ("suite", "suite size-matrix --list --json"),
    ("suites", "suite --json"),
    ("volume", "catalog gp3 --json"),
    ("volumes", "catalog --json"),
];

#[test]
fn documents_have_their_schemas() {
    let run = "run random-read-4k --engine sim --time 1s --quiet --no-config";
    let mut folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("h.db");
    let dd = "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 0.5 s, 2.1 GB/s\n";
    let runs = [("", run), ("", run)];
    for (name, words) in runs.into_iter().chain(WORDS) {
        let cli = Cli::in_folder(folder, words.split(' ').map(|word| word.replace(',', " ")));
        let (ended, same) = cli.with_history(&store).file("dd.txt", dd).end();
        folder = same;
        let names = check(&ended.stdout);
        let expected: Vec<&str> = Some(name)
            .into_iter()
            .filter(|name| !name.is_empty())
            .collect();
        assert_eq!(names, expected, "{words}: {ended:?}");
    }
}

#[test]
fn a_schema_refuses_what_it_does_not_know() {
    let (schemas, indices) = &*KNOWN;
    let text = Cli::new(["profiles", "--json"]).stdout();
    let whole: Value = serde_json::from_str(&text).expect("JSON");
    let changes: [fn(&mut Value); 4] = [
        |profiles| profiles["more"] = 1.into(),
        |profiles| profiles["profiles"][0]["more"] = 1.into(),
        |profiles| profiles["schema_version"] = 2.into(),
        |profiles| profiles["profiles"][0]["name"] = 1.into(),
    ];
    for change in changes {
        let mut changed = whole.clone();
        change(&mut changed);
        let found = schemas.validate(&changed, indices["profiles"]);
        assert!(found.is_err(), "{changed}");
    }
}
