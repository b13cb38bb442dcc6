//! What a workload can ask of storage, be it of one target or of many files, and a value for each.

use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// One kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Op {
    /// Read bytes.
    Read,
    /// Write bytes.
    Write,
    /// Make a file (or a directory) that is not there, with its bytes. It stands here since the
    /// loop asks of each request whether it moves bytes, which the first three do, by one
    /// comparison.
    Create,
    /// Tell the device that bytes are no longer needed (discard).
    Trim,
    /// Make earlier writes durable (fsync, fdatasync).
    Flush,
    /// Ask for the attributes of a file.
    Stat,
    /// Give a file another name.
    Rename,
    /// Remove a file.
    Unlink,
}

impl Op {
    /// All operations, in the order in which reports list them.
    pub const ALL: [Self; 8] = [
        Self::Read,
        Self::Write,
        Self::Create,
        Self::Trim,
        Self::Flush,
        Self::Stat,
        Self::Rename,
        Self::Unlink,
    ];

    /// Those that are requests of a job: a flush belongs to the writes before it.
    pub const REQUESTS: [Self; 7] = [
        Self::Read,
        Self::Write,
        Self::Trim,
        Self::Create,
        Self::Stat,
        Self::Rename,
        Self::Unlink,
    ];

    /// Their names, in the order of all.
    const NAMES: [&'static str; 8] = {
        let mut names = [""; 8];
        let mut index = 0;
        while index < 8 {
            names[index] = Self::ALL[index].name();
            index += 1;
        }
        names
    };

    /// The name used in specifications and results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Trim => "trim",
            Self::Flush => "flush",
            Self::Create => "create",
            Self::Stat => "stat",
            Self::Rename => "rename",
            Self::Unlink => "unlink",
        }
    }

    /// Whether the request changes what the target holds.
    pub const fn destroys(self) -> bool {
        match self {
            Self::Write | Self::Trim | Self::Create | Self::Rename | Self::Unlink => true,
            Self::Read | Self::Flush | Self::Stat => false,
        }
    }

    /// Whether it carries bytes to the storage, which have to be made.
    pub const fn carries(self) -> bool {
        matches!(self, Self::Write | Self::Create)
    }

    /// Whether only files can be asked for it, not bytes of a target.
    pub const fn is_of_files(self) -> bool {
        match self {
            Self::Create | Self::Stat | Self::Rename | Self::Unlink => true,
            Self::Read | Self::Write | Self::Trim | Self::Flush => false,
        }
    }
}

/// A value for each operation, indexed by it.
///
/// One of `Option` is written as an object with a key for each operation that is there, by its
/// name; with `#[serde(flatten)]` these keys stand in the object around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerOp<T> {
    values: [T; Op::ALL.len()],
}

impl<T> PerOp<T> {
    /// Builds each value from its operation.
    pub fn from_fn(mut make: impl FnMut(Op) -> T) -> Self {
        Self {
            values: Op::ALL.map(&mut make),
        }
    }

    /// The pairs, in report order.
    pub fn iter(&self) -> impl Iterator<Item = (Op, &T)> {
        Op::ALL.into_iter().zip(self.values.iter())
    }

    /// The pairs, in report order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Op, &mut T)> {
        Op::ALL.into_iter().zip(self.values.iter_mut())
    }
}

impl<T> PerOp<Option<T>> {
    /// The value of an operation, if there is one.
    pub const fn get(&self, op: Op) -> Option<&T> {
        self.values[op as usize].as_ref()
    }

    /// The operations that have a value, with it, in report order.
    pub fn present(&self) -> impl Iterator<Item = (Op, &T)> {
        self.iter()
            .filter_map(|(op, value)| Some((op, value.as_ref()?)))
    }
}

impl<T, const N: usize> From<[(Op, T); N]> for PerOp<Option<T>> {
    fn from(pairs: [(Op, T); N]) -> Self {
        let mut all = Self::from_fn(|_| None);
        for (op, value) in pairs {
            all[op] = Some(value);
        }
        all
    }
}

impl<T: Serialize> Serialize for PerOp<Option<T>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (op, value) in self.present() {
            map.serialize_entry(op.name(), value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for PerOp<Option<T>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As a structure with these fields, so that flattened it takes no other key.
        deserializer.deserialize_struct("PerOp", &Op::NAMES, OpVisitor(PhantomData))
    }
}

struct OpVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OpVisitor<T> {
    type Value = PerOp<Option<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a key for each operation")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = PerOp::from_fn(|_| None);
        while let Some(op) = map.next_key::<Op>()? {
            if found[op].is_some() {
                return Err(A::Error::duplicate_field(op.name()));
            }
            found[op] = map.next_value()?;
        }
        Ok(found)
    }
}

impl<T> std::ops::Index<Op> for PerOp<T> {
    type Output = T;

    #[inline]
    fn index(&self, op: Op) -> &T {
        &self.values[op as usize]
    }
}

impl<T> std::ops::IndexMut<Op> for PerOp<T> {
    #[inline]
    fn index_mut(&mut self, op: Op) -> &mut T {
        &mut self.values[op as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Around {
        before: u32,
        #[serde(flatten)]
        ops: PerOp<Option<u64>>,
        #[serde(default)]
        after: Vec<u32>,
    }

    #[test]
    fn flattened_the_keys_stand_in_the_object_around() {
        let ops = PerOp::from([(Op::Write, 7), (Op::Flush, u64::MAX)]);
        let around = Around {
            before: 1,
            ops,
            after: vec![2],
        };
        let text = format!(
            r#"{{"before":1,"write":7,"flush":{},"after":[2]}}"#,
            u64::MAX
        );
        assert_eq!(serde_json::to_string(&around).expect("plain data"), text);
        assert_eq!(
            serde_json::from_str::<Around>(&text).expect("its own"),
            around
        );
        let present: Vec<(Op, u64)> = ops.present().map(|(op, value)| (op, *value)).collect();
        assert_eq!(present, [(Op::Write, 7), (Op::Flush, u64::MAX)]);
    }

    #[test]
    fn what_is_not_there_may_be_left_out_or_null() {
        let text = r#"{"before":1,"trim":null,"read":3,"other":"passed by"}"#;
        let found: Around = serde_json::from_str(text).expect("all that is needed");
        assert_eq!(found.ops, PerOp::from([(Op::Read, 3)]));
    }

    #[test]
    fn a_key_twice_and_a_wrong_value_are_refused() {
        let read = |text: &str| {
            let found = serde_json::from_str::<Around>(text);
            found.expect_err("wrong").to_string()
        };
        assert_eq!(
            read(r#"{"before":1,"read":3,"read":4}"#),
            "duplicate field `read` at line 1 column 30"
        );
        assert_eq!(
            read(r#"{"before":1,"read":"three"}"#),
            "invalid type: string \"three\", expected u64 at line 1 column 27"
        );
    }
}
