//! `--output` of the commands that answer a question in formats of their own.

use super::format::{self, NamedFormat};
use fathom_report::FormatOf;
use std::path::PathBuf;

/// One `--output`.
#[derive(Debug)]
pub(crate) struct AnswerOutput<T: 'static> {
    pub(crate) format: &'static FormatOf<T>,
    /// None for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl<T> Clone for AnswerOutput<T> {
    fn clone(&self) -> Self {
        Self {
            format: self.format,
            file: self.file.clone(),
        }
    }
}

impl<T> AnswerOutput<T> {
    /// Reads `FORMAT[:FILE]`. The formats have the endings that they have for a result.
    pub(super) fn read(text: &str, formats: &'static [FormatOf<T>]) -> Result<Self, String> {
        let named = formats.iter().map(|format| NamedFormat {
            name: format.name,
            extension: fathom_report::find(format.name).map_or("", |same| same.extension),
            value: format,
        });
        let (format, file) = format::read(text, &named.collect::<Vec<_>>())?;
        Ok(Self { format, file })
    }

    /// All outputs of a command with `--full` and `--json`. The summary always goes to standard
    /// output, unless something else does.
    pub(crate) fn all(
        given: &[Self],
        full: bool,
        json: bool,
        formats: &'static [FormatOf<T>],
    ) -> Vec<Self> {
        let on_stdout = |name: &str| {
            let format = formats.iter().find(|format| format.name == name);
            Self {
                format: format.expect("it is in the table"),
                file: None,
            }
        };
        let mut outputs = given.to_vec();
        if full {
            outputs.push(on_stdout("text"));
        }
        if json {
            outputs.push(on_stdout("json"));
        }
        if outputs.iter().all(|output| output.file.is_some()) {
            outputs.push(on_stdout("brief"));
        }
        outputs
    }
}

/// Help of `--output` with all formats; `example` is a file whose extension names one.
pub(super) fn help<T>(example: &str, formats: &[FormatOf<T>]) -> String {
    let rows: Vec<_> = formats
        .iter()
        .map(|format| (format.name, format.description))
        .collect();
    format!(
        "Write the answer to standard output or a file; repeatable\n\nA FILE without a format gets \
         the format of its extension, as in `-o {example}`. If every output goes to a file, the \
         summary is printed too. The formats:\n\n{}",
        format::listed(&rows)
    )
}
