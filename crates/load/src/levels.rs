//! The levels of a simulated volume, interval by interval: what its credit did meanwhile.

use crate::simulated::device_use;
use crate::timeline::Timeline;
use fathom_core::Nanos;
use fathom_core::result::{DeviceUse, Gauge, MachineInterval};
use fathom_engine::sim::{Counters, VolumeState, WorldRef};

/// Notes the levels at the end of every interval of a phase.
#[derive(Debug)]
pub(crate) struct Levels {
    world: WorldRef,
    timeline: Timeline,
    /// Begin and end of the interval that is under way.
    start: Nanos,
    end: Nanos,
    intervals: Vec<MachineInterval>,
    /// What the device had done when it began, if anybody counts that.
    counters: Option<Counters>,
}

impl Levels {
    /// The phase begins.
    pub(crate) fn new(world: WorldRef, timeline: Timeline) -> Self {
        let place = timeline.place(timeline.start);
        let counters = world.borrow_mut().counters(timeline.start);
        Self {
            world,
            timeline,
            start: place.start,
            end: place.end,
            intervals: Vec::new(),
            counters,
        }
    }

    /// Notes all intervals that have ended; `measure_end` says when the measured time does, as far
    /// as is known by now.
    pub(crate) fn watch(&mut self, now: Nanos, measure_end: &dyn Fn() -> Nanos) {
        if now < self.end {
            return;
        }
        self.timeline.measure_end = measure_end();
        self.note_until(now);
    }

    fn note_until(&mut self, now: Nanos) {
        while self.end <= now {
            self.note();
            let next = self.timeline.place(self.start);
            // After all load there is nothing to note.
            self.end = next.end.min(self.timeline.load_end.max(self.start));
            if self.end <= self.start {
                self.end = Nanos::MAX;
                return;
            }
        }
    }

    /// Notes the interval under way as ended.
    fn note(&mut self) {
        let gauges = gauges(self.world.borrow().state(self.end));
        let devices = self.devices();
        if !gauges.is_empty() || !devices.is_empty() {
            self.intervals.push(MachineInterval {
                start_ns: self.start.saturating_sub(self.timeline.start).0,
                length_ns: (self.end - self.start).0,
                gauges,
                devices,
                ..MachineInterval::default()
            });
        }
        self.start = self.end;
    }

    /// What the device did in the interval under way.
    fn devices(&mut self) -> Vec<DeviceUse> {
        let Some(then) = self.counters else {
            return Vec::new();
        };
        self.counters = self.world.borrow_mut().counters(self.end);
        let now = self.counters.as_ref();
        now.map(|now| device_use(&then, now)).into_iter().collect()
    }

    /// The phase ends.
    pub(crate) fn finish(mut self, now: Nanos, measure_end: Nanos) -> Vec<MachineInterval> {
        self.timeline.measure_end = measure_end;
        self.note_until(now);
        if self.end != Nanos::MAX && now > self.start {
            self.end = now;
            self.note();
        }
        self.intervals
    }
}

fn gauges(state: VolumeState) -> Vec<Gauge> {
    let gauge = |level: fathom_engine::sim::Level| Gauge {
        name: level.name,
        unit: level.unit.to_owned(),
        value: level.value,
        full: Some(level.full),
    };
    state.levels.into_iter().map(gauge).collect()
}
