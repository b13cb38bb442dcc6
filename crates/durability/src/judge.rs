//! What was read back, held against what had been acknowledged.

use crate::history::{History, PlaceHistory};
use crate::log::{End, Log};
use crate::plan::Plan;
use crate::promise::Promise;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What 512 bytes of a place hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Whole, of the run and of this place: the step that wrote it.
    Of(u64),
    /// Nothing of the run: zeros, or what was there before.
    Before,
    /// Begins as a block of ours, and its sum does not fit.
    Damaged,
    /// Whole, and of another place.
    Misplaced,
    /// Beyond the end of its file.
    Missing,
    /// Cannot be read.
    Unreadable,
}

/// What is asked for the places.
pub trait Storage {
    /// The units of a place; none where its file is not there.
    fn units(&mut self, promise: Promise, place: u64) -> Vec<Unit>;
}

/// What became of a write that was promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Harm {
    /// Nothing of the run is there.
    Lost,
    /// A part of it is there, and a part is not.
    Torn,
    /// An older write is there.
    Stale,
    /// The data found do not match their checksum.
    Damaged,
    /// The write of another place is there.
    Misplaced,
    /// The place cannot be read.
    Unreadable,
}

impl Harm {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Lost,
        Self::Torn,
        Self::Stale,
        Self::Damaged,
        Self::Misplaced,
        Self::Unreadable,
    ];

    /// Its word in texts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Torn => "torn",
            Self::Stale => "stale",
            Self::Damaged => "damaged",
            Self::Misplaced => "misplaced",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Why it is unknown whether a promise was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Open {
    /// The log contains no acknowledgement that promises anything.
    NothingAcknowledged,
    /// The writer ended by itself, and power may not have been cut at all.
    EndedByItself,
    /// The machine is up since before the run.
    SameBoot,
}

/// Whether a promise was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All that was acknowledged is there.
    Kept,
    /// Something that was acknowledged is not.
    Broken,
    /// Nobody can say.
    CannotTell(Open),
}

/// A promise that was broken, at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Broken {
    /// The step whose write is not there.
    pub sequence: u64,
    /// Its offset, bytes from the start of its file or device.
    pub offset_bytes: u64,
    /// What became of it.
    pub harm: Harm,
}

/// One promise, judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Which.
    pub promise: Promise,
    /// Whether it was kept.
    pub state: State,
    /// Acknowledgements that promise something.
    pub acknowledged: u64,
    /// Places whose last promised write was looked for. Others of these writes were written over
    /// since.
    pub checked: u64,
    /// Promised writes that are not there as they should be, by what became of them.
    pub harmed: BTreeMap<Harm, u64>,
    /// Of these, those of which a later write that nothing promised is there.
    pub reordered: u64,
    /// Places where a write that was under way is there in part, as it may be.
    pub torn_under_way: u64,
    /// Units of steps that are not in the acknowledgement log, which is incomplete.
    pub beyond_log: u64,
    /// The first in the order of writing that is not there.
    pub first: Option<Broken>,
}

/// What is known of the power cut in addition to the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Whether this is still the boot in which was written.
    pub is_same_boot: bool,
    /// Whether the user states that power was cut.
    pub is_vouched_for: bool,
}

/// Judges every promise of a run.
pub fn judge(log: &Log, cut: Cut, storage: &mut dyn Storage) -> Vec<Judgement> {
    let plan = &log.header.plan;
    let history = History::of(log);
    let promises = plan.promises.iter();
    promises
        .map(|promise| {
            let mut book = Book::new(plan, *promise, history.issued);
            for ((_, number), place) in history.places.range(range(*promise)) {
                book.add(*number, place, &storage.units(*promise, *number));
            }
            let acknowledged = history.acknowledged[promise];
            book.close(acknowledged, open(log, cut, acknowledged))
        })
        .collect()
}

const fn range(promise: Promise) -> std::ops::RangeInclusive<(Promise, u64)> {
    (promise, 0)..=(promise, u64::MAX)
}

/// Why nobody could say that a promise was kept.
fn open(log: &Log, cut: Cut, acknowledged: u64) -> Option<Open> {
    let by_itself = matches!(log.end, Some(End::Time | End::Interrupted));
    if acknowledged == 0 {
        Some(Open::NothingAcknowledged)
    } else if cut.is_vouched_for {
        None
    } else if cut.is_same_boot {
        Some(Open::SameBoot)
    } else if by_itself {
        Some(Open::EndedByItself)
    } else {
        None
    }
}

/// What is found of one promise.
struct Book<'a> {
    plan: &'a Plan,
    issued: u64,
    found: Judgement,
    harmed: Vec<Broken>,
    /// The latest write that is there without having been promised.
    latest_pending: u64,
}

