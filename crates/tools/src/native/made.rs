//! A part of a workload out of the values that a text gives it, and its defaults.

use super::group::Tree;
use fathom_core::spec::fields::Group;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess};
use serde_json::{Error, Value, map};

/// The values of `told` over the defaults of the group, in place of a copy of all defaults, which
/// would be most of the time of reading a job.
///
/// # Errors
///
/// A value that is none for its field.
pub(super) fn made<T: for<'v> Deserialize<'v>>(told: Tree, group: &Group) -> Result<T, Error> {
    let plain = (group.plain)().as_object().map(map::Map::iter);
    T::deserialize(MapAccessDeserializer::new(Values {
        plain,
        told,
        others: None,
        next: None,
    }))
}

struct Values {
    /// Those meant without text that were not had yet.
    plain: Option<map::Iter<'static>>,
    told: Tree,
    /// What of `told` has no plain value, once all of those were taken.
    others: Option<map::IntoIter>,
    next: Option<Next>,
}

enum Next {
    Told(Value),
    Plain(&'static Value),
}

impl<'v> MapAccess<'v> for Values {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'v>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if let Some((key, value)) = self.plain.as_mut().and_then(Iterator::next) {
            let told = self.told.remove(key).map(Next::Told);
            self.next = told.or(Some(Next::Plain(value)));
            return seed.deserialize(key.as_str().into_deserializer()).map(Some);
        }
        let told = &mut self.told;
        let others = self
            .others
            .get_or_insert_with(|| std::mem::take(told).into_iter());
        let Some((key, value)) = others.next() else {
            return Ok(None);
        };
        self.next = Some(Next::Told(value));
        seed.deserialize(key.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'v>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.next.take() {
            Some(Next::Told(value)) => seed.deserialize(value),
            Some(Next::Plain(value)) => seed.deserialize(value),
            None => seed.deserialize(Value::Null),
        }
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
        let none: Job = made(told.clone(), &JOB).expect("a plain job");
        assert_eq!(none, Job::plain());
        told.insert("name".to_owned(), json!("a"));
        told.insert("threads".to_owned(), json!(3));
        // Without a plain value.
        told.insert("size".to_owned(), json!("1MiB"));
        let some: Job = made(told.clone(), &JOB).expect("a job");
        let expected = Job {
            name: "a".to_owned(),
            threads: 3,
            size: Some(fathom_core::Bytes::MIB),
            ..Job::plain()
        };
        assert_eq!(some, expected);
        told.insert("colour".to_owned(), json!(1));
        let error = made::<Job>(told, &JOB).expect_err("there is no such field");
        let words = error.to_string();
        assert_eq!(words.split(',').next(), Some("unknown field `colour`"));
    }
}
