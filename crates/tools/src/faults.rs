//! What is wrong with a text, as far as it is reported.
//!
//! Nobody reads a thousand findings, and a text that is not what it was taken for has one in every
//! word. So the first ones are kept and the others counted, which also bounds the time and the
//! memory that a text can cost.

use crate::diagnostic::Diagnostic;
use fathom_core::SmallSort as _;

/// The most findings that are reported for one text.
pub const MOST: usize = 20;

/// Findings after which a text is not read any further: it is not what it was taken for.
pub const HOPELESS: usize = 1000;

/// The first findings in a text, and how many more there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    told: Vec<Diagnostic>,
    more: usize,
}

impl Faults {
    /// Adds one, if it has not been said before.
    pub fn push(&mut self, found: Diagnostic) {
        if self.told.iter().any(|told| is_same(told, &found)) {
            return;
        }
        if self.told.len() < MOST {
            self.told.push(found);
        } else {
            self.more += 1;
        }
    }

    /// Adds those of a part.
    pub fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        for found in found {
            self.push(found);
        }
    }

    /// Whether nothing is wrong.
    pub const fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// Whether those that are still to come are only counted: what advises on them is spared.
    pub const fn is_full(&self) -> bool {
        self.told.len() >= MOST
    }

    /// Whether there are too many to read on.
    pub const fn is_hopeless(&self) -> bool {
        self.len() >= HOPELESS
    }

    /// How many there are, the untold ones included.
    pub const fn len(&self) -> usize {
        self.told.len() + self.more
    }

    /// Those that are reported, in the order in which they were found.
    pub fn told(&self) -> &[Diagnostic] {
        &self.told
    }

    /// Keeps some of those that are reported.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.told.retain(keep);
    }

    /// Puts those that are reported into the order of a key.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(&Diagnostic) -> K) {
        self.told.small_sort_by_key(key);
    }

    /// Those that are reported; the last one states how many are not.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        if let (Some(last), more @ 1..) = (self.told.last_mut(), self.more) {
            let rest = match more {
                1 => "one more finding is not shown".to_owned(),
                _ if MOST + more >= HOPELESS => {
                    format!("the text was not read any further after {HOPELESS} findings")
                }
                _ => format!("{more} more findings are not shown"),
            };
            let advice = last.remedy.take();
            last.remedy = Some(match advice {
                Some(advice) => format!("{advice} ({rest})"),
                None => rest,
            });
        }
        self.told
    }
}

/// Whether two say the same of the same place. The texts come last: they are as long as the input.
fn is_same(a: &Diagnostic, b: &Diagnostic) -> bool {
    a.span == b.span && a.message == b.message && a == b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;

    fn fault(number: usize, remedy: Option<&str>) -> Diagnostic {
        Diagnostic {
            skipped: crate::diagnostic::Skipped::default(),
            severity: Severity::Error,
            message: format!("fault {number}"),
            file: "a".into(),
            text: "".into(),
            span: 0..0,
            suggestion: None,
            remedy: remedy.map(str::to_owned),
        }
    }

    #[test]
    fn the_first_ones_are_told_and_the_others_counted() {
        let mut faults = Faults::default();
        faults.extend((0..MOST).map(|number| fault(number, Some("mend it"))));
        // Said before.
        faults.push(fault(3, Some("mend it")));
        let all: Vec<Diagnostic> = faults.told().to_vec();
        assert_eq!((faults.len(), all.len()), (MOST, MOST));
        assert_eq!(faults.clone().into_vec(), all);
        faults.push(fault(MOST, None));
        let last = |faults: Faults| faults.into_vec().pop().and_then(|last| last.remedy);
        assert_eq!(
            last(faults.clone()).as_deref(),
            Some("mend it (one more finding is not shown)")
        );
        faults.extend((0..700).map(|number| fault(MOST + 1 + number, None)));
        assert_eq!((faults.len(), faults.is_hopeless()), (MOST + 701, false));
        assert_eq!(
            last(faults.clone()).as_deref(),
            Some("mend it (701 more findings are not shown)")
        );
        faults.extend((0..279).map(|number| fault(MOST + 701 + number, None)));
        assert!(faults.is_hopeless());
        assert_eq!(
            last(faults).as_deref(),
            Some("mend it (the text was not read any further after 1000 findings)")
        );
    }
}
