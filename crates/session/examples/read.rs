//! Makes a text of N things, reads it, and prints how many were read: what `cargo xtask instr`
//! counts the instructions of, so that no reader takes more for each thing the more of them there
//! are.
//!
//! ```text
//! cargo run --release -p fathom-session --example read -- fio 20000
//! ```
#![expect(clippy::print_stdout, reason = "an example says what it has read")]

use fathom_diskspd as diskspd;
use fathom_fio as fio;
use fathom_iometer as iometer;
use fathom_tools::{Diagnostic, Surroundings, native, recordings};
use std::io;
use std::path::Path;

/// How a text of N things is made, and how many of them are found when it is read.
struct Kind {
    name: &'static str,
    text: fn(usize) -> String,
    read: fn(&str) -> Result<usize, Vec<Diagnostic>>,
}

const KINDS: [Kind; 7] = [
    Kind {
        name: "fio",
        text: |count| {
            let global = "[global]\nioengine=libaio\ndirect=1\nbs=4k\niodepth=16\nruntime=30\n\
                          time_based\nrw=randread\n";
            let job = |number| format!("[job{number}]\nfilename=/tmp/f{number}\nsize=1m\n");
            global.to_owned() + &(0..count).map(job).collect::<String>()
        },
        read: fio_jobs,
    },
    Kind {
        name: "fio-waits",
        text: |count| {
            let first = "[global]\nsize=1m\nruntime=5\ntime_based\n[a]\n[b]\n".to_owned();
            let job = |number| {
                format!("[job{number}]\nwait_for=a\nwrite_iolog=/tmp/t{number}\ncpus_allowed=0-7\n")
            };
            first + &(2..count).map(job).collect::<String>()
        },
        read: fio_jobs,
    },
    Kind {
        name: "native",
        text: |count| {
            let first = "[[phase]]\nduration = \"5s\"\n[[phase.job]]\nname = \"j0\"\ntargets = \
                         [\"/tmp/f\"]\nsize = \"1GiB\"\nblock_size = \"4KiB\"\npacing = { cyclic = \
                         { every = \"1s\", bytes = \"1MiB\" } }\n";
            let job = |number: usize| {
                format!(
                    "[[phase.job]]\nname = \"j{number}\"\ntargets = [\"/tmp/f\"]\nsize = \
                     \"1GiB\"\nblock_size = \"4KiB\"\nafter = \"j{}\"\npacing = {{ triggered = {{ \
                     bytes = \"1MiB\" }} }}\n",
                    number - 1
                )
            };
            first.to_owned() + &(1..count).map(job).collect::<String>()
        },
        read: |text| native::parse(text, "a.toml").map(|found| found.phases[0].jobs.len()),
    },
    Kind {
        name: "diskspd",
        text: |count| {
            let span = |number| {
                format!(
                    "<TimeSpan><Duration>5</Duration><Targets><Target><Path>/tmp/f{number}</Path>\
                     <FileSize>1048576</FileSize><WriteRatio>30</WriteRatio></Target></Targets>\
                     </TimeSpan>"
                )
            };
            let spans: String = (0..count).map(span).collect();
            format!("<Profile><TimeSpans>{spans}</TimeSpans></Profile>")
        },
        read: |text| {
            let input = diskspd::read_profile(text, "a.xml")?;
            let found = input.translate(&Anywhere)?;
            Ok(found.workload.phases.len())
        },
    },
    Kind {
        name: "iometer",
        text: |count| {
            let spec = |number| {
                format!(
                    "'Access specification name,default assignment\ns{number},NONE\n'size,% of \
                     size,% reads,% random,delay,burst,align,reply\n2048,100,67,100,0,1,0,0\n"
                )
            };
            let specs: String = (0..count).map(spec).collect();
            format!("Version 1.1.0\n'TEST SETUP\n'Run Time\n0 0 5\n{specs}")
        },
        read: |text| {
            let found = iometer::translate(text, "a.icf", &Anywhere)?;
            Ok(found.workload.phases.len())
        },
    },
    Kind {
        name: "trace",
        text: |count| {
            let line = |number| format!("f{number} read {} 512\n", number * 512);
            "fio version 2 iolog\n".to_owned() + &(0..count).map(line).collect::<String>()
        },
        read: |text| fio::iolog::parse(text, "a.log").map(|trace| trace.requests.len()),
    },
    Kind {
        name: "recording",
        text: |count| {
            let line = |number| format!("d{number} 1.00 2.00 3.00 4 5\n");
            let head = "Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\n".to_owned();
            let devices = head + &(0..count).map(line).collect::<String>();
            format!("{devices}\n{devices}")
        },
        read: |text| {
            let found = recordings::read(text, "a.txt").map_err(|wrong| vec![*wrong])?;
            Ok(found.devices.len())
        },
    },
];

/// Targets are somewhere else, and nothing is asked of this machine.
struct Anywhere;

impl Surroundings for Anywhere {
    fn size_bytes(&self, _: &Path) -> Option<u64> {
        None
    }

    fn read(&self, _: &Path) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn is_elsewhere(&self) -> bool {
        true
    }
}

fn fio_jobs(text: &str) -> Result<usize, Vec<Diagnostic>> {
    let found = fio::translate_file(text, "a.fio", &Anywhere)?;
    let phases = found.workload.phases.iter();
    Ok(phases.map(|phase| phase.jobs.len()).sum())
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let asked = match words.as_slice() {
        [name, count] => {
            let kind = KINDS.iter().find(|kind| kind.name == name);
            kind.zip(count.parse().ok())
        }
        _ => None,
    };
    let Some((kind, count)) = asked else {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        return Err(format!("usage: read {} COUNT", names.join("|")));
    };
    let read = (kind.read)(&(kind.text)(count));
    let told = |found: Vec<Diagnostic>| {
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        found.join("\n")
    };
    println!("{}", read.map_err(told)?);
    Ok(())
}
