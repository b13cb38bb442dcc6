//! A phase, and where each of its jobs is: found once, so that thousands of rows are written in
//! linear time.

use fathom_core::result::{IntervalJob, IntervalResult, JobResult, PhaseResult, RunResult};
use std::collections::HashMap;

/// A phase whose jobs are looked up.
#[derive(Debug)]
pub(in crate::layout) struct Stage<'a> {
    pub(in crate::layout) phase: &'a PhaseResult,
    /// Whether its numbers are those of another program, to be given as they are.
    pub(in crate::layout) is_imported: bool,
    /// The jobs of each name.
    numbers: HashMap<&'a str, Vec<usize>>,
    /// Whether the entries of each interval are in the order of the jobs, one of each at most.
    in_order: Vec<bool>,
    /// Processor time of all workers, nanoseconds.
    pub(in crate::layout) cpu_ns: u64,
}

/// Processor time of the workers of a job, nanoseconds.
pub(in crate::layout) fn cpu_ns(job: &JobResult) -> u64 {
    job.workers.iter().map(|worker| worker.cpu_ns).sum()
}

impl<'a> Stage<'a> {
    pub(in crate::layout) fn new(phase: &'a PhaseResult) -> Self {
        let mut numbers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, job) in phase.jobs.iter().enumerate() {
            numbers.entry(&job.name).or_default().push(number);
        }
        let is_in_order = |interval: &IntervalResult| {
            let jobs = &interval.jobs;
            jobs.is_sorted_by(|first, second| first.job < second.job)
        };
        Self {
            phase,
            is_imported: false,
            numbers,
            in_order: phase.intervals.iter().map(is_in_order).collect(),
            cpu_ns: phase.jobs.iter().map(cpu_ns).sum(),
        }
    }

    /// The phases of a result by their names; of several repeats the first.
    pub(in crate::layout) fn all(result: &RunResult) -> HashMap<&str, Stage<'_>> {
        let mut all = HashMap::new();
        for phase in &result.phases {
            all.entry(phase.name.as_str()).or_insert_with(|| Stage {
                is_imported: result.provenance.origin.is_imported(),
                ..Stage::new(phase)
            });
        }
        all
    }

    /// The numbers of the jobs of these names, in their order.
    pub(in crate::layout) fn jobs(&self, names: &[String]) -> Vec<usize> {
        let found = names
            .iter()
            .filter_map(|name| self.numbers.get(name.as_str()));
        let mut found: Vec<usize> = found.flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The intervals, each with its entries of some jobs, which are in their order.
    pub(in crate::layout) fn intervals<'b>(
        &'b self,
        jobs: &'b [usize],
    ) -> impl Iterator<Item = (&'a IntervalResult, Vec<&'a IntervalJob>)> + 'b {
        let intervals = self.phase.intervals.iter().zip(&self.in_order);
        intervals.map(|(interval, is_in_order)| {
            let all = &interval.jobs;
            let entries = if *is_in_order {
                let place = |job: &usize| all.binary_search_by_key(job, |one| one.job as usize);
                let found = jobs.iter().filter_map(|job| Some(&all[place(job).ok()?]));
                found.collect()
            } else {
                let is_mine = |one: &&IntervalJob| jobs.binary_search(&(one.job as usize)).is_ok();
                all.iter().filter(is_mine).collect()
            };
            (interval, entries)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(names: &[&str], intervals: &[&[u32]]) -> PhaseResult {
        let job = |name: &&str| JobResult {
            name: (*name).to_owned(),
            ..JobResult::default()
        };
        let interval = |jobs: &&[u32]| IntervalResult {
            part: fathom_core::interval::Part::Measure,
            start_ns: 0,
            length_ns: 1,
            jobs: jobs
                .iter()
                .map(|job| IntervalJob {
                    job: *job,
                    ..IntervalJob::default()
                })
                .collect(),
        };
        PhaseResult {
            jobs: names.iter().map(job).collect(),
            intervals: intervals.iter().map(interval).collect(),
            ..PhaseResult::empty("p")
        }
    }

    #[test]
    fn jobs_are_found_by_their_names() {
        let phase = phase(&["a", "b", "a", "c"], &[]);
        let stage = Stage::new(&phase);
        let names = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(stage.jobs(&names(&["c", "a", "x"])), [0, 2, 3]);
        assert_eq!(stage.jobs(&names(&["b", "b"])), [1]);
    }

    #[test]
    fn entries_are_found_in_whatever_order_they_are() {
        let phase = phase(
            &["a", "b", "c"],
            &[&[0, 1, 2], &[1], &[2, 0, 1], &[0, 2, 2], &[]],
        );
        let stage = Stage::new(&phase);
        let found = stage.intervals(&[0, 2]);
        let found = found.map(|(_, entries)| entries.iter().map(|one| one.job).collect::<Vec<_>>());
        assert_eq!(
            found.collect::<Vec<_>>(),
            [vec![0, 2], vec![], vec![2, 0], vec![0, 2, 2], vec![]]
        );
    }
}
