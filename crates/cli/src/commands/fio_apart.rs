//! fio's clients with jobs of their own: those that have the same jobs are measured together by a
//! process of their own, all of these run at once, and one report tells of all.

use super::child::Part;
use super::fio_host_logs::{LOG_HOSTS, names};
use super::foreign::{self, create, hosts_of, judge, put};
use super::{RESULT_FILE, child, cluster, measure};
use crate::aside;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::stop::Stop;
use fathom_core::result::RunResult;
use fathom_device::Door;
use fathom_tools::OwnWords;
use fathom_tools::fio::FioApart;
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

/// Where the processes leave their results; it goes when this does.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, Problem> {
        let name = format!("fathom-clients-{:x}", fathom_engine::clock::utc_now_ns());
        let folder = std::env::temp_dir().join(name);
        let made = Door::default().make_new_folder(&folder);
        let thing = || format!("cannot make the directory {}", folder.display());
        made.map_err(|error| {
            Problem::new(Exit::Environment, thing())
                .because(error.cause())
                .remedy("another place for temporary files: TMPDIR")
        })?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in the temporary folder is nobody's loss.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Measures all of them, and says what fio would.
pub(super) fn run(mut apart: Box<FioApart>) -> Result<Exit, Error> {
    let own = apart.own().clone();
    let quiet = foreign::is_quiet(&own);
    let mut lines = Vec::new();
    let mut targets = Vec::new();
    let mut hosts = Vec::new();
    for (words, call) in apart.calls() {
        if own.parse_only {
            if !quiet {
                foreign::warn(call);
            }
            foreign::tell(call.translation(), quiet);
            continue;
        }
        let named = hosts_of(call)?;
        refuse(&own)?;
        foreign::refuse_many(call, &named)?;
        if !named.servers.is_empty() {
            let servers = named.servers.iter();
            call.served_by(servers.map(|server| server.place.clone()).collect());
        }
        hosts.push(cluster::host_names(&named)?.unwrap_or_default());
        targets.extend(measure::named(&call.translation().workload));
        lines.push([&["fio".to_owned()], words].concat());
    }
    if own.parse_only {
        return Ok(Exit::Ok);
    }
    let folder = Folder::new()?;
    let file = own.output.as_deref();
    let file = file.map(|path| create(&Door::beside(targets), path, own.overwrite));
    let file = RefCell::new(file.transpose()?);
    let stop = Stop::default();
    stop.listen()?;
    let ended = all(&lines, &log_names(&hosts), &folder.0, &stop)?;
    stop.set_reporting(true);
    let mut worst = Exit::Ok;
    let mut results = Vec::new();
    for one in ended {
        // What the others have measured is told all the same.
        results.push(match one {
            Ok(part) => {
                // Where it cannot be written, the status says that something went wrong.
                aside::print(&part.told);
                worst = worst.max(part.exit);
                part.result
            }
            Err(error) => {
                error.say();
                worst = worst.max(error.exit());
                None
            }
        });
    }
    // With notes each has told what its result is worth itself.
    tell(&apart, &results, quiet || own.notes, &file)?;
    Ok(if stop.is_interrupted() {
        Exit::Interrupted
    } else {
        worst
    })
}

/// Refuses what one run can do, and several at once cannot.
fn refuse(own: &OwnWords) -> Result<(), Problem> {
    let (thing, remedy) = if own.print {
        ("--print shows one workload", "a call for each of them")
    } else if std::env::var_os(RESULT_FILE).is_some() {
        (
            "a side of a comparison is one run",
            "the same jobs for all clients",
        )
    } else {
        return Ok(());
    };
    Err(Problem::new(Exit::Usage, thing)
        .because("clients with jobs of their own are runs of their own")
        .remedy(remedy))
}

fn tell(
    apart: &FioApart,
    results: &[Option<RunResult>],
    quiet: bool,
    file: &RefCell<Option<(String, std::fs::File)>>,
) -> Result<(), Error> {
    let said = apart.said(results);
    if said.judged {
        for result in results.iter().flatten() {
            judge(result, quiet);
        }
    }
    // Where it cannot be written, it stands in the results.
    aside::print(&said.err);
    put(&said.out, file)
}

/// What ends the names of the logs of each set of hosts: no two have one file.
fn log_names(sets: &[Vec<String>]) -> Vec<String> {
    let mut names = names(&sets.concat()).into_iter();
    let of_set = |hosts: &Vec<String>| {
        let own = names.by_ref().take(hosts.len());
        own.collect::<Vec<_>>().join("\n")
    };
    sets.iter().map(of_set).collect()
}

/// Runs all lines at once; what came of each.
fn all(
    lines: &[Vec<String>],
    log_names: &[String],
    folder: &Path,
    stop: &Stop,
) -> Result<Vec<Result<Part, Error>>, Error> {
    std::thread::scope(|scope| {
        let start = |(number, (words, names))| {
            let (words, names): (&[String], &str) = (words, names);
            let file = folder.join(format!("{number}.json"));
            let name = format!("clients/{number}");
            let thread = std::thread::Builder::new().name(name);
            thread.spawn_scoped(scope, move || {
                child::part(words, &[(LOG_HOSTS, names)], &file, stop)
            })
        };
        let lines = lines.iter().map(Vec::as_slice);
        let lines = lines.zip(log_names.iter().map(String::as_str));
        let threads = lines.enumerate().map(start);
        let threads: io::Result<Vec<_>> = threads.collect();
        let threads = threads.map_err(|error| {
            stop.interrupt();
            Problem::new(Exit::Environment, "cannot start threads").because(system_words(&error))
        })?;
        let ended = threads.into_iter().map(|thread| {
            let panicked = |_| {
                let thing = "the thread that waits for clients panicked";
                Err(Problem::new(Exit::Defect, thing).into())
            };
            thread.join().unwrap_or_else(panicked)
        });
        Ok(ended.collect())
    })
}
