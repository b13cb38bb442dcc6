//! Every key of the file, once: what is done with it.

/// What is done with the value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// It is used.
    Used,
    /// Nothing, for this reason.
    Nothing(&'static str),
    /// One value is taken, and others are refused for this reason.
    Only(&'static str, &'static str),
}

use Does::{Nothing, Only, Used};

/// Phases that are measured, in the order of the benchmark, each with the section of its options.
pub(super) const PHASES: [(&str, &str); 11] = [
    ("ior-easy-write", "ior-easy"),
    ("mdtest-easy-write", "mdtest-easy"),
    ("ior-hard-write", "ior-hard"),
    ("mdtest-hard-write", "mdtest-hard"),
    ("ior-easy-read", "ior-easy"),
    ("mdtest-easy-stat", "mdtest-easy"),
    ("ior-hard-read", "ior-hard"),
    ("mdtest-hard-stat", "mdtest-hard"),
    ("mdtest-easy-delete", "mdtest-easy"),
    ("mdtest-hard-read", "mdtest-hard"),
    ("mdtest-hard-delete", "mdtest-hard"),
];

/// Those that search the files.
const FINDS: [&str; 3] = ["find", "find-easy", "find-hard"];

/// Those of the extended mode, which the scored one leaves out.
const EXTENDED: [&str; 5] = [
    "ior-rnd4k-easy-read",
    "mdworkbench",
    "mdworkbench-create",
    "mdworkbench-bench",
    "mdworkbench-delete",
];

/// Whether the benchmark has a section of this name, in lower case.
pub(super) fn is_section(name: &str) -> bool {
    ["global", "debug"].contains(&name)
        || PHASES
            .iter()
            .any(|(phase, part)| [phase, part].contains(&&name))
        || FINDS.contains(&name)
        || EXTENDED.contains(&name)
}

/// What is done with a key, in lower case like its section; none where the section has no such key.
pub(super) fn find(section: &str, key: &str) -> Option<Does> {
    let is_of_ior = section.starts_with("ior-");
    let does = match (section, key) {
        (section, _) if EXTENDED.contains(&section) => Nothing("the extended mode is not measured"),
        (section, "run") if !["global", "debug"].contains(&section) => Used,
        (section, _) if FINDS.contains(&section) => Nothing("searches are not measured"),
        ("global", "datadir" | "datapackettype")
        | ("debug", "stonewall-time")
        | ("ior-easy", "transfersize" | "blocksize" | "fileperproc")
        | ("ior-hard", "segmentcount")
        | ("ior-easy" | "ior-hard", "posix.odirect")
        | ("mdtest-easy" | "mdtest-hard", "n") => Used,
        (_, "posix.odirect") => Only("FALSE", "metadata has no direct I/O"),
        (_, "hintsfilename") if is_of_ior => Only("", "hints are of MPI-IO"),
        ("global", "timestamp-datadir" | "timestamp-resultdir" | "resultdir") => {
            Nothing("files have names of the run, and results are in the history")
        }
        ("global", "drop-caches-cmd") => Nothing("no cache is dropped"),
        ("global", "drop-caches") => Only("FALSE", "the page cache belongs to others too"),
        ("global", "io-buffers-on-gpu") => Only("FALSE", "buffers are in memory"),
        ("global", "scc") => Only("FALSE", "it sets `stonewall-time` to 30"),
        ("global" | "ior-easy" | "ior-hard", "verbosity") => {
            Nothing("the history and `fathom show` have all of it")
        }
        ("debug", "pause-dir") => Only("", "phases follow each other"),
        (section, "api") if section != "debug" => Only("POSIX", "POSIX is the only interface"),
        ("ior-easy", "uniquedir") => Only("FALSE", "files are in one directory"),
        (_, "collective") if is_of_ior => Only("FALSE", "that is of MPI-IO"),
        ("mdtest-hard", "files-per-dir") => Only("", "files of this part are in one directory"),
        _ => return None,
    };
    Some(does)
}
