//! Command lines of other programs: `corpus/*/seeds.txt` in, all that is said about them out.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

#[path = "corpus/outcome.rs"]
mod outcome;

use fathom_dd as dd;
use fathom_diskspd as diskspd;
use fathom_fio as fio;
use fathom_iometer as iometer;
use fathom_ior::ior;
use fathom_ior::mdtest;
use fathom_iotest as iotest;
use fathom_tools::{Surroundings, native};
use fathom_vdbench as vdbench;
use outcome::{Translated, check};
use proptest::prelude::*;
use std::io;
use std::path::Path;

/// One file of 10 MiB and a half, and one device of 1 GiB.
struct Some10MiB;

impl Surroundings for Some10MiB {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        match path.to_str()? {
            "/there" => Some(10 * 1024 * 1024 + 512 * 1024),
            "/dev/sdx" => Some(1 << 30),
            _ => None,
        }
    }

    fn read(&self, _: &Path) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}

/// Everything that came of a line. Long workloads are shown by their first job of each phase.
fn drawn(line: &str, outcome: Translated) -> String {
    let body = match outcome {
        Ok(mut translation) => {
            let notes = translation.notes.iter().map(|note| format!("{note}\n"));
            let notes: String = notes.collect();
            for phase in &mut translation.workload.phases {
                phase.jobs.truncate(1);
            }
            format!("{notes}{}", native::print(&translation.workload))
        }
        Err(errors) => {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            errors.join("\n")
        }
    };
    format!("$ {line}\n{body}\n")
}

#[test]
fn lines_of_iotest() {
    let lines = include_str!("corpus/iotest/seeds.txt").lines();
    let all: Vec<String> = lines
        .map(|line| drawn(line, iotest::translate(line, "line", &Some10MiB)))
        .collect();
    insta::assert_snapshot!("iotest", all.join("\n"));
}

#[test]
fn lines_of_dd() {
    let lines = include_str!("corpus/dd/seeds.txt").lines();
    let all: Vec<String> = lines
        .map(|line| drawn(line, dd::translate(line, "line", &Some10MiB)))
        .collect();
    insta::assert_snapshot!("dd", all.join("\n"));
}

#[test]
fn lines_of_rhel_iotest() {
    let lines = [
        "-t /opt/nvme/",
        "-t /a -t WORK=/b/",
        "",
        "-t opt --vresion -t WRK=/a -t",
        "-t WORK=/a -t WORK=/b",
        "-t /a -t /b -t /c -t /d",
    ];
    let drawn = |line: &&str| {
        let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let body = match iotest::parse_rhel(&argv) {
            Ok(request) => format!("{request:?}"),
            Err(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                errors.join("\n")
            }
        };
        format!("$ rhel-iotest {line}\n{body}\n")
    };
    let all: Vec<String> = lines.iter().map(drawn).collect();
    insta::assert_snapshot!("rhel-iotest", all.join("\n"));
}

#[test]
fn the_workload_of_rhel_iotest() {
    let directory = iotest::Directory {
        role: Some("WORK".to_owned()),
        path: "/saswork".to_owned(),
    };
    let sizing = iotest::Sizing {
        streams: 8,
        blocks: 1000,
        full: true,
        warnings: Vec::new(),
    };
    let translation = iotest::rhel_translation(&directory, &sizing, iotest::Wishes::default());
    insta::assert_snapshot!(
        "rhel-iotest-workload",
        drawn("rhel-iotest", Ok(translation))
    );
}

/// What is accepted has to be a workload that can be run.
fn operand() -> impl Strategy<Value = String> {
    let name = "(if|of|bs|ibs|obs|count|seek|skip|status|conv|iflag|oflag|xx)";
    let value = prop_oneof![
        "[0-9]{1,20}(k|K|M|G|T|P|E|B|kB|MiB|x2|c|w|b)?",
        Just("/there".to_owned()),
        Just("/dev/zero".to_owned()),
        Just("/dev/null".to_owned()),
        Just("/dev/sdx".to_owned()),
        "(fdatasync|fsync|notrunc|direct|sync|count_bytes|none|noxfer|,)*",
        "\\PC{0,6}",
    ];
    (name, value).prop_map(|(name, value)| format!("{name}={value}"))
}

fn option() -> impl Strategy<Value = String> {
    prop_oneof!["-[itbsx]", "[0-9]{1,20}", "/[a-z]{1,3}", "\\PC{0,5}"]
}

proptest! {
    #[test]
    fn no_line_of_dd_makes_it_panic(line in "\\PC*") {
        check(&dd::translate(&line, "line", &Some10MiB));
    }

    #[test]
    fn no_operands_make_dd_panic(argv in proptest::collection::vec(operand(), 0..8)) {
        check(&dd::translate_argv(&argv, &Some10MiB).map(|(translation, _)| translation));
    }

    #[test]
    fn no_line_of_iotest_makes_it_panic(line in "\\PC*") {
        check(&iotest::translate(&line, "line", &Some10MiB));
    }

    #[test]
    fn no_options_make_iotest_panic(argv in proptest::collection::vec(option(), 0..12)) {
        check(&iotest::translate_argv(&argv, iotest::Wishes::default()));
        let _ = iotest::parse_rhel(&argv);
    }
}

/// The pages in the documentation are made from the tables; `FATHOM_WRITE_DOCS=1` writes them.
#[test]
fn the_pages_are_those_of_the_tables() {
    let pages = [
        ("dd", dd::page()),
        ("diskspd", diskspd::coverage()),
        ("fio", fio::coverage()),
        ("iometer", iometer::page()),
        ("iotest", iotest::page()),
        ("mdtest", mdtest::page()),
        ("ior", ior::page()),
        ("vdbench", vdbench::page()),
    ];
    for (name, page) in pages {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/dialects");
        let path = format!("{folder}/{name}.md");
        if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(&path, &page).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(&path).unwrap_or_default(),
            page,
            "{name}"
        );
    }
}