impl<'a> Book<'a> {
    fn new(plan: &'a Plan, promise: Promise, issued: u64) -> Self {
        Self {
            plan,
            issued,
            found: Judgement {
                promise,
                state: State::Kept,
                acknowledged: 0,
                checked: 0,
                harmed: BTreeMap::new(),
                reordered: 0,
                torn_under_way: 0,
                beyond_log: 0,
                first: None,
            },
            harmed: Vec::new(),
            latest_pending: 0,
        }
    }

    fn add(&mut self, number: u64, place: &PlaceHistory, units: &[Unit]) {
        for unit in units {
            if let Unit::Of(sequence) = *unit {
                if place.pending.contains(&sequence) {
                    self.latest_pending = self.latest_pending.max(sequence);
                }
                self.found.beyond_log += u64::from(sequence > self.issued);
            }
        }
        self.found.checked += u64::from(place.promised.is_some());
        let harm = if self.found.promise == Promise::Rename {
            name_harm(place, units)
        } else {
            self.block_harm(place, units)
        };
        if let Some((sequence, harm)) = harm {
            self.harmed.push(Broken {
                sequence,
                offset_bytes: self.plan.offset_bytes(self.found.promise, number),
                harm,
            });
        }
    }

    /// What became of the write that was promised at a place. What was under way there may be torn,
    /// also within a sector.
    fn block_harm(&mut self, place: &PlaceHistory, units: &[Unit]) -> Option<(u64, Harm)> {
        let promised = place.promised?;
        let may_be = |unit: &Unit| match *unit {
            Unit::Of(sequence) => place.allows(sequence) || sequence > self.issued,
            Unit::Damaged => !place.pending.is_empty(),
            _ => false,
        };
        let good = units.iter().filter(|unit| may_be(unit)).count();
        if good == self.plan.units() {
            let is_mixed = units.windows(2).any(|pair| pair[0] != pair[1]);
            self.found.torn_under_way += u64::from(is_mixed);
            return None;
        }
        let bad = units.iter().filter(|unit| !may_be(unit));
        Some((promised, harm_of(good > 0, bad)))
    }

    fn close(mut self, acknowledged: u64, open: Option<Open>) -> Judgement {
        for one in &self.harmed {
            *self.found.harmed.entry(one.harm).or_default() += 1;
            self.found.reordered += u64::from(one.sequence < self.latest_pending);
        }
        self.found.first = self.harmed.into_iter().min_by_key(|one| one.sequence);
        self.found.acknowledged = acknowledged;
        self.found.state = match (self.found.first, open) {
            (Some(_), _) => State::Broken,
            (None, Some(open)) => State::CannotTell(open),
            (None, None) => State::Kept,
        };
        self.found
    }
}

/// What a place that is not as it should be says of its write.
fn harm_of<'u>(some_is_there: bool, bad: impl Iterator<Item = &'u Unit>) -> Harm {
    let mut kinds: Vec<Harm> = bad
        .map(|unit| match unit {
            Unit::Of(_) => Harm::Stale,
            Unit::Before | Unit::Missing => Harm::Lost,
            Unit::Damaged => Harm::Damaged,
            Unit::Misplaced => Harm::Misplaced,
            Unit::Unreadable => Harm::Unreadable,
        })
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    match kinds[..] {
        // No file at all.
        [] => Harm::Lost,
        _ if kinds.contains(&Harm::Unreadable) => Harm::Unreadable,
        _ if kinds.contains(&Harm::Damaged) => Harm::Damaged,
        [only] if !some_is_there => only,
        _ => Harm::Torn,
    }
}

/// What became of the file that a name leads to. Its content was flushed before it took the name,
/// so it is whole whichever it is.
fn name_harm(place: &PlaceHistory, units: &[Unit]) -> Option<(u64, Harm)> {
    let whole = match units {
        [Unit::Of(first), rest @ ..] if rest.iter().all(|unit| *unit == Unit::Of(*first)) => {
            Some(*first)
        }
        _ => None,
    };
    match (whole, place.promised) {
        (Some(sequence), None) if place.allows(sequence) => None,
        // None was promised, and none is there.
        (None, None) if units.is_empty() => None,
        (Some(sequence), Some(promised)) if sequence >= promised => None,
        (Some(_), Some(promised)) => Some((promised, Harm::Stale)),
        (None, Some(promised)) => {
            let some = units.iter().any(|unit| matches!(unit, Unit::Of(_)));
            let bad = units.iter().filter(|unit| !matches!(unit, Unit::Of(_)));
            Some((
                promised,
                if some {
                    Harm::Torn
                } else {
                    harm_of(false, bad)
                },
            ))
        }
        (_, None) => {
            let sequence = place.pending.last().copied().unwrap_or_default();
            Some((sequence, Harm::Torn))
        }
    }
}
