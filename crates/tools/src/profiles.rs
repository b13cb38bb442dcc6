//! The workloads that come with the program: files in `profiles/`, embedded.

use crate::native;
use fathom_core::nearest;
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
pub const PROFILES: &[Profile] = profiles![
    "quick",
    "random-read-4k",
    "random-write-4k",
    "sequential-read-1m",
    "sequential-write-1m",
    "random-mixed-8k",
    "ms-oltp",
    "ms-olap",
    "sqlserver-data",
    "sqlserver-log",
    "sqlserver-backup",
    "exchange-jetstress",
    "pg-oltp",
    "iris-full",
    "iris-read",
    "iris-wij",
    "iris-dbwrite",
    "iris-journal",
    "iris-journal-commit",
    "etcd",
    "kafka",
    "mysql",
    "mongodb",
    "elasticsearch",
    "prometheus",
    "ceph-osd",
    "file-copy",
    "backup",
    "ml-checkpoint",
    "kv-cache",
    "sas-session",
    "sas-server",
    "fileserver",
    "vdi-steady",
    "vdi-boot",
    "ec2-matrix",
    "web-file-server-4k",
    "web-file-server-8k",
    "web-file-server-64k",
    "dss-db",
    "media-streaming",
    "sql-server-log",
    "os-paging",
    "web-server-log",
    "oltp-db",
    "exchange-2003",
    "exchange-2007",
    "exchange-2010",
    "workstation",
    "mdtest",
    "io500-easy",
    "io500-hard",
    "io500-ior-easy",
    "io500-ior-hard",
    "mail-spool",
    "video-on-demand",
];

/// The profile of that name.
pub fn find(name: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|profile| profile.name == name)
}

/// The profile whose name is nearest, if one is near enough to have been meant.
pub fn nearest(name: &str) -> Option<&'static str> {
    nearest::nearest(name, PROFILES.iter().map(|profile| profile.name))
}

/// Profiles with this word in their names, as `sqlserver`; else those whose description begins with
/// it, as `PostgreSQL: random 8 KiB reads`. A shorter word would be a part of too many.
fn of_word(word: &str) -> Vec<&'static str> {
    const LETTERS: usize = 5;
    let word = word.to_lowercase();
    if word.chars().count() < LETTERS {
        return Vec::new();
    }
    let those = |is_meant: &dyn Fn(&Profile) -> bool| -> Vec<&'static str> {
        let found = PROFILES.iter().filter(|profile| is_meant(profile));
        found.map(|profile| profile.name).collect()
    };
    let by_name = those(&|profile| profile.name.split('-').any(|part| part == word));
    if !by_name.is_empty() {
        return by_name;
    }
    those(&|profile| {
        let mut lines = profile.text.lines();
        let described = lines.find_map(|line| line.strip_prefix("description = \""));
        described.is_some_and(|text| text.to_lowercase().starts_with(&word))
    })
}

/// Names that sources use for what is several profiles here: the name, why it is not one, and
/// the choices.
const AMBIGUOUS: &[(&str, &str, &str)] = &[
    (
        "oltp",
        "each database has its own",
        "ms-oltp, pg-oltp or oltp-db",
    ),
    (
        "exchange-server",
        EXCHANGE,
        "exchange-2003, exchange-2007 or exchange-2010",
    ),
    (
        "exchange",
        EXCHANGE,
        "exchange-2003, exchange-2007, exchange-2010 or exchange-jetstress",
    ),
    (
        "web-file-server",
        "the study has it with three block sizes",
        "web-file-server-4k, web-file-server-8k or web-file-server-64k",
    ),
];

const EXCHANGE: &str = "its source contradicts itself: 8 KiB in the job file, 4 KiB in the text; \
                        Exchange had 4 KiB pages in 2003, 8 KiB in 2007 and 32 KiB since 2010";

/// Why there is no profile of a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The name stands for several.
    #[error("there is no profile `{name}`, since {reason}; choose {choices}")]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// What makes it several.
        reason: &'static str,
        /// Their names.
        choices: &'static str,
    },
    /// The name is a word of several names, or of what they are for.
    #[error("there is no profile `{name}`; did you mean {choices}?")]
    Word {
        /// What was asked for.
        name: String,
        /// Their names.
        choices: String,
    },
    /// There is none, but a similar one.
    #[error("there is no profile `{name}`; did you mean `{nearest}`?")]
    Misspelt {
        /// What was asked for.
        name: String,
        /// The name that was probably meant.
        nearest: &'static str,
    },
    /// There is none, and none that is similar.
    #[error("there is no profile `{name}`; `fathom profiles` lists them")]
    Unknown {
        /// What was asked for.
        name: String,
    },
}

/// The profile that a user asks for by name.
///
/// # Errors
///
/// Why there is none, and which to ask for.
pub fn choose(name: &str) -> Result<&'static Profile, ProfileError> {
    if let Some(profile) = find(name) {
        return Ok(profile);
    }
    let name = name.to_owned();
    if let Some((_, reason, choices)) = AMBIGUOUS.iter().find(|(other, ..)| *other == name) {
        return Err(ProfileError::Ambiguous {
            name,
            reason,
            choices,
        });
    }
    let of_word = of_word(&name);
    if !of_word.is_empty() {
        let choices = of_word.join(", ");
        return Err(ProfileError::Word { name, choices });
    }
    Err(match nearest(&name) {
        Some(nearest) => ProfileError::Misspelt { name, nearest },
        None => ProfileError::Unknown { name },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_lists_the_profiles_of_it() {
        let cases = [
            (
                "sqlserver",
                "sqlserver-data, sqlserver-log, sqlserver-backup",
            ),
            ("postgres", "pg-oltp"),
        ];
        for (word, expected) in cases {
            let error = choose(word)
                .expect_err("no profile has this name")
                .to_string();
            let said = format!("there is no profile `{word}`; did you mean {expected}?");
            assert_eq!(error, said);
        }
    }
}
