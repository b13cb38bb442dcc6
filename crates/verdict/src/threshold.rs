//! What a threshold is: a number from which a check speaks, with where it comes from.

/// Who set a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Our own decision, a starting value until it is calibrated.
    Decided,
    /// Read in the source, or computed again from its figures.
    Verified,
    /// A standard or a publication, which the source names.
    Published,
}

impl Mark {
    /// Who set it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Decided => "ours",
            Self::Verified => "verified",
            Self::Published => "published",
        }
    }
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A share of one, shown in percent.
    Share,
    /// A share of the whole.
    Percent,
    /// A factor or a ratio.
    Times,
    /// A duration.
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
    /// Its meaning, in the words next to the constant.
    pub what: &'static str,
    /// Its value; two where a lower one is noted and a higher one weighs.
    pub values: &'static [f64],
    /// What the values count.
    pub unit: Unit,
    /// Who set it.
    pub mark: Mark,
    /// Standard, law or document; empty of a decision that rests on none.
    pub source: &'static str,
    /// How it was calibrated; empty for one that was not.
    pub calibrated: &'static str,
}

impl Threshold {
    /// Its value with its unit, as documentation shows it: `0.1 %`, `1 % and 5 %`.
    pub fn printed(&self) -> String {
        let values: Vec<String> = self
            .values
            .iter()
            .map(|one| self.unit.shown(*one))
            .collect();
        values.join(" and ")
    }

    /// Who set it and where, as documentation shows it.
    pub fn origin(&self) -> String {
        let mut origin = self.mark.word().to_owned();
        if !self.source.is_empty() {
            origin.extend([", ", self.source]);
        }
        if !self.calibrated.is_empty() {
            origin.extend(["; calibrated: ", self.calibrated]);
        }
        origin
    }
}

impl Unit {
    /// A value with its unit.
    pub(crate) fn shown(self, value: f64) -> String {
        match self {
            Self::Share => format!("{} %", plain(value * 100.0)),
            Self::Percent => format!("{} %", plain(value)),
            Self::Times => format!("{} ×", plain(value)),
            Self::Nanoseconds => time(value),
            Self::Bytes => fathom_core::figure::size(value as u64),
            Self::BytesPerSecond => format!("{} MB/s", plain(value / 1e6)),
            Self::Iops => format!("{} IOPS", plain(value)),
            Self::Millidegrees => format!("{} °C", plain(value / 1e3)),
            Self::Sigmas => format!("{} σ", plain(value)),
            Self::Count => plain(value),
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

/// Declares thresholds as constants for the code and, from the same lines, as rows for people:
/// `NAME` is the number, `row::NAME` the [`Threshold`].
///
/// A row is `NAME: type = value, unit, mark "source", calibrated "how";` below the words that
/// describe it. The mark names who set it; `Decided` needs no source. After `listed` come those
/// that another crate declares: `path as NAME, unit, ...`. `list NAME;` before all makes a
/// list of them.
macro_rules! thresholds {
    (@values (f64, f64), $value:expr) => { &[$value.0, $value.1] };
    (@values $kind:tt, $value:expr) => { &[$value as f64] };
    (@calibrated) => { "" };
    (@calibrated $how:literal) => { $how };
    (@list $list:ident: $(
        $(#[doc = $what:literal])+
        $name:ident: $kind:tt = $value:expr, $unit:ident, $mark:ident $($source:literal)?
        $(, calibrated $how:literal)?;
    )* listed: $(
        $(#[doc = $listed_what:literal])+
        $listed:path as $listed_name:ident, $listed_unit:ident,
        $listed_mark:ident $($listed_source:literal)?
        $(, calibrated $listed_how:literal)?;
    )+) => {
        /// All thresholds of this file.
        pub static $list: &[Threshold] = &[$(row::$name,)* $(row::$listed_name,)+];
    };
    (list $list:ident; $($rows:tt)+) => {
        thresholds! { $($rows)+ }
        thresholds! { @list $list: $($rows)+ }
    };
    (
        $(
            $(#[doc = $what:literal])+
            $name:ident: $kind:tt = $value:expr, $unit:ident, $mark:ident $($source:literal)?
            $(, calibrated $how:literal)?;
        )*
        $(listed: $(
            $(#[doc = $listed_what:literal])+
            $listed:path as $listed_name:ident, $listed_unit:ident,
            $listed_mark:ident $($listed_source:literal)?
            $(, calibrated $listed_how:literal)?;
        )+)?
    ) => {
        $(
            $(#[doc = $what])+
            pub(crate) const $name: $kind = $value;
        )*

        /// The thresholds of this file, for people.
        pub(crate) mod row {
            use $crate::threshold::{Mark, Threshold, Unit, thresholds};

            $(pub(crate) const $name: Threshold = Threshold {
                name: stringify!($name),
                what: concat!($($what),+),
                values: thresholds!(@values $kind, super::$name),
                unit: Unit::$unit,
                mark: Mark::$mark,
                source: concat!($($source)?),
                calibrated: thresholds!(@calibrated $($how)?),
            };)*
            $($(pub(crate) const $listed_name: Threshold = Threshold {
                name: stringify!($listed_name),
                what: concat!($($listed_what),+),
                values: thresholds!(@values value, $listed),
                unit: Unit::$listed_unit,
                mark: Mark::$listed_mark,
                source: concat!($($listed_source)?),
                calibrated: thresholds!(@calibrated $($listed_how)?),
            };)+)?
        }
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
            };
            assert_eq!(threshold.printed(), expected);
        }
    }
}
