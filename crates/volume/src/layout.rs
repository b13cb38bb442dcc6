//! What somebody writes for a volume or an array of them, and the model that it stands for.
//!
//! `gp2:250GiB`, `4x gp2:250GiB`, `io1:200GiB:10000iops`, `gp3:1TiB:16000iops:1000MiB/s`,
//! `gp3:1TiB + 2x gp2:500GiB`, `raid10(8x local-ssd:480GB:90000iops:500MB/s, chunk=64KiB)`.

mod bench;
mod build;
mod chunk;
mod error;
mod expression;
mod layers;
mod resolve;
mod sold;
mod spread;
mod words;

pub use bench::Bench;
pub use build::{BuildError, Built, Options, build_roles};
pub use error::ExpressionError;
pub use layers::LayerText;
pub use spread::Spread;

use fathom_core::Bytes;

/// A volume, or an array of them, as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// One volume.
    Volume(VolumeText),
    /// Several as one.
    Array(Array),
}

/// Several volumes as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// How.
    pub level: RaidLevel,
    /// The members, in order; arrays may be members.
    pub members: Vec<Layout>,
    /// Bytes on one member before the next has its turn; none to take the usual.
    pub chunk: Option<Bytes>,
}

/// How several volumes are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaidLevel {
    /// Chunks in turn.
    Raid0,
    /// Everything on each.
    Raid1,
    /// One parity.
    Raid5,
    /// Two parities.
    Raid6,
    /// Pairs of mirrors, chunks in turn.
    Raid10,
}

impl RaidLevel {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Raid0,
        Self::Raid1,
        Self::Raid5,
        Self::Raid6,
        Self::Raid10,
    ];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raid0 => "raid0",
            Self::Raid1 => "raid1",
            Self::Raid5 => "raid5",
            Self::Raid6 => "raid6",
            Self::Raid10 => "raid10",
        }
    }

    /// Fewest members.
    pub const fn min_members(self) -> usize {
        match self {
            Self::Raid0 => 1,
            Self::Raid1 => 2,
            Self::Raid5 => 3,
            Self::Raid6 | Self::Raid10 => 4,
        }
    }
}

/// One volume as written: numbers with their units, to be read by what the type is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeText {
    /// Volume type, tier or family.
    pub name: String,
    /// As ordered; none where the type decides.
    pub size: Option<Amount>,
    /// Requests a second.
    pub iops: Option<f64>,
    /// Bytes a second.
    pub rate: Option<Amount>,
    /// Burst on demand.
    pub on_demand: bool,
    /// Performance plus.
    pub plus: bool,
    /// Credit at the start, percent.
    pub credit_percent: Option<f64>,
}

/// A number with its unit, as in `250 GiB`.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// Without its unit.
    pub number: f64,
    /// The unit of bytes: `GiB`, `GB`, `MiB` …
    pub unit: String,
}

impl Amount {
    /// In bytes, as the unit says.
    pub fn bytes(&self) -> f64 {
        self.number * Bytes::unit_factor(&self.unit).unwrap_or(1) as f64
    }

    /// In bytes with the unit read as the binary one: vendors write GB and mean GiB.
    pub fn binary_bytes(&self) -> f64 {
        let binary = match self.unit.as_str() {
            "kB" | "KB" | "kb" => "KiB",
            "MB" | "mb" => "MiB",
            "GB" | "gb" => "GiB",
            "TB" | "tb" => "TiB",
            "PB" | "pb" => "PiB",
            other => other,
        };
        self.number * Bytes::unit_factor(binary).unwrap_or(1) as f64
    }

    /// Whether the unit is a power of 1000.
    pub fn is_decimal(&self) -> bool {
        self.unit.len() == 2 && !self.unit.starts_with('B')
    }
}

impl Layout {
    /// The volumes at the bottom, in order.
    pub fn volumes(&self) -> Vec<&VolumeText> {
        match self {
            Self::Volume(volume) => vec![volume],
            Self::Array(array) => array.members.iter().flat_map(Self::volumes).collect(),
        }
    }
}
