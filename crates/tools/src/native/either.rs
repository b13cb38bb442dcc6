//! A setting that can be written next to its job, or in a table of its own.

use super::group::{Tree, plain};
use super::table::Table;
use fathom_core::spec::fields::{Field, Group};

/// A job and one of its tables, such as `access`: the short and the long form of the same keys.
pub(super) struct Either<'t, 'r> {
    job: &'t Table<'r>,
    group: &'static Group,
    table: Option<Table<'r>>,
}

impl<'t, 'r> Either<'t, 'r> {
    pub(super) fn open(job: &'t Table<'r>, group: &'static Group) -> Self {
        Self {
            job,
            group,
            table: job.table(group.name, &group.keys()),
        }
    }

    /// All values of the table, wherever they are written; none where the text has none.
    pub(super) fn values(&self) -> Option<Tree> {
        let is_beside = |field: &Field| field.short.is_some_and(|short| self.job.has(short));
        if self.table.is_none() && !self.group.fields.iter().any(is_beside) {
            return None;
        }
        let mut tree = plain(self.group);
        for field in self.group.fields {
            let short = field.short.unwrap_or(field.name);
            let value = self.pick(short, field.name, |table, key| table.value(key, field));
            self.job.settle(&mut tree, field, value);
        }
        Some(tree)
    }

    /// The value of `short` next to the job or of `long` in the table, never of both.
    pub(super) fn pick<T>(
        &self,
        short: &'static str,
        long: &'static str,
        read: impl FnOnce(&Table<'r>, &'static str) -> Option<T>,
    ) -> Option<T> {
        let outer = self.job.entry(short);
        let inner = self.table.as_ref().and_then(|table| table.entry(long));
        match (outer, inner, &self.table) {
            (Some(outer), Some(inner), _) => {
                self.job.clash(&outer, &inner);
                None
            }
            (Some(outer), None, _) => {
                let path = || self.job.path(&format!("{}.{long}", self.group.name));
                self.job.reading().place(path, &outer.span);
                read(self.job, short)
            }
            (None, Some(_), Some(table)) => read(table, long),
            _ => None,
        }
    }
}
