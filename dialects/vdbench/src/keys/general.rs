//! General parameters, and those of hosts.

use super::{DURABILITY, Key, LAYS_OUT, NO_COMMAND, REPORTS, keys};
use crate::definitions::{General, Host};
use crate::parameter::{Parameter, Unit, Wrong};
use fathom_core::spec::Verify;
use fathom_tools::coverage::OptionRow as Row;

pub(crate) static GENERAL: &[Key<General>] = keys! { General;
    "compratio": Row::kept("compratio=N", "content that compresses to 1/N"),
        |general, from| general.compression = ratio(from)?;
    "dedupratio": Row::near("dedupratio=N", "content of which deduplication removes all but 1/N",
        "in units of 4 KiB"),
        |general, from| general.dedup = ratio(from)?;
    "dedupunit" | "dedupsets": Row::ignored("dedupunit=N, dedupsets=N",
        "unit and number of sets of copies", "copies are of 4 KiB");
    "dedup" | "dedupflipflop": Row::refused("dedup=(…)", "details of copies",
        "only dedupratio= is possible");
    "pattern": Row::refused("pattern=FILE", "content from a file",
        "content is random; compratio= and dedupratio= change it");
    "data_errors" | "dataerrors": Row::ignored("data_errors=N", "errors after which to end",
        "errors are counted; --stop-on-error ends at the first");
    "validate": Row::near("validate=yes|read_after_write|no", "check the content of blocks",
        "reads are checked as they complete, or with read_after_write each write is read back; \
         blocks are not read before they are written again"),
        |general, from| general.verify = verify(from)?;
    "journal": Row::refused("journal=…", "keep a journal of writes", DURABILITY);
    "startcmd" | "start_cmd" | "endcmd" | "end_cmd": Row::refused("startcmd=, endcmd=",
        "commands before and after", NO_COMMAND);
    "loop": Row::kept("loop=N", "repeat all runs N times"),
        |general, from| general.loops = from.whole(Unit::Bytes, 1..10_001)? as u32;
    "concatenatesds": Row::refused("concatenatesds=yes", "use all storage as one",
        "each sd is a target of its own");
    "formatsds" | "formatxfersize" | "create_anchors": Row::ignored(
        "formatsds=, formatxfersize=, create_anchors=", "writing files first", LAYS_OUT);
    "messagescan" | "monitor" | "report" | "report_run_totals" | "histogram" | "auxreport"
        | "showlba" | "heartbeat_error" | "abort_failed_skew" | "swat" | "debug": Row::ignored(
        "messagescan=, report=, histogram=, monitor=, …", "what is printed", REPORTS);
    "port" | "psrset" | "misc" | "unix2windows" | "compressionseed": Row::ignored(
        "port=, psrset=, misc=, …", "how vdbench itself runs", "it has no influence on the load");
};

pub(crate) static HOST: &[Key<Host>] = keys! { Host;
    "system": Row::kept("hd=NAME,system=localhost", "this host makes the load"),
        |host, from| host.system = Some(from.text()?);
    "vdbench" | "user" | "shell" | "jvms" | "clients": Row::ignored(
        "vdbench=, user=, shell=, jvms=", "how vdbench starts there",
        "Fathom has one process for each host");
    "mount": Row::refused("mount=", "a command that mounts", NO_COMMAND);
};

fn ratio(from: &Parameter) -> Result<f64, Wrong> {
    let ratio = from.number(Unit::Bytes)?;
    if (1.0..=1000.0).contains(&ratio) {
        return Ok(ratio);
    }
    Err((
        format!("a ratio of {ratio} is not possible"),
        "1 to 1000, as in 2 for half".to_owned(),
    ))
}

fn verify(from: &Parameter) -> Result<Verify, Wrong> {
    let mut verify = Verify::Check;
    for word in from.texts() {
        match word.to_lowercase().as_str() {
            "yes" | "y" | "no_preread" => {}
            "no" | "n" => verify = Verify::Off,
            "read_after_write" => verify = Verify::ReadWritten,
            _ => {
                let message = format!("`validate={word}` is not possible");
                return Err((message, "yes, read_after_write or no".to_owned()));
            }
        }
    }
    Ok(verify)
}
