//! The counters of a simulated run: what the simulated device says that it has done in the measured
//! time, and what it was asked for. It may lie, as devices do.

use crate::watch::Counted;
use fathom_core::Nanos;
use fathom_core::result::{CountedIo, DeviceUse, Ledger};
use fathom_engine::sim::{Counters, RequestedBytes, WorldRef};

/// Name of the simulated device in results.
pub const DEVICE: &str = "sim";

/// Both sides at one instant.
#[derive(Clone, Copy, Debug)]
struct Look {
    device: Counters,
    asked: RequestedBytes,
}

/// Looks at both sides at the start and at the end of the measured time.
#[derive(Debug)]
pub(crate) struct SimulatedCounters {
    world: WorldRef,
    /// None where nobody counts, or nobody knows beforehand when the measured time begins.
    measure: Option<Nanos>,
    begin: Option<Look>,
    end: Option<Look>,
}

impl SimulatedCounters {
    /// Counters of a phase whose measured time begins at an instant, if that is known.
    pub(crate) fn new(world: WorldRef, measure: Option<Nanos>) -> Self {
        Self {
            world,
            measure,
            begin: None,
            end: None,
        }
    }

    /// Looks if it is time; the measured time ends at `end`, as far as is known now.
    pub(crate) fn watch(&mut self, now: Nanos, end: Nanos) {
        let Some(measure) = self.measure else { return };
        if self.begin.is_none() && now >= measure {
            self.begin = self.look(now);
            if self.begin.is_none() {
                self.measure = None;
                return;
            }
        }
        if self.begin.is_some() && self.end.is_none() && now >= end {
            self.end = self.look(now);
        }
    }

    fn look(&self, now: Nanos) -> Option<Look> {
        let mut world = self.world.borrow_mut();
        Some(Look {
            device: world.counters(now)?,
            asked: world.asked(),
        })
    }

    /// What was counted; the phase ended at `now`.
    pub(crate) fn finish(mut self, now: Nanos) -> Counted {
        self.watch(now, now);
        let (Some(begin), Some(end)) = (self.begin, self.end) else {
            return Counted::default();
        };
        let devices = vec![device_use(&begin.device, &end.device)];
        let spared = end.device.spared_read_bytes - begin.device.spared_read_bytes;
        let account = Ledger {
            device: Some(CountedIo::of_devices(&devices)),
            process: Some(CountedIo {
                read_bytes: (end.asked.read_bytes - begin.asked.read_bytes).saturating_sub(spared),
                write_bytes: end.asked.write_bytes - begin.asked.write_bytes,
                ..CountedIo::default()
            }),
            ..Ledger::default()
        };
        Counted {
            devices,
            account: Some(Box::new(account)),
            ..Counted::default()
        }
    }
}

/// What a simulated device counted between two looks.
pub(crate) fn device_use(begin: &Counters, end: &Counters) -> DeviceUse {
    DeviceUse {
        device: DEVICE.to_owned(),
        reads: end.reads - begin.reads,
        read_bytes: end.read_bytes - begin.read_bytes,
        reads_merged: 0,
        writes: end.writes - begin.writes,
        write_bytes: end.write_bytes - begin.write_bytes,
        writes_merged: 0,
        discards: end.discards - begin.discards,
        flushes: end.flushes - begin.flushes,
        read_time_ns: 0,
        write_time_ns: 0,
        busy_ns: end.busy_ns - begin.busy_ns,
        queue_ns: end.queue_ns - begin.queue_ns,
    }
}
