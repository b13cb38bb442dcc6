//! What a result says of itself.

use std::path::Path;

use anyhow::{Context as _, Result};
use fathom_core::CodeWord;
use fathom_verdict::Code;
use serde_json::Value;

/// A result in JSON.
pub(crate) struct Judgement {
    pub(crate) state: String,
    pub(crate) codes: Vec<CodeWord>,
    json: Value,
}

impl Judgement {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).context("there is no result")?;
        let json: Value = serde_json::from_str(&text).context("the result is no JSON")?;
        let caveats = json["caveats"].as_array().context("no caveats")?;
        let codes = caveats.iter().filter_map(|caveat| caveat["code"].as_str());
        let mut codes: Vec<CodeWord> = codes.map(CodeWord::foreign).collect();
        codes.sort_unstable();
        codes.dedup();
        Ok(Self {
            state: json["state"].as_str().unwrap_or("none").to_owned(),
            codes,
            json: json.clone(),
        })
    }

    /// Those that do not tell of a machine that is busy, nor of a run that is short.
    pub(crate) fn of_the_storage(&self) -> Vec<&CodeWord> {
        let known = [OF_THE_MACHINE, OF_SHORT_RUNS].concat();
        let codes = self.codes.iter();
        codes.filter(|code| !is_of(code, &known)).collect()
    }

    /// What caveats of a code say.
    pub(crate) fn messages(&self, code: &CodeWord) -> Vec<&str> {
        let caveats = self.json["caveats"].as_array().into_iter().flatten();
        caveats
            .filter(|caveat| caveat["code"] == code.as_str())
            .filter_map(|caveat| caveat["message"].as_str())
            .collect()
    }

    /// Requests that the first job completed, of one kind.
    pub(crate) fn completed(&self, kind: &str) -> u64 {
        let job = &self.json["phases"][0]["jobs"][0];
        job[kind]["ios"].as_u64().unwrap_or(0)
    }

    fn jobs(&self) -> impl Iterator<Item = &Value> {
        let phases = self.json["phases"].as_array().into_iter().flatten();
        phases.flat_map(|phase| phase["jobs"].as_array().into_iter().flatten())
    }

    fn operations(&self) -> impl Iterator<Item = &Value> {
        let kinds = ["read", "write", "trim", "flush"];
        self.jobs()
            .flat_map(move |job| kinds.map(|kind| &job[kind]))
    }

    /// The longest service time of all jobs and kinds, in seconds.
    pub(crate) fn longest_s(&self) -> f64 {
        let times = self
            .operations()
            .filter_map(|operation| operation["service_ns"]["max"].as_f64());
        times.fold(0.0, f64::max) / 1e9
    }

    /// Bytes of a mean request, of the kind whose requests are the largest.
    pub(crate) fn largest_mean_bytes(&self) -> f64 {
        let means = self.operations().filter_map(|operation| {
            let requests = operation["ios"].as_f64().filter(|ios| *ios > 0.0)?;
            Some(operation["bytes"].as_f64()? / requests)
        });
        means.fold(0.0, f64::max)
    }

    /// Seconds that all threads together had.
    pub(crate) fn thread_seconds(&self) -> f64 {
        let phases = self.json["phases"].as_array().into_iter().flatten();
        let seconds = phases.filter_map(|phase| {
            let threads: f64 = phase["jobs"].as_array()?.iter().fold(0.0, |sum, job| {
                sum + job["threads"].as_f64().unwrap_or_default()
            });
            Some(phase["measured_ns"].as_f64()? / 1e9 * threads)
        });
        seconds.sum()
    }

    /// Seconds that preparing took at the least by what the result says: each of a batch waits for
    /// the whole batch, and a batch has no more requests than the queue is deep.
    pub(crate) fn generation_seconds(&self) -> f64 {
        self.operations().fold(0.0, |sum, operation| {
            let each = operation["generation_ns"]["mean"].as_f64();
            let requests = operation["ios"].as_f64();
            sum + each.unwrap_or_default() * requests.unwrap_or_default() / 1e9
        }) / self.deepest()
    }

    /// The greatest queue depth of a thread.
    fn deepest(&self) -> f64 {
        let depths = self.jobs().filter_map(|job| {
            Some(job["queue_depth_possible"].as_f64()? / job["threads"].as_f64()?)
        });
        depths.fold(1.0, f64::max)
    }

    /// As the table shows it.
    pub(crate) fn told(&self) -> String {
        let codes: Vec<&str> = self.codes.iter().map(CodeWord::as_str).collect();
        format!("{} [{}]", self.state.to_uppercase(), codes.join(" "))
    }
}

/// Whether a code is one of these.
pub(crate) fn is_of(code: &CodeWord, all: &[Code]) -> bool {
    all.iter().any(|one| code == one)
}

/// What says how busy the machine and the program itself are, which a siege next to other work
/// cannot know.
pub(crate) const OF_THE_MACHINE: &[Code] = &[
    Code::Background,
    Code::ClockStep,
    Code::ContextSwitches,
    Code::CpuFreq,
    Code::GenerationTime,
    Code::GeneratorBound,
    Code::GeneratorCpu,
    Code::GeneratorPaused,
    Code::GeneratorStarved,
    Code::IoWorkers,
    Code::LongIntervals,
    Code::MajorFaults,
    Code::NearCeiling,
    Code::NumaRemote,
    Code::Overloaded,
    Code::RateMissed,
    Code::ReplayLate,
    Code::SlowClock,
    Code::Steal,
    Code::StealStalls,
    Code::SubmissionGaps,
    Code::TailContaminated,
    Code::Thermal,
    Code::WakeupLatency,
];

/// What is true of every run that is as short, and every file that is as small, as a siege has
/// time for.
pub(crate) const OF_SHORT_RUNS: &[Code] = &[
    Code::AboveDevice,
    Code::BurstPossible,
    Code::FewEvents,
    Code::NotSteady,
    Code::ShortRun,
    Code::SmallFile,
    Code::Trend,
];
