//! Requests that end badly, and writes that only seem to end well.

use super::{Layer, Scope};
use crate::model::{Admission, Fate, IoShape, VolumeModel};
use fathom_core::{Nanos, Op};

/// How a request is spoilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It fails with an error number.
    Error(i32),
    /// It moves half of its bytes, and says so.
    Short,
    /// A write that is reported as done and not kept.
    Lost,
    /// A write that is reported as done and kept by half.
    Torn,
    /// A write that is reported as done and kept elsewhere, over the content there.
    Misdirected,
}

/// Spoils every n-th request of a scope.
#[derive(Clone, Debug)]
pub struct Faults {
    fault: Fault,
    every: u64,
    scope: Scope,
    seen: u64,
}

impl Faults {
    /// One of `every` requests of a scope ends this way. Only writes can be lost, torn or
    /// misdirected, only reads and writes short.
    pub fn new(fault: Fault, every: u64, scope: Scope) -> Self {
        Self {
            fault,
            every: every.max(1),
            scope,
            seen: 0,
        }
    }

    fn counts(&self, op: Op) -> bool {
        let can = match self.fault {
            Fault::Error(_) => true,
            Fault::Short => matches!(op, Op::Read | Op::Write),
            Fault::Lost | Fault::Torn | Fault::Misdirected => op == Op::Write,
        };
        can && self.scope.has(op)
    }
}

impl Layer for Faults {
    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        let served = below.admit(io, at);
        if !self.counts(io.op) {
            return served;
        }
        self.seen += 1;
        if !self.seen.is_multiple_of(self.every) {
            return served;
        }
        let fate = match self.fault {
            Fault::Error(number) => Fate::Failed(number),
            Fault::Short => Fate::Short,
            Fault::Lost => Fate::Lost,
            Fault::Torn => Fate::Torn,
            Fault::Misdirected => Fate::Misdirected,
        };
        Admission { fate, ..served }
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{device, read, write};
    use super::*;

    #[test]
    fn every_third_of_its_kind_is_spoilt() {
        let mut below = device(1);
        let mut fates = |mut layer: Faults| -> Vec<Fate> {
            let ios = [write(1), read(1), write(1), read(1), write(1), write(1)];
            ios.map(|io| layer.admit(io, Nanos(0), &mut below).fate)
                .to_vec()
        };
        let good = Fate::Good;
        let failed = Fate::Failed(28);
        assert_eq!(
            fates(Faults::new(Fault::Error(28), 3, Scope::All)),
            [good, good, failed, good, good, failed]
        );
        assert_eq!(
            fates(Faults::new(Fault::Short, 2, Scope::Reads)),
            [good, good, good, Fate::Short, good, good]
        );
        assert_eq!(
            fates(Faults::new(Fault::Lost, 3, Scope::All)),
            [good, good, good, good, Fate::Lost, good]
        );
        assert_eq!(
            fates(Faults::new(Fault::Misdirected, 4, Scope::All)),
            [good, good, good, good, good, Fate::Misdirected]
        );
    }
}
