//! The compartment for what only job files of other programs ask for.

use super::fields::COMPAT;
use super::{BlockForm, DataFile, Job, ReadAhead, TargetOrder};
use crate::is_default::is_default;
use crate::units::Bytes;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error as _, IntoDeserializer as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// What a job has because a job file of another program asks for it, and nobody would write in a
/// profile: the order of targets, the life of files, control of the page cache, forms of
/// verification, content and pauses.
///
/// A job leaves the plain path of the loop if [`Compat::is_of_requests`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Compat {
    /// Which target a thread goes to where they share its depth; in turn without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_order: Option<TargetOrder>,
    /// Of targets that are drawn, how often each is, in their order: the share of the sum. All
    /// alike without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target_weights: Vec<u32>,
    /// Nothing of a fresh file goes: its bytes are written over where they are, and it grows where
    /// it ends before the job does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub uncut: bool,
    /// The pages are dropped again each time a thread has requested this many bytes. The load does
    /// not pause, and pages that are not written back yet stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cold_again: Option<Bytes>,
    /// The advice to the kernel about the reads (`posix_fadvise`). Without it, random reads are
    /// announced as random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_ahead: Option<ReadAhead>,
    /// The form in which blocks describe themselves.
    #[serde(default, skip_serializing_if = "BlockForm::is_own")]
    pub verify_as: BlockForm,
    /// Bytes of a block in a form of fio's; without it, each request is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify_interval: Option<Bytes>,
    /// Writes of a thread after which it reads them back before it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify_backlog: Option<u32>,
    /// The file that supplies the content of writes, with `fill = "file"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_file: Option<DataFile>,
    /// The targets are created and laid out, but the job makes no request.
    #[serde(default, skip_serializing_if = "is_default")]
    pub idle: bool,
}

impl Compat {
    /// Whether single requests depend on it. Files and advice are prepared before the load starts,
    /// and passes are counted for many requests at once.
    pub fn is_of_requests(&self) -> bool {
        let prepared = Self {
            uncut: self.uncut,
            cold_again: self.cold_again,
            read_ahead: self.read_ahead,
            ..Self::default()
        };
        *self != prepared
    }

    /// `None` if it asks for nothing.
    pub fn boxed(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

/// Of a job that has none.
static NOTHING: Compat = Compat {
    target_order: None,
    target_weights: Vec::new(),
    uncut: false,
    cold_again: None,
    read_ahead: None,
    verify_as: BlockForm::Fathom,
    verify_interval: None,
    verify_backlog: None,
    data_file: None,
    idle: false,
};

impl Job {
    /// What only job files of other programs ask for.
    pub fn compat(&self) -> &Compat {
        self.compat.as_deref().unwrap_or(&NOTHING)
    }

    /// Changes it.
    pub fn set_compat(&mut self, change: impl FnOnce(&mut Compat)) {
        let mut compat = self
            .compat
            .take()
            .map_or_else(Compat::default, |compat| *compat);
        change(&mut compat);
        self.compat = compat.boxed();
    }
}

impl<'de> Deserialize<'de> for Job {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_map(JobVisitor)
    }
}

struct JobVisitor;

impl<'de> Visitor<'de> for JobVisitor {
    type Value = Job;

    fn expecting(&self, words: &mut fmt::Formatter<'_>) -> fmt::Result {
        words.write_str("a job")
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Job, A::Error> {
        let mut old = Map::new();
        let table = WithoutOldKeys {
            table,
            old: &mut old,
        };
        let mut job = Job::deserialize(MapAccessDeserializer::new(table))?;
        if !old.is_empty() {
            let compat = serde_json::to_value(job.compat()).map_err(A::Error::custom)?;
            for (key, value) in compat.as_object().into_iter().flatten() {
                if old.insert(key.clone(), value.clone()).is_some() {
                    return Err(A::Error::custom(format!("duplicate field `{key}`")));
                }
            }
            let compat = Compat::deserialize(Value::Object(old)).map_err(A::Error::custom)?;
            job.compat = Some(Box::new(compat));
        }
        // One that asks for nothing is none, so that jobs that are alike are equal.
        job.set_compat(|_| ());
        Ok(job)
    }
}

/// A job's table without the keys that stood there before there was a compartment for them.
struct WithoutOldKeys<'a, A> {
    table: A,
    /// Those keys, with their values.
    old: &'a mut Map<String, Value>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutOldKeys<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.table.next_key::<String>()? {
            if !COMPAT.fields.iter().any(|field| field.name == key) {
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
            self.old.insert(key, self.table.next_value()?);
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.table.next_value_seed(seed)
    }
}

impl Serialize for Job {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_the_default() {
        assert_eq!(NOTHING, Compat::default());
        let mut job = Job::plain();
        job.set_compat(|compat| compat.idle = true);
        assert!(job.compat().idle);
        job.set_compat(|compat| compat.idle = false);
        assert_eq!(job.compat, None);
    }

    #[test]
    fn a_compartment_that_asks_for_nothing_is_none() {
        let mut empty = serde_json::to_value(Job::plain()).expect("plain data");
        empty["compat"] = serde_json::json!({ "idle": false });
        assert_eq!(serde_json::from_value(empty).ok(), Some(Job::plain()));
    }

    #[test]
    fn old_keys_of_a_job_are_read() {
        let mut job = Job::plain();
        job.set_compat(|compat| compat.verify_interval = Some(Bytes(512)));
        let mut old = serde_json::to_value(&job).expect("plain data");
        assert_eq!(serde_json::from_value(old.clone()).ok(), Some(job.clone()));
        let keys = old.as_object_mut().expect("a table");
        let compat = keys.remove("compat").expect("it has one");
        keys.extend(compat.as_object().cloned().expect("a table"));
        assert_eq!(serde_json::from_value(old.clone()).ok(), Some(job));
        let mut twice = old.clone();
        twice["compat"] = serde_json::json!({ "verify_interval": "1KiB" });
        let refused = serde_json::from_value::<Job>(twice).expect_err("it stands there twice");
        assert_eq!(refused.to_string(), "duplicate field `verify_interval`");
        old["unknown"] = 1.into();
        let refused = serde_json::from_value::<Job>(old).expect_err("no such key");
        assert!(
            refused.to_string().starts_with("unknown field `unknown`"),
            "{refused}"
        );
    }
}
