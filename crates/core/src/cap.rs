//! A limit that somebody set on I/O: a volume's, an instance's, a link's, a cgroup's.
//!
//! One type for all who name limits: the user on the command line, the catalogue of volumes and
//! instances, the kernel's own settings. Attribution compares what was measured with these.

use crate::units::Rate;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What a cap limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CapUnit {
    /// Requests a second.
    Iops,
    /// Limits throughput, in bytes a second.
    BytesPerSecond,
}

/// Which requests a cap counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapScope {
    /// Reads and writes together.
    #[default]
    All,
    /// Reads alone.
    Reads,
    /// Writes alone.
    Writes,
}

/// Who sets a cap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapOwner {
    /// Nobody knows.
    #[default]
    Unknown,
    /// One volume.
    Volume,
    /// The instance, for all its volumes together.
    Instance,
    /// The kernel, for a control group.
    ControlGroup,
}

impl CapOwner {
    /// The owner that a name given by a user tells by its first word.
    fn of_name(name: &str) -> Self {
        let first = name.split(|c: char| !c.is_alphanumeric()).next();
        match first.unwrap_or("").to_ascii_lowercase().as_str() {
            "vm" | "instance" | "machine" | "host" | "link" => Self::Instance,
            "volume" | "disk" | "disks" | "lun" => Self::Volume,
            _ => Self::Unknown,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
    const fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }
}

/// A burst above a cap: a bucket of tokens that fills at the cap's own value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CapBurst {
    /// Rate while tokens last, in the cap's unit.
    pub value: f64,
    /// Tokens of a full bucket: requests or bytes.
    pub capacity: f64,
}

/// A limit on I/O with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cap {
    /// Whose limit it is, as in `vm`, `gp2 volume` or `r5d.xlarge`.
    pub name: String,
    /// What it limits.
    pub unit: CapUnit,
    /// Who sets it.
    #[serde(default, skip_serializing_if = "CapOwner::is_unknown")]
    pub owner: CapOwner,
    /// Which requests it counts.
    #[serde(default)]
    pub scope: CapScope,
    /// The sustained limit: requests or bytes a second.
    pub value: f64,
    /// Bytes that count as one request at most, where larger requests count as several; `None`
    /// where each request counts once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_bytes: Option<u64>,
    /// The burst above it, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst: Option<CapBurst>,
    /// Who says so: `the user`, a catalogue's source and date, a kernel file.
    pub source: String,
}

/// Why a text names no cap.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no limit: {cause}")]
pub struct CapError {
    /// The words of the user.
    pub text: String,
    /// What is wrong with it.
    pub cause: String,
}

impl FromStr for Cap {
    type Err = CapError;

    /// Reads `NAME=RATE`, as in `vm=1920iops` or `link=125MB/s`; `NAME.reads` and `NAME.writes`
    /// limit one direction.
    fn from_str(text: &str) -> Result<Self, CapError> {
        let refuse = |cause: String| CapError {
            text: text.to_owned(),
            cause,
        };
        let Some((name, rate)) = text.split_once('=') else {
            return Err(refuse(
                "expected a name and a rate, as in `vm=1920iops`".to_owned(),
            ));
        };
        let rate: Rate = rate
            .trim()
            .parse()
            .map_err(|error| refuse(format!("{error}")))?;
        let name = name.trim();
        let (name, scope) = match name.rsplit_once('.') {
            Some((name, "reads")) => (name, CapScope::Reads),
            Some((name, "writes")) => (name, CapScope::Writes),
            _ => (name, CapScope::All),
        };
        if name.is_empty() {
            return Err(refuse(
                "the limit needs a name, as in `vm=1920iops`".to_owned(),
            ));
        }
        if rate.per_second() <= 0.0 || !rate.per_second().is_finite() {
            return Err(refuse("a limit is more than nothing".to_owned()));
        }
        Ok(Self {
            owner: CapOwner::of_name(name),
            name: name.to_owned(),
            unit: match rate {
                Rate::Iops(_) => CapUnit::Iops,
                Rate::BytesPerSecond(_) => CapUnit::BytesPerSecond,
            },
            scope,
            value: rate.per_second(),
            request_bytes: None,
            burst: None,
            source: "the user".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_with_name_and_unit() {
        let read = |text: &str| {
            let cap: Cap = text.parse().expect("a cap");
            (cap.name, cap.unit, cap.scope, cap.value)
        };
        assert_eq!(
            read("vm=1920iops"),
            ("vm".to_owned(), CapUnit::Iops, CapScope::All, 1920.0)
        );
        assert_eq!(
            read("link.reads=125 MB/s"),
            (
                "link".to_owned(),
                CapUnit::BytesPerSecond,
                CapScope::Reads,
                125e6
            )
        );
        let refused = |text: &str| text.parse::<Cap>().expect_err("no cap").to_string();
        assert_eq!(
            refused("1920iops"),
            "`1920iops` is no limit: expected a name and a rate, as in `vm=1920iops`"
        );
        assert_eq!(
            refused("vm=0iops"),
            "`vm=0iops` is no limit: a limit is more than nothing"
        );
    }
}
