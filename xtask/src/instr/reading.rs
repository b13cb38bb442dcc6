//! What a reader takes for each thing in a text.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::budgets::{Reading, Text};
use super::callgrind::{self, Counted};

/// Instructions of the things that the long text has more than the short one.
pub(super) fn measure(reading: &Reading, program: &Path, scratch: &Path) -> Result<u64> {
    let folder = tempfile::tempdir_in(scratch).context("cannot make a folder")?;
    let mut all = [0; 2];
    for (count, things) in all.iter_mut().zip(reading.things) {
        let path = folder.path().join(reading.text.file());
        fs::write(&path, reading.text.of(things)).context("cannot write the text")?;
        let args = [
            reading.text.command().to_owned(),
            path.display().to_string(),
        ];
        let (threads, printed) = match callgrind::count(program, &args, scratch)? {
            Counted::Instructions(threads, printed) => (threads, printed),
            Counted::Failed(words) => bail!("`fathom {}` ended with {words}", args.join(" ")),
        };
        // All of them were read, or the count would be that of something else.
        let proof = reading.text.proof(things);
        ensure!(
            printed.contains(&proof),
            "`fathom {}` does not print {proof}",
            args.join(" ")
        );
        *count = threads.values().sum();
    }
    let [short, long] = all;
    let more = long.checked_sub(short);
    more.context("the long text took fewer instructions than the short one")
}

impl Text {
    /// The name of its file, by which its reader is found.
    const fn file(self) -> &'static str {
        match self {
            Self::Fio | Self::FioWaits => "a.fio",
            Self::Native => "a.toml",
            Self::Diskspd => "a.xml",
            Self::Iometer => "a.icf",
            Self::Trace => "a.log",
            Self::Recording => "a.txt",
        }
    }

    /// The command that reads it.
    const fn command(self) -> &'static str {
        match self {
            Self::Trace => "learn",
            Self::Recording => "need",
            _ => "convert",
        }
    }

    /// What is printed only if the last thing was read too.
    fn proof(self, count: u64) -> String {
        let last = count - 1;
        match self {
            Self::Fio | Self::FioWaits => format!("name = \"job{last}\""),
            Self::Native => format!("name = \"j{last}\""),
            Self::Diskspd => format!("\"/tmp/f{last}\""),
            Self::Iometer => format!("name = \"s{last}\""),
            Self::Trace => {
                // One each two microseconds.
                let rate = (count as f64 * 1e6 / (2 * last) as f64).round() as u64;
                format!("{},{:03} IOPS", rate / 1000, rate % 1000)
            }
            Self::Recording => format!("\nd{last} "),
        }
    }

    /// A text with this many things.
    fn of(self, count: u64) -> String {
        let each = |from: u64, thing: fn(u64) -> String| (from..count).map(thing).collect();
        let (first, things): (&str, String) = match self {
            Self::Fio => (
                "[global]\nioengine=libaio\ndirect=1\nbs=4k\niodepth=16\nruntime=30\n\
                 time_based\nrw=randread\n",
                each(0, |number| {
                    format!("[job{number}]\nfilename=/tmp/f{number}\nsize=1m\n")
                }),
            ),
            Self::FioWaits => (
                "[global]\nsize=1m\nruntime=5\ntime_based\n[a]\n[b]\n",
                each(2, |number| {
                    format!(
                        "[job{number}]\nwait_for=a\nwrite_iolog=/tmp/t{number}\ncpus_allowed=0-7\n"
                    )
                }),
            ),
            Self::Native => (
                "[[phase]]\nduration = \"5s\"\n[[phase.job]]\nname = \"j0\"\ntargets = \
                 [\"/tmp/f\"]\nsize = \"1GiB\"\nblock_size = \"4KiB\"\npacing = { cyclic = \
                 { every = \"1s\", bytes = \"1MiB\" } }\n",
                each(1, |number| {
                    format!(
                        "[[phase.job]]\nname = \"j{number}\"\ntargets = [\"/tmp/f\"]\nsize = \
                         \"1GiB\"\nblock_size = \"4KiB\"\nafter = \"j{}\"\npacing = {{ triggered \
                         = {{ bytes = \"1MiB\" }} }}\n",
                        number - 1
                    )
                }),
            ),
            Self::Diskspd => {
                let span = |number| {
                    format!(
                        "<TimeSpan><Duration>5</Duration><Targets><Target><Path>/tmp/f{number}\
                         </Path><FileSize>1048576</FileSize><WriteRatio>30</WriteRatio></Target>\
                         </Targets></TimeSpan>"
                    )
                };
                let spans: String = each(0, span);
                ("<Profile><TimeSpans>", spans + "</TimeSpans></Profile>")
            }
            Self::Iometer => (
                "Version 1.1.0\n'TEST SETUP\n'Run Time\n0 0 5\n",
                each(0, |number| {
                    format!(
                        "'Access specification name,default assignment\ns{number},NONE\n'size,% of \
                         size,% reads,% random,delay,burst,align,reply\n2048,100,67,100,0,1,0,0\n"
                    )
                }),
            ),
            Self::Trace => (
                "fio version 3 iolog\n0 /tmp/f add\n0 /tmp/f open\n",
                each(0, |number| {
                    format!(
                        "{} /tmp/f read {} 4096\n",
                        number * 2,
                        number * 7919 % 4096 * 4096
                    )
                }),
            ),
            Self::Recording => {
                let devices: String = each(0, |number| format!("d{number} 1.00 2.00 3.00 4 5\n"));
                let head = "Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\n";
                (head, format!("{devices}\n{head}{devices}"))
            }
        };
        first.to_owned() + &things
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_what_was_asked_for() {
        assert_eq!(
            Text::FioWaits.of(3),
            "[global]\nsize=1m\nruntime=5\ntime_based\n[a]\n[b]\n\
             [job2]\nwait_for=a\nwrite_iolog=/tmp/t2\ncpus_allowed=0-7\n"
        );
        assert_eq!(
            Text::Recording.of(1),
            "Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nd0 1.00 2.00 3.00 4 5\n\n\
             Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nd0 1.00 2.00 3.00 4 5\n"
        );
    }
}
