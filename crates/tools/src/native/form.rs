//! Values that are a word alone or a table with one key, such as `pacing`.

use super::table::{Entry, Table};
use fathom_core::nearest::nearest;
use fathom_core::spec::fields::ValueForm;

impl<'r> Table<'r> {
    /// One of several forms of a value: which it is, and the table below it if there is one. The
    /// keys of that table are read as neighbours of the name, not below it.
    pub(super) fn form(
        &self,
        key: &'static str,
        forms: &'static [ValueForm],
        example: &str,
    ) -> Option<(&'static ValueForm, Option<Table<'r>>)> {
        let entry = self.entry(key)?;
        let names: Vec<&'static str> = forms.iter().map(|form| form.name).collect();
        if let Some(word) = entry.value.as_str() {
            return self.word(&entry, word, forms, example);
        }
        let outer = self.table(key, &names)?;
        let entries = outer.entries(&names);
        let [one] = entries.as_slice() else {
            if let [one, other, ..] = entries.as_slice() {
                self.clash(one, other);
            } else if outer.is_empty() {
                let message = format!("`{key}` does not say which");
                self.reading().error(&entry.span, message, example);
            }
            return None;
        };
        let form = forms.iter().find(|form| form.name == one.key)?;
        let inner = outer.table(form.name, &form.group.keys())?;
        Some((form, Some(inner.as_path(outer.own_path()))))
    }

    fn word(
        &self,
        entry: &Entry<'r>,
        word: &str,
        forms: &'static [ValueForm],
        example: &str,
    ) -> Option<(&'static ValueForm, Option<Table<'r>>)> {
        let found = forms.iter().find(|form| form.name == word);
        match found {
            Some(form) if form.alone => return Some((form, None)),
            Some(form) => {
                let message = format!("`{word}` alone does not say enough");
                let remedy = format!("its table has {}; {example}", form.group.keys().join(", "));
                self.reading().error(&entry.span, message, remedy);
            }
            None => {
                let names = forms.iter().map(|form| form.name);
                let list: Vec<&str> = names.clone().collect();
                self.reading().add(
                    &entry.span,
                    format!("`{word}` is not a value of `{}`", entry.key),
                    nearest(word, names).map(|meant| format!("did you mean `{meant}`?")),
                    Some(format!("the choices are {}; {example}", list.join(", "))),
                );
            }
        }
        None
    }
}
