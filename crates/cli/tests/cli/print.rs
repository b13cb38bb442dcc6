//! `--print`: the workload as it would run.

use crate::command::Cli;

const WORKLOAD: &str = r#"
name = "small"
[[phase]]
duration = "60s"
[[phase.job]]
size = "1GiB"
block_size = "8KiB"
read = 70
random = 100
"#;

#[test]
fn every_choice_is_shown_with_the_changes() {
    let words = "run small.toml --print --time 5s --block-size 16K --rate '100 IOPS' --seed 7";
    let access = r#"distribution = "uniform", without_repetition = false, cursor = "own""#;
    let stdout = format!(
        r#"name = "small"
seed = 7
interval = "1s"
repeat = 1

[[phase]]
name = "main"
warm_up = "5s"
duration = "5s"
cool_down = "0s"

[[phase.job]]
name = "small"
threads = 1
queue_depth = 1
queue_scope = "per_target"
size = "1GiB"
offset = "0B"
access = {{ {access}, cursor_scope = "per_op" }}
pacing = {{ open = {{ rate = "100 IOPS", arrivals = "constant" }} }}
durability = {{ direct = true, write_through = false }}
data = {{ fill = "random", compressible_to = 100, duplicate = 0 }}
verify = "off"
io = [
  {{ op = "read", block_size = "16KiB", random = 100, align = "16KiB", weight = 70 }},
  {{ op = "write", block_size = "16KiB", random = 100, align = "16KiB", weight = 30 }},
]
"#
    );
    Cli::line(words)
        .file("small.toml", WORKLOAD)
        .check(0, &stdout, "");
}

#[test]
fn what_is_printed_means_what_it_is_printed_from() {
    let json = Cli::new(["profiles", "--json"]).stdout();
    let list = crate::document::listed(&json, "profiles");
    for entry in list {
        let name = entry["name"].as_str().expect("a name");
        let printed = Cli::new(["run", name, "--print"]).stdout();
        let again = Cli::new(["run", "printed.toml", "--print"]).file("printed.toml", &printed);
        assert_eq!(again.stdout(), printed, "{name}");
    }
}

#[test]
fn quick_prints_its_profile() {
    let quick = Cli::new(["quick", "--print"]).stdout();
    assert_eq!(quick, Cli::new(["run", "quick", "--print"]).stdout());
}

#[test]
fn one_workload_at_a_time() {
    let stderr = "\
error: --print shows one workload
  because: 2 are named
  try:     one after another
";
    Cli::new(["run", "quick", "ms-oltp", "--print"]).check(2, "", stderr);
}
