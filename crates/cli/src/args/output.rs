//! `--output FORMAT[:FILE]` and how much is printed while it runs.

use super::format::{self, NamedFormat};
use clap::Args;
use fathom_report::Format;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::LazyLock;

/// Output options.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of the command line"
)]
pub(crate) struct OutputArgs {
    /// Write the result in a format to standard output or a file; repeatable
    ///
    /// If every output goes to a file, the summary is printed too, unless --quiet is given. Each
    /// workload has its own result: `{name}` in FILE stands for the name of the workload.
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        long_help = output_help("-o", "the summary")
    )]
    pub(crate) output: Vec<OutputSpec>,
    /// Print all details instead of one screen; same as `--output text`
    #[arg(long)]
    pub(crate) full: bool,
    /// Print JSON; same as `--output json`
    #[arg(long, conflicts_with = "full")]
    pub(crate) json: bool,
    /// Print the final workload as TOML and exit
    #[arg(long)]
    pub(crate) print: bool,
    /// Suppress progress and notes
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Show progress as plain lines, even in a terminal
    #[arg(long)]
    pub(crate) no_live: bool,
    /// Whether only the formats in `output` are printed, because the command has its own layout.
    #[arg(skip)]
    pub(crate) as_listed: bool,
    /// What the live view calls the run, where it is one of several.
    #[arg(skip)]
    pub(crate) live_title: String,
}

impl OutputArgs {
    /// All destinations of the result. `usual` is the format that is printed where none is asked
    /// for, the summary unless there is one.
    pub(crate) fn places(&self, usual: Option<Format>) -> Vec<OutputSpec> {
        let mut places = self.output.clone();
        if self.as_listed {
            return places;
        }
        if self.full {
            places.push(OutputSpec::named("text"));
        }
        if self.json {
            places.push(OutputSpec::named("json"));
        }
        let is_printed = places.iter().any(|place| place.file.is_none());
        if !is_printed && (places.is_empty() || !self.quiet) {
            places.push(usual.map_or_else(
                || OutputSpec::named("brief"),
                |format| OutputSpec { format, file: None },
            ));
        }
        places
    }
}

/// Help of `--output` or `-o` with all formats. `printed`: the format printed if all others go to
/// files.
pub(crate) fn output_help(option: &str, printed: &str) -> String {
    // Many commands have this option, and all are there before one is chosen.
    static LISTED: LazyLock<String> = LazyLock::new(|| {
        let formats = fathom_report::formats();
        let rows: Vec<_> = formats
            .map(|format| (format.name, format.description))
            .collect();
        format::listed(&rows)
    });
    format!(
        "Write the result in a format to standard output or a file; repeatable\n\nA FILE without a \
         format gets the format of its extension, as in `{option} run.html`. If no -o sends an \
         output to standard output, {printed} is printed there, unless --quiet is given. Each \
         workload has its own result: `{{name}}` in FILE stands for the name of the workload. The \
         formats:\n\n{}",
        *LISTED
    )
}

/// Whether existing output files are replaced, for commands without a run to abort.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ReplaceArgs {
    /// Replace existing files
    #[arg(long = "replace-results", visible_alias = "overwrite")]
    pub(crate) overwrite: bool,
}

/// One `--output`.
#[derive(Clone, Debug)]
pub(crate) struct OutputSpec {
    pub(crate) format: Format,
    /// None for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl OutputSpec {
    /// A format on standard output.
    pub(crate) fn named(name: &str) -> Self {
        let format = fathom_report::find(name).expect("it is in the table");
        Self { format, file: None }
    }

    /// The requested formats, and the summary if all of them go to files.
    pub(crate) fn with_brief(mut asked: Vec<Self>, is_quiet: bool) -> Vec<Self> {
        if !is_quiet && asked.iter().all(|one| one.file.is_some()) {
            asked.push(Self::named("brief"));
        }
        asked
    }

    /// Text on standard output.
    pub(crate) fn text() -> Self {
        Self::named("text")
    }

    /// Whether it is the text that is printed without any option.
    pub(crate) fn is_plain_text(&self) -> bool {
        self.format.name == "text" && self.file.is_none()
    }
}

impl FromStr for OutputSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formats = fathom_report::formats().map(|format| NamedFormat {
            name: format.name,
            extension: format.extension,
            value: format,
        });
        let (format, file) = format::read(text, &formats.collect::<Vec<_>>())?;
        Ok(Self { format, file })
    }
}
