//! Parameters of trees of files, and of workloads on them.

use super::{Key, keys};
use crate::definitions::{FileOperation, FileSystem, FileWork, Flags, sizes};
use crate::parameter::{Parameter, Unit, Wrong};
use fathom_tools::coverage::OptionRow as Row;

pub(crate) static FILE_SYSTEM: &[Key<FileSystem>] = keys! { FileSystem;
    "anchor": Row::near("fsd=NAME,anchor=DIR", "the directory of a tree of files",
        "files are made in a directory of the run's own there, and removed after it"),
        |system, from| system.anchor = Some(from.text()?);
    "host" | "hd": Row::kept("fsd=NAME,host=HOST", "the host that has it, of one host");
    "width": Row::kept("width=N", "directories in each directory"),
        |system, from| system.width = from.whole(Unit::Bytes, 1..1 << 32)?;
    "depth": Row::kept("depth=N", "levels of directories"),
        |system, from| system.depth = from.whole(Unit::Bytes, 1..65)?;
    "sizes": Row::kept("sizes=N", "bytes of each file; one size"),
        |system, from| system.sizes = sizes(from)?;
    "shared": Row::ignored("shared=yes", "several hosts share the tree", "there is one host");
    "wss" | "workingsetsize": Row::refused("workingsetsize=N", "a part of the files",
        "all files are used");
    "total_size" | "totalsize": Row::refused("totalsize=N", "bytes of all files",
        "files= and sizes= are possible");
    "files": Row::kept("files=N", "files in each directory"),
        |system, from| system.files = from.whole(Unit::Bytes, 1..1 << 32)?;
    "distribution": Row::near("fsd=NAME,distribution=bottom|all", "which directories have files",
        "with all, the topmost has files too"),
        |system, from| system.everywhere = everywhere(from)?;
    "openflags": Row::near("fsd=NAME,openflags=…", "fsync, and direct I/O",
        "fsync alone; files are read and written through the page cache"),
        |system, from| system.flags = Flags::read(from)?;
    "journal" | "log" | "count" | "cleanup": Row::refused("fsd=NAME,journal=, log=, count=",
        "a journal, a log, several trees", "an fsd= for each tree");
};

pub(crate) static FILE_WORK: &[Key<FileWork>] = keys! { FileWork;
    "fsd" exact: Row::kept("fwd=NAME,fsd=NAMES", "the trees it deals with"),
        |work, from| work.file_systems = from.names()?;
    "readpct" | "rdpct": Row::kept("fwd=NAME,rdpct=N",
        "share of files that are read, not written"),
        |work, from| work.reads = Some(from.percent()?);
    "stopafter": Row::refused("stopafter=N", "requests of a file before the next",
        "each file is read or written whole");
    "operation": Row::kept("operation=read|write|create|delete|getattr|mkdir|rmdir",
        "what is done to each file"),
        |work, from| work.operation = FileOperation::of(&from.text()?)?;
    "fileselect": Row::kept("fileselect=random|sequential|once", "which file comes next"),
        |work, from| (work.random, work.once) = selection(from)?;
    "fileio" exact: Row::near("fileio=sequential", "read or write a file from its start",
        "as one request for each file; rates and times are those of files"),
        |_work, from| check_order(from)?;
    "xfersizes": Row::near("fwd=NAME,xfersize=N", "bytes of a request",
        "a file is one request; a rate of requests becomes one of files"),
        |work, from| work.transfer = from.whole(Unit::Bytes, 1..1 << 31)?;
    "skew": Row::kept("fwd=NAME,skew=N", "share of the rate, percent"),
        |work, from| work.skew = Some(from.percent()?).filter(|skew| *skew > 0.0);
    "threads": Row::kept("fwd=NAME,threads=N", "threads"),
        |work, from| work.threads = from.whole(Unit::Bytes, 1..4097)? as u32;
    "target": Row::refused("target=FSD", "where files are copied or moved to",
        "files are not copied");
    "host" | "hd": Row::kept("fwd=NAME,host=HOST", "the host that runs it, of one host");
    "openflags": Row::near("fwd=NAME,openflags=…", "as those of a tree", "fsync alone"),
        |work, from| work.flags = Some(Flags::read(from)?);
};

fn everywhere(from: &Parameter) -> Result<bool, Wrong> {
    match from.text()?.as_str() {
        "bottom" => Ok(false),
        "all" => Ok(true),
        _ => Err((
            "files are in the lowest directories or in all".to_owned(),
            "bottom or all".to_owned(),
        )),
    }
}

/// Whether files are drawn, and whether each is dealt with once.
fn selection(from: &Parameter) -> Result<(bool, bool), Wrong> {
    let (mut random, mut once) = (false, false);
    for word in from.texts() {
        match word.as_str() {
            "random" => random = true,
            "sequential" | "seq" => {}
            "once" => once = true,
            _ => {
                let message = format!("`fileselect={word}` is not possible");
                return Err((message, "random, sequential or once".to_owned()));
            }
        }
    }
    Ok((random, once))
}

fn check_order(from: &Parameter) -> Result<(), Wrong> {
    match from.texts().as_slice() {
        [one] if "sequential".starts_with(one.as_str()) => Ok(()),
        _ => Err((
            "requests at random offsets of many files are not possible".to_owned(),
            "an sd= for each file, or fileio=sequential".to_owned(),
        )),
    }
}
