//! How a job is read: with the keys that its compartment for other programs has by now.

use super::fields::COMPAT;
use super::{Compat, Job};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error as _, IntoDeserializer as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

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
    use super::super::compat::NOTHING;
    use super::*;
    use crate::units::Bytes;

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
