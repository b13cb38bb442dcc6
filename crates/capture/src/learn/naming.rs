//! What a role is called: by what it does or by the name of its process, where either says so.

use serde::Serialize;
use std::fmt;

/// What a role does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RoleKind {
    /// Mostly random requests, of which some are reads.
    Data,
    /// Writes in order, which are flushed.
    Log,
    /// The journal of a file system.
    Journal,
    /// Writes of the page cache by the kernel.
    Writeback,
    /// Writes by a process for checkpoints.
    Checkpoint,
    /// Writes in order that are read in order again.
    Temp,
    /// Large reads in order.
    Backup,
    /// Nothing that is known.
    Other,
}

/// What a name is decided by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evidence<'a> {
    pub(super) process: &'a str,
    pub(super) thread: &'a str,
    /// Shares, 0 to 1.
    pub(super) reads: f64,
    pub(super) read_order: f64,
    pub(super) write_order: f64,
    pub(super) read_bytes: f64,
    pub(super) written_bytes: f64,
    pub(super) mean_read_bytes: f64,
    /// Flushes, and writes that are durable by themselves, over the writes.
    pub(super) durable: f64,
}

/// Parts of names of processes and threads.
const NAMES: [(&str, RoleKind); 11] = [
    ("jbd", RoleKind::Journal),
    ("xfsaild", RoleKind::Journal),
    ("txg_sync", RoleKind::Journal),
    ("kworker", RoleKind::Writeback),
    ("checkpoint", RoleKind::Checkpoint),
    ("ckpt", RoleKind::Checkpoint),
    ("walwriter", RoleKind::Log),
    ("wal writer", RoleKind::Log),
    ("log_writer", RoleKind::Log),
    ("log_flusher", RoleKind::Log),
    ("lgwr", RoleKind::Log),
];

/// Requests of a backup are at least this long on average.
const BACKUP_BYTES: f64 = 131_072.0;

impl Evidence<'_> {
    pub(super) fn kind(&self) -> RoleKind {
        let named = NAMES.iter().find(|(part, _)| {
            let has = |name: &str| name.to_ascii_lowercase().contains(part);
            has(self.thread) || has(self.process)
        });
        if let Some((_, kind)) = named {
            return *kind;
        }
        let has_both = self.reads > 0.2 && self.reads < 0.8;
        let is_alike = self.read_bytes > self.written_bytes / 2.0
            && self.written_bytes > self.read_bytes / 2.0;
        if self.reads < 0.05 && self.write_order >= 0.6 && self.durable >= 0.1 {
            RoleKind::Log
        } else if self.reads > 0.95 && self.read_order > 0.9 && self.mean_read_bytes >= BACKUP_BYTES
        {
            RoleKind::Backup
        } else if has_both
            && is_alike
            && self.read_order > 0.8
            && self.write_order > 0.8
            && self.durable < 0.01
        {
            RoleKind::Temp
        } else if self.reads >= 0.05 && self.read_order < 0.5 {
            RoleKind::Data
        } else {
            RoleKind::Other
        }
    }
}

impl RoleKind {
    /// Why a role is called so.
    pub const fn evidence(self) -> &'static str {
        match self {
            Self::Data => "most requests are random, and some are reads",
            Self::Log => "writes in order, with flushes, or the name of the process",
            Self::Journal => "the name of the process is that of a journal",
            Self::Writeback => "a kernel worker writes the page cache back",
            Self::Checkpoint => "the name of the process",
            Self::Temp => "writes in order, and as many reads in order, without flushes",
            Self::Backup => "large reads in order",
            Self::Other => "named after the process",
        }
    }
}

impl fmt::Display for RoleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Data => "data",
            Self::Log => "log",
            Self::Journal => "journal",
            Self::Writeback => "writeback",
            Self::Checkpoint => "checkpoint",
            Self::Temp => "temp",
            Self::Backup => "backup",
            Self::Other => "role",
        })
    }
}

/// A name of a job for each role: its kind, or else its process; numbered where several have one.
pub(super) fn names(roles: &[(RoleKind, &str)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (number, (kind, process)) in roles.iter().enumerate() {
        let is_safe = |letter: &char| letter.is_ascii_alphanumeric() || "-_.".contains(*letter);
        let process: String = process.chars().filter(is_safe).take(32).collect();
        let name = match kind {
            RoleKind::Other if process.is_empty() => format!("role-{}", number + 1),
            RoleKind::Other => process,
            kind => kind.to_string(),
        };
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut all = std::iter::once(name.clone()).chain(numbered);
        names.extend(all.find(|one| !names.contains(one)));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_evidence_names_a_role() {
        let none = Evidence {
            process: "app",
            ..Evidence::default()
        };
        let cases = [
            (
                Evidence {
                    reads: 0.7,
                    read_order: 0.1,
                    ..none
                },
                RoleKind::Data,
            ),
            (
                Evidence {
                    write_order: 0.9,
                    durable: 1.0,
                    ..none
                },
                RoleKind::Log,
            ),
            (
                Evidence {
                    write_order: 0.9,
                    ..none
                },
                RoleKind::Other,
            ),
            (
                Evidence {
                    reads: 1.0,
                    read_order: 1.0,
                    mean_read_bytes: 262_144.0,
                    ..none
                },
                RoleKind::Backup,
            ),
            (
                Evidence {
                    reads: 0.5,
                    read_order: 0.9,
                    write_order: 0.9,
                    read_bytes: 1e6,
                    written_bytes: 1e6,
                    ..none
                },
                RoleKind::Temp,
            ),
            (
                Evidence {
                    thread: "kworker",
                    ..none
                },
                RoleKind::Writeback,
            ),
        ];
        for (evidence, kind) in cases {
            assert_eq!(evidence.kind(), kind, "{evidence:?}");
        }
    }

    #[test]
    fn names_are_unique_and_safe() {
        let roles = [
            (RoleKind::Data, "a"),
            (RoleKind::Data, "a"),
            (RoleKind::Other, "d\x1b[31md"),
            (RoleKind::Other, ""),
        ];
        assert_eq!(names(&roles), ["data", "data-2", "d31md", "role-4"]);
    }
}
