//! The threads: what was asked, the cause that the answer gives, and whether ours names it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use fathom_explain::explanation::{Explanation, explain};

/// A cause, and the codes of findings that name it. It was written before the threads that are held
/// out were looked at, but for `one_at_a_time`, whose rule came later. The codes of rules that were
/// written before the seventh set were added before it was looked at; `new_file` is of it. The last
/// causes, with their rules, are of the eighth set and later ones.
const CAUSES: &[(&str, &[&str])] = &[
    (
        "memory",
        &[
            "memory",
            "page_cache",
            "device_idle",
            "not_flushed",
            "arc",
            "fast_read",
            "host_cache",
        ],
    ),
    ("unwritten", &["device_idle", "memory"]),
    (
        "depth",
        &["depth", "submission", "one_at_a_time", "no_scaling"],
    ),
    ("submission", &["submission", "depth"]),
    ("same-blocks", &["same_blocks"]),
    ("compressible", &["compressible"]),
    ("flush", &["flush", "slow_writes"]),
    ("processor", &["processor", "source"]),
    ("queueing", &["queueing", "disk_busy", "above_disk"]),
    ("short", &["short", "few_samples"]),
    ("small-area", &["small_area", "fast_read"]),
    (
        "drive-cache",
        &["small_area", "fast_read", "slow_writes", "falls"],
    ),
    (
        "wear",
        &["burst", "uneven", "short", "slow_writes", "new_file"],
    ),
    ("units", &["fact"]),
    (
        "block-size",
        &["default_block", "device_busy", "records", "loads_differ"],
    ),
    (
        "pattern",
        &["default_block", "fact", "seeks", "loads_differ"],
    ),
    ("tool-fact", &["fact", "joined", "metric"]),
    ("cap", &["cap", "link", "rate_limit", "plateau"]),
    ("one-layer", &["same_load", "far_writes", "layers"]),
    ("shared-limit", &["parallel"]),
    ("buffered-way", &["buffered"]),
    ("refused", &["errors"]),
    ("shared-devices", &["shared_devices"]),
    ("full-disk", &["disk_busy"]),
    ("hung", &["hung"]),
    ("failed", &["device_errors", "errors"]),
    ("one-disk", &["slow_disk", "unequal_disks"]),
    ("above-disks", &["above_disk"]),
    ("unmerged", &["unmerged"]),
    ("parity", &["raid"]),
    ("busy-time", &["busy_time"]),
    ("no-difference", &["same_load"]),
    ("stalls", &["stalls"]),
    ("full-pool", &["space"]),
    // A code of its own: no finding is a fault of the measurement.
    ("nothing", &[]),
];
/// Facts about tools that also name a cause.
const FACTS: &[(&str, &str)] = &[
    ("ior", "memory"),
    ("ioping", "short"),
    ("sysbench", "flush"),
];

/// A thread, and the answer to its paste.
pub(super) struct Thread {
    pub(super) url: String,
    pub(super) title: String,
    pub(super) tool: String,
    pub(super) cause: String,
    pub(super) shows: String,
    pub(super) answer: String,
    pub(super) says: String,
    explanation: Explanation,
}

impl Thread {
    /// All of a folder, by their names.
    pub(super) fn all(folder: &Path) -> Result<Vec<Self>> {
        let entries = folder
            .read_dir()
            .with_context(|| format!("{}", folder.display()))?;
        let mut places = Vec::new();
        for entry in entries {
            places.push(entry?.path());
        }
        places.sort();
        places.iter().map(|place| Self::read(place)).collect()
    }

    fn read(place: &Path) -> Result<Self> {
        let file = place.join("thread.toml");
        let text = std::fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
        let lines = text.lines().filter_map(|line| line.split_once(" = "));
        let values: BTreeMap<&str, String> = lines
            .map(|(key, value)| Ok((key, serde_json::from_str(value)?)))
            .collect::<Result<_>>()
            .with_context(|| format!("{}", file.display()))?;
        let value = |key: &str| {
            let value = values.get(key).cloned();
            value.with_context(|| format!("{} has no `{key}`", file.display()))
        };
        let cause = value("cause")?;
        ensure!(
            CAUSES.iter().any(|(known, _)| *known == cause),
            "{}: `{cause}` is no cause",
            file.display()
        );
        let paste = std::fs::read(place.join("paste.txt"))?;
        Ok(Self {
            url: value("url")?,
            title: value("title")?,
            tool: value("tool")?,
            shows: value("shows")?,
            answer: value("answer")?,
            says: value("says")?,
            cause,
            explanation: explain(&paste, "paste", None),
        })
    }

    /// The codes of the answer, the most important first.
    pub(super) fn codes(&self) -> Vec<&'static str> {
        let answer = &self.explanation.answer;
        let all = answer.findings.iter().chain(&answer.notes);
        let mut codes: Vec<&str> = all.map(|finding| finding.code).collect();
        codes.dedup();
        codes
    }

    /// Whether the answer names the cause.
    pub(super) fn agrees(&self) -> bool {
        self.agrees_within(usize::MAX)
    }

    /// Whether one of the most important codes names it.
    pub(super) fn agrees_within(&self, most: usize) -> bool {
        let mut codes = self.codes();
        codes.truncate(most);
        if self.cause == "nothing" {
            let findings = &self.explanation.answer.findings;
            let is_read = !self.explanation.reading.evidence.is_empty();
            return is_read && !findings.iter().any(|finding| finding.effect.is_fault());
        }
        let causes = CAUSES.iter().filter(|(cause, _)| *cause == self.cause);
        let named = causes.flat_map(|(_, accepted)| *accepted);
        let is_fact = FACTS.contains(&(self.tool.as_str(), self.cause.as_str()));
        let mut accepted = named.chain(is_fact.then_some(&"fact"));
        accepted.any(|code| codes.contains(code))
    }

    /// Whether "the page cache may have answered" would be right.
    pub(super) fn is_of_memory(&self) -> bool {
        self.cause == "memory"
    }
}
