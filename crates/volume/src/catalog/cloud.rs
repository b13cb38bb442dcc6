//! Whose volumes they are.

use serde::{Deserialize, Serialize};

/// A cloud, or the machine itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
