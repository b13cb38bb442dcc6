//! The four parts of the benchmark, each as one call of `ior` or `mdtest`.

use super::config::Config;
use super::keys::PHASES;
use crate::ior::translate::translate_argv;
use crate::letters::number;
use crate::mdtest;
use fathom_core::EngineKind;
use fathom_core::spec::Phase;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::translation::Translation;
use std::collections::HashMap;

/// Seconds that a phase which writes may take, as the rules have it.
const STONEWALL: &str = "300";
/// Bytes of a request of ior-hard.
const HARD_BYTES: u64 = 47_008;
/// The stamp of data, which reading has to know.
const STAMP: &str = "1";
/// Files of each task of mdtest, and the space that one of mdtest-hard takes.
const MOST_FILES: u64 = 1_000_000;
const FILE_BYTES: u64 = 4096;
/// Where nobody knows the free space, what each part of ior takes.
const UNKNOWN_SPACE: u64 = 4 << 30;
/// Each of the two parts of ior takes this share of the free space at most.
const SHARE: u64 = 4;

/// Where it is measured, and by how many tasks.
pub(super) struct Ground<'a> {
    pub(super) directory: &'a str,
    pub(super) tasks: u32,
    pub(super) free_bytes: Option<u64>,
}

/// The phases of all parts that are wanted, by the names of the benchmark, and the files of which
/// each task has its own.
pub(super) fn phases(config: &mut Config, ground: &Ground<'_>) -> (Vec<Phase>, Vec<String>) {
    let mut made = HashMap::new();
    let mut apart = Vec::new();
    let limit = config.value("debug", "stonewall-time");
    if limit.is_some_and(|limit| limit.parse::<u32>().is_err()) {
        let span = config.place("debug", "stonewall-time");
        config.error(
            span,
            "this is no number of seconds",
            "as in `stonewall-time = 300`",
        );
        return (Vec::new(), apart);
    }
    for part in ["ior-easy", "ior-hard", "mdtest-easy", "mdtest-hard"] {
        let wanted = wanted(config, part);
        if wanted.is_empty() {
            continue;
        }
        let found = match part {
            "ior-easy" | "ior-hard" => {
                let mut line = match part {
                    "ior-easy" => easy(config, ground),
                    _ => hard(config, ground),
                };
                if config.flag(part, "posix.odirect", false) {
                    line.push("--posix.odirect".to_owned());
                }
                of_ior(line, &wanted, config, ground)
            }
            part => of_mdtest(part, &wanted, config, ground),
        };
        match found {
            Ok(translation) => {
                // Its notes are of options that the file does not have.
                let phases = translation.workload.phases;
                if !translation.wishes.together.interleaved {
                    let jobs = phases.iter().take(1).flat_map(|phase| &phase.jobs);
                    let jobs = jobs.filter(|job| job.files.is_none());
                    apart.extend(jobs.flat_map(|job| job.targets.clone()));
                }
                let named = named(part, phases);
                made.extend(named.map(|phase| (phase.name.clone(), phase)));
            }
            Err(wrong) => refuse(config, part, wrong),
        }
    }
    let order = PHASES.iter();
    let phases = order.filter_map(|(name, _)| made.remove(*name));
    (phases.collect(), apart)
}

/// What a call refuses, at the place of what asked for it as far as one is known.
fn refuse(config: &mut Config, part: &str, wrong: Vec<Diagnostic>) {
    let key = match part {
        "ior-easy" => "blocksize",
        "ior-hard" => "segmentcount",
        _ => "n",
    };
    for one in wrong {
        let span = config.place(part, key);
        let remedy = one.remedy.unwrap_or_default();
        config.error(span, format!("[{part}]: {}", one.message), &remedy);
    }
}

/// The ends of the names of the phases of a part that are to be made.
fn wanted(config: &mut Config, part: &str) -> Vec<&'static str> {
    let of_part = PHASES.iter().filter(|(_, of)| *of == part);
    let is_wanted = config.flag(part, "run", true);
    let mut wanted = Vec::new();
    for (phase, _) in of_part {
        if config.flag(phase, "run", true) && is_wanted {
            wanted.push(&phase[part.len() + 1..]);
        }
    }
    wanted
}

/// Phases by the names of the benchmark, and jobs by names that no other part has.
fn named(part: &str, phases: Vec<Phase>) -> impl Iterator<Item = Phase> {
    phases.into_iter().map(move |mut phase| {
        let end = match phase.name.as_str() {
            "file-create" => "write",
            "file-unlink" => "delete",
            other => other.trim_start_matches("file-"),
        };
        phase.name = format!("{part}-{end}");
        for job in &mut phase.jobs {
            job.name = format!("{part}-{}", job.name);
            // Those of mdtest have an engine of their own.
            if job.files.is_none() {
                job.engine = Some(EngineKind::Psync);
            }
            if job.stop.as_before {
                phase.duration = None;
            }
        }
        phase
    })
}

