//! Bytes as a task of IOR writes them, so that IOR can check them and they those of IOR.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// What the words of a request are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IorKind {
    /// The task, and the stamp plus the number of the word: the same in every request.
    #[default]
    Timestamp,
    /// The same, and at the head of each 4 KiB the request's offset.
    Offset,
    /// One word all over, and at the head of each 4 KiB the request's offset.
    Incompressible,
    /// Random words that follow from the stamp, the task and the request's offset.
    Random,
}

impl IorKind {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Self); 4] = [
        ("timestamp", Self::Timestamp),
        ("offset", Self::Offset),
        ("incompressible", Self::Incompressible),
        ("random", Self::Random),
    ];
}

/// What a task of IOR writes. As text: the kind, the number of the task among all and the stamp, as
/// in `timestamp/3/1700000000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IorData {
    /// What the words are.
    pub kind: IorKind,
    /// Number of the task, from 0.
    pub task: u32,
    /// What tells one run from another: `-G` of IOR.
    pub stamp: u32,
}

/// A text is none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the data of IOR are a kind, a task and a stamp below 2^31")]
pub struct IorDataError;

impl fmt::Display for IorData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = IorKind::ALL.iter();
        let name = names.find_map(|(name, kind)| (*kind == self.kind).then_some(*name));
        write!(
            f,
            "{}/{}/{}",
            name.unwrap_or_default(),
            self.task,
            self.stamp
        )
    }
}

impl FromStr for IorData {
    type Err = IorDataError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<&str> = text.split('/').collect();
        let [name, task, stamp] = parts.as_slice() else {
            return Err(IorDataError);
        };
        // No sign and no space: a text is written as it is read.
        let number = |text: &str| -> Option<u32> {
            let plain = text.bytes().all(|digit| digit.is_ascii_digit());
            let number = text.parse().ok().filter(|_| plain);
            number.filter(|number| i32::try_from(*number).is_ok())
        };
        let mut kinds = IorKind::ALL.iter();
        let kind = kinds.find_map(|(own, kind)| (own == name).then_some(*kind));
        Ok(Self {
            kind: kind.ok_or(IorDataError)?,
            task: number(task).ok_or(IorDataError)?,
            stamp: number(stamp).ok_or(IorDataError)?,
        })
    }
}

impl Serialize for IorData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for IorData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_of_ior_are_text() {
        for text in [
            "timestamp/0/0",
            "offset/3/1700000000",
            "random/7/2147483647",
        ] {
            let data: IorData = text.parse().expect(text);
            assert_eq!(data.to_string(), text);
            let json = serde_json::to_string(&data).expect("a text");
            assert_eq!(serde_json::from_str::<IorData>(&json).ok(), Some(data));
        }
        for text in [
            "",
            "offset",
            "offset/1",
            "o/1/2",
            "offset/+1/2",
            "offset/1/2147483648",
        ] {
            assert_eq!(text.parse::<IorData>(), Err(IorDataError), "{text}");
        }
    }
}
