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
    /// Devices in the machine.
    Local,
}

impl Cloud {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Aws, Self::Azure, Self::Gcp, Self::Local];

    /// The word for it: its folder, and what commands take.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aws => "aws",
            Self::Azure => "azure",
            Self::Gcp => "gcp",
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
            Self::Local => "",
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