fn words(given: &[&str]) -> Vec<String> {
    given.iter().map(|word| (*word).to_owned()).collect()
}

/// Bytes of each task for a part of ior whose size is not stated: the benchmark asks for more than
/// 300 s take.
fn bytes_of_task(ground: &Ground<'_>) -> u64 {
    let free = ground.free_bytes.unwrap_or(UNKNOWN_SPACE * SHARE);
    free / SHARE / u64::from(ground.tasks.max(1))
}

/// Files of each task for a part of mdtest whose number is not stated: that of the benchmark, or as
/// many as a part of the free space has room for.
fn files_of_task(part: &str, config: &mut Config, ground: &Ground<'_>) -> u64 {
    let fits = bytes_of_task(ground) / SHARE / FILE_BYTES;
    if part == "mdtest-easy" || fits >= MOST_FILES {
        return MOST_FILES;
    }
    let fits = fits.max(1);
    config.sizes.push(format!("[{part}] n = {fits}"));
    fits
}

fn easy(config: &mut Config, ground: &Ground<'_>) -> Vec<String> {
    let transfer = config.value("ior-easy", "transfersize").unwrap_or("2m");
    let transfer = transfer.to_owned();
    let block = config.value("ior-easy", "blocksize").map(str::to_owned);
    let block = block.unwrap_or_else(|| {
        let step = number(&transfer).unwrap_or(1).max(1);
        let fits = (bytes_of_task(ground) / step).max(1) * step;
        config.sizes.push(format!("[ior-easy] blockSize = {fits}"));
        fits.to_string()
    });
    let file = format!("{}/ior_file_easy", ground.directory);
    let mut all = words(&["-t", &transfer, "-b", &block, "-o", &file]);
    if config.flag("ior-easy", "fileperproc", true) {
        all.push("-F".to_owned());
    }
    // Requests of other sizes cannot be checked.
    if number(&transfer).is_some_and(|bytes| bytes.is_multiple_of(512)) {
        all.push("-R".to_owned());
    }
    all
}

fn hard(config: &mut Config, ground: &Ground<'_>) -> Vec<String> {
    let segments = config.value("ior-hard", "segmentcount").map(str::to_owned);
    let segments = segments.unwrap_or_else(|| {
        let fits = (bytes_of_task(ground) / HARD_BYTES).clamp(1, 10_000_000);
        config
            .sizes
            .push(format!("[ior-hard] segmentCount = {fits}"));
        fits.to_string()
    });
    let bytes = HARD_BYTES.to_string();
    let file = format!("{}/ior_file_hard", ground.directory);
    words(&["-t", &bytes, "-b", &bytes, "-s", &segments, "-o", &file])
}

fn of_ior(
    mut line: Vec<String>,
    wanted: &[&str],
    config: &Config,
    ground: &Ground<'_>,
) -> Result<Translation, Vec<Diagnostic>> {
    if !wanted.contains(&"read") {
        line.retain(|word| word != "-R");
    }
    let data = config.value("global", "datapackettype");
    let data = data.unwrap_or("timestamp");
    line.extend(words(&["-C", "-e", "-G", STAMP, "-l", data]));
    if wanted.contains(&"write") {
        let limit = config.value("debug", "stonewall-time").unwrap_or(STONEWALL);
        line.extend(words(&["-w", "-D", limit, "-O", "stoneWallingWearOut=1"]));
    }
    if wanted.contains(&"read") {
        line.push("-r".to_owned());
    }
    translate_argv(&line, Some(ground.tasks))
}

fn of_mdtest(
    part: &str,
    wanted: &[&str],
    config: &mut Config,
    ground: &Ground<'_>,
) -> Result<Translation, Vec<Diagnostic>> {
    let stated = config.value(part, "n").map(str::to_owned);
    let count = &stated.unwrap_or_else(|| files_of_task(part, config, ground).to_string());
    let mut line = words(&["-n", count, "-F", "-N", "1", "-d", ground.directory]);
    line.extend(if part == "mdtest-easy" {
        words(&["-u", "-L"])
    } else {
        words(&["-w", "3901", "-e", "3901"])
    });
    for end in wanted {
        let option = match *end {
            "write" => "-C",
            "stat" => "-T",
            "read" => "-E",
            _ => "-r",
        };
        line.push(option.to_owned());
    }
    if wanted.contains(&"write") {
        let limit = config.value("debug", "stonewall-time").unwrap_or(STONEWALL);
        line.extend(words(&["-W", limit]));
    }
    mdtest::translate_argv(&line, ground.tasks)
}
