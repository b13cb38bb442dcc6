//! Bounds that are known, on real devices: each names the right cause, or says that it cannot tell.
//! The whole table of them is in virtual time, `crates/session/tests/statistics/known.rs`.

use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use crate::siege::Siege;
use crate::siege::groups::fixtures::{Fixture, WHOLE, make};
use crate::siege::line::GroupLines;

struct Case {
    name: &'static str,
    make: fn(&Path, &Siege) -> Result<Fixture>,
    /// Words after `run load.toml`.
    load: &'static str,
    /// Kinds and begins of names, any of which is right.
    right: &'static [(&'static str, &'static str)],
}

/// The cause is unknown.
const UNKNOWN: (&str, &str) = ("unexplained", "");

const CASES: &[Case] = &[
    Case {
        name: "a control group that lets 500 reads a second pass",
        make: make::request_limit,
        load: "--read 100 --direct --queue-depth 8 --find-limit",
        right: &[
            ("cap", "io.max riops"),
            ("cap", "blkio.throttle.read_iops_device riops"),
        ],
    },
    Case {
        name: "the same, without asking for more",
        make: make::request_limit,
        load: "--read 100 --direct --queue-depth 8 --cap vm=90000iops",
        right: &[
            ("cap", "io.max riops"),
            ("cap", "blkio.throttle.read_iops_device riops"),
        ],
    },
    Case {
        name: "a schedule of 200 reads a second",
        make: make::full,
        load: "--read 100 --direct --queue-depth 8 --rate 200IOPS --find-limit",
        right: &[("schedule", "schedule")],
    },
    Case {
        name: "one read at a time",
        make: make::full,
        load: "--read 100 --direct --queue-depth 1 --engine psync --find-limit",
        right: &[("queue_depth", "queue depth"), UNKNOWN],
    },
    Case {
        name: "a flush after each write",
        make: make::full,
        load: "--read 0 --direct --queue-depth 1 --sync-every 1 --engine psync --find-limit",
        right: &[("queue_depth", "flushes")],
    },
    Case {
        name: "a processor quota of 2 %",
        make: make::processor_quota,
        load: "--read 100 --direct --queue-depth 8 --cap vm=90000iops",
        right: &[("generator", ""), UNKNOWN],
    },
];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for case in CASES {
        siege.go_on()?;
        let folder = tempfile::tempdir()?;
        let fixture = match (case.make)(folder.path(), siege) {
            Ok(fixture) => fixture,
            Err(error) => {
                lines.skip(format!("{}: {error:#}", case.name));
                continue;
            }
        };
        let words = format!(
            "run load.toml --time 3s --warm-up 0s --interval 200ms {} --overwrite --quiet \
             --no-save --output json:result.json --target {} --destroy {}=data",
            case.load,
            fixture.target.display(),
            fixture.target.display()
        );
        let place = tempfile::tempdir()?;
        std::fs::write(place.path().join("load.toml"), WHOLE)?;
        let call = siege.fathom.line(&words).inside(place.path());
        let ended = call.within_words(fixture.within.clone()).end()?;
        let text = std::fs::read_to_string(place.path().join("result.json")).unwrap_or_default();
        let json: Value = serde_json::from_str(&text).unwrap_or_default();
        let bound = &json["phases"][0]["bound"];
        let of = |key: &str| bound[key].as_str().unwrap_or_default();
        let is_right =
            |(kind, name): &(&str, &str)| of("kind") == *kind && of("name").starts_with(name);
        let expected: Vec<String> = case
            .right
            .iter()
            .map(|(kind, name)| format!("{kind} {name}").trim().to_owned())
            .collect();
        lines.add(
            format!("{}: {}", case.name, case.load),
            expected.join(", or "),
            format!("{}: {}", ended.told(), of("sentence")),
            case.right.iter().any(is_right),
        );
    }
    Ok(())
}
