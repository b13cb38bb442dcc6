//! The workloads that come with the program: files in `profiles/`, embedded.

use crate::native;
use crate::nearest;
use fathom_core::spec::Workload;

/// A workload that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name, as in `ms-oltp`; also the name of its file.
    pub name: &'static str,
    /// Its text, in the native format.
    pub text: &'static str,
}

impl Profile {
    /// The file the text comes from, for messages.
    pub fn file(&self) -> String {
        format!("profiles/{}.toml", self.name)
    }

    /// The workload.
    ///
    /// # Errors
    ///
    /// What is wrong with the text: nothing, in a profile that is in [`PROFILES`].
    pub fn workload(&self) -> Result<Workload, Vec<crate::Diagnostic>> {
        native::parse(self.text, &self.file())
    }
}

macro_rules! profiles {
    ($($name:literal),* $(,)?) => {
        &[$(Profile {
            name: $name,
            text: include_str!(concat!("../../../profiles/", $name, ".toml")),
        }),*]
    };
}

/// All of them, in the order in which they are listed.
pub const PROFILES: &[Profile] =
    profiles!["quick", "random-read-4k", "random-write-4k", "ms-oltp",];

/// The profile of that name.
pub fn find(name: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|profile| profile.name == name)
}

/// The profile whose name is nearest, if one is near enough to have been meant.
pub fn nearest(name: &str) -> Option<&'static str> {
    nearest::nearest(name, PROFILES.iter().map(|profile| profile.name))
}
