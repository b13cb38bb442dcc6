//! What the jobs of a phase get over an interval.

/// One interval of a phase, job by job.
#[derive(Clone, Debug)]
pub(super) struct Portion {
    /// Requests served.
    pub(super) requests: Vec<f64>,
    /// Mean outstanding requests; of an open load those that wait.
    pub(super) held: Vec<f64>,
    /// How late the latest arrival of an open load is, nanoseconds.
    pub(super) delay_ns: f64,
}

impl Portion {
    pub(super) fn of(jobs: usize) -> Self {
        Self {
            requests: vec![0.0; jobs],
            held: vec![0.0; jobs],
            delay_ns: 0.0,
        }
    }
}
