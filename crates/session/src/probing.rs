//! Short runs in addition to those that were asked for: the plan of a run that is to be explained,
//! or whose storage is probed.

mod ceiling;
mod cliff;
mod explain;
mod micro;

pub use micro::{MicroProbes, NotProbed};

use fathom_core::result::{MicroProbe, PhaseResult, Probe, ProbeKind, RunResult};
use fathom_core::spec::{Phase, Workload};
use fathom_core::{Bytes, EngineKind};
use fathom_load::course::{Leg, PhaseOrder};

/// Which short runs are wanted.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// More load after each phase.
    pub explain: bool,
    /// Writes made to find out about the storage.
    pub micro: Option<MicroProbes>,
    /// The load generator alone, after each phase.
    pub ceiling: bool,
    /// Whether each thread of the engine has one request at a time.
    pub is_synchronous: bool,
    /// Writes until the storage shows how fast it really is, at most this number of bytes.
    pub cliff: Option<(MicroProbes, Bytes)>,
}

impl Wishes {
    /// What a run of this engine can have: where nothing is stored or time is made up, the
    /// generator's own speed is no limit.
    #[must_use]
    pub fn with_engine(mut self, engine: Option<EngineKind>) -> Self {
        self.ceiling &= engine.is_none_or(EngineKind::is_real);
        self.is_synchronous = engine.is_some_and(|engine| !engine.capabilities().batches);
        self
    }
}

/// What a leg of the course is.
#[derive(Clone, Debug)]
enum Part {
    /// A phase that was asked for.
    Phase,
    /// A probe of the phase of this name.
    Probe(String, ProbeKind),
    /// A round of a question to the storage, with its number.
    Micro(ProbeKind, u32),
    /// Writes until the rate falls, as many bytes as were asked for.
    Cliff(Bytes),
}

/// The phases of a workload, after each its probes, and at the end those of the whole run: they
/// write, and must not change what is measured.
#[derive(Debug)]
pub struct ProbedCourse {
    legs: Vec<(Part, Leg)>,
    next: usize,
    /// Whether a fall is looked into on the way.
    explain: bool,
}

impl ProbedCourse {
    /// The course of a workload. For micro-probes the plan's workload must have their template
    /// phase, see [`MicroProbes::extend`].
    pub fn new(workload: &Workload, wishes: &Wishes) -> Self {
        let mut legs = Vec::new();
        for repeat in 1..=workload.repeat {
            for (template, phase) in workload.phases.iter().enumerate() {
                let leg = |phase: Phase, alone: bool| Leg {
                    template,
                    repeat,
                    phase,
                    alone,
                    interval: None,
                };
                legs.push((Part::Phase, leg(phase.clone(), false)));
                // Once is enough: the last repeat finds the storage as the others left it.
                if repeat < workload.repeat {
                    continue;
                }
                let about = |kind| Part::Probe(phase.name.clone(), kind);
                if wishes.explain {
                    let probes = explain::probes(phase, wishes.is_synchronous).into_iter();
                    legs.extend(probes.map(|(kind, probe)| (about(kind), leg(probe, false))));
                }
                if wishes.ceiling {
                    let probe = ceiling::probe(phase);
                    legs.extend(probe.map(|probe| (about(ProbeKind::Ceiling), leg(probe, true))));
                }
            }
        }
        if let Some(micro) = &wishes.micro {
            let rounds = micro.rounds().into_iter();
            legs.extend(rounds.map(|(kind, number, phase)| {
                let leg = Leg {
                    template: workload.phases.len(),
                    repeat: 1,
                    phase,
                    alone: false,
                    interval: None,
                };
                (Part::Micro(kind, number), leg)
            }));
        }
        if let Some((probes, limit)) = &wishes.cliff {
            let leg = Leg {
                template: workload.phases.len(),
                repeat: 1,
                phase: cliff::phase(probes.template(), *limit),
                alone: false,
                interval: Some(cliff::INTERVAL),
            };
            legs.push((Part::Cliff(*limit), leg));
        }
        Self {
            legs,
            next: 0,
            explain: wishes.explain,
        }
    }

    /// Takes the probes out of a result of this course and puts them after its phases.
    pub fn sort(&self, result: &mut RunResult, workload: &Workload) {
        result
            .provenance
            .workload
            .phases
            .clone_from(&workload.phases);
        let done = std::mem::take(&mut result.phases);
        let mut asked: Vec<(ProbeKind, Vec<(u32, PhaseResult)>)> = Vec::new();
        for ((part, leg), phase) in self.legs.iter().zip(done) {
            match part {
                Part::Cliff(asked) => {
                    result.cliff = Some(Box::new(cliff::report(leg, &phase, *asked)));
                }
                Part::Phase => result.phases.push(phase),
                Part::Probe(of_phase, kind) => result.probes.push(Probe {
                    of_phase: of_phase.clone(),
                    kind: *kind,
                    phase,
                }),
                Part::Micro(kind, number) => {
                    let round = (*number, phase);
                    match asked.iter_mut().find(|(known, _)| known == kind) {
                        Some((_, rounds)) => rounds.push(round),
                        None => asked.push((*kind, vec![round])),
                    }
                }
            }
        }
        let asked = asked.iter();
        result.micro_probes = asked
            .map(|(kind, rounds)| micro::gather(*kind, rounds))
            .collect();
        ceiling::note(result);
    }
}

impl ProbedCourse {
    /// Adds what a fall asks for, once it is known whether the rate came back.
    fn hear(&mut self, done: &[PhaseResult]) {
        let Some(last) = done.len().checked_sub(1).filter(|_| self.explain) else {
            return;
        };
        let Some((Part::Probe(name, ProbeKind::Same), _)) = self.legs.get(last) else {
            return;
        };
        let Some(before) = last.checked_sub(1) else {
            return;
        };
        let (Part::Phase, leg) = &self.legs[before] else {
            return;
        };
        let found = explain::after_a_fall(&leg.phase, &done[before], &done[last]);
        let (name, leg) = (name.clone(), leg.clone());
        for (kind, phase) in found.into_iter().rev() {
            let leg = Leg {
                phase,
                ..leg.clone()
            };
            let probe = Part::Probe(name.clone(), kind);
            self.legs.insert(self.next, (probe, leg));
        }
    }
}

impl PhaseOrder for ProbedCourse {
    fn next_leg(&mut self, done: &[PhaseResult]) -> Option<Leg> {
        self.hear(done);
        let (_, leg) = self.legs.get(self.next)?;
        self.next += 1;
        Some(leg.clone())
    }

    fn expected(&self) -> usize {
        self.legs.len()
    }

    fn prepared(&mut self, align_bytes: u64, room_bytes: &[u64]) {
        for (part, leg) in &mut self.legs {
            if let (Part::Cliff(_), Some(room)) = (&part, room_bytes.get(leg.template)) {
                cliff::fit(&mut leg.phase, *room);
            }
        }
        // What must be aligned to more cannot be asked with less.
        if align_bytes > MicroProbe::SHIFT_BYTES {
            let shifted = |part: &Part| matches!(part, Part::Micro(ProbeKind::Shifted, _));
            self.legs.retain(|(part, _)| !shifted(part));
        }
    }
}
