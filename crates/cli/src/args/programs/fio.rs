//! `fathom fio`.

use crate::args::ForeignArgs;
use clap::Args;

/// Run fio job files and command lines and print a fio report
///
/// Accepts every fio job option as --option=value, before or after the files, and these fio
/// options: --name, --section, --output, --output-format (normal, json, json+, terse), --minimal,
/// --aux-path, --client=HOST, --readonly, --parse-only, --showcmd, --cmdhelp, --enghelp, --version.
/// docs/dialects/fio.md lists the support for each option. --client and --server use Fathom's own
/// protocol and a secret: a client or server of fio cannot take part.
///
/// Fathom adds: --target=PATH for jobs with no file or one file; --target=NAME=PATH for one of
/// several files; --destroy=DEVICE[=SIGNATURE] and --overwrite to allow overwriting;
/// --time=DURATION for the measured time; --one-by-one and --as-written for files without
/// stonewall; --no-save and --store=FILE for the history; --print, --quiet, --no-live. Notes and
/// warnings go to standard error in a terminal, or with --notes; fio prints nothing there.
#[derive(Args, Debug)]
pub(crate) struct FioArgs {
    /// Job files, - for standard input, and fio options
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
