//! Priorities of single requests: `cmdprio_percentage` and what goes with it.

use super::Settings;
use crate::fio::option::Word;
use crate::fio::source::Wrong;
use crate::fio::values;
use fathom_core::spec::{IoClass, Priority};

/// fio's numbers of the classes, from 1 on.
const CLASSES: [IoClass; 3] = [IoClass::RealTime, IoClass::BestEffort, IoClass::Idle];

/// Requests of one size that are more urgent than others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::fio) struct UrgentSize {
    size: u64,
    /// Percent of the requests of this size.
    share: u64,
    /// Their priority, where it is not that of all.
    own: Option<Priority>,
}

/// Which requests of a job have priorities of their own. Arrays hold reads, writes and trims.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::fio) struct Urgent {
    shares: [u64; 3],
    classes: [u64; 3],
    levels: [u64; 3],
    hints: [u64; 3],
    sizes: [Vec<UrgentSize>; 3],
}

impl Default for Urgent {
    /// fio's defaults: none, and those that there are in real time.
    fn default() -> Self {
        Self {
            shares: [0; 3],
            classes: [1; 3],
            levels: [0; 3],
            hints: [0; 3],
            sizes: [const { Vec::new() }; 3],
        }
    }
}

impl Urgent {
    /// The option that asks for some, if one does.
    pub(in crate::fio) fn asked(&self) -> Option<&'static str> {
        // Of trims there are none.
        if self.shares[..2].iter().any(|share| *share > 0) {
            return Some("cmdprio_percentage");
        }
        let split = self.sizes[..2].iter().flatten().any(|size| size.share > 0);
        split.then_some("cmdprio_bssplit")
    }

    /// Whether shares of all requests and of those of a size are given.
    pub(in crate::fio) fn clashes(&self) -> bool {
        let split = self.sizes.iter().any(|sizes| !sizes.is_empty());
        split && self.shares[..2].iter().any(|share| *share > 0)
    }

    /// The priorities of requests of a direction and size with their shares, which add up to one;
    /// that of the job first.
    pub(in crate::fio) fn of(&self, direction: usize, size: u64) -> Vec<(Option<Priority>, f64)> {
        let plain = Priority {
            class: CLASSES[self.classes[direction] as usize - 1],
            level: self.levels[direction] as u32,
            hint: self.hints[direction] as u32,
        };
        let mut urgent = vec![(Some(plain), self.shares[direction])];
        let sized = self.sizes[direction].iter().filter(|own| own.size == size);
        urgent.extend(sized.map(|own| (own.own.or(Some(plain)), own.share)));
        if direction > 1 {
            urgent.clear();
        }
        let rest = 100 - urgent.iter().map(|(_, share)| share).sum::<u64>().min(100);
        urgent.insert(0, (None, rest));
        urgent.retain(|(_, share)| *share > 0);
        let share = |(priority, share)| (priority, share as f64 / 100.0);
        urgent.into_iter().map(share).collect()
    }
}

impl Settings {
    /// `cmdprio_percentage=`.
    pub(in crate::fio) fn urgent_shares(&mut self, word: &Word) -> Result<(), Wrong> {
        self.urgent.shares = self.numbers(word, self.urgent.shares, 0, 100)?;
        Ok(())
    }

    /// `cmdprio_class=`.
    pub(in crate::fio) fn urgent_classes(&mut self, word: &Word) -> Result<(), Wrong> {
        self.urgent.classes = self.numbers(word, self.urgent.classes, 1, 3)?;
        Ok(())
    }

    /// `cmdprio=`.
    pub(in crate::fio) fn urgent_levels(&mut self, word: &Word) -> Result<(), Wrong> {
        self.urgent.levels = self.numbers(word, self.urgent.levels, 0, 7)?;
        Ok(())
    }

    /// `cmdprio_hint=`.
    pub(in crate::fio) fn urgent_hints(&mut self, word: &Word) -> Result<(), Wrong> {
        self.urgent.hints = self.numbers(word, self.urgent.hints, 0, 1023)?;
        Ok(())
    }

    /// `cmdprio_bssplit=`.
    pub(in crate::fio) fn urgent_sizes(&mut self, word: &Word) -> Result<(), Wrong> {
        let text = word.text().to_owned();
        let before = self.urgent.sizes.clone();
        self.urgent.sizes = values::per_direction(&text, &before, |part| {
            let mut sizes = Vec::new();
            for entry in part.split(':').filter(|entry| !entry.is_empty()) {
                sizes.push(self.urgent_size(word, entry)?);
            }
            let over = sizes.iter().find(|one| {
                let alike = sizes.iter().filter(|other| other.size == one.size);
                alike.map(|other| other.share).sum::<u64>() > 100
            });
            match over {
                Some(one) => {
                    let message = format!("the shares of {} come to more than 100 %", one.size);
                    Err(Wrong::new(message, "make them come to 100 at most"))
                }
                None => Ok(sizes),
            }
        })?;
        Ok(())
    }

    /// Size, percent, and perhaps class, level and hint.
    fn urgent_size(&mut self, word: &Word, entry: &str) -> Result<UrgentSize, Wrong> {
        let parts: Vec<&str> = entry.split('/').map(str::trim).collect();
        let size = self.number_in(word, parts[0], 1, 1 << 30)?;
        let mut number = |at: usize, least, most| match parts.get(at) {
            None | Some(&"") => Ok(0),
            Some(text) => self.number_in(word, text, least, most),
        };
        let share = number(1, 0, 100)?;
        let own = match parts.len() {
            0..=2 => None,
            4 | 5 => Some(Priority {
                class: CLASSES[number(2, 1, 3)?.max(1) as usize - 1],
                level: number(3, 0, 7)? as u32,
                hint: number(4, 0, 1023)? as u32,
            }),
            _ => {
                let message = format!("`{entry}` is not a size with its share and priority");
                let remedy = "as in 4k/50, or 4k/50/2/0 with class and level";
                return Err(Wrong::new(message, remedy));
            }
        };
        Ok(UrgentSize { size, share, own })
    }
}
