//! Signals at any instant of a run: what is left behind, and what the history says of it.

use std::path::Path;

use anyhow::Result;
use rustix::process::Signal;

use crate::siege::Siege;
use crate::siege::fathom::Ended;
use crate::siege::line::GroupLines;
use crate::siege::random::Random;

/// A run that has something to leave behind.
struct Case {
    name: &'static str,
    line: &'static str,
    /// How long it takes, milliseconds: the signal comes before.
    length_ms: u64,
}

const CASES: &[Case] = &[
    Case {
        name: "a run that lays a file out",
        line: "run random-read-4k --size 96MiB --time 1s --warm-up 0s --no-live --store history.db",
        length_ms: 1200,
    },
    Case {
        name: "a run that writes",
        line: "run random-write-4k --size 1MiB --time 1s --warm-up 200ms --no-live --engine psync \
               --store history.db",
        length_ms: 1500,
    },
    Case {
        name: "quick",
        line: "quick . --size 8MiB --time 300ms --warm-up 0s --no-live --store history.db",
        length_ms: 2500,
    },
    Case {
        name: "ramp",
        line: "ramp random-read-4k --size 8MiB --to 8 --step 200ms --no-live --store history.db",
        length_ms: 2000,
    },
    Case {
        name: "suite",
        line: "suite suite.toml --into results --no-live --store history.db",
        length_ms: 900,
    },
    Case {
        name: "iotest",
        line: "iotest --store history.db -i 2 -t . -b 256 -s 64",
        length_ms: 600,
    },
    Case {
        name: "ab",
        line: "ab --a AB --b AB --pairs-max 8 --results results",
        length_ms: 2500,
    },
    Case {
        name: "watch --record",
        line: "watch --count 10 --interval 100ms --plain --record recording --store history.db",
        length_ms: 1000,
    },
    Case {
        name: "watch --keep",
        line: "watch --count 10 --interval 100ms --plain --keep one --store history.db",
        length_ms: 1000,
    },
];

const AB: &str = "run random-read-4k --size 1MiB --time 100ms --warm-up 0s --engine psync";

/// A signal, its name, and the exit status that says so; killed, nobody can say anything.
const SIGNALS: &[(Signal, &str, Option<i32>)] = &[
    (Signal::INT, "SIGINT", Some(130)),
    (Signal::TERM, "SIGTERM", Some(130)),
    (Signal::HUP, "SIGHUP", Some(130)),
    (Signal::KILL, "SIGKILL", None),
];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let mut random = Random::new(siege.seed);
    for case in CASES {
        for signal in SIGNALS {
            for _ in 0..siege.attempts(6, 1) {
                siege.go_on()?;
                let after_ms = random.below(case.length_ms) as u32;
                kill(siege, case, signal, after_ms, lines)?;
            }
        }
    }
    Ok(())
}

fn kill(
    siege: &Siege,
    case: &Case,
    (signal, name, status): &(Signal, &str, Option<i32>),
    after_ms: u32,
    lines: &mut GroupLines<'_>,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    super::targets::fronts::prepare(folder.path(), "here")?;
    let words = case.line.split_whitespace();
    let words = words.map(|word| word.replace("AB", AB));
    let running = siege.fathom.call(words).inside(folder.path()).start()?;
    let has_ended = running.wait_ms(after_ms)?;
    if !has_ended {
        running.send(*signal)?;
    }
    let ended = running.end()?;
    let mut wrong = Vec::new();
    let is_killed = status.is_none();
    // Before it listens, and while it prints what came of it, a signal has its usual effect.
    let is_printing = !case.name.starts_with("watch") && !ended.stdout.is_empty();
    let is_early = ended.signal.is_some() && (after_ms < 100 || is_printing);
    let expected_end = has_ended
        || is_early
        || if is_killed {
            ended.signal == Some(9)
        } else {
            ended.status == *status || ended.status == Some(0)
        };
    if !expected_end || ended.is_hung {
        wrong.push("ended otherwise".to_owned());
    }
    if !is_killed {
        wrong.extend(
            scratch(folder.path())?
                .into_iter()
                .map(|name| format!("left {name}")),
        );
    }
    if is_killed {
        wait_for_children(folder.path())?;
    }
    let after = after(siege, folder.path(), is_killed)?;
    wrong.extend(after.wrong);
    let seen = format!("{}; {}; {}", ended.told(), after.told, wrong.join(", "));
    lines.add(
        format!("{}: {name} after {after_ms} ms", case.name),
        if is_killed {
            "the next run removes what is left; the history is whole"
        } else {
            "status 130, nothing left behind; the history is whole"
        },
        seen,
        wrong.is_empty(),
    );
    Ok(())
}

/// The runs of `ab` end with it: the kernel sends each a signal, and each removes what it made.
fn wait_for_children(folder: &Path) -> Result<()> {
    let is_inside =
        |process: &Path| std::fs::read_link(process.join("cwd")).ok().as_deref() == Some(folder);
    for _ in 0..100 {
        let mut processes = std::fs::read_dir("/proc")?.filter_map(Result::ok);
        if !processes.any(|process| is_inside(&process.path())) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Ok(())
}

/// Files of data that are still there.
fn scratch(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name.starts_with("fathom-") || name.contains("iotest");
        if is_ours && entry.path().is_file() {
            names.push(name);
        }
    }
    Ok(names)
}

struct After {
    told: String,
    wrong: Vec<String>,
}

/// The history can be read, another run can be made, and it leaves nothing.
fn after(siege: &Siege, folder: &Path, is_killed: bool) -> Result<After> {
    let mut wrong = Vec::new();
    let call = |line: &str| siege.fathom.line(line).inside(folder).end();
    let history = call("history --json --store history.db")?;
    if history.status != Some(0) {
        wrong.push(format!("history: {}", history.told()));
    }
    let next = "run random-write-4k --size 1MiB --ios 64 --warm-up 0s --engine psync --quiet \
                --output json:/dev/null --store history.db";
    let next: Ended = call(next)?;
    if next.status != Some(0) {
        wrong.push(format!("the next run: {}", next.told()));
    }
    if is_killed {
        let left = scratch(folder)?;
        wrong.extend(
            left.into_iter()
                .map(|name| format!("{name} is still there after the next run")),
        );
    }
    let runs = call("history --json --store history.db")?;
    let count = runs
        .stdout
        .matches("\"run_id\"")
        .count()
        .max(runs.stdout.matches("\"id\"").count());
    Ok(After {
        told: format!("{count} runs in the history"),
        wrong,
    })
}
