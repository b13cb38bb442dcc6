//! Experiments with devices whose zones are written in order: what is refused, and where the write
//! pointers are after what is not.

use anyhow::{Context as _, Result, ensure};

use super::Left;
use super::experiment::{Experiment, json, text};

pub(super) const EXPERIMENTS: [Experiment; 3] = [
    Experiment {
        name: "zoned",
        truth: "zones of 4 MiB that are written in order alone",
        tolerance: "writes refused by both doors and on null_blk, reads made",
        limit_s: 60,
        script: REFUSED,
        judge: refused,
    },
    Experiment {
        name: "zoned-order",
        truth: "100 and 300 requests of 64 KiB to 4 zones of 64",
        tolerance: "the pointers of blkzone, 3 resets, no error",
        limit_s: 60,
        script: IN_ORDER,
        judge: in_order,
    },
    Experiment {
        name: "zoned-open",
        truth: "4 of 16 zones may be open, 2 of null_blk's",
        tolerance: "random writes without an error, no more open",
        limit_s: 60,
        script: OPEN,
        judge: open,
    },
];

/// A zoned namespace by both of its nodes, and a zoned memory disk.
const REFUSED: &str = "\
modprobe nvme poll_queues=1
modprobe null_blk nr_devices=1 gb=1 memory_backed=1 zoned=1 zone_size=4 zone_max_open=2
sleep 1
write() {
    fathom run random-write-4k --ios 100 --warm-up 0s --quiet -o json:none.json \"$@\" 2>&1 \\
        && echo status 0 || echo status $?
}
write --engine nvme --target /dev/ng0n3 --destroy /dev/ng0n3 >commands
write --target /dev/nvme0n3 --destroy /dev/nvme0n3 >block
write --target /dev/nullb0 --destroy /dev/nullb0 >memory
fathom run random-read-4k --target /dev/nullb0 --ios 100 --warm-up 0s --quiet -o json:r.json \\
    && echo 0 >ended || echo $? >ended
cat commands block memory
";

/// Writes in order: once into empty zones, then on from where the pointers are and round. Without
/// permission first, which leaves the pointers where they are.
const IN_ORDER: &str = "\
modprobe null_blk nr_devices=1 gb=1 memory_backed=1 zoned=1 zone_size=4 zone_max_open=2
sleep 1
cat >zones.toml <<END
name = \"zones\"
[[job]]
name = \"zones\"
block_size = \"64KiB\"
read = 0
random = 0
queue_depth = 1
window = \"16MiB\"
walk = \"write_pointers\"
END
write() {
    fathom run zones.toml --target /dev/nullb0 --warm-up 0s --quiet \"$@\"
}
write --ios 50 -o json:none.json && echo 0 >unnamed || echo $? >unnamed
blkzone report -c 4 /dev/nullb0 >before
write --ios 100 -o json:one.json --destroy /dev/nullb0
blkzone report -c 4 /dev/nullb0 >one
write --ios 300 -o json:two.json --destroy /dev/nullb0
blkzone report -c 4 /dev/nullb0 >two
cat unnamed before one two
";

/// Writes at random in the words of fio, with as many requests at once as zones may be open.
const OPEN: &str = "\
modprobe nvme poll_queues=1
modprobe null_blk nr_devices=1 gb=1 memory_backed=1 zoned=1 zone_size=4 zone_max_open=2
sleep 1
write() {
    fathom fio --name=zones --rw=randwrite --direct=1 --bs=64k --zonemode=zbd --zonesize=4m \\
        --ioengine=libaio --io_size=1g --number_ios=1500 --output-format=json \"$@\"
}
write --filename=/dev/nvme0n3 --destroy=/dev/nvme0n3 --iodepth=4 --max_open_zones=4 \\
    --output=nvme.json && echo 0 >ended || echo $? >ended
blkzone report /dev/nvme0n3 >nvme
write --filename=/dev/nullb0 --destroy=/dev/nullb0 --iodepth=2 --size=64m \\
    --output=memory.json && echo 0 >>ended || echo $? >>ended
blkzone report -c 16 /dev/nullb0 >memory
cat ended nvme memory
";

