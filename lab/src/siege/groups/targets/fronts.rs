//! The front ends, each with the shortest call that does its worst: a line for each.

use std::path::Path;

use anyhow::Result;

use crate::siege::lab::Exhibit;
use crate::siege::lab::kinds::Free;

/// What a front end does to the path that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// It writes there, if it may.
    Writes,
    /// As `Writes`, below a directory.
    WritesBelow,
    /// It has no business to write there.
    Reads,
}

#[derive(Clone, Copy)]
pub(crate) struct Front {
    pub(crate) name: &'static str,
    /// Words, where TARGET is the path and PERMISSION what is given up.
    line: &'static str,
    pub(crate) reach: Reach,
    pub(crate) is_quick: bool,
}

const fn writes(name: &'static str, line: &'static str) -> Front {
    Front {
        name,
        line,
        reach: Reach::Writes,
        is_quick: false,
    }
}

const fn below(name: &'static str, line: &'static str) -> Front {
    Front {
        reach: Reach::WritesBelow,
        ..writes(name, line)
    }
}

const fn reads(name: &'static str, line: &'static str) -> Front {
    Front {
        reach: Reach::Reads,
        ..writes(name, line)
    }
}

const fn quick(front: Front) -> Front {
    Front {
        is_quick: true,
        ..front
    }
}

/// All of them.
pub(crate) const FRONTS: &[Front] = &[
    quick(writes(
        "run",
        "run random-write-4k --size 1MiB --ios 64 --warm-up 0s --engine psync --no-save --quiet \
         PERMISSION --target TARGET",
    )),
    writes(
        "run --engine auto",
        "run random-write-4k --size 1MiB --ios 64 --warm-up 0s --no-save --quiet PERMISSION \
         --target TARGET",
    ),
    writes(
        "run --engine libaio",
        "run random-write-4k --size 1MiB --ios 64 --warm-up 0s --engine libaio --no-save --quiet \
         PERMISSION --target TARGET",
    ),
    writes(
        "run --no-direct",
        "run random-write-4k --size 1MiB --ios 64 --warm-up 0s --engine psync --no-direct \
         --no-save --quiet PERMISSION --target TARGET",
    ),
    writes(
        "run --verify read-back",
        "run random-write-4k --size 1MiB --ios 64 --warm-up 0s --engine psync --verify read-back \
         --no-save --quiet PERMISSION --target TARGET",
    ),
    writes(
        "run of a file",
        "run load.toml --no-save --quiet PERMISSION",
    ),
    writes(
        "run with a role",
        "run role.toml --no-save --quiet PERMISSION --target log=TARGET",
    ),
    writes(
        "quick",
        "quick TARGET --size 1MiB --time 100ms --warm-up 0s --engine psync --no-save --quiet \
         PERMISSION",
    ),
    writes(
        "ramp",
        "ramp random-write-4k --size 1MiB --to 2 --step 100ms --warm-up 0s --engine psync \
         --no-save --quiet PERMISSION --target TARGET",
    ),
    writes(
        "suite",
        "suite suite.toml --into results --quiet PERMISSION --target TARGET",
    ),
    quick(writes(
        "fio",
        "fio --name=x --rw=randwrite --bs=4k --size=1m --number_ios=64 --no-save --quiet \
         PERMISSION --filename=TARGET",
    )),
    writes(
        "fio of a job file",
        "fio PERMISSION --no-save --quiet load.fio",
    ),
    writes(
        "fio rw=write verify",
        "fio --name=x --rw=write --bs=4k --size=256k --verify=crc32c --do_verify=1 --no-save \
         --quiet PERMISSION --filename=TARGET",
    ),
    quick(writes(
        "dd of=",
        "dd --no-save --quiet PERMISSION if=/dev/zero of=TARGET bs=3k count=3 conv=notrunc",
    )),
    writes(
        "diskspd",
        "diskspd --no-save --quiet PERMISSION -w100 -b4K -d1 -W0 -Sh TARGET",
    ),
    writes(
        "iometer",
        "iometer load.icf --size 1MiB --time 200ms --warm-up 0s --read 0 --no-save --quiet \
         PERMISSION",
    ),
    writes(
        "durability",
        "durability --promise dsync --size 1MiB --steps 64 --no-direct --ack-log exec:cat --quiet \
         PERMISSION --target TARGET",
    ),
    below(
        "iotest",
        "iotest --no-save --quiet PERMISSION -i 1 -t TARGET -b 16 -s 64",
    ),
    below(
        "rhel-iotest",
        "rhel-iotest --file-size 1MiB --no-save --quiet PERMISSION -t TARGET",
    ),
    reads(
        "run of reads",
        "run random-read-4k --size 1MiB --ios 64 --warm-up 0s --engine psync --no-save --quiet \
         PERMISSION --target TARGET",
    ),
    reads(
        "fio rw=read verify",
        "fio --name=x --rw=read --bs=4k --size=256k --verify=crc32c --no-save --quiet PERMISSION \
         --filename=TARGET",
    ),
    reads(
        "fio --readonly randrw",
        "fio --readonly --name=x --rw=randrw --bs=4k --size=256k --no-save --quiet PERMISSION \
         --filename=TARGET",
    ),
    reads(
        "dd if=",
        "dd --no-save --quiet if=TARGET of=/dev/null bs=4k count=4",
    ),
    reads(
        "diskspd -w0",
        "diskspd --no-save --quiet -w0 -b4K -d1 -W0 -Sh TARGET",
    ),
    reads("verify", "verify TARGET --quiet"),
    reads(
        "durability --verify",
        "durability --verify --power-was-cut --ack-log durability.log --target TARGET",
    ),
    reads("check", "check TARGET --no-wait"),
    reads("watch", "watch TARGET --count 1 --interval 100ms --plain"),
    reads("watch --read", "watch --read TARGET --plain"),
    reads("need", "need TARGET"),
    reads("plan --from", "plan --from TARGET"),
    reads("plan of a file", "plan TARGET --iops 1000"),
    reads("simulate", "simulate TARGET --volume gp3:1TiB --no-save"),
    reads("convert", "convert TARGET --to fio"),
    reads(
        "convert --target",
        "convert random-write-4k --to fio --target TARGET",
    ),
    reads("run TARGET as workload", "run TARGET --no-save"),
    reads("fio TARGET as job file", "fio TARGET --no-save"),
    reads("suite TARGET", "suite TARGET --list"),
    reads(
        "run --print",
        "run random-write-4k --print PERMISSION --target TARGET",
    ),
    reads("show", "show TARGET"),
    reads("compare", "compare TARGET TARGET"),
    reads("report", "report --out - TARGET"),
    reads("import", "import TARGET --no-save"),
    reads("catalog", "catalog --catalog TARGET"),
];

