//! The recipe of `docs/mounts.md`, on a local directory and for a short time.

use crate::command::Cli;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mounts.md");

/// Blocks of code with this mark.
fn blocks<'a>(page: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    let parts = page.split("```").skip(1).step_by(2);
    parts.filter_map(move |part| part.strip_prefix(mark))
}

/// Statuses of a command that did what it is for, whatever this machine is worth.
fn statuses(words: &[&str]) -> &'static [i32] {
    match words {
        ["check", ..] => &[0, 7, 8],
        // It evaluates what etcd requires.
        ["run", "etcd", ..] => &[0, 1, 5],
        _ => &[0],
    }
}

#[test]
fn the_recipe_measures_a_local_directory() {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let folder = place.path().to_str().expect("a name");
    let commands = blocks(&page, "sh\n").next().expect("commands");
    let mut made = 0;
    for line in commands.lines() {
        let line = line.replace("/mnt/share", folder);
        let words = line.split(' ').skip(1).map(|word| match word {
            "5s" | "20s" => "200ms",
            "4GiB" => "16MiB",
            "2000" => "20",
            other => other,
        });
        let words: Vec<&str> = words.collect();
        let own: &[&str] = match words[0] {
            "quick" => &["--size", "16MiB", "--warm-up", "0", "--no-save"],
            "run" => &["--no-save"],
            _ => &[],
        };
        let (ended, _) = Cli::new(words.iter().chain(own)).end();
        let is_made = statuses(&words)
            .iter()
            .any(|one| Some(*one) == ended.status);
        assert!(is_made, "{line}: {:?} {}", ended.status, ended.stderr);
        made += 1;
    }
    assert_eq!(made, 6);
    let left = std::fs::read_dir(place.path()).expect("the folder").count();
    assert_eq!(left, 0);
}

#[test]
fn a_simulated_round_trip_is_as_the_page_shows_it() {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let mut shown = 0;
    for block in blocks(&page, "console\n$ fathom ") {
        let (line, expected) = block.split_once('\n').expect("a command");
        let printed = Cli::new(line.split(' ').chain(["--no-save", "--quiet"])).stdout();
        assert_eq!(printed, expected, "{line}");
        shown += 1;
    }
    assert_eq!(shown, 2);
}
