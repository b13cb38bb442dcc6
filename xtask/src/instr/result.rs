//! The I/Os a run says it made.

use anyhow::{Context, Result};
use serde::Deserialize;

#[derive(Deserialize)]
struct RunResult {
    phases: Vec<Phase>,
}

#[derive(Deserialize)]
struct Phase {
    jobs: Vec<Job>,
}

#[derive(Deserialize)]
struct Job {
    read: Read,
}

#[derive(Deserialize)]
struct Read {
    ios: u64,
}

/// Reads completed in all phases and jobs of a result as `--output json` writes it.
pub(super) fn reads(json: &str) -> Result<u64> {
    let result: RunResult = serde_json::from_str(json).context("cannot read the run's result")?;
    Ok(result
        .phases
        .iter()
        .flat_map(|phase| &phase.jobs)
        .map(|job| job.read.ios)
        .sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_are_summed_over_phases_and_jobs() {
        let job = |ios: u64| format!("{{\"name\": \"a\", \"read\": {{\"ios\": {ios}}}}}");
        let json = format!(
            "{{\"phases\": [{{\"jobs\": [{}, {}]}}, {{\"jobs\": [{}]}}], \"state\": \"VALID\"}}",
            job(1),
            job(20),
            job(300)
        );
        assert_eq!(reads(&json).unwrap(), 321);
    }
}
