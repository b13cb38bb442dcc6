//! `fathom devices`.

use crate::command::Cli;
use crate::privileged::{LoopDevice, is_root};
use serde_json::Value;

#[test]
fn the_table_has_the_devices_of_the_list() {
    let json = Cli::new(["devices", "--all", "--json"]).stdout();
    let trees = crate::document::listed(&json, "devices");
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

#[test]
fn a_loop_device_is_shown_with_its_file() {
    if !is_root("a loop device") {
        return;
    }
    let Some(device) = LoopDevice::new(4 << 20) else {
        return;
    };
    let name = device.path.file_name().expect("a name").to_string_lossy();
    let table = Cli::new(["devices"]).stdout();
    let row = table
        .lines()
        .find(|line| line.split(' ').next() == Some(&*name));
    let cells: Vec<&str> = row.expect("a row").split_whitespace().take(5).collect();
    let backing = device.backing().to_string_lossy().into_owned();
    assert_eq!(cells, [&*name, "4.19", "MB", "loop", &backing]);
}
