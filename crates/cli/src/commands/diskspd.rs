//! `fathom diskspd`: DISKSPD's words in, DISKSPD's report out.

use super::surroundings::Live;
use super::{Origin, foreign, measure, print};
use crate::args::DiskspdArgs;
use crate::error::Error;
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_tools::diskspd::layout::{input_text, text, unsupported_percentiles, xml};
use fathom_tools::diskspd::profile::{Profile, ResultFormat};
use fathom_tools::diskspd::{self, xml::profile_element};
use std::io::{self, Write as _};
use std::path::PathBuf;

pub(crate) fn run(args: &DiskspdArgs, origin: &Origin) -> Result<Exit, Error> {
    let program = std::iter::once("diskspd".to_owned());
    let words = args.words.iter().map(|word| mapped(word, &args.map_drive));
    let argv: Vec<String> = program.chain(words).collect();
    if diskspd::wants_help(&argv) {
        return print(&diskspd::usage());
    }
    let input = diskspd::read(&argv, &Live).map_err(Error::Text)?;
    let mut profile = input.profile.clone();
    if profile.print_only {
        return print(&match profile.format {
            ResultFormat::Text => input_text(&profile, &argv),
            ResultFormat::Xml => profile_element(&profile).render(),
        });
    }
    let mut translation = input.translate(&Live).map_err(Error::Text)?;
    foreign::tell(&translation, args.options.quiet);
    if translation.wishes.fresh_seed {
        // DISKSPD takes the milliseconds since the machine began, 32 bits of them.
        let seed = (fathom_engine::clock::utc_now_ns() / 1_000_000) & u64::from(u32::MAX);
        translation.workload.seed = seed;
        profile.spans.iter_mut().for_each(|span| span.seed = seed);
    }
    let options = foreign::run_options(&args.options, &translation.wishes, None)?;
    let asked = !options.output.output.is_empty();
    let quiet = args.options.quiet;
    let mut told = |result: &RunResult| {
        if asked {
            return Ok(());
        }
        foreign::judge(result, quiet);
        report(result, &profile, &argv, quiet)
    };
    measure::each(&[translation.workload], &[], &options, origin, &mut told)
}

/// A path on a drive that is somewhere here, with slashes; other words as they are.
pub(super) fn mapped(word: &str, drives: &[(char, PathBuf)]) -> String {
    let mut letters = word.chars();
    let (Some(letter), Some(':')) = (letters.next(), letters.next()) else {
        return word.to_owned();
    };
    let known = drives
        .iter()
        .find(|(known, _)| *known == letter.to_ascii_lowercase());
    let Some((_, folder)) = known else {
        return word.to_owned();
    };
    let rest = letters.as_str().replace('\\', "/");
    folder
        .join(rest.trim_start_matches('/'))
        .display()
        .to_string()
}

fn report(
    result: &RunResult,
    profile: &Profile,
    argv: &[String],
    quiet: bool,
) -> Result<(), Error> {
    let report = match profile.format {
        ResultFormat::Text => text(result, profile, argv),
        ResultFormat::Xml => {
            let latency = profile.spans.iter().any(|span| span.measure_latency);
            if let Some(note) = unsupported_percentiles(result).filter(|_| latency && !quiet) {
                // Only a note: where it cannot be written, the report can do without.
                let _ = writeln!(io::stderr(), "note: {note}");
            }
            xml(result, profile)
        }
    };
    print(&report).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_drive_are_found_here() {
        let drives = [('r', PathBuf::from("/mnt/r"))];
        let cases = [
            (r"r:\temp\io.dat", "/mnt/r/temp/io.dat"),
            (r"R:io.dat", "/mnt/r/io.dat"),
            (r"c:\io.dat", r"c:\io.dat"),
            ("-b8K", "-b8K"),
            ("/tmp/r:x", "/tmp/r:x"),
        ];
        for (word, expected) in cases {
            assert_eq!(mapped(word, &drives), expected);
        }
    }
}
