//! A setting that can be written beside its job, or in a table of its own.

use super::table::Table;

/// A job and one of its tables, such as `access`: the short and the long form of the same keys.
pub(super) struct Either<'t, 'r> {
    job: &'t Table<'r>,
    group: &'static str,
    table: Option<Table<'r>>,
}

impl<'t, 'r> Either<'t, 'r> {
    pub(super) fn open(job: &'t Table<'r>, group: &'static str, known: &[&'static str]) -> Self {
        Self {
            job,
            group,
            table: job.table(group, known),
        }
    }

    /// The value of `short` beside the job or of `long` in the table, never of both.
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
                let path = self.job.path(&format!("{}.{long}", self.group));
                self.job.reading().place(path, outer.span);
                read(self.job, short)
            }
            (None, Some(_), Some(table)) => read(table, long),
            _ => None,
        }
    }

    /// As [`pick`](Self::pick), for a key that has the same name in both places.
    pub(super) fn same<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Table<'r>, &'static str) -> Option<T>,
    ) -> Option<T> {
        self.pick(key, key, read)
    }
}
