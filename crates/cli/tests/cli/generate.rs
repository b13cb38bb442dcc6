//! `fathom generate`.

use crate::command::Cli;

fn names_in(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    names
}

/// One for each command.
const PAGES: &[&str] = &[
    "fathom-ab.1",
    "fathom-blame.1",
    "fathom-capture.1",
    "fathom-catalog-refresh.1",
    "fathom-catalog.1",
    "fathom-check.1",
    "fathom-clean.1",
    "fathom-compare.1",
    "fathom-convert.1",
    "fathom-dd.1",
    "fathom-deliver.1",
    "fathom-devices.1",
    "fathom-diskspd.1",
    "fathom-durability.1",
    "fathom-explain.1",
    "fathom-export.1",
    "fathom-fio.1",
    "fathom-fit.1",
    "fathom-generate-completions.1",
    "fathom-generate-grafana.1",
    "fathom-generate-kubernetes.1",
    "fathom-generate-man.1",
    "fathom-generate-prometheus-rules.1",
    "fathom-generate.1",
    "fathom-help.1",
    "fathom-history.1",
    "fathom-image.1",
    "fathom-import.1",
    "fathom-iometer.1",
    "fathom-ior.1",
    "fathom-iotest.1",
    "fathom-learn.1",
    "fathom-mdtest.1",
    "fathom-need.1",
    "fathom-note.1",
    "fathom-plan.1",
    "fathom-profiles-show.1",
    "fathom-profiles.1",
    "fathom-prune.1",
    "fathom-quick.1",
    "fathom-ramp.1",
    "fathom-remove.1",
    "fathom-report.1",
    "fathom-rhel-iotest.1",
    "fathom-run.1",
    "fathom-selftest.1",
    "fathom-show.1",
    "fathom-simulate.1",
    "fathom-studies.1",
    "fathom-suite.1",
    "fathom-tag.1",
    "fathom-throttled.1",
    "fathom-trend.1",
    "fathom-vdbench.1",
    "fathom-verify.1",
    "fathom-watch.1",
    "fathom.1",
];

#[test]
fn a_page_for_each_command() {
    let folder = Cli::new(["generate", "man", "."]).check(0, "", "");
    assert_eq!(names_in(folder.path()), PAGES);
    let written = std::fs::read_to_string(folder.path().join("fathom.1")).expect("a page");
    let sections = ["EXAMPLES", "FILES", "ENVIRONMENT"];
    let count = |title: &str| written.matches(&format!(".SH {title}\n")).count();
    assert_eq!(sections.map(count), [1; 3]);
    let exit_status: Vec<&str> = written
        .lines()
        .skip_while(|line| *line != ".SH \"EXIT STATUS\"")
        .skip(1)
        .take_while(|line| !line.starts_with(".ie"))
        .filter(|line| line.chars().all(|c| c.is_ascii_digit()))
        .collect();
    assert_eq!(
        exit_status,
        [
            "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "101", "130"
        ]
    );
}

#[test]
fn a_folder_that_cannot_be_made() {
    let stderr = "\
error: cannot make the directory file/pages
  because: not a directory
  try:     another directory
";
    let call = Cli::new(["generate", "man", "file/pages"]).file("file", "");
    call.check(4, "", stderr);
}

/// The script asks the program, which knows what there is by then.
#[test]
fn completions_are_for_the_shell_named() {
    let fish = Cli::new(["generate", "completions", "fish"]).stdout();
    let expected = "complete --keep-order --exclusive --command fathom --arguments \
                    \"(FATHOM_COMPLETE=fish fathom -- (commandline --current-process --tokenize \
                    --cut-at-cursor) (commandline --current-token))\"\n";
    assert_eq!(fish, expected);
    for (shell, last) in [("bash", "complete"), ("zsh", "compdef")] {
        let script = Cli::new(["generate", "completions", shell]).stdout();
        let lines: Vec<&str> = script.lines().map(str::trim).collect();
        let is_registered = lines
            .iter()
            .any(|line| line.split(' ').next() == Some(last));
        assert!(is_registered, "{script}");
    }
}
