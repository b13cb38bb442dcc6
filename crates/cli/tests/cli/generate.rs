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

#[test]
fn a_page_for_each_command() {
    let folder = Cli::new(["generate", "man", "."]).check(0, "", "");
    let expected = [
        "fathom-ab.1",
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
        "fathom-generate-completions.1",
        "fathom-generate-kubernetes.1",
        "fathom-generate-man.1",
        "fathom-generate.1",
        "fathom-help.1",
        "fathom-history.1",
        "fathom-image.1",
        "fathom-import.1",
        "fathom-iometer.1",
        "fathom-ior.1",
        "fathom-iotest.1",
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
        "fathom-show.1",
        "fathom-simulate.1",
        "fathom-suite.1",
        "fathom-tag.1",
        "fathom-throttled.1",
        "fathom-verify.1",
        "fathom-watch.1",
        "fathom.1",
    ];
    assert_eq!(names_in(folder.path()), expected);
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

#[test]
fn kubernetes_is_told_of_a_service_a_secret_and_a_job() {
    let words = [
        "generate",
        "kubernetes",
        "--image",
        "fathom:1",
        "--storage-class",
        "fast",
        "--members",
        "3",
        "--",
        "pg-oltp",
        "--time",
        "60s",
    ];
    let text = Cli::new(words).stdout();
    let list: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let items = list["items"].as_array().expect("objects");
    let kinds: Vec<&str> = items
        .iter()
        .filter_map(|item| item["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["Service", "Secret", "Job"]);
    let spec = &items[2]["spec"];
    assert_eq!(
        (&spec["completions"], &spec["completionMode"]),
        (&3.into(), &"Indexed".into())
    );
    // The first pod is found by a label that the pods have of themselves, not of their Job.
    let labels = &spec["template"]["metadata"]["labels"];
    assert_eq!(items[0]["spec"]["selector"], *labels);
    let container = &spec["template"]["spec"]["containers"][0];
    let expected = "run pg-oltp --time 60s --launched --target /data --members 3 --rendezvous \
                    fathom-0.fathom:7711 --token-file /run/fathom/token";
    let expected: Vec<&str> = expected.split(' ').collect();
    assert_eq!(container["args"], serde_json::json!(expected));
    let token = items[1]["stringData"]["token"].as_str().expect("a secret");
    assert_eq!(token.len(), 64);
}

/// What would fail in every pod is refused before there are pods.
#[test]
fn words_that_fail_in_a_pod_make_no_manifest() {
    let thing = "error: the words after -- are not a workload and options of fathom run";
    let cases = [
        (
            "no-such-profile",
            "error: there is no profile `no-such-profile`
  try:     `fathom profiles` lists them; a file ends in .toml or has a slash
"
            .to_owned(),
        ),
        (
            "pg-oltp --target /other",
            format!(
                "{thing}\n  because: the target is the volume of each pod, /data\n  try:     leave \
                 --target out\n"
            ),
        ),
        (
            "pg-oltp --duration 60s",
            format!("{thing}\n  because: unexpected argument '--duration' found\n"),
        ),
        (
            "load.toml",
            format!(
                "{thing}\n  because: the pods do not have the file load.toml\n  try:     use a \
                 profile of `fathom profiles`\n"
            ),
        ),
    ];
    for (words, expected) in cases {
        let fixed = "generate kubernetes --image fathom:1 --storage-class fast --";
        let words = fixed.split(' ').chain(words.split(' '));
        Cli::new(words).check(2, "", &expected);
    }
}
