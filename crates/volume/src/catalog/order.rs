//! What is ordered of a volume type.

use serde::Serialize;

/// One volume as it is ordered: type, size, and what can be chosen of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VolumeOrder {
    /// The volume type, or the family of a tier.
    pub name: String,
    /// Size in GiB; none where the type's name says it (P30), or it does not matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_gib: Option<f64>,
    /// Requests a second, where they are chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops: Option<f64>,
    /// Bytes a second, where they are chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<f64>,
    /// Which burst is chosen.
    pub burst: BurstChoice,
    /// Performance plus of Azure's larger disks.
    pub plus: bool,
    /// Share of its credit at the start, 0 to 1.
    pub credit: f64,
}

/// Which burst is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BurstChoice {
    /// By credit, where the type has it.
    #[default]
    Credit,
    /// On demand, at a price.
    OnDemand,
}

impl VolumeOrder {
    /// A volume of a type and a size, without further choices.
    pub fn new(name: &str, size_gib: Option<f64>) -> Self {
        Self {
            name: name.to_owned(),
            size_gib,
            iops: None,
            bytes_per_second: None,
            burst: BurstChoice::Credit,
            plus: false,
            credit: 1.0,
        }
    }

    /// The same with chosen IOPS.
    #[must_use]
    pub fn iops(mut self, iops: f64) -> Self {
        self.iops = Some(iops);
        self
    }

    /// The same with chosen throughput in bytes a second.
    #[must_use]
    pub fn bytes_per_second(mut self, rate: f64) -> Self {
        self.bytes_per_second = Some(rate);
        self
    }
}
