//! How the times of requests are spread about their mean, once the limits let them through.

use crate::catalog::Media;
use crate::models::ServiceLaw;

/// The law of service times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// All requests have the same size.
    #[default]
    None,
    /// Exponential: of a queue of one server, M/M/1.
    Exponential,
    /// Log-normal, as wide as is known or assumed of the kind of volume.
    OfType,
}

impl Spread {
    /// Wherever single requests are followed, unless the user says otherwise.
    pub const USUAL: Self = Self::OfType;
}

/// What is known of a kind of volume.
struct Known {
    mean_ns: f64,
    /// Of the logarithm.
    sigma: f64,
    /// Who says so; none where nobody does.
    source: Option<&'static str>,
}

/// Of local NVMe the mean is a usual one, and the width that of the Intel P3700 and the Micron 9100
/// (means 77.9 and 107.7 us, 99th percentiles 96 and 117 us: sigma 0.09 and 0.04). Of network
/// volumes vendors state means at best ("sub-millisecond", "single-digit milliseconds").
const fn known(media: Option<Media>) -> Known {
    match media {
        Some(Media::Nvme) => Known {
            mean_ns: 80e3,
            sigma: 0.09,
            source: Some("AnandTech review 11209"),
        },
        Some(Media::Hdd) => Known {
            mean_ns: 5e6,
            sigma: 0.5,
            source: None,
        },
        Some(Media::Ssd) | None => Known {
            mean_ns: 500e3,
            sigma: 0.35,
            source: None,
        },
    }
}

impl Spread {
    /// The law of a kind of volume.
    pub(super) fn of_media(self, media: Option<Media>) -> ServiceLaw {
        let known = known(media);
        self.around(known.mean_ns, known.sigma)
    }

    /// The law with a mean in nanoseconds; where the width follows the kind, that of a network
    /// volume.
    pub fn law(self, mean_ns: f64) -> ServiceLaw {
        self.around(mean_ns, known(None).sigma)
    }

    fn around(self, mean_ns: f64, sigma: f64) -> ServiceLaw {
        match self {
            Self::None => ServiceLaw::Constant(mean_ns),
            Self::Exponential => ServiceLaw::Exponential(mean_ns),
            // The median that has this mean.
            Self::OfType => ServiceLaw::LogNormal(mean_ns / f64::exp(sigma * sigma / 2.0), sigma),
        }
    }

    /// What is to be said of it, after the mean and its condition.
    pub(super) fn in_words(self, media: Option<Media>) -> String {
        match self {
            Self::None => "; vendors state no distribution".to_owned(),
            Self::Exponential => " (a mean; exponentially spread)".to_owned(),
            Self::OfType => {
                let Known { sigma, source, .. } = known(media);
                let who = source.unwrap_or("vendors state no distribution");
                format!(" (a mean; log-normal with sigma {sigma}; {who})")
            }
        }
    }
}
