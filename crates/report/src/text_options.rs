//! How text is laid out.

/// How text is laid out; formats for machines ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether to use colours (ANSI escape sequences).
    pub color: bool,
    /// Columns to fit into, 100 when unknown; less than 60 is taken as 60.
    pub width: usize,
    /// Whether to keep to ASCII, where a terminal shows nothing else.
    pub ascii: bool,
    /// Where the result can be found again, for what is said to do next.
    pub stored: Stored,
}

/// Where a result can be found again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stored {
    /// Nowhere: what is not shown is lost.
    #[default]
    Nowhere,
    /// It is the latest of the history.
    Latest,
    /// In the history or a file, by its id.
    ById,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
            ascii: false,
            stored: Stored::Nowhere,
        }
    }
}
