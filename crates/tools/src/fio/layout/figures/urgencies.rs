//! Latencies by priority, as fio tells them: only of a direction with several.

use super::Latency;
use fathom_core::result::{OpResult, UrgencyResult};
use fathom_core::spec::Priority;

/// Requests of one priority.
#[derive(Clone, Debug)]
pub(in crate::fio::layout) struct Urgency {
    /// fio's numbers of its class and level; 0 of what has none.
    pub(in crate::fio::layout) class: u16,
    pub(in crate::fio::layout) level: u16,
    /// From issue to completion.
    pub(in crate::fio::layout) latency: Latency,
    /// From the begin of the preparation, where that was kept of each request.
    pub(in crate::fio::layout) total: Latency,
}

/// Some operations, added up by priority.
pub(super) fn sum(results: &[&OpResult]) -> Vec<Urgency> {
    let all = || results.iter().flat_map(|op| &op.urgencies);
    let mut had: Vec<Option<Priority>> = Vec::new();
    for one in all() {
        if !had.contains(&one.priority) {
            had.push(one.priority);
        }
    }
    if had.len() < 2 {
        return Vec::new();
    }
    let one = |priority: &Option<Priority>| {
        let alike = || all().filter(|one| one.priority == *priority);
        let number = priority.map_or(0, Priority::number);
        Urgency {
            class: number >> 13,
            level: number & 7,
            latency: Latency::sum(alike().map(of_service)),
            total: Latency::sum(alike().filter_map(of_total)),
        }
    };
    had.iter().map(one).collect()
}

fn of_service(one: &UrgencyResult) -> Latency {
    Latency::of(&one.service_ns, Some(&one.service_histogram))
}

fn of_total(one: &UrgencyResult) -> Option<Latency> {
    let total = one.total_ns.as_ref()?;
    Some(Latency::of(total, one.total_histogram.as_ref()))
}
