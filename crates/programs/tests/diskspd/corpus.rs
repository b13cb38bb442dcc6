//! Each line with what comes of it.

use crate::lines::{Lab, corpus, lines, on_linux, words};
use fathom_diskspd as diskspd;
use fathom_diskspd::xml::profile_element;
use fathom_tools::{Diagnostic, OnDrives, Translation, native};
use std::fmt::Write as _;

fn drawn(found: &[Diagnostic]) -> String {
    let drawn: Vec<String> = found.iter().map(Diagnostic::to_string).collect();
    drawn.join("\n") + "\n"
}

fn told(translation: &Translation) -> String {
    let notes = translation.notes.iter().map(|note| format!("{note}\n"));
    let notes: String = notes.collect();
    let wishes = &translation.wishes;
    let workload = native::print(&translation.workload);
    format!("{notes}{wishes:?}\n\n{workload}")
}

fn translated(words: &[String]) -> Result<Translation, Vec<Diagnostic>> {
    diskspd::read(words, &Lab)?.translate(&Lab)
}

/// What DISKSPD says of several sequential threads.
const CONSIDER: &str = "not sequential, consider -si";
/// What Fathom says.
const SAME_BLOCKS: &str =
    "every thread goes over the same blocks from the beginning; `-si` shares them out";

#[test]
fn the_verdict_is_that_of_diskspd() {
    let text = corpus("lines.txt");
    let mut verdict = "";
    let mut count = 0;
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("# v22=") {
            verdict = said;
        } else if line.starts_with("diskspd") {
            let read = diskspd::read(&words(line), &Lab);
            let (word, reason) = verdict.split_once(' ').unwrap_or((verdict, ""));
            assert_eq!(read.is_ok(), word == "accept", "{line}: {verdict}");
            let profile = |input: diskspd::Input| input.profile;
            if let ("accept", Ok(profile)) = (word, read.map(profile)) {
                // What DISKSPD warns of is a note here.
                let warns = translated(&on_linux(&words(line))).is_ok_and(|translation| {
                    let mut notes = translation.notes.iter();
                    notes.any(|note| note.message == SAME_BLOCKS)
                });
                let paths = &profile.spans[0].targets;
                assert!(!paths.is_empty(), "{line}");
                assert_eq!(warns, reason == CONSIDER, "{line}");
            }
            count += 1;
        }
    }
    assert_eq!(count, 55);
}

#[test]
fn the_lines_of_the_studies_run_as_they_stand() {
    let mut told_all = String::new();
    for line in lines(&corpus("lines.txt")) {
        let words = on_linux(&words(line));
        writeln!(told_all, "$ {}", words.join(" ")).unwrap();
        told_all += &match translated(&words) {
            Ok(translation) => told(&translation),
            Err(found) => drawn(&found),
        };
        told_all += "\n";
    }
    insta::assert_snapshot!("studies", told_all);
}

#[test]
fn lines_with_every_option_come_to_this() {
    let mut told_all = String::new();
    for line in lines(&corpus("accepted.txt")) {
        writeln!(told_all, "$ {line}").unwrap();
        let input =
            diskspd::read(&words(line), &Lab).unwrap_or_else(|found| panic!("{}", drawn(&found)));
        told_all += &if input.profile.print_only {
            profile_element(&input.profile).render()
        } else {
            let translation = input.translate(&Lab);
            told(&translation.unwrap_or_else(|found| panic!("{}", drawn(&found))))
        };
        told_all += "\n";
    }
    insta::assert_snapshot!("accepted", told_all);
}

#[test]
fn refusals_name_the_word_and_the_remedy() {
    let mut told_all = String::new();
    for line in lines(&corpus("refused.txt")) {
        let found = translated(&words(line)).expect_err(line);
        writeln!(told_all, "$ {line}\n{}", drawn(&found)).unwrap();
    }
    insta::assert_snapshot!("refused", told_all);
}

#[test]
fn a_windows_path_is_refused_after_the_options_were_judged() {
    let line = words("diskspd -b8K -t2 -T2K C:\\io.dat");
    let input = diskspd::read(&line, &Lab).expect("DISKSPD accepts it");
    let found = input.translate(&Lab).unwrap_err();
    let expected = "error: `C:\\io.dat` cannot be used here: it is a Windows path
 --> command \
                    line:1:22
  |
1 | diskspd -b8K -t2 -T2K C:\\io.dat
  |                       \
                    ^^^^^^^^^
  = help: `--map-drive r=DIR` or `--target PATH` before the options, \
                    or a path of Linux
";
    assert_eq!(drawn(&found), expected.replace(":1:22", ":1:23"));
}

#[test]
fn on_windows_its_paths_are_used_as_they_are() {
    let here = OnDrives {
        world: &Lab,
        drives: &fathom_tools::drives::own(),
    };
    for path in [r"r:\temp\io.dat", r".\io.dat", r"\\server\share\io.dat"] {
        let line = format!(r".\diskspd.exe -b8K -d30 -o4 -t8 -r -w25 -Sh -L -c1G {path}");
        let input = diskspd::read(&words(&line), &here).expect("DISKSPD accepts it");
        let found = input.translate(&here).expect("it is a path of this system");
        let jobs = &found.workload.phases[0].jobs;
        assert_eq!(jobs[0].targets, [path]);
    }
    let line = words(r"diskspd -b8K -c1G #1");
    let input = diskspd::read(&line, &here).expect("DISKSPD accepts it");
    assert!(input.translate(&here).is_err(), "a disk as a whole");
}

#[test]
fn a_profile_with_a_byte_order_mark_is_the_same() {
    let text = corpus("mixed.xml");
    let plain = diskspd::read_profile(&text, "mixed.xml").expect("a profile");
    let marked = diskspd::read_profile(&format!("\u{feff}{text}"), "mixed.xml");
    assert_eq!(marked.expect("a profile").profile, plain.profile);
}
