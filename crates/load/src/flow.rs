//! Jobs that keep a ratio of requests to each other.
//!
//! The threads of a flow count together what they issue. One whose part of that is larger than its
//! weight is of all weights waits until the others have caught up; one that has ended is not waited
//! for, and what it has issued no longer counts. It is the one thing that threads write together
//! for each request, and only those of a flow do.

use fathom_core::Nanos;
use fathom_core::spec::Job;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How soon a thread that is ahead looks again.
pub const LOOK_AGAIN: Nanos = Nanos::from_micros(20);

/// What the threads of a flow have in common.
#[derive(Debug, Default)]
pub struct Flow {
    issued: AtomicU64,
    weight: AtomicU64,
}

/// The part of one thread.
#[derive(Debug)]
pub struct FlowPart {
    flow: Arc<Flow>,
    weight: u64,
    issued: u64,
}

/// The flows of a phase, by their numbers.
#[derive(Debug, Default)]
pub struct Flows(BTreeMap<u32, Arc<Flow>>);

impl Flows {
    /// The part of another thread of a job; none where the job is in no flow.
    pub fn part(&mut self, job: &Job) -> Option<FlowPart> {
        let asked = job.flow?;
        let flow = Arc::clone(self.0.entry(asked.id).or_default());
        let weight = u64::from(asked.weight);
        flow.weight.fetch_add(weight, Ordering::Relaxed);
        Some(FlowPart {
            flow,
            weight,
            issued: 0,
        })
    }
}

impl FlowPart {
    /// Whether the others have to catch up before this thread issues more.
    pub fn is_ahead(&self) -> bool {
        let all = self.flow.issued.load(Ordering::Relaxed) + 1;
        let weights = self.flow.weight.load(Ordering::Relaxed);
        u128::from(self.issued) * u128::from(weights) > u128::from(self.weight) * u128::from(all)
    }

    /// Counts a request.
    pub fn count(&mut self) {
        self.issued += 1;
        self.flow.issued.fetch_add(1, Ordering::Relaxed);
    }

    /// The thread issues no more.
    pub fn leave(self) {
        self.flow.issued.fetch_sub(self.issued, Ordering::Relaxed);
        self.flow.weight.fetch_sub(self.weight, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::Flow as Asked;

    /// A thread in flow 1 with this weight.
    fn part(flows: &mut Flows, weight: u32) -> FlowPart {
        let job = Job {
            flow: Some(Asked { id: 1, weight }),
            ..Job::plain()
        };
        flows.part(&job).expect("it is in a flow")
    }

    /// What each of some threads issues while all of them try equally often.
    fn issued(parts: &mut [FlowPart], tries: u32) -> Vec<u64> {
        for _ in 0..tries {
            for part in parts.iter_mut() {
                if !part.is_ahead() {
                    part.count();
                }
            }
        }
        parts.iter().map(|part| part.issued).collect()
    }

    #[test]
    fn requests_are_as_the_weights() {
        let mut flows = Flows::default();
        assert!(flows.part(&Job::plain()).is_none());
        let mut parts = [1, 2, 3].map(|weight| part(&mut flows, weight));
        assert_eq!(issued(&mut parts, 3000), [1001, 2001, 3000]);
    }

    #[test]
    fn who_has_left_is_not_waited_for() {
        let mut flows = Flows::default();
        let mut two = [1, 2].map(|weight| part(&mut flows, weight));
        let mut third = [part(&mut flows, 3)];
        assert_eq!(issued(&mut two, 3000), [1, 2]);
        issued(&mut third, 10);
        let [third] = third;
        third.leave();
        assert_eq!(issued(&mut two, 3000), [1502, 3002]);
    }
}
