//! A closed load whose pace changes through its control group: a limit of block I/O that
//! is set, changed and lifted. The mean of such a run says little, and the result must say so.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fathom_verdict::Code;

use crate::siege::Siege;
use crate::siege::groups::fixtures::{WHOLE, rank};
use crate::siege::lab::contents::{MIB, noise};
use crate::siege::lab::devices::LoopDevice;
use crate::siege::line::GroupLines;
use crate::siege::result::Judgement;

/// What a run goes through: milliseconds after its start, and requests a second from then on; 0 is
/// no limit.
struct LimitSteps {
    name: &'static str,
    steps: &'static [(u32, u32)],
    measured_s: u32,
    /// Whether the pace changes. The kernel keeps a limit in slices of time and not to the request:
    /// of 400 a second it lets 240 to 400 pass, which may be reported.
    changes: bool,
}

/// The warm-up takes 1 s, so that the measured time starts a little later than that.
const COURSES: &[LimitSteps] = &[
    LimitSteps {
        name: "a limit of 400 requests a second all the time",
        steps: &[(0, 400)],
        measured_s: 6,
        changes: false,
    },
    LimitSteps {
        name: "a limit of 400 requests a second that is lifted for the last 0.2 of 3 s",
        steps: &[(0, 400), (3_900, 0)],
        measured_s: 3,
        changes: true,
    },
    LimitSteps {
        name: "a limit of 400 requests a second for 1 of 6 s",
        steps: &[(3_500, 400), (4_500, 0)],
        measured_s: 6,
        changes: true,
    },
    LimitSteps {
        name: "a standstill of 1.5 of 6 s",
        steps: &[(0, 400), (3_000, 1), (4_500, 400)],
        measured_s: 6,
        changes: true,
    },
    LimitSteps {
        name: "limits of 3,000 and 300 requests a second in turn, 600 ms each",
        steps: &[
            (0, 3_000),
            (1_200, 300),
            (1_800, 3_000),
            (2_400, 300),
            (3_000, 3_000),
            (3_600, 300),
            (4_200, 3_000),
            (4_800, 300),
            (5_400, 3_000),
            (6_000, 300),
            (6_600, 3_000),
        ],
        measured_s: 6,
        changes: true,
    },
    LimitSteps {
        name: "31 times the rate in the last third",
        steps: &[(0, 100), (5_000, 3_100)],
        measured_s: 6,
        changes: true,
    },
];

/// A control group of version 1 that limits reads; it goes when this is dropped.
struct Group(PathBuf);

impl Group {
    fn new() -> Result<Self> {
        let name = format!("fathom-siege-{}", std::process::id());
        let folder = Path::new("/sys/fs/cgroup/blkio").join(name);
        fs::create_dir(&folder).context("no control group for block I/O can be made here")?;
        Ok(Self(folder))
    }

    fn limit(&self, device: &str, iops: u32) -> Result<()> {
        let file = self.0.join("blkio.throttle.read_iops_device");
        Ok(fs::write(file, format!("{device} {iops}"))?)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Who was in it has ended; one that is left is empty.
        let _ = fs::remove_dir(&self.0);
    }
}

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let group = match Group::new() {
        Ok(group) => group,
        Err(error) => {
            lines.skip(format!("{error:#}"));
            return Ok(());
        }
    };
    for course in COURSES {
        siege.go_on()?;
        one(siege, &group, course, lines)?;
    }
    Ok(())
}

fn one(
    siege: &Siege,
    group: &Group,
    course: &LimitSteps,
    lines: &mut GroupLines<'_>,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let device = LoopDevice::holding(folder.path(), &noise(74, 16 * MIB))?;
    File::open(&device.backing)?.sync_all()?;
    let name = device.path.file_name().context("a device has a name")?;
    let number = fs::read_to_string(Path::new("/sys/block").join(name).join("dev"))?;
    let limit = |iops| group.limit(number.trim(), iops);
    fs::write(folder.path().join("load.toml"), WHOLE)?;
    let line = format!(
        "run load.toml --read 100 --direct --queue-depth 4 --warm-up 1s --time {}s --no-live \
         --no-save --output json:result.json --target {target} --destroy {target}",
        course.measured_s,
        target = device.path.display()
    );
    let enter = format!(
        "echo $$ > {}/cgroup.procs && exec \"$@\"",
        group.0.display()
    );
    let within = ["sh", "-c", &enter, "sh"].map(str::to_owned);
    limit(
        course
            .steps
            .first()
            .map_or(0, |(at, iops)| if *at == 0 { *iops } else { 0 }),
    )?;
    let call = siege.fathom.line(&line).within_words(within.to_vec());
    let running = call.inside(folder.path()).start()?;
    let mut passed = 0;
    for (at, iops) in course.steps.iter().filter(|(at, _)| *at > 0) {
        running.wait_ms(at - passed)?;
        passed = *at;
        limit(*iops)?;
    }
    let ended = running.end()?;
    limit(0)?;
    let found = Judgement::read(&folder.path().join("result.json"));
    let is_of_pace = |code: &str| ["standstill", "uneven", "trend"].contains(&code);
    let (expected, is_met) = match (&found, course.changes) {
        (Ok(found), true) => {
            let says = found.codes.iter().any(|code| is_of_pace(code.as_str()));
            let is_met = says && rank(&found.state) >= rank("suspect");
            ("suspect, and a change of pace", is_met)
        }
        (Ok(found), false) => {
            let stands_still = found.codes.iter().any(|code| *code == Code::Standstill);
            let is_met = rank(&found.state) <= rank("qualified") && !stands_still;
            ("no worse than qualified, and no standstill", is_met)
        }
        (Err(_), _) => ("a result", false),
    };
    let seen = match &found {
        Ok(found) => format!("{}, {}", ended.told(), found.told()),
        Err(_) => ended.told(),
    };
    lines.add(course.name.to_owned(), expected, seen, is_met);
    Ok(())
}
