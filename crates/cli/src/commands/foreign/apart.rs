//! A call that is several runs: each is made by a process of its own, all of these at once, and one
//! report tells of all.

use super::files::{Files, Report};
use super::host_names::{LOG_HOSTS, names};
use super::hosts::{host_names, hosts_of};
use super::telling::{is_quiet, judge, tell, warn};
use crate::aside;
use crate::commands::child::Part;
use crate::commands::{RESULT_FILE, child, cluster};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::stop::Stop;
use fathom_device::Door;
use fathom_tools::{Apart, OwnWords};
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

/// Measures all of them, and says what the program of this name would.
pub(super) fn run(mut apart: Box<dyn Apart>, program: &str) -> Result<Exit, Error> {
    let own = apart.own().clone();
    let quiet = is_quiet(&own);
    let mut lines = Vec::new();
    let mut targets = Vec::new();
    let mut hosts = Vec::new();
    for (words, call) in apart.calls() {
        if own.parse_only {
            if !quiet {
                warn(call);
            }
            tell(call.translation(), quiet);
            continue;
        }
        let named = hosts_of(call, None)?;
        refuse(&own)?;
        hosts.push(host_names(call, &named)?.unwrap_or_default());
        targets.extend(call.translation().workload.named_paths());
        lines.push([&[program.to_owned()], words].concat());
    }
    if own.parse_only {
        return Ok(Exit::Ok);
    }
    let folder = Folder::new()?;
    let files = Files::new(targets, None, own.overwrite || own.replace_results);
    let is_own = |head: &[u8]| apart.is_own_result(head);
    let report = Report::open(own.output.as_deref(), &files, &is_own)?;
    let stop = Stop::default();
    stop.listen()?;
    let ended = all(&lines, &log_names(&hosts), &folder.0, &stop)?;
    stop.reports_to_the_end();
    let mut worst = Exit::Ok;
    let mut results = Vec::new();
    for one in ended {
        // What the others have measured is still reported.
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
    let said = apart.said(&results);
    if said.judged {
        for result in results.iter().flatten() {
            // With notes each has already printed the state of its result.
            judge(result, quiet || own.notes);
        }
    }
    // Where it cannot be written, the results have it.
    aside::print(&said.err);
    report.put(&said.out)?;
    Ok(if stop.is_interrupted() {
        Exit::Interrupted
    } else {
        worst
    })
}

/// Refuses what one run can do, and several at once cannot.
fn refuse(own: &OwnWords) -> Result<(), Problem> {
    if own.blame {
        return Err(cluster::untraced());
    }
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
