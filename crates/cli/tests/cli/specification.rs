//! Workloads and changes that cannot be run.

use crate::command::Cli;

#[test]
fn errors_are_drawn_with_their_lines() {
    let text = "\
name = \"mine\"
[[phase]]
duration = \"60\"
[[phase.job]]
size = \"1GiB\"
blok_size = \"8KiB\"
";
    let stderr = "\
error: `60` is not a duration
 --> mine.toml:3:12
  |
3 | duration = \"60\"
  |            ^^^^
  = help: write a number with its unit, as in `60s`, `250ms`, `100us` or `1h30m`

error: unknown key `blok_size`
 --> mine.toml:6:1
  |
6 | blok_size = \"8KiB\"
  | ^^^^^^^^^
  = help: did you mean `block_size`?
";
    Cli::new(["run", "mine.toml"])
        .file("mine.toml", text)
        .check(2, "", stderr);
}

#[test]
fn a_file_that_is_not_there() {
    let stderr = "error: cannot read the workload ./mine
  because: no such file or directory
  \
                  try:     use a TOML file, or a name that `fathom profiles` lists
";
    Cli::new(["run", "./mine"]).check(2, "", stderr);
}

#[test]
fn a_file_never_hides_a_profile() {
    let printed = Cli::new(["run", "quick", "--print"]).stdout();
    let hidden = Cli::new(["run", "quick", "--print"]).file("quick", "nonsense");
    assert_eq!(hidden.stdout(), printed);
}

#[test]
fn a_change_that_does_not_suit_names_its_option() {
    let cases: [(&[&str], &str); 7] = [
        (
            &["--block-size", "1000"],
            "error: --block-size does not suit the workload `random-read-4k`\n  because: \
             phase[0].job[0].io[0].block_size: direct I/O cannot move 1000B\n  try:     use a \
             multiple of 512B, or `direct = false`\n",
        ),
        (
            &["--arrivals", "poisson"],
            "error: --arrivals does not suit the workload `random-read-4k`\n  because: no job is \
             paced by the clock\n  try:     add --rate, as in --rate \"1000 IOPS\"\n",
        ),
        (
            &["--sim-servers", "3"],
            "error: --sim-servers has nothing to change\n  because: no volume is simulated\n  \
             try:     --engine sim\n",
        ),
        (
            &["--engine", "sim", "--affinity", "0"],
            "error: --affinity has nothing to change\n  because: virtual time needs no processor \
             of its own\n  try:     without it\n",
        ),
        (
            &["--engine", "sim", "--awake"],
            "error: --awake has nothing to change\n  because: virtual time needs no processor of \
             its own\n  try:     without it\n",
        ),
        (
            &["--target", "wij=/tmp"],
            "error: the workload `random-read-4k` has no role `wij`\n  try:     use --target PATH \
             without a role; for a path with an equals sign, start it with ./\n",
        ),
        (
            &["--bytes", "0"],
            "error: --bytes does not suit the workload `random-read-4k`\n  because: \
             phase[0].job[0].stop.bytes: a job that ends after 0B does nothing\n  try:     give a \
             positive size\n",
        ),
    ];
    for (options, stderr) in cases {
        let words = [&["run", "random-read-4k"], options].concat();
        Cli::new(words).check(2, "", stderr);
    }
}

#[test]
fn a_target_among_the_workloads_is_answered_with_the_option() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("data")).expect("a folder");
    let after =
        "error: data is a target, not a workload\n  try:     `fathom run ms-oltp --target data`\n";
    let alone = "error: data is a target, not a workload
  because: the workload is missing
  try:     `fathom run random-read-4k --target data`, or `fathom quick data`
";
    let folder = Cli::in_folder(folder, ["run", "ms-oltp", "data"]).check(2, "", after);
    Cli::in_folder(folder, ["run", "data"]).check(2, "", alone);
}

/// As fio is called, but for the names of its jobs.
#[test]
fn a_load_of_options_needs_no_workload() {
    let options = "--rw randwrite --bs 8k --iodepth 4 --runtime 1 --size 1m --print";
    let words = std::iter::once("run")
        .chain(options.split(' '))
        .chain(["data/file"]);
    let printed = Cli::new(words).stdout();
    let expected = "\
name = \"custom\"
description = \"The load that the options describe\"
interval = \"1s\"
repeat = 1

[[phase]]
name = \"main\"
warm_up = \"5s\"
duration = \"1s\"
cool_down = \"0s\"

[[phase.job]]
name = \"custom\"
threads = 1
queue_depth = 4
queue_scope = \"per_target\"
size = \"1MiB\"
offset = \"0B\"
window = \"1MiB\"
access = { distribution = \"uniform\", without_repetition = false, \
                    cursor = \"own\", cursor_scope = \"per_op\" }
pacing = \"closed\"
durability = { direct = true, write_through = false }
data = { fill = \"random\", compressible_to = 100, duplicate = 0 }
verify = \"off\"
io = [
  { op = \"write\", block_size = \"8KiB\", random = 100, align = \"8KiB\", weight = 100 },
]
";
    assert_eq!(printed, expected);
    let words =
        "run --rw randread --size 1m --ios 100 --warm-up 0 --no-save --quiet --json data/file";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("data")).expect("a folder");
    let text = Cli::line_in(folder, words).stdout();
    let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let read = &result["phases"][0]["jobs"][0]["read"];
    assert_eq!(
        (&read["ios"], &read["bytes"]),
        (&100.into(), &409_600.into())
    );
}
