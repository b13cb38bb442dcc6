//! The whole program, with scripts in the place of fio and fathom where they are run.
#![allow(clippy::disallowed_methods, reason = "it writes its own files")]
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test that cannot go on must fail it"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

/// A folder with a `bin` for the fake tools and a `work` for the program's own files.
struct Sandbox {
    path: PathBuf,
}

impl Sandbox {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("benches-{name}-{}", std::process::id()));
        for folder in ["bin", "work"] {
            fs::create_dir_all(path.join(folder)).unwrap();
        }
        Self { path }
    }

    fn tool(&self, name: &str, script: &str) -> PathBuf {
        let path = self.path.join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Run the program with nothing but the fake tools in PATH.
    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_fathom-benches"))
            .args(args)
            .arg("--dir")
            .arg(self.path.join("work"))
            .env("PATH", self.path.join("bin"))
            .output()
            .unwrap()
    }

    fn left_behind(&self) -> Vec<PathBuf> {
        fs::read_dir(self.path.join("work"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.path).unwrap();
    }
}

/// Answers `--version`; else writes a result of 1000 IOPS where `--output=` says.
const FIO: &str = r#"
[ "$1" = --version ] && { echo fio-9.99; exit 0; }
for last; do :; done
echo 'note: this is not fio
{"time": "Sat Nov 21 09:06:19 2026",
 "jobs": [{"error": 0, "read": {"total_ios": 3000, "io_bytes": 12288000, "iops": 1000.0}}]}' \
    > "${last#--output=}"
"#;

/// The same with 2500 IOPS, 5000 for two threads.
const FATHOM: &str = r#"
[ "$1" = --version ] && { echo fathom 0.0.0; exit 0; }
iops=2500
case "$*" in *"--threads 2"*) iops=5000;; esac
for last; do :; done
echo '{"provenance": {"started_at": "2026-11-21T09:06:19Z", "timings": {"first_io_ns": 2000000}},
 "phases": [{"jobs": [{"read": {"ios": 6000, "bytes": 24576000, "iops": '$iops'}}]}]}' \
    > "${last#json:}"
"#;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn rounds_are_run_in_the_seeds_order_and_compared_within_the_round() {
    let sandbox = Sandbox::new("rounds");
    sandbox.tool("fio", FIO);
    let fathom = sandbox.tool("fathom", FATHOM);
    let json_file = sandbox.path.join("result.json");
    let [fathom, file] = [&fathom, &json_file].map(|path| path.to_str().unwrap());
    let run = |seed: &str| {
        let output = sandbox.run(&[
            "--cases",
            "null-qd32",
            "--pairs",
            "6",
            "--seed",
            seed,
            "--json",
            file,
            "--fathom",
            fathom,
        ]);
        assert_eq!(text(&output.stderr), "null-qd32: 6 rounds of 3 runs ...\n");
        assert_eq!(output.status.code(), Some(0));
        let case = read_json(&json_file)["cases"][0].clone();
        let rounds = case["rounds"].as_array().unwrap();
        let orders: Vec<Value> = rounds.iter().map(|round| round["order"].clone()).collect();
        (case, orders)
    };
    let (case, orders) = run("1");
    assert_eq!(
        case["ratio"],
        json!({"median": 2.5, "low": 2.5, "high": 2.5})
    );
    assert_eq!(
        case["ratio_aa"],
        json!({"median": 1.0, "low": 1.0, "high": 1.0})
    );
    assert_eq!(
        [&case["state"], &case["goal"], &case["supported"]],
        [&json!("measured"), &json!(7.0), &json!("no")]
    );
    let fathom_run = &case["rounds"][0]["fathom"];
    assert_eq!(
        [&fathom_run["iops"], &fathom_run["ios"]],
        [&json!(2500.0), &json!(6000)]
    );
    assert_eq!(orders, run("1").1);
    assert_ne!(orders, run("2").1);
    assert_eq!(sandbox.left_behind(), Vec::<PathBuf>::new());
}

