//! What came of a measurement: every member accounted for, and the sums of all.

use super::{Coordinator, MemberFate, Start};
use crate::event::{self, Counted, Name};
use crate::merged::PhaseTotal;
use crate::message::{Identity, MemberPlace, MemberResult};
use fathom_core::caveat::{Caveat, Level, State};
use fathom_verdict::Code;

/// One member and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberOutcome {
    /// The names that a person knows it by.
    pub name: Name,
    /// Who it is, if it came.
    pub identity: Option<Identity>,
    /// Its number among all members, if it was reported.
    pub place: Option<MemberPlace>,
    /// Seed of its random choices.
    pub seed: u64,
    /// What became of it.
    pub fate: MemberFate,
    /// Up to where it is counted.
    pub counted: Option<Counted>,
    /// Its clock against the coordinator's, and by how much that may be wrong, nanoseconds.
    pub offset_ns: Option<(i64, u64)>,
    /// How it started each phase.
    pub starts: Vec<Option<Start>>,
    /// What it said at its end.
    pub result: Option<MemberResult>,
    /// Whether what it said is what its intervals added up to.
    pub is_balanced: Option<bool>,
    /// What it made and nobody could remove, where it was lost.
    pub left: Vec<String>,
}

impl MemberOutcome {
    /// Whether it went through this phase to its end, whatever became of it later: it has reported
    /// all, or something of a later phase.
    pub fn has_finished(&self, phase: usize) -> bool {
        let began_next = self.starts.get(phase + 1).copied().flatten().is_some();
        let counted = self.counted.is_some_and(|one| one.phase as usize > phase);
        self.result.is_some() || began_next || counted
    }
}

/// What came of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurementOutcome {
    /// All members, by rank.
    pub members: Vec<MemberOutcome>,
    /// Sums over all members, by phase.
    pub phases: Vec<PhaseTotal>,
    /// Share of the members below which the result is no answer, percent.
    pub invalid_below_percent: f64,
    /// Why nothing was measured, if nothing was.
    pub abandoned: Option<String>,
    /// Whether the user ended it.
    pub interrupted: bool,
}

impl MeasurementOutcome {
    pub(crate) fn of(coordinator: &Coordinator) -> Self {
        let seats = coordinator.seats().iter().enumerate();
        let member = |(rank, seat): (usize, &crate::coordinator::Seat)| MemberOutcome {
            name: seat.name(rank as u32),
            identity: seat.identity.clone(),
            place: seat.place.clone(),
            seed: seat.seed,
            fate: seat
                .fate
                .clone()
                .unwrap_or_else(|| MemberFate::Lost("it had not reported yet".to_owned())),
            counted: seat.counted,
            offset_ns: seat.offset,
            starts: seat.starts.clone(),
            result: seat.result.as_deref().cloned(),
            is_balanced: seat.is_balanced,
            left: seat.left.clone(),
        };
        Self {
            members: seats.map(member).collect(),
            phases: coordinator.merged().phases(),
            invalid_below_percent: coordinator.setup().rules.invalid_below_percent,
            abandoned: coordinator.abandoned().map(str::to_owned),
            interrupted: coordinator.interrupted(),
        }
    }

    /// Members that reported all.
    pub fn finished(&self) -> usize {
        let fates = self.members.iter().map(|member| &member.fate);
        fates.filter(|fate| **fate == MemberFate::Finished).count()
    }

    /// Earliest and latest start of a phase against the common instant, and the largest error of
    /// any of them, nanoseconds; none if nobody started it.
    pub fn starts(&self, phase: usize) -> Option<(i64, i64, u64)> {
        let starts = self
            .members
            .iter()
            .filter_map(|member| *member.starts.get(phase)?);
        let starts: Vec<Start> = starts.collect();
        let late = || starts.iter().map(|start| start.late_ns);
        let error = starts.iter().map(|start| start.error_ns).max()?;
        Some((late().min()?, late().max()?, error))
    }

    /// Caveats that follow from members that are missing or gone.
    pub fn caveats(&self) -> Vec<Caveat> {
        let mut caveats: Vec<Caveat> = self.members.iter().filter_map(gone).collect();
        let (finished, all) = (self.finished(), self.members.len());
        let share = 100.0 * finished as f64 / all.max(1) as f64;
        if finished < all && share < self.invalid_below_percent {
            let message = format!(
                "{finished} of {all} members finished ({share:.0} %), fewer than the {} % that are \
                 needed for an answer",
                self.invalid_below_percent
            );
            caveats.push(Code::MembersTooFew.caveat(Level::Invalid, message));
        }
        let off = self
            .members
            .iter()
            .filter(|one| one.is_balanced == Some(false));
        caveats.extend(off.map(|one| {
            let message = format!(
                "{} reports totals that its intervals do not add up to",
                one.name
            );
            Code::MemberUnbalanced
                .caveat(Level::Invalid, message)
                .remedy("this is a defect of fathom: save the output and report it")
                .about(one.name.to_string())
        }));
        caveats
    }

    /// All sums in a form of which equal results have the same bytes.
    pub fn sums(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.phases).expect("sums are plain data")
    }

    /// How far the result may be trusted as far as members go.
    pub fn state(&self) -> State {
        State::of(&self.caveats())
    }
}

fn gone(member: &MemberOutcome) -> Option<Caveat> {
    let (code, what, why, remedy) = match &member.fate {
        MemberFate::Finished => return None,
        MemberFate::Missing(why) => (
            Code::MemberMissing,
            "did not take part",
            why,
            "check that the member is up, and measure again",
        ),
        MemberFate::Failed(why) => (
            Code::MemberFailed,
            "failed",
            why,
            "fix the cause, and measure again",
        ),
        MemberFate::Lost(why) => (
            Code::MemberLost,
            "was lost",
            why,
            "find the cause, and measure again. The sums after that time cover fewer members",
        ),
    };
    let until = event::counted(member.counted.as_ref());
    let places = member.left.join(" ");
    let (left, removal) = if places.is_empty() {
        (String::new(), String::new())
    } else {
        let left = format!("; it left what it made at {places}");
        (left, format!("; {} {places}, on its host", event::REMEDY))
    };
    let message = format!("{} {what}: {why}; {until}{left}", member.name);
    let remedy = format!("{remedy}{removal}");
    let caveat = code.caveat(Level::Qualified, message);
    Some(caveat.remedy(remedy).about(member.name.to_string()))
}
