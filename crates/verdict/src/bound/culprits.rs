//! The same shape, different culprits: which mechanism made a rate fall, by the signs that each
//! has.
//!
//! Methodology 5.6. A mechanism is a row of [`RULES`]; what it says is weighed where the sign could
//! be asked for, and the two with the highest sum are reported.

use super::signs::{Scene, Sign};
use fathom_core::SmallSort as _;
use fathom_core::result::{Culprit, Mechanism};

/// A sign that a mechanism has (or must not have), with the weight of having it so, and of not.
type Mark = (Sign, bool, i32, i32);

/// A mechanism and its signs.
struct Rule {
    mechanism: Mechanism,
    marks: &'static [Mark],
    /// Signs of which one must be known to distinguish the mechanism from similar ones.
    own: &'static [Sign],
}

/// Ties go to the row above.
const RULES: [Rule; 8] = [
    Rule {
        mechanism: Mechanism::VolumeCredit,
        marks: &[
            (Sign::ReadsSlowed, true, 1, 3),
            (Sign::Regular, true, 1, 2),
            (Sign::AtVolumeLimit, true, 2, 2),
            (Sign::CreditListed, true, 1, 1),
            (Sign::RefillsAtBase, true, 2, 2),
            (Sign::AllAtOnce, false, 1, 1),
            (Sign::SawTooth, false, 0, 2),
            (Sign::Buffered, false, 0, 1),
        ],
        own: &[],
    },
    Rule {
        mechanism: Mechanism::InstanceCredit,
        marks: &[
            (Sign::ReadsSlowed, true, 1, 3),
            (Sign::Regular, true, 1, 2),
            (Sign::AtInstanceLimit, true, 2, 2),
            (Sign::CreditListed, true, 1, 1),
            (Sign::RefillsAtBase, true, 2, 2),
            (Sign::AllAtOnce, true, 2, 2),
            (Sign::SawTooth, false, 0, 2),
            (Sign::Buffered, false, 0, 1),
        ],
        own: &[Sign::AtInstanceLimit, Sign::AllAtOnce],
    },
    Rule {
        mechanism: Mechanism::FlashCache,
        marks: &[
            (Sign::Writes, true, 0, 9),
            (Sign::ReadsSlowed, false, 2, 3),
            (Sign::ShareOfDevice, true, 1, 1),
            (Sign::WriteBecomesRead, false, 0, 1),
            (Sign::SawTooth, false, 0, 2),
            (Sign::Buffered, false, 0, 1),
        ],
        own: &[],
    },
    Rule {
        mechanism: Mechanism::WriteCache,
        marks: &[
            (Sign::Writes, true, 0, 9),
            (Sign::ReadsSlowed, false, 2, 3),
            (Sign::CacheBytes, true, 1, 2),
            (Sign::RefillsAtBase, true, 1, 1),
            (Sign::WriteBecomesRead, true, 2, 1),
            (Sign::SawTooth, false, 0, 2),
            (Sign::Buffered, false, 0, 1),
        ],
        own: &[],
    },
    Rule {
        mechanism: Mechanism::DirtyLimit,
        marks: &[
            (Sign::Writes, true, 0, 9),
            (Sign::Buffered, true, 1, 9),
            (Sign::DirtyAtLimit, true, 3, 3),
            (Sign::ReadsSlowed, false, 1, 1),
        ],
        own: &[],
    },
    Rule {
        mechanism: Mechanism::Heat,
        marks: &[
            (Sign::Hot, true, 3, 3),
            (Sign::ReadsSlowed, true, 1, 2),
            (Sign::Gradual, true, 1, 0),
        ],
        own: &[Sign::Hot],
    },
    Rule {
        mechanism: Mechanism::Processor,
        marks: &[
            (Sign::ProcessorKept, true, 3, 3),
            (Sign::ReadsSlowed, true, 1, 2),
        ],
        own: &[Sign::ProcessorKept],
    },
    Rule {
        mechanism: Mechanism::Collection,
        marks: &[
            (Sign::Writes, true, 0, 9),
            (Sign::SawTooth, true, 3, 0),
            (Sign::Gradual, true, 1, 0),
            (Sign::Regular, false, 1, 1),
        ],
        own: &[],
    },
];

/// The two that fit best, the best first.
pub(super) fn culprits(scene: &Scene<'_>) -> Vec<Culprit> {
    let mut all: Vec<Culprit> = RULES.iter().map(|rule| rule.weigh(scene)).collect();
    all.small_sort_by_key(|culprit| std::cmp::Reverse(culprit.score));
    all.retain(|culprit| culprit.score > 0);
    all.truncate(2);
    all
}

impl Rule {
    fn weigh(&self, scene: &Scene<'_>) -> Culprit {
        let mut culprit = Culprit {
            mechanism: self.mechanism,
            score: 0,
            signs: Vec::new(),
            against: Vec::new(),
        };
        for (sign, expected, gain, loss) in self.marks {
            let Some(found) = sign.ask(scene) else {
                continue;
            };
            let words = sign.words(found).to_owned();
            if found == *expected {
                culprit.score += gain;
                if *gain > 0 {
                    culprit.signs.push(words);
                }
            } else {
                culprit.score -= loss;
                if *loss > 0 {
                    culprit.against.push(words);
                }
            }
        }
        if !self.own.is_empty() && self.own.iter().all(|sign| sign.ask(scene).is_none()) {
            // Its like, of which more is known, goes before it.
            culprit.score -= 1;
        }
        culprit
    }
}
