//! `fathom devices`.

use crate::command::Cli;
use serde_json::Value;

#[test]
fn the_table_has_the_devices_of_the_list() {
    let json = Cli::new(["devices", "--all", "--json"]).stdout();
    let trees: Vec<Value> = serde_json::from_str(&json).expect("JSON");
    let mut names = Vec::new();
    for tree in &trees {
        collect(tree, &mut names);
    }
    let table = Cli::new(["devices", "--all"]).stdout();
    let listed: Vec<String> = table
        .lines()
        .skip(1)
        .map(|line| {
            let name = line.trim_start_matches(['│', '├', '└', '─', ' ']);
            name.split(' ').next().unwrap_or_default().to_owned()
        })
        .collect();
    assert_eq!(listed, names);
}

fn collect(tree: &Value, names: &mut Vec<String>) {
    let device = &tree["device"];
    let name = device["label"].as_str().or(device["name"].as_str());
    names.push(name.expect("a name").to_owned());
    for child in tree["children"].as_array().expect("a list") {
        collect(child, names);
    }
}
