//! What stands over a volume: caches, stalls, neighbours, faults, and counters that may lie.
//!
//! A [`Layer`] sees every request on its way to the volume below, and may put requests of its own
//! there. [`Layered`] makes one model of both, so that layers stand on each other. Layers follow
//! single requests only; none of them has a closed form.

mod collection;
mod counters;
mod faults;
mod flash_cache;
mod neighbour;
mod read_cache;
mod slowing;
mod stalls;
mod wobble;
mod write_cache;

pub use collection::Collection;
pub use counters::{CounterLayer, Lie};
pub use faults::{Fault, Faults};
pub use flash_cache::FlashCache;
pub use neighbour::Neighbour;
pub use read_cache::ReadCache;
pub use slowing::Slowing;
pub use stalls::{Stall, StallTimes, Stalls};
pub use wobble::Wobble;
pub use write_cache::WriteCache;

use crate::model::{Admission, Counters, Demand, IoShape, Level, Served, VolumeModel, VolumeState};
use fathom_core::{Nanos, Op};

/// Something over a volume.
pub trait Layer: std::fmt::Debug + Send + Sync {
    /// Takes a request, and passes it below if it comes so far.
    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission;

    /// Does what it does by itself until an instant.
    fn settle(&mut self, _at: Nanos, _below: &mut dyn VolumeModel) {}

    /// The instant by the clock of the volume below.
    fn instant_below(&self, at: Nanos) -> Nanos {
        at
    }

    /// Its own levels at an instant.
    fn levels(&self, _at: Nanos) -> Vec<Level> {
        Vec::new()
    }

    /// What is counted with this layer on top, from what is counted below it.
    fn counted(&mut self, _at: Nanos, below: Option<Counters>) -> Option<Counters> {
        below
    }

    /// A copy of its own.
    fn boxed(&self) -> Box<dyn Layer>;
}

/// A layer and what stands below it, as one volume.
#[derive(Debug)]
pub struct Layered {
    title: String,
    layer: Box<dyn Layer>,
    below: Box<dyn VolumeModel>,
}

impl Layered {
    /// A layer, by the word for it, over a volume.
    pub fn new(word: &str, layer: Box<dyn Layer>, below: Box<dyn VolumeModel>) -> Self {
        Self {
            title: format!("{} + {word}", below.title()),
            layer,
            below,
        }
    }
}

impl VolumeModel for Layered {
    fn admit(&mut self, io: IoShape, at: Nanos) -> Admission {
        self.layer.settle(at, self.below.as_mut());
        self.layer.admit(io, at, self.below.as_mut())
    }

    fn serve(&mut self, demand: &Demand, at: Nanos, span: Nanos) -> Served {
        // Nobody asks who has asked for `open_form`.
        self.below.serve(demand, at, span)
    }

    fn open_form(&self) -> Option<&'static str> {
        Some("layers over a volume are followed one request at a time")
    }

    fn counters(&mut self, at: Nanos) -> Option<Counters> {
        self.layer.settle(at, self.below.as_mut());
        let below = self.below.counters(self.layer.instant_below(at));
        self.layer.counted(at, below)
    }

    fn state(&self, at: Nanos) -> VolumeState {
        let mut state = self.below.state(self.layer.instant_below(at));
        state.levels.extend(self.layer.levels(at));
        state
    }

    fn limits(&self) -> Vec<String> {
        self.below.limits()
    }

    fn size_bytes(&self) -> u64 {
        self.below.size_bytes()
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn boxed(&self) -> Box<dyn VolumeModel> {
        Box::new(Self {
            title: self.title.clone(),
            layer: self.layer.boxed(),
            below: self.below.clone(),
        })
    }
}

/// Which requests a layer is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    #[default]
    All,
    /// Only reads.
    Reads,
    /// Writes, trims and flushes.
    Writes,
}

impl Scope {
    /// Whether an operation is included.
    pub const fn has(self, op: Op) -> bool {
        match self {
            Self::All => true,
            Self::Reads => matches!(op, Op::Read),
            Self::Writes => !matches!(op, Op::Read),
        }
    }
}

/// An answer without the volume below.
const fn own(done: Nanos) -> Admission {
    Admission {
        done,
        bound: None,
        fate: crate::model::Fate::Good,
    }
}

/// Nanoseconds that `bytes` take at a rate in bytes a second.
fn time_of(bytes: f64, rate: f64) -> Nanos {
    Nanos((bytes / rate * 1e9).ceil() as u64)
}

#[cfg(test)]
mod fixture;
