//! Completions, as a shell asks for them.

use crate::command::Cli;
use crate::loads::{SIMULATED, with};

/// What fish is offered for the last of these words.
fn offered(words: &[&str]) -> Vec<String> {
    let asked = ["--", "fathom"].iter().chain(words);
    let text = Cli::new(asked).asked_by("fish").stdout();
    let lines = text.lines().map(|line| line.split('\t').next());
    lines.flatten().map(str::to_owned).collect()
}

#[test]
fn workloads_forms_and_codes_are_offered() {
    let cases: [(&[&str], &[&str]); 7] = [
        (&["run", "pg-ol"], &["pg-oltp"]),
        (&["ramp", "random-read-4"], &["random-read-4k"]),
        (&["suite", "snia"], &["snia-iops"]),
        (&["run", "pg-oltp", "-o", "csv-p"], &["csv-percentiles"]),
        (&["compare", "--output", "ma"], &["markdown"]),
        (&["help", "cache_r"], &["cache_reads"]),
        (&["show", "nothing-like-it"], &[]),
    ];
    for (words, expected) in cases {
        assert_eq!(offered(words), expected, "{words:?}");
    }
}

/// The words of the shell are what follows `--`, and the history is that of the user.
#[test]
fn runs_and_their_tags_are_offered() {
    let run = with(SIMULATED, &["--quiet", "--store", "runs.db"]);
    let (ended, folder) = Cli::new(run).end();
    assert_eq!(ended.status, Some(0));
    let tag = ["tag", "@latest", "before", "--store", "runs.db"];
    let (ended, folder) = Cli::in_folder(folder, tag).end();
    assert_eq!(ended.status, Some(0));
    let store = folder.path().join("runs.db");
    let asked = Cli::in_folder(folder, ["--", "fathom", "show", "tag:"]);
    let text = asked.asked_by("fish").with_history(&store).stdout();
    let (name, meaning) = text.split_once('\t').expect("a meaning");
    assert_eq!(
        (name, meaning.split(',').next()),
        ("tag:before", Some("random-read-4k on sim"))
    );
}
