//! Parameters of runs.

use super::{Key, LAYS_OUT, MOST_BYTES, NO_COMMAND, REPLAY, keys};
use crate::definitions::{FileOperation, Flags, Rates, Run};
use crate::loops::Loop::{
    Compression, Depth, Files, HitArea, Random, ReadHits, Reads, Sizes, Threads, Transfer, Width,
    WriteHits,
};
use crate::parameter::{Parameter, Unit, Wrong};
use fathom_tools::coverage::OptionRow as Row;

/// Three years.
const MOST_SECONDS: u64 = 3 * 365 * 24 * 3600;

pub(crate) static RUN: &[Key<Run>] = keys! { Run;
    "wd" exact: Row::kept("rd=NAME,wd=NAMES", "workloads that run at once"),
        |run, from| run.work = from.names()?;
    "sd" exact: Row::kept("rd=NAME,sd=NAMES", "storage instead of that of the workloads"),
        |run, from| run.storage = from.names()?;
    "fsd" exact: Row::refused("rd=NAME,fsd=NAMES", "trees instead of those of the workloads",
        "fsd= of each fwd is possible");
    "iorate": Row::kept("rd=NAME,iorate=N|max|(N,…)", "requests a second; a run for each"),
        |run, from| run.rates = Rates::read(from)?;
    "maxdata": Row::kept("maxdata=N", "end after this number of bytes, of one workload"),
        |run, from| run.bytes = Some(from.whole(Unit::Bytes, 512..MOST_BYTES)?);
    "curve" | "stopcurve": Row::refused("iorate=curve, curve=(N,…), stopcurve=N",
        "rates in percent of the largest", "`fathom ramp` finds the saturation point");
    "elapsed": Row::kept("elapsed=S",
        "seconds; without warmup= the first interval is not measured"),
        |run, from| run.elapsed_s = from.whole(Unit::Seconds, 1..MOST_SECONDS)?;
    "interval": Row::kept("interval=S", "seconds of an interval, 60 at most"),
        |run, from| run.interval_s = Some(from.whole(Unit::Seconds, 1..MOST_SECONDS)?);
    "warmup": Row::kept("warmup=S", "seconds of load before the measured time"),
        |run, from| run.warm_up_s = from.whole(Unit::Seconds, 0..MOST_SECONDS)?;
    "replay": Row::refused("rd=NAME,replay=…", "recorded requests", REPLAY);
    "pause": Row::ignored("pause=S", "seconds between runs", "a run follows at once");
    "distribution": Row::kept("distribution=exponential|deterministic",
        "when requests of a rate come"),
        |run, from| run.constant = is_constant(from)?;
    "startcmd" | "start_cmd" | "endcmd" | "end_cmd": Row::refused("rd=NAME,startcmd=, endcmd=",
        "commands before and after", NO_COMMAND);
    "fwd" exact: Row::kept("rd=NAME,fwd=NAMES", "workloads on files that run at once"),
        |run, from| run.file_work = from.names()?;
    "fwdrate": Row::kept("fwdrate=N|max|(N,…)", "operations a second; a run for each"),
        |run, from| run.rates = Rates::read(from)?;
    "operations" | "foroperations": Row::kept("operations=(…), foroperations=(…)",
        "a run for each operation"),
        |run, from| run.operations = operations(from)?;
    "format": Row::near("format=yes|no|restart", "write the files first", LAYS_OUT),
        |_run, from| check_format(from)?;
    "openflags": Row::kept("rd=NAME,openflags=…", "as those of storage"),
        |run, from| run.flags = Some(Flags::read(from)?);
    "mount": Row::refused("rd=NAME,mount=", "options of a mount", NO_COMMAND);
    "forxfersize" | "xfersize": Row::kept("forxfersize=(N,…)", "a run for each request size"),
        |run, from| run.looped(Transfer, from)?;
    "forthreads" | "threads": Row::kept("forthreads=(N,…)",
        "a run for each number of requests at once"),
        |run, from| run.looped(Threads, from)?;
    "forrdpct" | "rdpct": Row::kept("forrdpct=(N,…)", "a run for each share of reads"),
        |run, from| run.looped(Reads, from)?;
    "forrhpct" | "rhpct": Row::kept("forrhpct=(N,…)", "a run for each share of read hits"),
        |run, from| run.looped(ReadHits, from)?;
    "forwhpct" | "whpct": Row::kept("forwhpct=(N,…)", "a run for each share of write hits"),
        |run, from| run.looped(WriteHits, from)?;
    "forseekpct" | "seekpct": Row::kept("forseekpct=(N,…)",
        "a run for each share of random requests"),
        |run, from| run.looped(Random, from)?;
    "forhitarea" | "hitarea": Row::kept("forhitarea=(N,…)", "a run for each hit area"),
        |run, from| run.looped(HitArea, from)?;
    "forcompratio" | "compratio": Row::kept("forcompratio=(N,…)",
        "a run for each ratio of compression"),
        |run, from| run.looped(Compression, from)?;
    "fordepth" | "depth": Row::kept("fordepth=(N,…)", "a run for each depth of the tree"),
        |run, from| run.looped(Depth, from)?;
    "forwidth" | "width": Row::kept("forwidth=(N,…)", "a run for each width of the tree"),
        |run, from| run.looped(Width, from)?;
    "forfiles" | "files": Row::kept("forfiles=(N,…)", "a run for each number of files"),
        |run, from| run.looped(Files, from)?;
    "forsizes" | "sizes": Row::kept("forsizes=(N,…)", "a run for each size of files"),
        |run, from| run.looped(Sizes, from)?;
    "fortotalsize" | "forwss" | "forworkingsetsize" | "totalsize" | "wss" | "workingsetsize":
        Row::refused("fortotalsize=, forworkingsetsize=", "a run for each part of the files",
        "forfiles= is possible");
};

fn is_constant(from: &Parameter) -> Result<bool, Wrong> {
    let word = from.text()?.to_lowercase();
    let is_constant = "deterministic".starts_with(&word);
    if is_constant || "exponential".starts_with(&word) {
        return Ok(is_constant);
    }
    let message = format!("the distribution `{word}` is not possible");
    Err((message, "exponential or deterministic".to_owned()))
}

fn operations(from: &Parameter) -> Result<Vec<FileOperation>, Wrong> {
    let names = from.texts();
    names.iter().map(|name| FileOperation::of(name)).collect()
}

fn check_format(from: &Parameter) -> Result<(), Wrong> {
    let words = from.texts();
    if words.iter().any(|word| word.eq_ignore_ascii_case("only")) {
        let message = "`format=only` measures nothing".to_owned();
        return Err((message, "operation=create".to_owned()));
    }
    Ok(())
}
