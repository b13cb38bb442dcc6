//! Parameter files of vdbench: `corpus/vdbench/*.vdb` in, all that is said about them out.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

#[path = "corpus/files.rs"]
mod files;
#[path = "corpus/outcome.rs"]
mod outcome;

use fathom_tools::{Nowhere, Surroundings, native};
use fathom_vdbench as vdbench;
use files::{drawn, files};
use outcome::check;
use proptest::prelude::*;
use std::io;
use std::path::Path;

#[test]
fn every_file_is_understood_or_refused() {
    for (name, text) in files("vdbench") {
        let drawn = drawn(&name, vdbench::translate(&text, &name, &Nowhere));
        insta::assert_snapshot!(name.trim_end_matches(".vdb"), drawn);
    }
}

#[test]
fn a_file_is_known_by_the_beginnings_of_its_lines() {
    let sure = |text: &str| vdbench::detect("x.txt", text);
    for (name, text) in files("vdbench") {
        let is_none = name == "error-empty.vdb";
        assert_eq!(sure(&text) == 0, is_none, "{name}");
        assert_eq!(sure(&format!("\u{feff}{text}")), sure(&text), "{name}");
    }
    assert_eq!(sure("[global]\nrw=read\nsize=1g\n"), 0);
    assert_eq!(sure("sd=1\n"), 0);
}

/// One file to include, and one that includes it.
struct Includes;

const WORK: &str = "* the work\nwd=wd1,sd=sd1,xfersize=$size\n";

impl Surroundings for Includes {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        (path == Path::new("/dev/sdx")).then_some(1 << 30)
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        match path.to_str() {
            Some("dir/work.vdb") => Ok(WORK.to_owned()),
            Some("dir/load.vdb") => Ok("sd=sd1,lun=!lun,openflags=o_direct\ninclude=work.vdb\n\
                                        rd=run1,wd=wd1,iorate=$rate,elapsed=30,interval=1\n"
                .to_owned()),
            Some("dir/circle.vdb") => Ok("include=circle.vdb\n".to_owned()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}

fn words(text: &str) -> Result<String, String> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    match vdbench::translate_words(&words, &Includes) {
        Ok(translation) => Ok(native::print(&translation.workload)),
        Err(found) => {
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            Err(found.join("\n"))
        }
    }
}

#[test]
fn words_give_variables_their_values_and_runs_their_times() {
    let line = "-f dir/load.vdb lun=/dev/sdx size=16k rate=500 -e 2m -i10 -w 20 -l 2 -v";
    let same = "-fdir/load.vdb -v -l2 -w20 -i 10 -e120 rate=500 size=16384 lun=/dev/sdx";
    let found = words(line).expect("a load");
    assert_eq!(words(same).as_ref(), Ok(&found));
    insta::assert_snapshot!("words", found);
}

#[test]
fn wrong_words_say_why() {
    let lines = [
        "",
        "-f",
        "load.vdb",
        "-f dir/nowhere.vdb",
        "-f dir/load.vdb lun=/x",
        "-f dir/load.vdb lun=/x size=4k rate=1 other=2",
        "-f dir/circle.vdb",
        "-f dir/load.vdb -e x -l 0 -jr -t -c --help",
    ];
    let all = lines.map(|line| match words(line) {
        Ok(_) => panic!("{line}"),
        Err(found) => format!("$ vdbench {line}\n{found}\n"),
    });
    insta::assert_snapshot!("wrong-words", all.join("\n"));
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(sd=sd1,)?\\PC*") {
        check(&vdbench::translate(&text, "x.vdb", &Nowhere));
    }

    /// Files that are nearly right: a word of one is changed, dropped or doubled.
    #[test]
    fn no_damage_makes_it_panic(
        which in 0_usize..100,
        at in 0_usize..200,
        what in 0_u8..4,
        word in "[0-9]{1,20}[kmgt]?|\\([0-9]{1,6}-[0-9]{1,6},[d0-9]\\)|[a-z]{2,8}=[(]?|\
                 [ü\"(),=*$!-]",
    ) {
        let files = files("vdbench");
        let (_, text) = &files[which % files.len()];
        let mut words: Vec<&str> = text.split_inclusive([',', '=', '\n']).collect();
        if !words.is_empty() {
            let at = at % words.len();
            match what {
                0 => words[at] = &word,
                1 => { words.remove(at); }
                2 => words.insert(at, words[at]),
                _ => words.insert(at, &word),
            }
        }
        let text = words.concat();
        check(&vdbench::translate(&text, "x.vdb", &Nowhere));
    }

    /// A range has the values that a loop over it has.
    #[test]
    fn ranges_are_those_of_a_loop(from in 1_u64..500, more in 0_u64..500, step in 1_u64..50) {
        let to = from + more;
        let run = |threads: &str| {
            let text = format!(
                "sd=sd1,lun=/f,size=1g\nwd=wd1,sd=sd1\n\
                 rd=r,wd=wd1,iorate=max,elapsed=10,interval=1,forthreads={threads}\n"
            );
            let found = vdbench::translate(&text, "x.vdb", &Nowhere).expect("a load");
            let phases = found.workload.phases.into_iter();
            phases.map(|phase| u64::from(phase.jobs[0].queue_depth)).collect::<Vec<_>>()
        };
        let steps: Vec<u64> = (from..=to).step_by(step as usize).collect();
        prop_assert_eq!(run(&format!("({from}-{to},{step})")), steps);
        let doubled = std::iter::successors(Some(from), |at| Some(at * 2));
        let doubled: Vec<u64> = doubled.take_while(|at| *at <= to).collect();
        prop_assert_eq!(run(&format!("({from}-{to},d)")), doubled);
    }
}