fn refused(left: &Left) -> Result<String> {
    let refusals = [
        ("commands", "16 zones of 4 MiB, at most 4 open"),
        ("block", "16 zones of 4 MiB, at most 4 open"),
        ("memory", "256 zones of 4 MiB, at most 2 open"),
    ];
    for (name, words) in refusals {
        let said = text(left, name)?;
        let is_refused = !said.contains("status 0") && said.contains("zoned device");
        ensure!(is_refused && said.contains(words), "{name}: {said}");
    }
    let ended = text(left, "ended")?;
    ensure!(ended == "0", "reads ended with {ended}");
    Ok("refused three times, reads made".to_owned())
}

/// The write pointer of each zone in sectors of 512 bytes, and the letters of its condition, as
/// `blkzone report` says them.
pub(super) fn pointers(left: &Left, name: &str) -> Result<Vec<(u64, String)>> {
    let said = text(left, name)?;
    let zone = |line: &str| {
        let word = line.split("wptr 0x").nth(1)?;
        let digits = word.split_whitespace().next()?;
        let pointer = u64::from_str_radix(digits, 16).ok()?;
        let condition = line.split("zcond:").nth(1)?;
        let letters = condition.split(['(', ')']).nth(1)?;
        Some((pointer, letters.trim().to_owned()))
    };
    let zones: Option<Vec<(u64, String)>> = said.lines().map(zone).collect();
    zones.with_context(|| format!("{name} is no report of zones: {said}"))
}

/// Writes and resets of a run.
fn counts(left: &Left, name: &str) -> Result<(u64, u64)> {
    let result = json(left, name)?;
    let job = &result["phases"][0]["jobs"][0];
    let of = |op: &str| job[op]["ios"].as_u64().unwrap_or(0);
    let errors = &job["errors"];
    let is_clean = errors.as_array().is_none_or(Vec::is_empty);
    ensure!(is_clean, "{name}: errors: {errors}");
    Ok((of("write"), of("trim")))
}

fn in_order(left: &Left) -> Result<String> {
    let unnamed = text(left, "unnamed")?;
    ensure!(unnamed != "0", "written without permission");
    let (one, two) = (counts(left, "one.json")?, counts(left, "two.json")?);
    let seen = format!(
        "{} and {} writes, {} and {} resets",
        one.0, two.0, one.1, two.1
    );
    ensure!((one, two) == ((100, 0), (297, 3)), "{seen}");
    // 64 writes of 128 sectors fill a zone of 8192; blkzone gives no pointer of a full one.
    let is = |zones: Vec<(u64, String)>, expected: [Option<u64>; 4]| {
        let matches = |(found, expected): (&(u64, String), Option<u64>)| match expected {
            Some(writes) => found.0 == writes * 128 && found.1 != "fu",
            None => found.1 == "fu",
        };
        zones.len() == 4 && zones.iter().zip(expected).all(matches)
    };
    let states = [
        ("before", [Some(0), Some(0), Some(0), Some(0)]),
        ("one", [None, Some(36), Some(0), Some(0)]),
        ("two", [None, None, Some(13), None]),
    ];
    for (name, expected) in states {
        let found = pointers(left, name)?;
        ensure!(is(found.clone(), expected), "{name}: {found:?}");
    }
    Ok(format!("{seen}, the pointers where they should be"))
}

fn open(left: &Left) -> Result<String> {
    let ended = text(left, "ended")?;
    ensure!(ended == "0\n0", "ended with {ended}");
    let mut seen = Vec::new();
    for (name, most) in [("nvme", 4), ("memory", 2)] {
        let zones = pointers(left, name)?;
        let begun = zones
            .iter()
            .filter(|zone| ["oi", "oe", "cl"].contains(&zone.1.as_str()));
        let begun = begun.count();
        let result = json(left, &format!("{name}.json"))?;
        let job = &result["jobs"][0];
        let (writes, resets) = (&job["write"]["total_ios"], &job["trim"]["total_ios"]);
        let text = format!("{writes} writes, {resets} resets, {begun} open");
        let all = writes.as_u64().unwrap_or(0) + resets.as_u64().unwrap_or(0);
        ensure!(
            all == 1500 && job["error"] == 0 && begun <= most,
            "{name}: {text}"
        );
        seen.push(text);
    }
    Ok(seen.join("; "))
}
