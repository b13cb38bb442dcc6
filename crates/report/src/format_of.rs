//! A format in which something that was judged leaves Fathom: one row of its table of formats.

use crate::text_options::TextOptions;

/// A format in which a `T` can be written.
#[derive(Debug)]
pub struct FormatOf<T: 'static> {
    /// Name for the command line, as in `json`.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub description: &'static str,
    pub(crate) write: fn(&T, TextOptions) -> String,
}

impl<T> FormatOf<T> {
    pub(crate) const fn new(
        name: &'static str,
        description: &'static str,
        write: fn(&T, TextOptions) -> String,
    ) -> Self {
        Self {
            name,
            description,
            write,
        }
    }

    /// What is `given` in this format.
    pub fn render(&self, given: &T, options: TextOptions) -> String {
        let text = (self.write)(given, options);
        if options.ascii && ["brief", "text"].contains(&self.name) {
            crate::ascii(&text)
        } else {
            text
        }
    }
}
