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

    /// What the catalogue does not have of a cloud, and who publishes it; none where it has the
    /// limits and prices of machines and volumes.
    pub const fn gaps(self) -> Option<&'static str> {
        match self {
            Self::Oci => Some(
                "the catalogue has neither machines nor prices of Oracle Cloud. Look up what a \
                 shape lets through in the documentation of its Compute service, and prices at \
                 https://www.oracle.com/cloud/price-list/",
            ),
            Self::Alibaba => Some(
                "the catalogue has neither machines nor prices of Alibaba Cloud. Alibaba publishes \
                 what a machine lets through under \"Overview of instance families\", and prices \
                 at https://www.alibabacloud.com/pricing",
            ),
            _ => None,
        }
    }

    /// Why something is not planned that is known by name: of its storage no source states what it
    /// gives.
    pub fn unsourced(name: &str) -> Option<&'static str> {
        let is_aurora = name
            .get(..6)
            .is_some_and(|word| word.eq_ignore_ascii_case("aurora"));
        is_aurora.then_some(
            "no source of the catalogue states how many IOPS and MB/s the storage of Aurora gives \
             a class, and they cannot be ordered. Its prices are in the AWS Price List (AmazonRDS)",
        )
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
