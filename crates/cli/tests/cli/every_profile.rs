//! Every profile runs: a second of each of its phases, in virtual time, or a few files really.

use crate::command::Cli;
use fathom_core::result::RunResult;

#[test]
fn every_profile_runs_a_simulated_second() {
    for profile in fathom_tools::profiles::PROFILES {
        let workload = profile.workload().expect("it was tried by its own tests");
        let mut jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
        let how = if jobs.any(|job| job.files.is_some()) {
            // No simulated volume knows files.
            ["--target", ".", "--files", "100"]
        } else {
            ["--engine", "sim", "--sim-service-time", "5ms"]
        };
        let words = ["run", profile.name].into_iter().chain(how);
        let rest = [
            "--time",
            "1s",
            "--warm-up",
            "0s",
            "--quiet",
            "--output",
            "json:result.json",
        ];
        let (ended, folder) = Cli::new(words.chain(rest)).end();
        // 1 says that the volume did not keep up with a fixed rate, 5 that a second is too short to
        // decide on a requirement: answers as well.
        assert!(
            matches!(ended.status, Some(0 | 1 | 5)),
            "{}: {ended:?}",
            profile.name
        );
        let text = std::fs::read_to_string(folder.path().join("result.json")).expect("a result");
        let result = RunResult::from_json(&text).expect("a result");
        assert_eq!(
            result.phases.len(),
            workload.phases.len() * workload.repeat as usize,
            "{}",
            profile.name
        );
        for phase in &result.phases {
            let completed: u64 = phase.jobs.iter().map(|job| job.completed).sum();
            assert!(
                completed > 0,
                "{}: {} did nothing",
                profile.name,
                phase.name
            );
        }
    }
}
