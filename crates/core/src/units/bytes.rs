//! Sizes in bytes.

use super::{UnitError, scale, serde_as_text, split_number};

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

const EXPECTED: &str = "a number with B, K, KiB, MiB, GiB, TiB (powers of 1024) or KB, MB, GB, TB \
                        (powers of 1000), as in `8KiB`";

impl Bytes {
    /// 1,024 bytes.
    pub const KIB: Self = Self(1 << 10);
    /// 1,048,576 bytes.
    pub const MIB: Self = Self(1 << 20);
    /// 1,073,741,824 bytes.
    pub const GIB: Self = Self(1 << 30);

    /// The factor of a suffix, if it is one.
    pub fn unit_factor(unit: &str) -> Option<u64> {
        let binary = |power: u32| Some(1_u64 << (10 * power));
        let decimal = |power: u32| Some(1000_u64.pow(power));
        match unit {
            "" | "B" | "b" => Some(1),
            "K" | "k" | "KiB" | "kib" => binary(1),
            "M" | "m" | "MiB" | "mib" => binary(2),
            "G" | "g" | "GiB" | "gib" => binary(3),
            "T" | "t" | "TiB" | "tib" => binary(4),
            "P" | "p" | "PiB" | "pib" => binary(5),
            "KB" | "kB" | "kb" => decimal(1),
            "MB" | "mb" => decimal(2),
            "GB" | "gb" => decimal(3),
            "TB" | "tb" => decimal(4),
            "PB" | "pb" => decimal(5),
            _ => None,
        }
    }
}

impl std::str::FromStr for Bytes {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let malformed = || UnitError::Malformed {
            what: "size",
            text: text.to_owned(),
            expected: EXPECTED,
        };
        let (number, unit) = split_number(text).ok_or_else(malformed)?;
        let factor = Self::unit_factor(unit).ok_or_else(malformed)?;
        scale(number, factor)
            .map(Self)
            .ok_or_else(|| UnitError::TooLarge {
                what: "size",
                text: text.to_owned(),
            })
    }
}

impl std::fmt::Display for Bytes {
    /// Exact: the largest binary unit that divides the value.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let units = [
            (1_u64 << 40, "TiB"),
            (1 << 30, "GiB"),
            (1 << 20, "MiB"),
            (1 << 10, "KiB"),
        ];
        for (factor, name) in units {
            if self.0 >= factor && self.0.is_multiple_of(factor) {
                return write!(f, "{}{name}", self.0 / factor);
            }
        }
        write!(f, "{}B", self.0)
    }
}

serde_as_text!(
    Bytes,
    "a size such as \"8KiB\" or a number of bytes",
    |number| {
        if number >= 0.0 && number.fract() == 0.0 && number < u64::MAX as f64 {
            Ok(Bytes(number as u64))
        } else {
            Err(format!(
                "`{number}` is not a size: expected a whole number of bytes"
            ))
        }
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn suffixes_mean_what_the_manual_says() {
        let cases = [
            ("0", 0),
            ("512", 512),
            ("512B", 512),
            ("8K", 8192),
            ("8k", 8192),
            ("8KiB", 8192),
            ("8KB", 8000),
            ("1.5 MiB", 1_572_864),
            ("5G", 5 << 30),
            ("5GB", 5_000_000_000),
            ("2TiB", 2 << 40),
            (" 4 MB ", 4_000_000),
        ];
        for (text, bytes) in cases {
            assert_eq!(text.parse(), Ok(Bytes(bytes)), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "K", "8X", "-1", "1.2.3", "8 KiBs", "KiB8"] {
            let error = text.parse::<Bytes>().expect_err(text);
            assert_eq!(
                error,
                UnitError::Malformed {
                    what: "size",
                    text: text.into(),
                    expected: EXPECTED
                }
            );
        }
        let text = "99999999T";
        let error = text.parse::<Bytes>().expect_err(text);
        assert_eq!(
            error,
            UnitError::TooLarge {
                what: "size",
                text: text.into()
            }
        );
    }

    proptest! {
        #[test]
        fn what_is_printed_parses_back(value: u64) {
            prop_assert_eq!(Bytes(value).to_string().parse(), Ok(Bytes(value)));
        }
    }
}
