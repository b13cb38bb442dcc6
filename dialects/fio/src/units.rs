//! In which units a report tells amounts.

/// Digits of amounts where nothing else is said.
const DIGITS: u32 = 4;

/// How amounts are written for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FioUnits {
    /// Digits of a number, its unit apart.
    pub digits: u32,
    /// Whether powers of 1000 come first, and not those of 1024.
    pub decimal: bool,
    /// Whether rates are in bits.
    pub bits: bool,
}

impl Default for FioUnits {
    fn default() -> Self {
        Self {
            digits: DIGITS,
            decimal: false,
            bits: false,
        }
    }
}
