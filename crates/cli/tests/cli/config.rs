//! The defaults file.

use crate::command::Cli;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

const RUN: [&str; 6] = ["run", "random-read-4k", "--engine", "sim", "--time", "1s"];

/// The program in a folder with this defaults file.
fn with(folder: TempDir, words: &[&str], text: &str) -> Cli {
    let cli = Cli::in_folder(folder, words).file("config.toml", text);
    let path = cli.path("config.toml");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).expect("it is ours");
    cli.with("FATHOM_CONFIG", "config.toml")
}

fn new() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn the_file_comes_after_the_environment_and_that_after_the_command_line() {
    let folder = new();
    let place = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let text = format!("store = {:?}\n", place("file.db"));
    let (environment, typed) = (place("environment.db"), place("typed.db"));
    let found =
        || ["file.db", "environment.db", "typed.db"].map(|name| folder.path().join(name).exists());
    let run = [&RUN[..], &["--quiet"]].concat();
    let start = |words: &[&str]| with(new(), words, &text);
    let typed = [&run[..], &["--store", &typed]].concat();
    start(&typed).with("FATHOM_STORE", &environment).end();
    assert_eq!(found(), [false, false, true]);
    start(&run).with("FATHOM_STORE", &environment).end();
    assert_eq!(found(), [false, true, true]);
    start(&[&run[..], &["--no-config"]].concat()).end();
    assert_eq!(found(), [false, true, true]);
    start(&run).end();
    assert_eq!(found(), [true, true, true]);
}

#[test]
fn a_format_is_that_of_results_alone() {
    let words = [&RUN[..], &["--quiet", "--no-save", "--seed", "1"]].concat();
    let printed = |words: &[&str], text: &str| {
        let stdout = with(new(), words, text).stdout();
        stdout.lines().next().unwrap_or_default().to_owned()
    };
    let csv = "format = \"csv-percentiles\"\n";
    let head = "run_id,workload,origin,state,caveats,phase,repeat,job,op,time,percentile,\
                latency_ns,beyond,count";
    assert_eq!(printed(&words, csv), head);
    let brief = [&words[..], &["-o", "brief"]].concat();
    assert_eq!(printed(&brief, csv), printed(&words, ""));
    // In the words of another program the layout is that program's.
    let dd = ["dd", "if=/dev/zero", "of=/dev/null", "count=1"];
    let ended = |text| with(new(), &dd, text).end().0.stdout;
    assert_eq!(ended(csv), ended(""));
}

#[test]
fn an_unusable_file_is_refused() {
    let cases = [
        (
            "stor = \"/h.db\"\n",
            "there is no key `stor`\n  try:     store\n",
        ),
        (
            "destroy = [\"/dev/sda\"]\n",
            "there is no key `destroy`\n  try:     color, deliver, format, store\n",
        ),
        (
            "store = \"/h.db\"\nformat = \"pdf\"\n",
            "the value of `format` is invalid\n  try:     a format that `fathom run --help` \
             lists\n",
        ),
    ];
    for (text, rest) in cases {
        let stderr = format!("error: cannot use the defaults file config.toml\n  because: {rest}");
        with(new(), &["profiles"], text).check(2, "", &stderr);
    }
    let open = with(new(), &["profiles"], "");
    let path = open.path("config.toml");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o666)).expect("it is ours");
    let stderr = "error: cannot use the defaults file config.toml\n  because: others may write to \
                  it: its mode is 0666\n  try:     chmod go-w config.toml\n";
    open.check(2, "", stderr);
    let none = Cli::new(["profiles"]).with("FATHOM_CONFIG", "none.toml");
    let stderr = "error: cannot use the defaults file none.toml\n  because: no such file or \
                  directory\n  try:     --no-config, or FATHOM_CONFIG=FILE\n";
    none.check(4, "", stderr);
}

#[test]
fn no_file_is_read_where_none_is_wanted() {
    let profiles = Cli::new(["profiles"]).stdout();
    let off = with(new(), &["profiles", "--no-config"], "wrong = 1\n");
    assert_eq!(off.stdout(), profiles);
    let empty = with(new(), &["profiles"], "wrong = 1\n").with("FATHOM_CONFIG", "");
    assert_eq!(empty.stdout(), profiles);
}
