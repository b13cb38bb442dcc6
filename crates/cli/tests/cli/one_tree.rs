//! Files of many hosts in one directory that all of them share.

use crate::command::{Cli, Ended, Running};
use crate::executable::write_script;
use crate::together::{SSH_THAT_KILLS, StandIn};
use std::collections::BTreeSet;

/// Ten files of each of two threads, and time to look at them.
const WORKLOAD: &str = r#"
    name = "tree"
    [[phase]]
    name = "create"
    warm_up = "0s"
    [[phase.job]]
    name = "create"
    threads = 2
    direct = false
    files = { count = 10, directories = "PLACES" }
    io = [{ op = "create", random = 0 }]
    [[phase]]
    name = "stat"
    duration = "2s"
    warm_up = "0s"
    [[phase.job]]
    name = "stat"
    threads = 2
    direct = false
    files = { count = 10, directories = "PLACES", once = false }
    io = [{ op = "stat" }]
"#;

/// Two members at work, each with its files.
fn at_work(places: &str, dies: Option<&str>) -> (Running, StandIn) {
    let place = StandIn::new();
    if let Some(script) = dies {
        write_script(&place.ssh(), script);
    }
    let target = place.target().display().to_string();
    let words = "run tree.toml --shared --no-save --interval 200ms --target";
    let words = words.split(' ').chain([target.as_str()]).map(str::to_owned);
    let cli = Cli::new(words.chain(place.hosts()));
    let cli = cli.file("tree.toml", WORKLOAD.replace("PLACES", places));
    let mut running = cli.start();
    running.wait_for_line("[2/2 ");
    (running, place)
}

/// Every name below the directory of the run, but for the random part of its own.
fn names(place: &StandIn) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![place.target()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let below = path.strip_prefix(place.target()).expect("below it");
            let text = below.display().to_string();
            let (own, rest) = text.split_once('/').unwrap_or((&text, ""));
            let (first, number) = own.rsplit_once('-').expect("a name of the run");
            assert_eq!((&first[..12], number), ("fathom-data.", "0.files"));
            if path.is_dir() {
                open.push(path);
            }
            found.insert(rest.to_owned());
        }
    }
    found
}

/// The trees of threads, and where each of the forty files is.
fn expected(tree_of: impl Fn(usize) -> usize) -> BTreeSet<String> {
    let files = (0..40).map(|file| format!("t{}/f{file}", tree_of(file)));
    let trees = (0..40).map(|file| format!("t{}", tree_of(file)));
    let own = ["", ".fathom.0", ".fathom.1"].map(str::to_owned);
    files.chain(trees).chain(own).collect()
}

fn end(running: Running, place: &StandIn) -> Ended {
    let ended = running.end().0;
    assert_eq!(place.left(), Vec::<String>::new());
    ended
}

#[test]
fn files_of_all_members_are_in_one_directory() {
    let (running, place) = at_work("shared", None);
    assert_eq!(names(&place), expected(|_| 0));
    let ended = end(running, &place);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
}

#[test]
fn threads_with_a_tree_of_their_own_have_it_in_one_directory() {
    let (running, place) = at_work("own", None);
    assert_eq!(names(&place), expected(|file| file / 10));
    let ended = end(running, &place);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
}

#[test]
fn a_member_that_dies_leaves_nothing_in_the_directory_of_all() {
    let (running, place) = at_work("shared", Some(SSH_THAT_KILLS));
    std::fs::write(place.ssh().with_extension("goes"), "").expect("a sign");
    let ended = end(running, &place);
    assert_eq!(ended.status, Some(7), "{}", ended.stderr);
}

#[test]
fn each_step_of_a_ramp_has_its_own_directory_of_all_members_which_stays_if_files_are_kept() {
    for (keep, expected) in [(false, 0), (true, 2)] {
        let place = StandIn::new();
        let target = place.target().display().to_string();
        let keep = if keep { " --keep" } else { "" };
        let words = format!(
            "ramp tree.toml --phase stat --over threads --to 2 --step 1s --shared{keep} \
             --no-save --quiet --target"
        );
        let words = words.split_whitespace().map(str::to_owned);
        let cli = Cli::new(words.chain([target]).chain(place.hosts()));
        let cli = cli.file("tree.toml", WORKLOAD.replace("PLACES", "shared"));
        let (ended, _folder) = cli.end();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
        let left = place.left();
        let steps = left.iter().map(|name| name.split_at(name.len() - 10).1);
        let names = [".0-0.files", ".1-0.files"];
        assert_eq!(steps.collect::<Vec<_>>(), names[..expected]);
    }
}

/// A file of IO500 that is small.
fn io500(directory: &str) -> String {
    format!(
        "[global]\ndatadir = {directory}\n[debug]\nstonewall-time = 2\n[ior-easy]\n\
         blockSize = 2m\n[ior-hard]\nsegmentCount = 5\n[mdtest-easy]\nn = 20\n\
         [mdtest-hard]\nn = 20\n"
    )
}

#[test]
fn a_converted_configuration_of_io500_names_files_of_tasks_by_member() {
    let cli = Cli::new(["convert", "io500.ini"]).file("io500.ini", io500("/data"));
    let (ended, _folder) = cli.end();
    let targets = ended
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("targets = "));
    let targets: BTreeSet<&str> = targets.collect();
    let expected = [
        r#"["/data"]"#,
        r#"["/data/ior_file_easy.00000000.{rank}"]"#,
        r#"["/data/ior_file_hard"]"#,
    ];
    assert_eq!(targets, BTreeSet::from(expected));
}

#[test]
fn a_configuration_of_io500_has_all_results_on_two_hosts_and_leaves_nothing() {
    let place = StandIn::new();
    let text = io500(&place.target().display().to_string());
    let words = "ior --no-save --quiet --tasks 2".split(' ');
    let words = words.map(str::to_owned).chain(place.hosts());
    let cli = Cli::new(words.chain(["io500.ini".to_owned()]));
    let mut running = cli.file("io500.ini", text).start();
    let mut seen = BTreeSet::new();
    while running.is_there() {
        seen.extend(
            place
                .left()
                .into_iter()
                .filter(|name| name.rsplit('.').next() != Some("new")),
        );
        std::thread::yield_now();
    }
    let (ended, _folder) = running.end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    // A directory for each of the two shapes and a file of all members, and a file of each task.
    let short = |name: String| match name.split_once(".0-") {
        Some((_, end)) => end.to_owned(),
        None => name,
    };
    let seen: BTreeSet<String> = seen.into_iter().map(short).collect();
    let expected = [
        "0.files",
        "1.files",
        "ior_file_easy.00000000.0",
        "ior_file_easy.00000000.1",
        "ior_file_easy.00000001.0",
        "ior_file_easy.00000001.1",
        "ior_file_hard",
    ];
    assert_eq!(seen, expected.map(str::to_owned).into());
    let results = ended
        .stdout
        .lines()
        .filter(|line| line.starts_with("[RESULT]"));
    assert_eq!(results.count(), 11);
    assert_eq!(place.left(), Vec::<String>::new());
}
