//! Which figure of an observation counts as the need.

use super::{Observed, Vector};
use crate::model::Flow;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A vector that has this share of the other one's maximum covers both.
const COVERS: f64 = 0.98;
/// Busier by requests or bytes than this share of the moments, where nobody says otherwise.
const USUAL_QUANTILE: f64 = 0.99;

/// Which figure of an observation counts as the need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// The busiest moments.
    Peak,
    /// The moments that are busier than this share of all, 0 to 1.
    Quantile(f64),
    /// The mean of the busiest half hour.
    Sustained,
}

/// A load that has to be served, by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Its kinds of requests.
    pub flow: Flow,
    /// Requests a second.
    pub iops: f64,
}

impl Peak {
    /// Throughput, bytes a second.
    pub fn bytes_per_second(&self) -> f64 {
        self.iops * self.flow.mean_bytes()
    }
}

impl Basis {
    /// The quantile by which moments are looked at.
    pub const fn quantile(self) -> f64 {
        match self {
            Self::Quantile(share) => share,
            Self::Peak | Self::Sustained => USUAL_QUANTILE,
        }
    }

    /// The moments that have to be served: that of the requests and that of the bytes, or one
    /// alone where it covers the other. None where the recording is too short for half an hour.
    pub fn moments(self, observed: &Observed) -> Option<Vec<&Vector>> {
        let (requests, bytes) = match self {
            Self::Peak => (&observed.most_iops, &observed.most_bytes),
            Self::Quantile(_) => (&observed.quantile_iops, &observed.quantile_bytes),
            Self::Sustained => return observed.busiest_window.as_ref().map(|one| vec![one]),
        };
        Some(
            if requests.bytes_per_second >= bytes.bytes_per_second * COVERS {
                vec![requests]
            } else if bytes.iops >= requests.iops * COVERS {
                vec![bytes]
            } else {
                vec![requests, bytes]
            },
        )
    }
}

impl Vector {
    /// The load of this moment, `growth` times as much.
    pub fn peak(&self, growth: f64) -> Peak {
        Peak {
            flow: self.flow().normalized(),
            iops: self.iops * growth,
        }
    }
}

impl Default for Basis {
    fn default() -> Self {
        Self::Quantile(USUAL_QUANTILE)
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Peak => f.write_str("peak"),
            // Shares like 0.999 are not exact: as many digits as anybody would type.
            Self::Quantile(share) => write!(f, "p{}", (share * 1e8).round() / 1e6),
            Self::Sustained => f.write_str("sustained"),
        }
    }
}

#[cfg(feature = "schema")]
fathom_core::schema_of_text! { Basis, "`peak`, `sustained` or a percentile, as in `p99`."; }

impl Serialize for Basis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Basis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "peak" => return Ok(Self::Peak),
            "sustained" => return Ok(Self::Sustained),
            _ => {}
        }
        let percent = text.strip_prefix('p').and_then(|rest| rest.parse().ok());
        percent
            .filter(|percent: &f64| *percent > 0.0 && *percent <= 100.0)
            .map(|percent| Self::Quantile(percent / 100.0))
            .ok_or_else(|| "expected peak, sustained, or a percentile as in p99".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_basis_is_a_word() {
        for word in ["peak", "sustained", "p99", "p99.9", "p50"] {
            assert_eq!(word.parse::<Basis>().unwrap().to_string(), word);
        }
        for wrong in ["", "p0", "p101", "pinf", "99", "mean"] {
            assert!(wrong.parse::<Basis>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn one_moment_may_cover_both() {
        let vector = |iops: f64, bytes_per_second: f64| Vector {
            iops,
            bytes_per_second,
            ..Vector::default()
        };
        let observed = |requests: Vector, bytes: Vector| Observed {
            moments: 2,
            seconds: None,
            most_iops: requests.clone(),
            most_bytes: bytes.clone(),
            quantile_iops: requests,
            quantile_bytes: bytes,
            mean: Vector::default(),
            busiest_window: None,
            read_bytes: None,
            write_bytes: None,
            flat_top: None,
        };
        let (small, large) = (vector(1_000.0, 1e6), vector(100.0, 1e8));
        let apart = observed(small.clone(), large.clone());
        assert_eq!(Basis::Peak.moments(&apart), Some(vec![&small, &large]));
        assert_eq!(Basis::Sustained.moments(&apart), None);
        let (most, near) = (vector(1_000.0, 1e8), vector(990.0, 1.01e8));
        let together = observed(most.clone(), near);
        assert_eq!(Basis::default().moments(&together), Some(vec![&most]));
    }
}
