//! A file system of our own that changes while it is measured. A change of its pace, a standstill,
//! errors, short transfers and old content are each in the state of the result; storage that keeps
//! its pace, however slow, is not doubted for it.

use anyhow::Result;
use fathom_verdict::Code;

use crate::siege::Siege;
use crate::siege::groups::fixtures::{WHOLE, rank};
use crate::siege::lab::contents::{MIB, noise};
use crate::siege::lab::fuse::{Fate, FileRequest, Fuse, Script, takes};
use crate::siege::line::GroupLines;
use crate::siege::result::Judgement;

struct Case {
    name: &'static str,
    script: Script,
    /// Words after `run load.toml`.
    load: &'static str,
    expect: Expect,
}

/// What should come of it.
enum Expect {
    /// A state as bad as this at least, for one of these reasons.
    Because(&'static str, &'static [Code]),
    /// None of these reasons.
    Without(&'static [Code]),
}

/// What is said of a pace that changes.
const OF_PACE: &[Code] = &[
    Code::Trend,
    Code::Standstill,
    Code::Uneven,
    Code::NotSteady,
    Code::StorageHangs,
];

const READS: &str = "--read 100 --direct --queue-depth 4";
const WRITES: &str = "--read 0 --direct --queue-depth 4";

const CASES: &[Case] = &[
    Case {
        name: "every request takes 2 ms",
        script: |_, _, _| takes(2),
        load: READS,
        expect: Expect::Without(OF_PACE),
    },
    Case {
        name: "5 ms, and none at all in the last 0.4 of 6 s",
        script: |_, at_ms, _| takes(if at_ms < 5600 { 5 } else { 0 }),
        load: READS,
        expect: Expect::Because("qualified", OF_PACE),
    },
    Case {
        name: "a standstill of 1.5 of 6 s",
        script: |_, at_ms, _| {
            takes(if (2500..4000).contains(&at_ms) {
                4000 - at_ms
            } else {
                1
            })
        },
        load: READS,
        expect: Expect::Because("qualified", OF_PACE),
    },
    Case {
        name: "1 and 8 ms in turns of 0.6 s",
        script: |_, at_ms, _| takes(if at_ms / 600 % 2 == 0 { 1 } else { 8 }),
        load: READS,
        expect: Expect::Because("qualified", OF_PACE),
    },
    Case {
        name: "1 ms, and 20 ms in the last third",
        script: |_, at_ms, _| takes(if at_ms < 4000 { 1 } else { 20 }),
        load: READS,
        expect: Expect::Because("qualified", OF_PACE),
    },
    Case {
        name: "every 50th read fails (EIO)",
        script: |_, _, number| Fate {
            errno: if number % 50 == 49 { 5 } else { 0 },
            ..takes(1)
        },
        load: READS,
        expect: Expect::Because("suspect", &[Code::IoErrors]),
    },
    Case {
        name: "every 50th read is short",
        script: |_, _, number| Fate {
            is_short: number % 50 == 49,
            ..takes(1)
        },
        load: READS,
        expect: Expect::Because("suspect", &[Code::ShortTransfers]),
    },
    Case {
        name: "one write of 50 is acknowledged and forgotten, and all are read back",
        script: |asked, _, number| Fate {
            is_stale: asked == FileRequest::Write && number % 50 == 49,
            ..Fate::default()
        },
        load: "--read 0 --direct --queue-depth 4 --verify read-back",
        expect: Expect::Because("invalid", &[Code::VerifyFailed]),
    },
    Case {
        name: "a flush after each write does nothing",
        script: |asked, _, _| {
            if asked == FileRequest::Sync {
                Fate::default()
            } else {
                takes(1)
            }
        },
        load: "--read 0 --direct --queue-depth 1 --sync-every 1",
        expect: Expect::Because("qualified", &[Code::NoDevice]),
    },
    Case {
        name: "writes of 2 ms",
        script: |_, _, _| takes(2),
        load: WRITES,
        expect: Expect::Without(OF_PACE),
    },
];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for case in CASES {
        siege.go_on()?;
        let folder = tempfile::tempdir()?;
        let fuse = match Fuse::new(
            &folder.path().join("mounted"),
            noise(81, 16 * MIB),
            case.script,
        ) {
            Ok(fuse) => fuse,
            Err(error) => {
                lines.skip(format!("{error:#}"));
                return Ok(());
            }
        };
        let line = format!(
            "run load.toml --time 6s --warm-up 0s {} --overwrite --quiet --no-save --output \
             json:result.json --target {}",
            case.load,
            fuse.file.display()
        );
        let place = tempfile::tempdir()?;
        std::fs::write(place.path().join("load.toml"), WHOLE)?;
        let ended = siege.fathom.line(&line).inside(place.path()).end()?;
        let found = Judgement::read(&place.path().join("result.json"));
        let of_state = |found: &Judgement, least| rank(&found.state) >= rank(least);
        let has = |found: &Judgement, codes: &[Code]| {
            codes
                .iter()
                .any(|code| found.codes.iter().any(|one| one == code))
        };
        let (expected, is_met) = match (&case.expect, &found) {
            (Expect::Because(least, codes), Ok(found)) => {
                let is_met = of_state(found, least) && has(found, codes);
                (format!("{least} [{}]", words(codes)), is_met)
            }
            (Expect::Without(codes), Ok(found)) => {
                (format!("none of [{}]", words(codes)), !has(found, codes))
            }
            (_, Err(_)) => ("a result".to_owned(), false),
        };
        let seen = match &found {
            Ok(found) => format!("{}, {}", ended.told(), found.told()),
            Err(_) => ended.told(),
        };
        let done = format!("{}: {}", case.name, case.load);
        lines.add(done, expected, seen, is_met && ended.is_orderly());
    }
    Ok(())
}

fn words(codes: &[Code]) -> String {
    let words: Vec<&str> = codes.iter().map(|code| code.name()).collect();
    words.join(" ")
}
