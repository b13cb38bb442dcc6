//! `mpirun fathom run --launched`, with the real launchers of Open MPI and MPICH where they are
//! installed.

use crate::document;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The launchers, each with its options for more processes than processors, as any user.
const LAUNCHERS: [&[&str]; 2] = [
    &["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root"],
    &["mpirun.mpich"],
];

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn run(launcher: &[&str], folder: &Path) -> Value {
    let output = Command::new(launcher[0])
        .args(&launcher[1..])
        .args([
            "-n",
            "4",
            env!("CARGO_BIN_EXE_fathom"),
            "run",
            "random-read-4k",
        ])
        .args(["--launched", "--target", "data", "--engine", "psync"])
        .args(["--no-direct", "--size", "1MiB", "--time", "400ms"])
        .args(["--warm-up", "100ms", "--no-save", "--quiet"])
        .args(["--output", "json:result.json"])
        .env("XDG_STATE_HOME", folder)
        .current_dir(folder)
        .output()
        .expect("it is installed");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{launcher:?}: {said}");
    document::read(&folder.join("result.json"))
}

#[test]
fn the_processes_of_mpirun_are_one_measurement() {
    for launcher in LAUNCHERS {
        if !is_installed(launcher[0]) {
            fathom_testing::skip(format_args!("{} is not installed", launcher[0]));
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("data")).expect("a folder");
        let result = run(launcher, folder.path());
        let members = result["cluster"]["members"].as_array().expect("members");
        let states: Vec<(&Value, &Value)> = members
            .iter()
            .map(|member| (&member["rank"], &member["state"]))
            .collect();
        let ranks = [0, 1, 2, 3].map(Value::from);
        let finished = Value::from("finished");
        let expected: Vec<(&Value, &Value)> = ranks.iter().map(|rank| (rank, &finished)).collect();
        assert_eq!(states, expected, "{launcher:?}");
        let each = members.iter();
        let each = each.filter_map(|member| member["phases"][0]["ios"].as_u64());
        let read = &result["phases"][0]["jobs"][0]["read"]["ios"];
        assert_eq!(Some(each.sum()), read.as_u64(), "{launcher:?}");
        let left = std::fs::read_dir(folder.path().join("data")).expect("the folder");
        assert_eq!(left.count(), 0, "{launcher:?}");
    }
}