#[test]
fn a_tool_that_fails_is_quoted_and_the_other_cases_still_run() {
    let sandbox = Sandbox::new("failing");
    sandbox.tool(
        "fio",
        &format!("case \"$*\" in *gtod_reduce*) echo no such option >&2; exit 3;; esac\n{FIO}"),
    );
    let fathom = sandbox.tool("fathom", FATHOM);
    let json_file = sandbox.path.join("result.json");
    let output = sandbox.run(&[
        "--cases",
        "startup,null-qd32-tuned",
        "--pairs",
        "1",
        "--fathom",
        fathom.to_str().unwrap(),
        "--json",
        json_file.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1));
    let document = read_json(&json_file);
    let cases = &document["cases"];
    let command = cases[0]["commands"]["baseline"].as_str().unwrap();
    assert_eq!(
        cases[0]["reason"].as_str().unwrap(),
        format!("{command}: exit status: 3: no such option")
    );
    assert_eq!(
        [&cases[0]["state"], &cases[1]["state"]],
        ["failed", "measured"]
    );
    let limit = &cases[1]["limits"][0];
    assert_eq!(limit["quantity"], "first_io_ms");
    assert_eq!(
        limit["fathom"],
        json!({"median": 2.0, "low": 2.0, "high": 2.0})
    );
    // One round is no evidence.
    assert_eq!(limit["supported"], "cannot_tell");
    let host = &document["host"];
    assert_eq!(
        [&host["fio"], &host["fathom"], &host["date"]],
        ["fio-9.99", "fathom 0.0.0", "2026-11-21T09:06:19Z"]
    );
    assert_eq!(sandbox.left_behind(), Vec::<PathBuf>::new());
}

#[test]
fn a_missing_fio_says_how_to_get_it() {
    let sandbox = Sandbox::new("no-fio");
    let output = sandbox.run(&[]);
    assert_eq!(
        text(&output.stderr),
        "error: fio is not in PATH; install it with `apt install fio` or `dnf install fio`\n"
    );
    assert_eq!(
        (text(&output.stdout), output.status.code()),
        (String::new(), Some(1))
    );
}

#[test]
fn a_missing_fathom_says_how_to_build_it() {
    let sandbox = Sandbox::new("no-fathom");
    sandbox.tool("fio", FIO);
    let output = sandbox.run(&["--fathom", "/nonexistent/fathom"]);
    assert_eq!(
        text(&output.stderr),
        "error: there is no /nonexistent/fathom; build it with `cargo build --profile dist`, or \
         give --fathom PATH\n"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_unknown_case_lists_the_known_ones() {
    let sandbox = Sandbox::new("unknown");
    let output = sandbox.run(&["--cases", "null-qd32,nul"]);
    assert_eq!(
        text(&output.stderr),
        "error: there is no case nul; the cases are null-qd32, null-qd32-tuned, cfile-qd32, \
         cfile-qd128, nulldev-qd32, psync-zram, libaio-zram-qd32, disk-qd32, bare-cfile-qd32, \
         bare-psync-zram, bare-libaio-zram-qd32, bare-disk-qd32, two-threads, startup\n\nUsage: \
         fathom-benches [OPTIONS]\n\nFor more information, try '--help'.\n"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_interrupt_removes_everything_and_ends_with_130() {
    let sandbox = Sandbox::new("interrupt");
    // The tool itself sends the signal, in the middle of its own run.
    sandbox.tool(
        "fio",
        &format!("case \"$*\" in *null-qd32*) kill -INT $PPID;; esac\n{FIO}"),
    );
    let fathom = sandbox.tool("fathom", FATHOM);
    let output = sandbox.run(&["--cases", "null-qd32", "--fathom", fathom.to_str().unwrap()]);
    assert_eq!(
        text(&output.stderr),
        "null-qd32: 15 rounds of 3 runs ...\nnull-qd32: interrupted; the cases before it follow\n"
    );
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(sandbox.left_behind(), Vec::<PathBuf>::new());
}
