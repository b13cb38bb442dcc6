//! The words of the command line.

use std::process::ExitCode;

use crate::{dist, image, instr, layers, page, site, tidy};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  tidy             layers, file lengths, banned words, licences and the other house rules
  layers           print the layer table of layers.toml, as in ARCHITECTURE.md
  layers --write   write it there
  instr [--binary FATHOM]
                   user instructions per I/O of this program or of a new static one, against
                   xtask/budgets.toml (needs valgrind)
  page [--binary FATHOM]
                   open pages of its reports, or of those of a release build, in headless
                   Chromium (skipped where there is none)
  site             the documentation as pages with search in target/site (needs mdbook)
  dist [--sign KEY] [FORM...]
                   into target/dist-files: the static binary and packages (tar, deb, rpm, oci, zip),
                   lists that make the folder a repository (apt, dnf), and recipes of package
                   managers and an install script (recipes)
  dist --try       each of them in a bare root, as root
  dist --twice     all of them from clones in two folders: the same bytes
  image [--binary FATHOM]
                   the live image in target/image-files, with a static binary made before or a new
                   one (needs Debian's packages); `cargo lab image` tries it in QEMU
";

/// Does what the command line asks.
pub fn run() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["tidy"] => tidy::run(),
        ["layers"] => layers::print(),
        ["layers", "--write"] => layers::write(),
        ["instr", words @ ..] => instr::run(words),
        ["page", words @ ..] => page::run(words),
        ["site"] => site::run(),
        ["dist", words @ ..] => dist::run(words),
        ["image", words @ ..] => image::run(words),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    status(&outcome)
}

/// The exit status of what came of a command; an error is printed.
pub fn status(outcome: &anyhow::Result<bool>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
