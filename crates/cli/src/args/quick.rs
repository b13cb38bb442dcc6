//! `fathom quick`.

use super::RunOptions;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct QuickArgs {
    /// Directory, file or block device, also serial:NUMBER
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Same as PATH
    #[arg(long, value_name = "PATH", conflicts_with = "path")]
    target: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: RunOptions,
}

impl QuickArgs {
    /// What is to be measured.
    pub(crate) fn place(&self) -> &PathBuf {
        self.target.as_ref().unwrap_or(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::QuickArgs;
    use clap::Parser;
    use std::path::Path;

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        quick: QuickArgs,
    }

    #[test]
    fn the_place_is_an_operand_or_an_option_and_not_both() {
        let place = |words: &[&str]| {
            Alone::try_parse_from(words)
                .map(|alone| alone.quick.place().clone())
                .ok()
        };
        let cases = [
            (vec!["quick"], Some(".")),
            (vec!["quick", "/data"], Some("/data")),
            (vec!["quick", "--target", "/data"], Some("/data")),
            (vec!["quick", "/data", "--target", "/data"], None),
        ];
        for (words, expected) in cases {
            assert_eq!(
                place(&words).as_deref(),
                expected.map(Path::new),
                "{words:?}"
            );
        }
    }
}
