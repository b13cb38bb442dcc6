//! The table of checks, and what they make of a result together.

use crate::checks::{
    above_device, background, block_alignment, busy_before, cache_reads, ceiling, coarse_clock,
    context_switches, data_pattern, direct_honest, engine_fallback, extents, faster_than_link,
    few_events, flush_missing, generation_time, generator_cpu, generator_health, generator_paused,
    imported, interrupted, io_errors, io_workers, little, long_intervals, loop_cached,
    major_faults, memory_target, merged, neighbour, never_written, no_depth, no_device, no_polling,
    not_steady, nothing_measured, null_engine, numa_remote, overlapping_streams, overloaded,
    queue_depth_limited, rate_missed, read_modify_write, remote_owner, short_run, short_transfers,
    simulated, slow_clock, small_file, split, steal, steal_stalls, surroundings, thermal, too_slow,
    trend, verify_failed, wakeup_latency, write_cache, writes_deferred, zero_data,
};
use crate::coverage;
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, State};

/// One thing that is looked for.
#[derive(Debug)]
pub struct Check {
    /// Codes of the caveats it can raise; no other check raises them.
    pub codes: &'static [&'static str],
    /// Evidence without which it says nothing.
    pub needs: &'static [Evidence],
    /// What it looks for, in one line.
    pub purpose: &'static str,
    pub(crate) run: fn(&RunResult, &mut Vec<Caveat>),
}

/// All checks, in the order in which their caveats of the same level are listed.
pub static CHECKS: [Check; 72] = [
    nothing_measured::CHECK,
    null_engine::CHECK,
    simulated::CHECK,
    imported::CHECK,
    verify_failed::CHECK,
    io_errors::CHECK,
    interrupted::CHECK,
    memory_target::CHECK,
    remote_owner::CHECK,
    cache_reads::CHECK,
    loop_cached::CHECK,
    writes_deferred::CHECK,
    neighbour::CHECK,
    busy_before::CHECK,
    flush_missing::CHECK,
    write_cache::ACKNOWLEDGED,
    write_cache::FLUSH,
    write_cache::PERSISTENT,
    write_cache::DURABLE,
    data_pattern::CHECK,
    read_modify_write::CHECK,
    block_alignment::CHECK,
    direct_honest::CHECK,
    extents::CHECK,
    never_written::CHECK,
    faster_than_link::CHECK,
    faster_than_link::TOO_FAST,
    thermal::CHECK,
    background::CHECK,
    background::DISCARDED,
    surroundings::LIMITED,
    surroundings::MEMORY,
    split::CHECK,
    merged::CHECK,
    no_device::CHECK,
    little::CHECK,
    ceiling::CHECK,
    queue_depth_limited::CHECK,
    generation_time::CHECK,
    generator_cpu::CHECK,
    io_workers::CHECK,
    no_polling::CHECK,
    steal::CHECK,
    steal_stalls::CHECK,
    generator_paused::CHECK,
    generator_health::STARVED,
    generator_health::QUOTA,
    generator_health::FREQUENCIES,
    generator_health::HICCUPS,
    wakeup_latency::CHECK,
    context_switches::CHECK,
    major_faults::CHECK,
    numa_remote::CHECK,
    above_device::CHECK,
    overloaded::CHECK,
    rate_missed::CHECK,
    not_steady::CHECK,
    no_depth::CHECK,
    too_slow::CHECK,
    trend::CHECK,
    short_run::CHECK,
    few_events::CHECK,
    trend::BURST,
    zero_data::CHECK,
    small_file::CHECK,
    overlapping_streams::CHECK,
    short_transfers::CHECK,
    engine_fallback::CHECK,
    slow_clock::CHECK,
    coarse_clock::CHECK,
    long_intervals::CHECK,
    surroundings::CLOCK,
];

/// Codes of the checks whose evidence every source has. The others would take a field that an
/// import cannot fill for a bad sign.
const OF_IMPORTS: [&str; 5] = [
    "imported",
    "io_errors",
    "not_steady",
    "nothing_measured",
    "short_transfers",
];

impl Check {
    fn applies_to(&self, result: &RunResult) -> bool {
        !result.provenance.origin.is_imported()
            || self.codes.iter().any(|code| OF_IMPORTS.contains(code))
    }
}

/// Runs all checks that `result` has the evidence for; sets its caveats, the worst first, and its
/// state.
///
/// Caveats that others have put there stay. Those of an earlier judgement are replaced, so
/// judging twice is judging once.
pub fn judge(result: &mut RunResult) {
    let ours = |code: &str| CHECKS.iter().any(|check| check.codes.contains(&code));
    let mut caveats: Vec<Caveat> = result.caveats.clone();
    caveats.retain(|caveat| !ours(&caveat.code));
    for check in CHECKS.iter().filter(|check| check.applies_to(result)) {
        (check.run)(result, &mut caveats);
    }
    caveats.sort_by_key(|caveat| std::cmp::Reverse(caveat.level));
    result.state = State::of(&caveats);
    result.caveats = caveats;
    result.coverage = coverage::of(result, &CHECKS);
}

/// What one check finds.
#[cfg(test)]
pub(crate) fn found(check: &Check, result: &RunResult) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    (check.run)(result, &mut caveats);
    for caveat in &caveats {
        assert!(check.codes.iter().any(|code| *code == caveat.code));
    }
    caveats
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::{Level, fixture};

    #[test]
    fn every_code_belongs_to_one_check() {
        let mut codes: Vec<&str> = CHECKS
            .iter()
            .flat_map(|check| check.codes)
            .copied()
            .collect();
        let all = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all);
    }

    #[test]
    fn a_clean_result_is_valid() {
        let mut result = fixture::random_read();
        result.state = State::Invalid;
        judge(&mut result);
        assert_eq!((result.state, result.caveats), (State::Valid, vec![]));
    }

    #[test]
    fn the_worst_comes_first_and_judging_again_changes_nothing() {
        let mut result = fixture::random_read();
        let foreign = Caveat::new("clock_offset", Level::Qualified, "from elsewhere");
        result.caveats = vec![foreign.clone()];
        result.phases[0].process.steal_percent = 7.0;
        result.phases[0].jobs[0].workers[0].long_intervals = 2;
        judge(&mut result);
        let once = result.clone();
        judge(&mut result);
        assert_eq!(result, once);
        let codes: Vec<&str> = result.caveats.iter().map(|c| c.code.as_str()).collect();
        assert_eq!(codes, ["steal", "clock_offset", "long_intervals"]);
        assert_eq!(result.state, State::Suspect);
    }
}
