//! The inputs: what is given to both programs.

use anyhow::{Context, Result};

/// The twelve profiles of HP's study, as its authors published them.
const PROFILES: &str = include_str!("../../../crates/programs/tests/corpus/fio/hp-profiles.fio");

/// One comparison.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) input: Input,
    /// Files that are there before, really written, with their sizes.
    pub(crate) files: &'static [(&'static str, u64)],
    /// Known differences: the column and the reason.
    pub(crate) known: &'static [(Column, &'static str)],
}

/// Where a job file comes from.
#[derive(Debug)]
pub(crate) enum Input {
    /// A section of the profiles, bounded by a number of requests instead of by 300 s.
    Profile {
        /// Of that name.
        section: &'static str,
        requests: u32,
    },
    /// A text of our own, below the lines that all have.
    Own(&'static str),
}

/// What may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Requests,
    Mix,
    Sizes,
    Touched,
    InOrder,
    Flushes,
}

const MIB: u64 = 1 << 20;
/// What every job begins with.
const COMMON: &str = "[global]\nioengine=libaio\ndirect=1\niodepth=4\nthread\n";
const NAMED: &str = "filename=data\n";
const DATA: &[(&str, u64)] = &[("data", 256 * MIB)];
const SMALL: &[(&str, u64)] = &[("data", 32 * MIB)];
const FOUR: &[(&str, u64)] = &[
    ("a", 8 * MIB),
    ("b", 8 * MIB),
    ("c", 8 * MIB),
    ("d", 8 * MIB),
];

impl Case {
    /// The line that names the file, where there is one; fio adds files of several such lines up.
    const fn filename(&self) -> &'static str {
        if self.files.len() == 1 { NAMED } else { "" }
    }

    /// The text of the job file.
    pub(crate) fn job(&self) -> Result<String> {
        match self.input {
            Input::Own(text) => Ok(format!("{COMMON}{}{text}", self.filename())),
            Input::Profile { section, requests } => {
                let head = format!("[{section}]");
                let lines = PROFILES.lines().skip_while(|line| *line != head);
                let own: Vec<&str> = lines
                    .enumerate()
                    .take_while(|(index, line)| *index == 0 || !line.starts_with('['))
                    .map(|(_, line)| line)
                    .filter(|line| !line.starts_with("time_based") && !line.starts_with("runtime"))
                    .collect();
                (!own.is_empty())
                    .then(|| {
                        let own = own.join("\n");
                        format!("{COMMON}{NAMED}size=256m\nnumber_ios={requests}\n{own}\n")
                    })
                    .with_context(|| format!("there is no profile {section}"))
            }
        }
    }
}

const fn profile(section: &'static str, requests: u32) -> Case {
    Case {
        name: section,
        input: Input::Profile { section, requests },
        files: DATA,
        known: &[],
    }
}

const fn own(
    name: &'static str,
    files: &'static [(&'static str, u64)],
    text: &'static str,
) -> Case {
    Case {
        name,
        input: Input::Own(text),
        files,
        known: &[],
    }
}

const fn known(
    name: &'static str,
    files: &'static [(&'static str, u64)],
    text: &'static str,
    known: &'static [(Column, &'static str)],
) -> Case {
    Case {
        name,
        input: Input::Own(text),
        files,
        known,
    }
}

const NOT_AFTER_THE_LAST: &str = "fio leaves out the flush after the last write";
const SCATTERED: &str = "fio scatters the places by a hash, so that two may fall together; \
                         Fathom's are around the middle, each for itself";
const BEYOND: &str = "fio ends the job where a request in order would go beyond the end of the \
                      file; Fathom goes on at its start";
const READ_BACK: &str = "Fathom lays the file out with blocks that describe themselves and reads \
                         it back in requests of 1 MiB, both outside the measured time; fio reads \
                         back each block that it wrote, among its reads";
const CUT: &str = "to visit each block once fio cuts requests short where blocks were visited \
                   before, down to sizes that were not asked for; Fathom keeps the sizes and may \
                   visit blocks again, and says so in a note";

