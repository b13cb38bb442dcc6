//! What a result says of itself.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// A result in JSON.
pub(crate) struct Verdict {
    pub(crate) state: String,
    pub(crate) codes: Vec<String>,
    json: Value,
}

impl Verdict {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).context("there is no result")?;
        let json: Value = serde_json::from_str(&text).context("the result is no JSON")?;
        let caveats = json["caveats"].as_array().context("no caveats")?;
        let codes = caveats.iter().filter_map(|caveat| caveat["code"].as_str());
        let mut codes: Vec<String> = codes.map(str::to_owned).collect();
        codes.sort_unstable();
        codes.dedup();
        Ok(Self {
            state: json["state"].as_str().unwrap_or("none").to_owned(),
            codes,
            json: json.clone(),
        })
    }

    /// Those that do not tell of a machine that is busy, nor of a run that is short.
    pub(crate) fn of_the_storage(&self) -> Vec<&str> {
        let codes = self.codes.iter().map(String::as_str);
        codes
            .filter(|code| !OF_THE_MACHINE.contains(code) && !OF_SHORT_RUNS.contains(code))
            .collect()
    }

    /// What caveats of a code say.
    pub(crate) fn messages(&self, code: &str) -> Vec<&str> {
        let caveats = self.json["caveats"].as_array().into_iter().flatten();
        caveats
            .filter(|caveat| caveat["code"] == code)
            .filter_map(|caveat| caveat["message"].as_str())
            .collect()
    }

    /// Requests that the first job completed, of one kind.
    pub(crate) fn completed(&self, kind: &str) -> u64 {
        let job = &self.json["phases"][0]["jobs"][0];
        job[kind]["ios"].as_u64().unwrap_or(0)
    }

    /// As the table shows it.
    pub(crate) fn told(&self) -> String {
        format!("{} [{}]", self.state.to_uppercase(), self.codes.join(" "))
    }
}

/// What says how busy the machine is, which a siege beside other work cannot know.
pub(crate) const OF_THE_MACHINE: &[&str] = &[
    "background",
    "clock_step",
    "context_switches",
    "cpu_freq",
    "generator_bound",
    "generator_cpu",
    "generator_paused",
    "generator_starved",
    "io_workers",
    "long_intervals",
    "major_faults",
    "near_ceiling",
    "numa_remote",
    "overloaded",
    "rate_missed",
    "slow_clock",
    "steal",
    "steal_stalls",
    "submission_gaps",
    "tail_contaminated",
    "thermal",
    "wakeup_latency",
];

/// What is true of every run that is as short, and every file that is as small, as a siege has
/// time for.
pub(crate) const OF_SHORT_RUNS: &[&str] = &[
    "above_device",
    "burst_possible",
    "few_events",
    "not_steady",
    "short_run",
    "small_file",
    "trend",
];
