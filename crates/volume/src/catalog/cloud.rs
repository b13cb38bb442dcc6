//! Whose volumes they are.

use serde::{Deserialize, Serialize};

/// A cloud, or the machine itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Cloud {
    /// Amazon Web Services.
    Aws,
    /// Microsoft Azure.
    Azure,
    /// Google Cloud.
    Gcp,
    /// Databases of Amazon RDS.
    Rds,
    /// Oracle Cloud.
    Oci,
    /// Alibaba Cloud.
    Alibaba,
    /// What a catalogue of the user's own describes.
    Own,
    /// Devices in the machine.
    Local,
}

impl Cloud {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Aws,
        Self::Azure,
        Self::Gcp,
        Self::Rds,
        Self::Oci,
        Self::Alibaba,
        Self::Own,
        Self::Local,
    ];

    /// Those that sell something: all but the machine itself.
    pub fn sellers() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|cloud| *cloud != Self::Local)
    }

    /// Whether a plan looks at it without being asked for it. Databases are something else than
    /// machines with volumes, and of some clouds no prices are known.
    pub const fn is_planned_unasked(self) -> bool {
        !matches!(self, Self::Rds | Self::Oci | Self::Alibaba)
    }

    /// The word for it: its folder, and what commands take.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aws => "aws",
            Self::Azure => "azure",
            Self::Gcp => "gcp",
            Self::Rds => "rds",
            Self::Oci => "oci",
            Self::Alibaba => "alibaba",
            Self::Own => "own",
            Self::Local => "local",
        }
    }

    /// Where the vendor publishes its prices.
    pub const fn feed(self) -> &'static str {
        match self {
            Self::Aws => {
                "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonEC2/current/REGION/\
                 index.json"
            }
            Self::Azure => {
                "https://prices.azure.com/api/retail/prices?$filter=armRegionName eq 'REGION'"
            }
            Self::Gcp => "https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus",
            Self::Rds => {
                "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonRDS/current/REGION/\
                 index.json"
            }
            Self::Oci => "https://www.oracle.com/cloud/price-list/",
            Self::Alibaba => "https://www.alibabacloud.com/pricing",
            Self::Own | Self::Local => "",
        }
    }

    /// The cloud of a folder of the catalogue.
    pub fn of_folder(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cloud| cloud.name() == name)
    }
}

impl std::fmt::Display for Cloud {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
