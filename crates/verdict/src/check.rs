//! What a check is, and what all checks make of a result together.

pub(crate) use crate::checks::Code;
pub(crate) use crate::example::Example;
pub(crate) use crate::group::Group;
pub(crate) use crate::threshold::thresholds;

use crate::checks::CHECKS;
use crate::coverage;
use crate::fitness::Facts;
use crate::prose::filled;
use crate::searched;
use crate::threshold::Threshold;
use fathom_core::SmallSort as _;
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, State};
use std::cmp::Reverse;

/// One thing that is looked for in a result.
#[derive(Debug)]
pub struct Check {
    /// What it looks for, in one line.
    pub purpose: &'static str,
    /// Evidence without which it says nothing.
    pub needs: Needs,
    /// The codes that it raises; no other check raises them.
    pub codes: &'static [Entry],
    pub(crate) run: fn(&RunResult, &mut Vec<Caveat>),
}

/// One thing that `fathom check` looks for before there is a result.
#[derive(Debug)]
pub struct Look {
    /// The code that it raises; where a check of a result raises the same, it means the same.
    pub entry: Entry,
    pub(crate) run: fn(&Facts, &mut Vec<Caveat>),
}

/// What a check has to know.
#[derive(Clone, Copy, Debug)]
pub enum Needs {
    /// What every source of a result tells, an import as well.
    AnySource,
    /// What a run of ours has, and this evidence. An import would have a field that it cannot fill
    /// taken for a bad sign.
    OurRun(&'static [Evidence]),
}

impl Needs {
    /// The evidence without which a check says nothing.
    pub const fn evidence(self) -> &'static [Evidence] {
        match self {
            Self::AnySource => &[],
            Self::OurRun(evidence) => evidence,
        }
    }
}

/// What a caveat does to the number, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It is not that of the storage: nothing else matters then.
    Elsewhere,
    /// It is not what the headline says.
    Number,
    /// The machine that measured has a part in it.
    Machine,
    /// None: the caveat says what is so.
    Nothing,
}

/// All that is known of a code where one thing raises it.
#[derive(Debug)]
pub struct Entry {
    /// Identifies the finding.
    pub code: Code,
    /// The group of codes in the documentation.
    pub group: Group,
    /// What it does to the number.
    pub effect: Effect,
    /// [`Self::level`], with the names of thresholds in the place of numbers.
    pub(crate) level: &'static str,
    /// [`Self::when`], likewise.
    pub(crate) when: &'static str,
    /// The numbers that it rests on.
    pub thresholds: &'static [Threshold],
    pub(crate) example: Example,
}

/// An [`Entry`]: the code, its group, its effect, the level, when it
/// is raised, its thresholds, and an example.
macro_rules! entry {
    ($code:ident: $group:ident, $effect:ident, $level:literal, $when:literal,
        [$($threshold:expr),*], $example:expr) => {
        $crate::check::Entry {
            code: $crate::check::Code::$code,
            group: $crate::check::Group::$group,
            effect: $crate::check::Effect::$effect,
            level: $level,
            when: $when,
            thresholds: &[$($threshold),*],
            example: $example,
        }
    };
}
pub(crate) use entry;

impl Entry {
    /// Level of its caveat.
    pub fn level(&self) -> String {
        filled(self.level, self.thresholds)
    }

    /// Condition, with its thresholds.
    pub fn when(&self) -> String {
        filled(self.when, self.thresholds)
    }

    /// What it says where it is raised.
    pub fn example(&'static self) -> Option<Caveat> {
        self.example.caveat(self.code)
    }
}

impl Check {
    pub(crate) fn raises(&self, code: Code) -> bool {
        self.codes.iter().any(|entry| entry.code == code)
    }

    fn applies_to(&self, result: &RunResult) -> bool {
        !result.provenance.origin.is_imported() || matches!(self.needs, Needs::AnySource)
    }
}

/// Runs all checks that `result` has the evidence for; sets its caveats, the worst first, and its
/// state.
///
/// Caveats that others have put there stay. Those of an earlier judgement are replaced, so
/// judging twice is judging once.
pub fn judge(result: &mut RunResult) {
    let ours = |caveat: &Caveat| Code::of(caveat).is_some_and(|code| code.check().is_some());
    let mut caveats: Vec<Caveat> = result.caveats.clone();
    caveats.retain(|caveat| !ours(caveat));
    for check in CHECKS.iter().filter(|check| check.applies_to(result)) {
        (check.run)(result, &mut caveats);
    }
    searched::lower(result, &mut caveats);
    order(&mut caveats);
    result.state = State::of(&caveats);
    result.caveats = caveats;
    result.coverage = coverage::of(result, CHECKS);
}

/// Puts the worst first: by level, then by what they do to the number. A code that only another
/// version knows may do anything to it.
pub(crate) fn order(caveats: &mut [Caveat]) {
    caveats.small_sort_by_key(|caveat| {
        let effect = Code::of(caveat).and_then(Code::effect);
        (Reverse(caveat.level), effect.unwrap_or(Effect::Number))
    });
}

/// What one check finds.
#[cfg(test)]
pub(crate) fn found(check: &Check, result: &RunResult) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    (check.run)(result, &mut caveats);
    for caveat in &caveats {
        assert!(Code::of(caveat).is_some_and(|code| check.raises(code)));
    }
    caveats
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::{CodeWord, Level, fixture};

    #[test]
    fn every_code_belongs_to_one_check() {
        let entries = CHECKS.iter().flat_map(|check| check.codes);
        let mut codes: Vec<Code> = entries.map(|entry| entry.code).collect();
        let all = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all);
    }

    #[test]
    fn a_clean_result_is_valid() {
        let mut result = fixture::random_read();
        result.state = State::Invalid;
        judge(&mut result);
        assert_eq!((result.state, result.caveats), (State::Valid, vec![]));
    }

    #[test]
    fn the_worst_comes_first_and_judging_again_changes_nothing() {
        let mut result = fixture::random_read();
        let foreign = fixture::caveat("clock_offset", Level::Qualified, "from elsewhere", "");
        result.caveats = vec![foreign.clone()];
        result.phases[0].process.steal_percent = 7.0;
        result.phases[0].jobs[0].workers[0].long_intervals = 2;
        judge(&mut result);
        let once = result.clone();
        judge(&mut result);
        assert_eq!(result, once);
        let codes = result.caveats.iter().map(|caveat| &caveat.code);
        let codes: Vec<&CodeWord> = codes.collect();
        let expected = [
            &Code::Steal.into(),
            &CodeWord::foreign("clock_offset"),
            &Code::LongIntervals.into(),
        ];
        assert_eq!(codes, expected);
        assert_eq!(result.state, State::Suspect);
    }
}