pub(crate) static CASES: &[Case] = &[
    profile("web-file-server4k", 8192),
    profile("web-file-server8k", 8192),
    profile("web-file-server64k", 2048),
    profile("decision-support-system-db", 256),
    profile("media-streaming", 2048),
    profile("sql-server-log", 2048),
    profile("os-paging", 2048),
    profile("web-server-log", 8192),
    profile("oltp-db", 8192),
    profile("exchange-server", 8192),
    profile("workstation", 8192),
    profile("video-on-demand", 512),
    own(
        "random-read-whole",
        SMALL,
        "[j]\nrw=randread\nbs=4k\nsize=32m\n",
    ),
    own(
        "random-write-whole",
        SMALL,
        "[j]\nrw=randwrite\nbs=4k\nsize=32m\n",
    ),
    own(
        "random-mix-whole",
        SMALL,
        "[j]\nrw=randrw\nrwmixread=70\nbs=4k\nsize=32m\n",
    ),
    own(
        "sequential-read",
        DATA,
        "[j]\nrw=read\nbs=128k\nsize=256m\n",
    ),
    own(
        "sequential-write",
        DATA,
        "[j]\nrw=write\nbs=64k\nsize=256m\n",
    ),
    own(
        "sequential-mix",
        DATA,
        "[j]\nrw=rw\nbs=64k\nsize=256m\nnumber_ios=2048\n",
    ),
    own(
        "without-a-map",
        SMALL,
        "[j]\nrw=randread\nbs=4k\nsize=32m\nnorandommap\n",
    ),
    own(
        "sizes-split",
        DATA,
        "[j]\nrw=randrw\nbssplit=4k/50:8k/30:64k/20,8k/100\nsize=256m\n\
         number_ios=8192\nnorandommap\n",
    ),
    known(
        "sizes-split-with-a-map",
        SMALL,
        "[j]\nrw=randread\nbssplit=4k/60:16k/40\nsize=32m\n",
        &[
            (Column::Requests, CUT),
            (Column::Sizes, CUT),
            (Column::Touched, CUT),
        ],
    ),
    own(
        "sizes-range",
        DATA,
        "[j]\nrw=randread\nbsrange=4k-32k\nsize=256m\nnumber_ios=8192\nnorandommap\n",
    ),
    known(
        "sizes-by-order",
        DATA,
        "[j]\nrw=randread\nbs=64k,4k\nbs_is_seq_rand=1\npercentage_random=50\nsize=256m\n\
         number_ios=4096\nnorandommap\n",
        &[(Column::Requests, BEYOND), (Column::Touched, BEYOND)],
    ),
    own(
        "shares-of-random-apart",
        SMALL,
        "[j]\nrw=randrw\nbs=4k\npercentage_random=80,20\nsize=32m\nnumber_ios=4096\nnorandommap\n",
    ),
    own(
        "stride",
        SMALL,
        "[j]\nrw=read:12k\nbs=4k\nsize=32m\nnumber_ios=2048\n",
    ),
    own(
        "runs-of-eight",
        SMALL,
        "[j]\nrw=randread:8\nrw_sequencer=sequential\nbs=4k\nsize=32m\n\
         number_ios=4096\nnorandommap\n",
    ),
    own(
        "rates-of-their-own",
        SMALL,
        "[j]\nrw=randrw\nrwmixread=90\nbs=4k\nrate_iops=4000,2000\nsize=24m\nruntime=60\n",
    ),
    own(
        "each-block-once-by-lfsr",
        SMALL,
        "[j]\nrw=randread\nbs=4k\nrandom_generator=lfsr\nnorandommap\nsize=32m\n",
    ),
    own(
        "zipf",
        SMALL,
        "[j]\nrw=randread\nbs=4k\nrandom_distribution=zipf:1.1\nsize=32m\nnumber_ios=8192\n",
    ),
    own(
        "pareto",
        SMALL,
        "[j]\nrw=randread\nbs=4k\nrandom_distribution=pareto:0.8\nsize=32m\nnumber_ios=8192\n",
    ),
    known(
        "normal",
        SMALL,
        "[j]\nrw=randread\nbs=4k\nrandom_distribution=normal:10\nsize=32m\nnumber_ios=8192\n",
        &[(Column::Touched, SCATTERED)],
    ),
    own(
        "zoned",
        SMALL,
        "[j]\nrw=randread\nbs=4k\nrandom_distribution=zoned:60/10:30/20:10/70\nsize=32m\n\
         number_ios=8192\n",
    ),
    known(
        "flushes",
        SMALL,
        "[j]\nrw=randwrite\nbs=4k\nioengine=psync\nfsync=32\nsize=32m\nnumber_ios=1024\n",
        &[(Column::Flushes, NOT_AFTER_THE_LAST)],
    ),
    own(
        "data-flushes",
        SMALL,
        "[j]\nrw=write\nbs=16k\nioengine=psync\nfdatasync=8\nsize=16m\n",
    ),
    own(
        "flush-at-the-end",
        SMALL,
        "[j]\nrw=write\nbs=64k\nioengine=psync\nend_fsync=1\nsize=32m\n",
    ),
    known(
        "read-back",
        SMALL,
        "[j]\nrw=randwrite\nbs=4k\nverify=crc32c\nsize=8m\n",
        &[
            (Column::Requests, READ_BACK),
            (Column::Mix, READ_BACK),
            (Column::Sizes, READ_BACK),
            (Column::Flushes, "the layout is flushed before the run"),
        ],
    ),
    own(
        "clones-apart",
        SMALL,
        "[j]\nrw=write\nbs=64k\nsize=8m\nnumjobs=4\noffset_increment=8m\n",
    ),
    own(
        "clones-together",
        SMALL,
        "[j]\nrw=randread\nbs=8k\nsize=32m\nnumjobs=4\ngroup_reporting\n",
    ),
    own(
        "four-files",
        FOUR,
        "[j]\nfilename=a:b:c:d\nrw=randread\nbs=4k\nsize=32m\n",
    ),
    own(
        "filename-twice",
        FOUR,
        "filename=a\n[j]\nfilename=c\nrw=read\nbs=16k\nsize=16m\n",
    ),
    own("passes", SMALL, "[j]\nrw=read\nbs=32k\nsize=16m\nloops=3\n"),
    own(
        "part-of-a-pass",
        SMALL,
        "[j]\nrw=randread\nbs=4k\nsize=24m\nio_size=12m\noffset=8m\n",
    ),
    own(
        "one-after-another",
        SMALL,
        "size=16m\nbs=16k\n[w]\nrw=write\n[r]\nstonewall\nrw=randread\n",
    ),
];
