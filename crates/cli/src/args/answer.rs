//! Where the commands write that answer a question in formats of their own.

use super::ReplaceArgs;
use super::format::{self, NamedFormat};
use clap::Args;
use fathom_device::Existing;
use fathom_explain::explanation::Explanation;
use fathom_report::{
    COMPARISON_FORMATS, EXPLANATION_FORMATS, FIT_FORMATS, FormatOf, TREND_FORMATS,
};
use fathom_verdict::compare::Comparison;
use fathom_verdict::trend::Trends;
use fathom_volume::fit::Fits;
use std::path::PathBuf;

/// An answer that has formats.
pub(crate) trait Answered: Sized + 'static {
    /// A file whose extension names a format.
    const EXAMPLE: &'static str;

    /// All of them.
    fn formats() -> &'static [FormatOf<Self>];
}

macro_rules! answered {
    ($($answer:ty, $formats:ident, $example:literal;)+) => {
        $(impl Answered for $answer {
            const EXAMPLE: &'static str = $example;

            fn formats() -> &'static [FormatOf<Self>] {
                $formats
            }
        })+
    };
}

answered! {
    Comparison, COMPARISON_FORMATS, "answer.md";
    Explanation, EXPLANATION_FORMATS, "answer.md";
    Fits, FIT_FORMATS, "fit.html";
    Trends, TREND_FORMATS, "trend.html";
}

/// Where an answer goes, how much of it, and what becomes of a file that is there.
#[derive(Args, Clone, Debug)]
pub(crate) struct AnswerArgs<T: Answered> {
    #[command(flatten)]
    pub(crate) places: AnswerPlaces<T>,
    #[command(flatten)]
    replace: ReplaceArgs,
}

/// Where an answer goes, and how much of it.
#[derive(Args, Clone, Debug)]
pub(crate) struct AnswerPlaces<T: Answered> {
    /// Write the answer to standard output or a file; repeatable
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        value_parser = AnswerOutput::<T>::read,
        long_help = help::<T>()
    )]
    output: Vec<AnswerOutput<T>>,
    /// Print all details instead of one screen; same as `--output text`
    #[arg(long, conflicts_with = "json")]
    full: bool,
    /// Print JSON; same as `--output json`
    #[arg(long)]
    json: bool,
}

impl<T: Answered> AnswerArgs<T> {
    /// As without options, or with `--json` alone.
    pub(crate) fn plain(json: bool) -> Self {
        Self {
            places: AnswerPlaces {
                output: Vec::new(),
                full: false,
                json,
            },
            replace: ReplaceArgs::default(),
        }
    }

    /// What becomes of a file that is there.
    pub(crate) fn existing(&self) -> Existing {
        Existing::replaced_if(self.replace.overwrite)
    }
}

impl<T: Answered> AnswerPlaces<T> {
    /// All outputs. The summary always goes to standard output, unless something else does.
    pub(crate) fn all(&self) -> Vec<AnswerOutput<T>> {
        let on_stdout = |name: &str| {
            let format = T::formats().iter().find(|format| format.name == name);
            AnswerOutput {
                format: format.expect("it is in the table"),
                file: None,
            }
        };
        let mut outputs = self.output.clone();
        if self.full {
            outputs.push(on_stdout("text"));
        }
        if self.json {
            outputs.push(on_stdout("json"));
        }
        if outputs.iter().all(|output| output.file.is_some()) {
            outputs.push(on_stdout("brief"));
        }
        outputs
    }
}

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

impl<T: Answered> AnswerOutput<T> {
    /// Reads `FORMAT[:FILE]`. The formats have the endings that they have for a result.
    fn read(text: &str) -> Result<Self, String> {
        let named = T::formats().iter().map(|format| NamedFormat {
            name: format.name,
            extension: fathom_report::find(format.name).map_or("", |same| same.extension),
            value: format,
        });
        let (format, file) = format::read(text, &named.collect::<Vec<_>>())?;
        Ok(Self { format, file })
    }
}

/// Help of `--output` with all formats.
fn help<T: Answered>() -> String {
    let example = T::EXAMPLE;
    let rows: Vec<_> = T::formats()
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
