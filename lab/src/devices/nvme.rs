//! Experiments with NVMe namespaces: commands past the block layer, and what must not be destroyed
//! by them.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::Left;
use super::experiment::{Experiment, json, text};
use xtask::dist::program;
use xtask::metadata;

/// The one that runs the suite of the engines.
pub(super) const CONTRACT: &str = "nvme-contract";

pub(super) const EXPERIMENTS: [Experiment; 4] = [
    Experiment {
        name: CONTRACT,
        truth: "the contract of every engine, on a namespace",
        tolerance: "every test passes, none is skipped",
        limit_s: 480,
        // Few random cases each: a guest that is emulated takes a hundred times as long for one.
        script: "modprobe nvme poll_queues=1\nsleep 2\n\
                 export FATHOM_TEST_NAMESPACE=/dev/ng0n1 PROPTEST_CASES=4\n\
                 echo 0 >ended\n\
                 for part in nvme_contract nvme_storage nvme_errors nvme_flushes nvme_allocations \
                 nvme_unregistered nvme_sqpoll nvme_iopoll; do\n\
                 timeout 180 conformance $part --test-threads=1 --nocapture >>suite 2>&1 \
                 || echo $part $? >>ended\n\
                 done\n\
                 tail -n 3 suite\ncat ended\n",
        judge: contract,
    },
    Experiment {
        name: "nvme-commands",
        truth: "what is written by commands is what the block device reads",
        tolerance: "status 0 right after, and of `verify`",
        limit_s: 60,
        script: "modprobe nvme poll_queues=1\nsleep 1\n\
                 fathom run random-write-4k --engine nvme --target /dev/ng0n1 \
                 --destroy /dev/ng0n1 --ios 2000 --warm-up 0s --queue-depth 8 --verify read-back \
                 --quiet -o json:w.json && echo 0 >written || echo $? >written\n\
                 fathom verify --quiet /dev/nvme0n1 && echo 0 >verified || echo $? >verified\n",
        judge: commands,
    },
    Experiment {
        name: "nvme-guard",
        truth: "a namespace in use, or with something on it, stays as it is",
        tolerance: "refused in four ways, the same bytes before and after",
        limit_s: 60,
        script: GUARD,
        judge: guard,
    },
    Experiment {
        name: "nvme-errors",
        truth: "a sector in the block at 2 MiB cannot be read",
        tolerance: "one error, at byte 2097152, with the status 0x281",
        limit_s: 60,
        script: "modprobe nvme poll_queues=1\nsleep 1\n\
                 fathom run sequential-read-1m --engine nvme --block-size 4KiB --queue-depth 1 \
                 --target /dev/ng0n2 --ios 2048 --warm-up 0s --quiet -o json:r.json \
                 && echo 0 >ended || echo $? >ended\n",
        judge: errors,
    },
];

/// Swap on the namespace, then the same in use; by its own name, by the block device's, and by an
/// engine that is not for it.
const GUARD: &str = "\
modprobe nvme poll_queues=1
sleep 1
mkswap /dev/nvme0n1
before=$(md5sum </dev/nvme0n1)
write() {
    fathom run random-write-4k --target /dev/ng0n1 --ios 100 --warm-up 0s --quiet \\
        -o json:none.json \"$@\" 2>&1 && echo status 0 || echo status $?
}
write --engine nvme >unnamed
write --engine nvme --destroy /dev/ng0n1 >carries
swapon /dev/nvme0n1
write --engine nvme --destroy /dev/ng0n1=swap >used
swapoff /dev/nvme0n1
write --engine io_uring --destroy /dev/ng0n1=swap >reads
after=$(md5sum </dev/nvme0n1)
[ \"$before\" = \"$after\" ] && echo same >bytes || echo differ >bytes
cat unnamed carries used reads
";

/// The suite of the engines, built.
pub(super) fn suite() -> Result<PathBuf> {
    let mut command = Command::new(metadata::cargo());
    command.args(["test", "--no-run", "--locked", "--message-format", "json"]);
    command.args(["--package", "fathom-engine", "--test", "conformance"]);
    let told = program::text(&mut command)?;
    let lines = told
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let mut made = lines.filter_map(|line: Value| Some(line["executable"].as_str()?.to_owned()));
    made.next().map(PathBuf::from).context("no suite was built")
}

fn contract(left: &Left) -> Result<String> {
    let ended = text(left, "ended")?;
    let suite = text(left, "suite")?;
    let count = |word: &str| suite.lines().filter(|line| line.contains(word)).count();
    let (passed, skipped) = (count("... ok"), count("skipped: "));
    let seen = format!("{passed} passed, {skipped} skipped, status {ended}");
    let failed = suite
        .lines()
        .filter(|line| line.contains("FAILED") || line.contains("panicked"));
    let failed: Vec<&str> = failed.collect();
    ensure!(
        ended == "0" && passed > 0 && skipped == 0,
        "{seen}: {}",
        failed.join("; ")
    );
    Ok(seen)
}

fn commands(left: &Left) -> Result<String> {
    let (written, verified) = (text(left, "written")?, text(left, "verified")?);
    let seen = format!("written {written}, verified {verified}");
    ensure!(seen == "written 0, verified 0", "{seen}");
    let result = json(left, "w.json")?;
    let name = &result["provenance"]["engine"]["name"];
    ensure!(name == "nvme", "the engine is {name}");
    Ok(seen)
}

fn guard(left: &Left) -> Result<String> {
    let refusals = [
        ("unnamed", "no --destroy names it"),
        ("carries", "carries swap, which --destroy does not name"),
        ("used", "it is in use as swap"),
        ("reads", "takes commands and no reads"),
    ];
    for (name, words) in refusals {
        let said = text(left, name)?;
        let is_refused = !said.contains("status 0") && said.split_whitespace().count() > 0;
        ensure!(is_refused && said.contains(words), "{name}: {said}");
    }
    let bytes = text(left, "bytes")?;
    ensure!(bytes == "same", "the bytes {bytes}");
    Ok("refused four times, the same bytes".to_owned())
}

fn errors(left: &Left) -> Result<String> {
    let result = json(left, "r.json")?;
    let ended = text(left, "ended")?;
    let errors = &result["phases"][0]["jobs"][0]["errors"];
    let first = &errors[0];
    let seen = format!(
        "status {ended}: {} × {} at {}",
        first["count"], first["message"], first["first_offsets"]
    );
    let words = first["message"].as_str().unwrap_or_default();
    let is_it = words.ends_with("(NVMe status 0x281, unrecovered read error)")
        && first["first_offsets"] == serde_json::json!([2_097_152])
        && first["count"] == 1;
    ensure!(ended == "3" && is_it, "{seen}; errors: {errors}");
    Ok(seen)
}
