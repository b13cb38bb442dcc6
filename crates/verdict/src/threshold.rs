//! What a threshold is: a number from which a check speaks, with where it comes from.

/// Who set a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Our own decision, a starting value until it is calibrated; `[D]` in our methodology.
    Decided,
    /// Read in the source, or computed again from its figures; `[V]` in our methodology.
    Verified,
    /// A standard or a publication, which the source names.
    Published,
}

impl Mark {
    /// Who set it, with the sign of our methodology.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Decided => "ours [D]",
            Self::Verified => "verified [V]",
            Self::Published => "published",
        }
    }
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A share of one, shown in percent.
    Share,
    /// Percent.
    Percent,
    /// A factor or a ratio.
    Times,
    /// Nanoseconds.
    Nanoseconds,
    /// Bytes, shown in KiB and larger.
    Bytes,
    /// Bytes a second, shown in MB/s.
    BytesPerSecond,
    /// Requests a second.
    Iops,
    /// Thousandths of a degree Celsius.
    Millidegrees,
    /// Standard errors or deviations.
    Sigmas,
    /// A number of things that the description names.
    Count,
}

/// One threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// Name of the constant.
    pub name: &'static str,
    /// What it says, in the words beside the constant.
    pub what: &'static str,
    /// Its value; two where a lower one is noted and a higher one weighs.
    pub values: &'static [f64],
    /// What the values count.
    pub unit: Unit,
    /// Who set it.
    pub mark: Mark,
    /// Section or check of our methodology, standard, or document.
    pub source: &'static str,
    /// How it was calibrated; empty for one that was not.
    pub calibrated: &'static str,
    /// Codes that rest on it, those of `fathom check` with `check` before them, or [`BOUND`].
    pub codes: &'static [&'static str],
}

/// In the place of a code: the explanation why a load stopped where it did.
pub const BOUND: &str = "bound";

impl Threshold {
    /// Its value with its unit, as documentation shows it: `0.1 %`, `1 % and 5 %`.
    pub fn printed(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|one| self.one(*one)).collect();
        values.join(" and ")
    }

    /// Who set it and where, as documentation shows it.
    pub fn origin(&self) -> String {
        let origin = format!("{}, {}", self.mark.word(), self.source);
        match self.calibrated {
            "" => origin,
            how => format!("{origin}; calibrated: {how}"),
        }
    }

    fn one(&self, value: f64) -> String {
        match self.unit {
            Unit::Share => format!("{} %", plain(value * 100.0)),
            Unit::Percent => format!("{} %", plain(value)),
            Unit::Times => format!("{} ×", plain(value)),
            Unit::Nanoseconds => time(value),
            Unit::Bytes => fathom_core::figure::size(value as u64),
            Unit::BytesPerSecond => format!("{} MB/s", plain(value / 1e6)),
            Unit::Iops => format!("{} IOPS", plain(value)),
            Unit::Millidegrees => format!("{} °C", plain(value / 1e3)),
            Unit::Sigmas => format!("{} σ", plain(value)),
            Unit::Count => plain(value),
        }
    }
}

/// As few digits as say the number; beyond the ninth decimal lie rounding errors.
fn plain(value: f64) -> String {
    format!("{}", (value * 1e9).round() / 1e9)
}

/// In the largest unit in which it is no fraction.
fn time(nanoseconds: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")];
    let unit = units.iter().find(|(factor, _)| nanoseconds >= *factor);
    let (factor, name) = unit.unwrap_or(&(1.0, "ns"));
    format!("{} {name}", plain(nanoseconds / factor))
}

/// Declares thresholds as constants and, from the same lines, the table of them. After `listed`
/// come those that another crate declares.
macro_rules! thresholds {
    (@values (f64, f64), $value:expr) => { &[$value.0, $value.1] };
    (@values $kind:tt, $value:expr) => { &[$value as f64] };
    (@calibrated) => { "" };
    (@calibrated $how:literal) => { $how };
    (
        $(
            $(#[doc = $what:literal])+
            $name:ident: $kind:tt = $value:expr, $unit:ident, $mark:ident $source:literal,
            $(calibrated $how:literal,)?
            for [$($code:expr),+];
        )+
        listed:
        $(
            $(#[doc = $listed_what:literal])+
            $listed:path as $listed_name:literal, $listed_unit:ident,
            $listed_mark:ident $listed_source:literal,
            $(calibrated $listed_how:literal,)?
            for [$($listed_code:expr),+];
        )+
    ) => {
        $(
            $(#[doc = $what])+
            pub(crate) const $name: $kind = $value;
        )+

        /// All thresholds that a verdict rests on.
        pub const THRESHOLDS: &[Threshold] = &[
            $(Threshold {
                name: stringify!($name),
                what: concat!($($what),+),
                values: thresholds!(@values $kind, $name),
                unit: Unit::$unit,
                mark: Mark::$mark,
                source: $source,
                calibrated: thresholds!(@calibrated $($how)?),
                codes: &[$($code),+],
            },)+
            $(Threshold {
                name: $listed_name,
                what: concat!($($listed_what),+),
                values: thresholds!(@values value, $listed),
                unit: Unit::$listed_unit,
                mark: Mark::$listed_mark,
                source: $listed_source,
                calibrated: thresholds!(@calibrated $($listed_how)?),
                codes: &[$($listed_code),+],
            },)+
        ];
    };
}
pub(crate) use thresholds;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_with_as_few_digits_as_say_them() {
        let cases: [(&'static [f64], Unit, &str); 12] = [
            (&[0.001], Unit::Share, "0.1 %"),
            (&[0.29], Unit::Share, "29 %"),
            (&[0.01, 0.05], Unit::Share, "1 % and 5 %"),
            (&[10.0], Unit::Percent, "10 %"),
            (&[1.005], Unit::Times, "1.005 ×"),
            (&[1_862e9], Unit::Nanoseconds, "1862 s"),
            (&[100.0], Unit::Nanoseconds, "100 ns"),
            (&[1_048_576.0], Unit::Bytes, "1 MiB"),
            (&[1e6], Unit::BytesPerSecond, "1 MB/s"),
            (&[50.0], Unit::Iops, "50 IOPS"),
            (&[10_000.0], Unit::Millidegrees, "10 °C"),
            (&[4.0], Unit::Sigmas, "4 σ"),
        ];
        for (values, unit, expected) in cases {
            let threshold = Threshold {
                name: "",
                what: "",
                values,
                unit,
                mark: Mark::Decided,
                source: "",
                calibrated: "",
                codes: &[],
            };
            assert_eq!(threshold.printed(), expected);
        }
    }
}
