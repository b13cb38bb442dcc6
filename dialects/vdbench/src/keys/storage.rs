//! Parameters of storage, and of workloads on it.

use super::{DURABILITY, Key, MOST_BYTES, REPLAY, keys};
use crate::definitions::{Flags, Rates, Storage, Work, part, sizes};
use crate::parameter::{Parameter, Unit, Wrong, whole};
use fathom_tools::coverage::OptionRow as Row;

pub(crate) static STORAGE: &[Key<Storage>] = keys! { Storage;
    "host" | "hd": Row::kept("sd=NAME,host=HOST", "the host that has it, of one host");
    "lun": Row::kept("sd=NAME,lun=PATH", "a file or a device"),
        |storage, from| storage.lun = Some(from.text()?);
    "count": Row::kept("count=(FIRST,N)", "N of them, numbered from FIRST"),
        |storage, from| storage.count = Some(count(from)?);
    "size": Row::kept("size=N", "bytes that are used; a new file gets this size"),
        |storage, from| storage.size = Some(from.whole(Unit::Bytes, 512..MOST_BYTES)?);
    "threads": Row::kept("sd=NAME,threads=N", "outstanding requests on it"),
        |storage, from| storage.threads = from.whole(Unit::Bytes, 1..32_769)? as u32;
    "hitarea": Row::kept("hitarea=N", "the first bytes, to which hits go"),
        |storage, from| storage.hit_area = from.whole(Unit::Bytes, 512..MOST_BYTES)?;
    "offset": Row::kept("offset=N", "the first byte that is used"),
        |storage, from| storage.offset = multiple(from)?;
    "align": Row::kept("align=N", "random offsets are multiples of it"),
        |storage, from| storage.align = Some(multiple(from)?).filter(|align| *align > 0);
    "kstat" | "instance": Row::ignored("kstat=, instance=", "names of the device on Solaris",
        "Fathom finds the devices below a target");
    "replay": Row::refused("replay=…", "recorded requests", REPLAY);
    "journal": Row::refused("sd=NAME,journal=DIR", "where a journal of writes is", DURABILITY);
    "resetlun" | "resetbus": Row::refused("resetlun=, resetbus=", "reset the device now and then",
        "Fathom resets no device");
    "openflags": Row::kept("openflags=(o_direct|directio,o_dsync|o_sync,fsync)",
        "past the page cache; durable writes; a flush at the end"),
        |storage, from| storage.flags = Flags::read(from)?;
    "range": Row::kept("range=(FROM,TO)", "part of it, in percent, or in bytes above 100"),
        |storage, from| storage.part = Some(part(from)?);
};

pub(crate) static WORK: &[Key<Work>] = keys! { Work;
    "sd" exact: Row::kept("wd=NAME,sd=NAMES", "storage it goes to; * for any end of a name"),
        |work, from| work.storage = from.names()?;
    "skew": Row::kept("skew=N", "share of the requests of all workloads, percent"),
        |work, from| work.skew = Some(from.percent()?).filter(|skew| *skew > 0.0);
    "xfersize": Row::kept("xfersize=N, (N,SHARE,…), (LEAST,MOST,STEP)",
        "request size; sizes and their shares; any of a range"),
        |work, from| work.sizes = sizes(from)?;
    "readpct" | "rdpct": Row::kept("rdpct=N, readpct=N", "share of reads, percent"),
        |work, from| work.reads = from.percent()?;
    "writepct" | "wrpct": Row::kept("wrpct=N, writepct=N", "share of writes, percent"),
        |work, from| work.reads = 100.0 - from.percent()?;
    "range": Row::kept("wd=NAME,range=(FROM,TO)", "part of its storage"),
        |work, from| work.part = Some(part(from)?);
    "hotband": Row::refused("hotband=(FROM,TO)", "a part with random and sequential requests",
        "range= is possible, or `access.distribution` in TOML");
    "seekpct": Row::kept("seekpct=N|sequential|random|eof", "share of random requests, percent"),
        |work, from| (work.random, work.to_the_end) = random(from)?;
    "stride": Row::refused("stride=(LEAST,MOST)", "a gap of random length", "a gap is fixed here");
    "priority": Row::refused("priority=N", "requests that go before those of others",
        "iorate= of each workload is possible");
    "iorate": Row::kept("wd=NAME,iorate=N", "requests a second of this workload"),
        |work, from| work.rate = own_rate(from)?;
    "rhpct": Row::kept("rhpct=N", "share of reads that go to the hit area; that of writes alike"),
        |work, from| work.read_hits = from.percent()?;
    "whpct": Row::kept("whpct=N", "share of writes that go to the hit area; that of reads alike"),
        |work, from| work.write_hits = from.percent()?;
    "host" | "hd": Row::kept("wd=NAME,host=HOST", "the host that runs it, of one host");
    "openflags": Row::kept("wd=NAME,openflags=…", "as those of storage"),
        |work, from| work.flags = Some(Flags::read(from)?);
    "user": Row::refused("user=…", "a class of Java", "Fathom loads no code");
    "threads": Row::refused("wd=NAME,threads=N", "requests at once of a workload",
        "threads= of its storage or of its run is possible");
    "streams": Row::kept("streams=N", "sequential streams, each in its part of the storage"),
        |work, from| work.streams = from.whole(Unit::Bytes, 2..4097)? as u32;
};

fn multiple(from: &Parameter) -> Result<u64, Wrong> {
    let bytes = from.whole(Unit::Bytes, 0..MOST_BYTES)?;
    if bytes.is_multiple_of(512) {
        return Ok(bytes);
    }
    let message = format!("{bytes} is no multiple of 512");
    Err((message, "a multiple of 512".to_owned()))
}

fn count(from: &Parameter) -> Result<(u64, u64), Wrong> {
    let numbers = from.numbers(Unit::Bytes)?;
    let numbers: Option<Vec<u64>> = numbers.into_iter().map(whole).collect();
    match numbers.as_deref() {
        Some([first, count]) if (1..=1024).contains(count) => Ok((*first, *count)),
        _ => Err((
            "a count is the first number and how many".to_owned(),
            "`count=(1,8)`, 1024 at most".to_owned(),
        )),
    }
}

/// The share of random requests, and whether sequential ones end with the storage.
fn random(from: &Parameter) -> Result<(f64, bool), Wrong> {
    Ok(match from.text()?.to_lowercase().as_str() {
        "eof" | "-1" => (0.0, true),
        "sequential" | "seq" => (0.0, false),
        "random" => (100.0, false),
        _ => (from.percent()?, false),
    })
}

fn own_rate(from: &Parameter) -> Result<Option<f64>, Wrong> {
    match Rates::read(from)? {
        Rates::Max => Ok(None),
        Rates::List(list) if list.len() == 1 => Ok(list.first().copied()),
        Rates::List(_) => Err((
            "a workload has one rate".to_owned(),
            "a list in its run (rd)".to_owned(),
        )),
    }
}
