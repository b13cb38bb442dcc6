//! Experiments with writes and appends to the zones of a namespace by NVMe commands: past the block
//! layer nobody but the controller says whether they were in order.

use anyhow::{Result, ensure};

use super::Left;
use super::experiment::{Experiment, json, text};

pub(super) const EXPERIMENTS: [Experiment; 3] = [
    Experiment {
        name: "zoned-commands",
        truth: "zones of 4 MiB, 64 writes of 64 KiB each",
        tolerance: "300 requests, the pointers of blkzone, no error",
        limit_s: 120,
        script: WRITES,
        judge: writes,
    },
    Experiment {
        name: "zoned-append",
        truth: "4 of 16 zones may be open, 64 appends fill one",
        tolerance: "2000 requests, 32 at a time, no error, 1 begun",
        limit_s: 120,
        script: APPENDS,
        judge: appends,
    },
    Experiment {
        name: "zoned-refused",
        truth: "no append by the block device, no poll of a reset",
        tolerance: "refused three times with the reason",
        limit_s: 120,
        script: REFUSED,
        judge: refused,
    },
];

/// Two runs of commands one at a time: into the first four zones, and on from the pointers.
const WRITES: &str = "\
modprobe nvme poll_queues=1
sleep 1
blkzone reset /dev/nvme0n3
cat >zones.toml <<END
name = \"zones\"
[[job]]
name = \"zones\"
engine = \"nvme\"
block_size = \"64KiB\"
read = 0
random = 0
window = \"16MiB\"
walk = \"write_pointers\"
END
write() {
    fathom run zones.toml --target /dev/ng0n3 --destroy /dev/ng0n3 --warm-up 0s --quiet \"$@\" \\
        && echo 0 || echo $?
}
write --queue-depth 1 --ios 100 -o json:one.json >ended
blkzone report -c 4 /dev/nvme0n3 >one
write --queue-depth 1 --ios 200 -o json:two.json >>ended
blkzone report -c 4 /dev/nvme0n3 >two
cat ended one two
";

/// Many appends at a time: to one zone after another, at random to four, and on two threads.
const APPENDS: &str = "\
modprobe nvme poll_queues=1
sleep 1
blkzone reset /dev/nvme0n3
append() {
    cat >zones.toml <<END
name = \"zones\"
[[job]]
name = \"zones\"
engine = \"nvme\"
block_size = \"64KiB\"
read = 0
random = $1
threads = $2
walk = { write_pointers = { append = true$3 } }
END
    shift 3
    fathom run zones.toml --target /dev/ng0n3 --destroy /dev/ng0n3 --warm-up 0s --quiet \"$@\" \\
        && echo 0 || echo $?
}
append 0 1 '' --queue-depth 32 --ios 2000 -o json:one.json >ended
blkzone report /dev/nvme0n3 >one
append 100 1 ', open = 4' --queue-depth 32 --ios 2000 -o json:four.json >>ended
blkzone report /dev/nvme0n3 >four
append 0 2 '' --queue-depth 16 --ios 2000 -o json:two.json >>ended
blkzone report /dev/nvme0n3 >two
cat ended one four two
";

/// By the block device, by an engine that appends nothing, and with polling.
const REFUSED: &str = "\
modprobe nvme poll_queues=1
sleep 1
cat >zones.toml <<END
name = \"zones\"
[[job]]
name = \"zones\"
block_size = \"64KiB\"
read = 0
random = 0
queue_depth = 4
walk = { write_pointers = { append = true } }
END
append() {
    fathom run zones.toml --ios 10 --warm-up 0s --quiet -o json:none.json \"$@\" 2>&1 \\
        && echo status 0 || echo status $?
}
append --target /dev/nvme0n3 --destroy /dev/nvme0n3 >block
append --engine libaio --target /dev/nvme0n3 --destroy /dev/nvme0n3 >libaio
append --engine nvme --iopoll --target /dev/ng0n3 --destroy /dev/ng0n3 >polled
cat block libaio polled
";

/// Writes and resets of a run without errors.
fn counts(left: &Left, name: &str) -> Result<(u64, u64)> {
    let result = json(left, name)?;
    let engine = &result["provenance"]["engine"]["name"];
    ensure!(engine == "nvme", "{name}: the engine is {engine}");
    let job = &result["phases"][0]["jobs"][0];
    let errors = &job["errors"];
    let is_clean = errors.as_array().is_none_or(Vec::is_empty);
    ensure!(is_clean, "{name}: errors: {errors}");
    let of = |op: &str| job[op]["ios"].as_u64().unwrap_or(0);
    Ok((of("write"), of("trim")))
}

fn ended(left: &Left, expected: &str) -> Result<()> {
    let ended = text(left, "ended")?;
    let seen: Vec<&str> = ended.split_whitespace().collect();
    ensure!(seen.join(" ") == expected, "ended with {}", seen.join(" "));
    Ok(())
}

fn writes(left: &Left) -> Result<String> {
    ended(left, "0 0")?;
    let (one, two) = (counts(left, "one.json")?, counts(left, "two.json")?);
    let seen = format!(
        "{} and {} writes, {} and {} resets",
        one.0, two.0, one.1, two.1
    );
    ensure!((one, two) == ((100, 0), (199, 1)), "{seen}");
    // 100 writes of 128 sectors; then 28 + 64 + 64, the reset of the first zone and 43 there.
    let states = [
        ("one", [None, Some(36), Some(0), Some(0)]),
        ("two", [Some(43), None, None, None]),
    ];
    for (name, expected) in states {
        let zones = super::zoned::pointers(left, name)?;
        let is = |(found, expected): (&(u64, String), Option<u64>)| match expected {
            Some(writes) => found.0 == writes * 128 && found.1 != "fu",
            None => found.1 == "fu",
        };
        let is_it = zones.len() == 4 && zones.iter().zip(expected).all(is);
        ensure!(is_it, "{name}: {zones:?}");
    }
    Ok(format!("{seen}, the pointers where they should be"))
}

fn appends(left: &Left) -> Result<String> {
    ended(left, "0 0 0")?;
    let mut seen = Vec::new();
    for (name, most) in [("one", 1), ("four", 4), ("two", 2)] {
        let (writes, resets) = counts(left, &format!("{name}.json"))?;
        let zones = super::zoned::pointers(left, name)?;
        let begun = zones
            .iter()
            .filter(|zone| ["oi", "oe", "cl"].contains(&zone.1.as_str()));
        let begun = begun.count();
        let told = format!("{writes} appends, {resets} resets, {begun} begun");
        // Each 64 appends take a zone, which was reset before, or begun by the run before.
        let is_it = writes + resets == 2000 && begun <= most && resets + 4 >= writes / 64;
        ensure!(is_it, "{name}: {told}: {zones:?}");
        seen.push(told);
    }
    // Of the first run everything is known: 30 zones filled, each behind a reset, and a 31st begun.
    ensure!(
        seen[0] == "1969 appends, 31 resets, 1 begun",
        "one: {}",
        seen[0]
    );
    Ok(seen.join("; "))
}

fn refused(left: &Left) -> Result<String> {
    let refusals = [
        ("block", "no append to a zone for block devices and files"),
        ("libaio", "no append to a zone for block devices and files"),
        ("polled", "a reset of a zone moves no data"),
    ];
    for (name, words) in refusals {
        let said = text(left, name)?;
        let is_refused = !said.contains("status 0") && said.contains(words);
        ensure!(is_refused, "{name}: {said}");
    }
    Ok("refused three times".to_owned())
}
