//! `fathom fio`.

use crate::args::ForeignArgs;
use clap::Args;

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
