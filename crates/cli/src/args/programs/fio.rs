//! `fathom fio`.

use crate::args::ForeignArgs;
use clap::Args;

/// Run job files and command lines of fio, and report as fio does
///
/// All job options of fio can be given as --option=value, before or after the files, and those of
/// its command that make sense here: --name, --section, --output, --output-format (normal, json,
/// json+, terse), --minimal, --aux-path, --client=HOST, --readonly, --parse-only, --showcmd,
/// --cmdhelp, --enghelp, --version. What Fathom does of them is in docs/dialects/fio.md.
///
/// Fathom adds: --target=PATH for jobs that name no file or one, --target=NAME=PATH for each of
/// several, --destroy=DEVICE[=SIGNATURE] and
/// --overwrite for what may be lost, --time=DURATION for the measured time, --one-by-one and
/// --as-written for files without stonewall, --no-save and --store=FILE for the history, --print,
/// --quiet, --no-live. Notes and warnings go to standard error where that is a terminal, or with
/// --notes; fio leaves it empty.
#[derive(Args, Debug)]
pub(crate) struct FioArgs {
    /// Job files, - for standard input, and options as fio has them
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "FILE|--OPTION"
    )]
    pub(crate) words: Vec<String>,
}

impl ForeignArgs for FioArgs {
    fn program(&self) -> &'static str {
        "fio"
    }

    fn words(&self) -> Vec<String> {
        self.words.clone()
    }
}
