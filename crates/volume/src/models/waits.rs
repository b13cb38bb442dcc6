//! What held single requests back: a model is followed, and what it says of each is counted.

use crate::model::{
    Admission, Counters, Demand, IoShape, LimitIndex, Served, VolumeModel, VolumeState,
};
use fathom_core::Nanos;
use fathom_core::SmallSort as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A model whose answers are counted; its copies count together.
#[derive(Clone, Debug)]
pub struct Counted {
    below: Box<dyn VolumeModel>,
    counts: Arc<Counts>,
}

/// How many requests each limit delayed.
#[derive(Debug)]
pub struct Counts {
    limits: Vec<(String, AtomicU64)>,
    free: AtomicU64,
}

/// What held requests back, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// Requests that waited for a limit, the one that held most of them first; none that held none.
    pub held: Vec<(String, u64)>,
    /// Requests that waited for no limit.
    pub free: u64,
}

impl Counted {
    /// Follows a model, and counts.
    pub fn over(below: Box<dyn VolumeModel>) -> Self {
        let limits = below.limits().into_iter();
        let limits = limits.map(|name| (name, AtomicU64::new(0)));
        Self {
            counts: Arc::new(Counts {
                limits: limits.collect(),
                free: AtomicU64::new(0),
            }),
            below,
        }
    }

    /// Follows several models of one kind, whose answers are counted together.
    pub fn over_all(models: Vec<Box<dyn VolumeModel>>) -> Vec<Self> {
        let mut followed: Vec<Self> = Vec::new();
        for below in models {
            let one = match followed.first() {
                None => Self::over(below),
                Some(first) => Self {
                    counts: first.counts(),
                    below,
                },
            };
            followed.push(one);
        }
        followed
    }

    /// Where the answers are counted.
    pub fn counts(&self) -> Arc<Counts> {
        Arc::clone(&self.counts)
    }
}

impl Counts {
    fn note(&self, bound: Option<LimitIndex>) {
        let limit = bound.and_then(|index| self.limits.get(usize::from(index)));
        let count = limit.map_or(&self.free, |(_, count)| count);
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// What they came to.
    pub fn waits(&self) -> Waits {
        let counts = self.limits.iter();
        let counts = counts.map(|(name, count)| (name.clone(), count.load(Ordering::Relaxed)));
        Waits::of(counts, self.free.load(Ordering::Relaxed))
    }
}

impl Waits {
    /// What each limit held, and what none did.
    pub(crate) fn of(counts: impl Iterator<Item = (String, u64)>, free: u64) -> Self {
        let mut held: Vec<(String, u64)> = counts.filter(|(_, count)| *count > 0).collect();
        held.small_sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Self { held, free }
    }
}

impl VolumeModel for Counted {
    fn admit(&mut self, io: IoShape, at: Nanos) -> Admission {
        let admission = self.below.admit(io, at);
        self.counts.note(admission.bound);
        admission
    }

    fn serve(&mut self, demand: &Demand, at: Nanos, span: Nanos) -> Served {
        self.below.serve(demand, at, span)
    }

    fn open_form(&self) -> Option<&'static str> {
        self.below.open_form()
    }

    fn counters(&mut self, at: Nanos) -> Option<Counters> {
        self.below.counters(at)
    }

    fn state(&self, at: Nanos) -> VolumeState {
        self.below.state(at)
    }

    fn limits(&self) -> Vec<String> {
        self.below.limits()
    }

    fn size_bytes(&self) -> u64 {
        self.below.size_bytes()
    }

    fn place(&self, target: u64, targets: u64) -> (u64, u64) {
        self.below.place(target, targets)
    }

    fn title(&self) -> &str {
        self.below.title()
    }

    fn boxed(&self) -> Box<dyn VolumeModel> {
        Box::new(self.clone())
    }
}
