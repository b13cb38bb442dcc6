//! The values of a table, by the rows of its fields.

use super::kind::way;
use super::table::Table;
use fathom_core::spec::fields::{Default, Field, Group, ValueForm};
use serde_json::{Map, Value, json};

/// Values by key, as a workload is made of them.
pub(super) type Tree = Map<String, Value>;

impl Table<'_> {
    /// The values of a table that has these fields and no other. None when one that it needs is
    /// missing or cannot be read, which has been noted.
    pub(super) fn group(&self, group: &Group) -> Option<Tree> {
        let mut tree = plain(group);
        let mut is_whole = true;
        for field in group.fields {
            let value = self.value(field.name, field);
            is_whole &= self.settle(&mut tree, field, value);
        }
        is_whole.then_some(tree)
    }

    /// Puts what was read of a field where it belongs, or its default.
    pub(super) fn settle(&self, tree: &mut Tree, field: &Field, value: Option<Value>) -> bool {
        let value = match (value, field.default) {
            (Some(value), _) => Some(value),
            (None, Default::Needed(example)) => {
                self.needed::<()>(field.name, example, None);
                return false;
            }
            (None, Default::Given(text)) => serde_json::from_str(text).ok(),
            (None, Default::Like(other)) => tree.get(other).cloned(),
            (None, Default::Plain | Default::PlainAs(_) | Default::Said(_)) => None,
        };
        if let Some(value) = value {
            tree.insert(field.name.to_owned(), value);
        }
        true
    }

    /// The value below a key, as the kind of a field has it.
    pub(super) fn value(&self, key: &'static str, field: &Field) -> Option<Value> {
        // Most fields are left out of most tables.
        if !self.has(key) {
            return None;
        }
        (way(&field.kind).read)(self, key, field)
    }

    /// One of several forms of a value.
    pub(super) fn one_of(
        &self,
        key: &'static str,
        forms: &'static [ValueForm],
        example: &str,
    ) -> Option<Value> {
        let (form, table) = self.form(key, forms, example)?;
        if form.group.fields.is_empty() {
            return Some(form.name.into());
        }
        let below = match table {
            Some(table) => table.group(form.group)?,
            None => without_text(form.group),
        };
        Some(json!({ form.name: below }))
    }
}

/// The values that a table has by its struct.
pub(super) fn plain(group: &Group) -> Tree {
    (group.plain)().as_object().cloned().unwrap_or_default()
}

/// The values of a table that is not there.
fn without_text(group: &Group) -> Tree {
    let mut tree = plain(group);
    for field in group.fields {
        if let Default::Given(text) = field.default
            && let Ok(value) = serde_json::from_str(text)
        {
            tree.insert(field.name.to_owned(), value);
        }
    }
    tree
}
