//! A part of a workload out of the values that a text gives it, and its defaults.

use super::group::Tree;
use fathom_core::spec::fields::Group;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, IntoDeserializer as _, MapAccess};
use serde_json::{Error, Map, Value, map};

/// The values of `told` over the defaults of the group, in place of a copy of all defaults, which
/// would be most of the time of reading a job.
///
/// # Errors
///
/// A value that is none for its field.
pub(super) fn made<T: DeserializeOwned>(told: &Tree, group: &Group) -> Result<T, Error> {
    let plain = (group.plain)().as_object();
    T::deserialize(MapAccessDeserializer::new(Values {
        plain,
        rest: plain.map(Map::iter),
        told,
        others: told.iter(),
        next: &Value::Null,
    }))
}

/// Lends all values: what is made of lent values and of own ones is code for each.
struct Values<'v> {
    plain: Option<&'static Tree>,
    /// Those of `plain` that were not had yet.
    rest: Option<map::Iter<'static>>,
    told: &'v Tree,
    /// Those of `told` that were not looked at yet after all of `plain`.
    others: map::Iter<'v>,
    next: &'v Value,
}

impl<'v> MapAccess<'v> for Values<'v> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'v>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let plain = self.rest.as_mut().and_then(Iterator::next);
        let next = plain.map(|(key, value)| (key, self.told.get(key).unwrap_or(value)));
        let is_other = |key: &str| self.plain.is_none_or(|plain| !plain.contains_key(key));
        let Some((key, value)) = next.or_else(|| self.others.find(|(key, _)| is_other(key))) else {
            return Ok(None);
        };
        self.next = value;
        seed.deserialize(key.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'v>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::Job;
    use fathom_core::spec::fields::JOB;
    use serde_json::json;

    #[test]
    fn a_job_has_what_is_told_and_the_rest_of_a_plain_one() {
        let mut told = Tree::new();
        let none: Job = made(&told, &JOB).expect("a plain job");
        assert_eq!(none, Job::plain());
        told.insert("name".to_owned(), json!("a"));
        told.insert("threads".to_owned(), json!(3));
        // Without a plain value.
        told.insert("size".to_owned(), json!("1MiB"));
        let some: Job = made(&told, &JOB).expect("a job");
        let expected = Job {
            name: "a".to_owned(),
            threads: 3,
            size: Some(fathom_core::Bytes::MIB),
            ..Job::plain()
        };
        assert_eq!(some, expected);
        told.insert("colour".to_owned(), json!(1));
        let error = made::<Job>(&told, &JOB).expect_err("there is no such field");
        let words = error.to_string();
        assert_eq!(words.split(',').next(), Some("unknown field `colour`"));
    }
}