const LOAD: &str = r#"
[[phase]]
name = "p"
warm_up = "0s"
[[phase.job]]
name = "j"
target = "TARGET"
size = "1MiB"
block_size = "4KiB"
read = 0
stop_ios = 64
"#;

const SUITE: &str = r#"
name = "siege"
description = "two short runs"
source = "none"
[[run]]
workload = "random-write-4k"
size = "1MiB"
time = "100ms"
warm_up = "0s"
"#;

const FIO: &str = "[x]\nfilename=TARGET\nrw=randwrite\nbs=4k\nsize=1m\nnumber_ios=64\n";

const ICF: &str = include_str!("load.icf");

/// The acknowledgement log of a run on a file, whose name says nothing of the target.
const WITNESSED: &str = include_str!("durability.log");

/// Writes the files that the calls name, into the folder in which they are made.
pub(crate) fn prepare(folder: &Path, target: &str) -> Result<()> {
    std::fs::write(folder.join("load.toml"), LOAD.replace("TARGET", target))?;
    std::fs::write(folder.join("role.toml"), LOAD.replace("TARGET", "@log"))?;
    std::fs::write(
        folder.join("load.fio"),
        FIO.replace("TARGET", &in_fio(target)),
    )?;
    std::fs::write(folder.join("suite.toml"), SUITE)?;
    std::fs::write(folder.join("load.icf"), ICF.replace("TARGET", target))?;
    std::fs::write(folder.join("durability.log"), WITNESSED)?;
    Ok(())
}

/// As it is said to fio, which parts names at colons.
fn in_fio(target: &str) -> String {
    target.replace(':', "\\:")
}

impl Front {
    pub(crate) fn words(&self, target: &str, permission: &[String]) -> Vec<String> {
        let escaped = in_fio(target);
        let target = if self.line.starts_with("fio ") {
            escaped.as_str()
        } else {
            target
        };
        let mut words = Vec::new();
        for word in self.line.split_whitespace() {
            if word == "PERMISSION" {
                words.extend_from_slice(permission);
            } else {
                words.push(word.replace("TARGET", target));
            }
        }
        words
    }

    pub(crate) fn takes_permission(&self) -> bool {
        self.line.contains("PERMISSION")
    }

    /// Whether the call says something about such a target.
    pub(crate) fn fits(&self, exhibit: &Exhibit) -> bool {
        self.reach != Reach::WritesBelow || exhibit.kind.free == Free::Room
    }

    pub(crate) fn patience_s(&self, exhibit: &Exhibit) -> u32 {
        if self.may_wait(exhibit) { 3 } else { 60 }
    }

    /// Whoever reads from a FIFO waits for somebody who writes.
    pub(crate) fn may_wait(&self, exhibit: &Exhibit) -> bool {
        self.reach == Reach::Reads && exhibit.kind.name == "FIFO"
    }
}
