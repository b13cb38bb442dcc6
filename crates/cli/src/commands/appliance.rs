//! `fathom appliance`: what a machine does that was started from the live image.
//!
//! The image starts drivers and the network, then this: first the job, if there is one, then a menu
//! on each console. What is measured is measured by the commands of this program, as anybody would
//! call them.

mod disk;
mod errand;
mod menu;
mod stick;

use super::{print, selection};
use crate::args::{ApplianceArgs, AppliancePart};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::terminal;
use disk::Disk;
use fathom_core::figure;
use fathom_device::{Door, Existing, HostInfo, System};
use fathom_image::{Job, JobError, Then, site};
use menu::Choice;
use std::io::{self, Write as _};
use std::path::Path;

/// The file that says that this is the live image.
const IMAGE: &str = "/etc/fathom/live-image";

/// The file that tells the image what to do after the job.
const THEN: &str = "/run/fathom/then";

/// How often what did not arrive is tried again, and how many seconds lie between.
const TRIES: u32 = 3;
const PAUSE_S: &str = "20";

pub(crate) fn run(args: &ApplianceArgs) -> Result<Exit, Error> {
    if !Path::new(IMAGE).exists() {
        return Err(Problem::new(Exit::Usage, "this is not the live image")
            .because(format!(
                "there is no {IMAGE}; on its machines this command decides all"
            ))
            .remedy("`fathom run` and the others of `fathom help`")
            .into());
    }
    match args.part {
        AppliancePart::Job => job(),
        AppliancePart::Menu => serve(),
    }
}

/// Runs the job, if there is one, and notes what comes after it.
fn job() -> Result<Exit, Error> {
    let system = live()?;
    let sticks = stick::mount(&system);
    print(&greeting(&system))?;
    for stick in &sticks {
        say(&format!("stick   {stick}"))?;
    }
    let Some((job, origin)) = find(&sticks)? else {
        say("job     none: no fathom.job for the kernel, no fathom.toml")?;
        return Ok(Exit::Ok);
    };
    say(&format!("job     {} (from {origin})", job.run.join(", ")))?;
    let (exit, has_arrived) = perform(&job)?;
    let then = match job.then {
        Then::Menu => return Ok(exit),
        Then::Shell => "shell",
        Then::Poweroff | Then::Reboot if !has_arrived => {
            say("results wait here and nowhere else, so this machine stays on")?;
            return Ok(exit);
        }
        Then::Poweroff => "poweroff",
        Then::Reboot => "reboot",
    };
    let written = Door::default().write(Path::new(THEN), then.as_bytes(), Existing::Kept);
    written.map_err(|error| Problem::of_door(format!("cannot write {THEN}"), &error, None))?;
    say(&format!("then    {then}"))?;
    Ok(exit)
}

/// The job, and where it is from: the kernel's command line, a stick, or the image itself.
fn find(sticks: &[stick::Stick]) -> Result<Option<(Job, String)>, Problem> {
    let not_meant = |origin: &str, error: &JobError| {
        Problem::new(Exit::Usage, format!("the job of {origin} is not run"))
            .because(error.to_string())
            .remedy("docs/image.md says what a job is; the disks are untouched")
    };
    let line = fathom_device::input::read_text("/proc/cmdline").unwrap_or_default();
    let origin = "the kernel's command line";
    let job = Job::of_command_line(&line).map_err(|error| not_meant(origin, &error))?;
    if let Some(job) = job {
        return Ok(Some((job, origin.to_owned())));
    }
    let of_sticks = sticks.iter().filter_map(stick::Stick::job);
    let of_image = Path::new("/").join(site::JOB);
    for path in of_sticks.chain([of_image]) {
        let Ok(text) = fathom_device::input::read_text(&path) else {
            continue;
        };
        let origin = path.display().to_string();
        let job = Job::of_text(&text).map_err(|error| not_meant(&origin, &error))?;
        return Ok(Some((job, origin)));
    }
    Ok(None)
}

/// Runs the commands of a job, and sends what it made: the worst exit status, and whether all that
/// was to be sent has arrived.
fn perform(job: &Job) -> Result<(Exit, bool), Error> {
    let mut worst = Exit::Ok;
    for words in errand::commands(job) {
        say(&format!("runs    fathom {}", words.join(" ")))?;
        let status = fathom(&words)?;
        say(&format!("ended   fathom {} with status {status}", words[0]))?;
        if status != 0 {
            worst = worst.max(Exit::Environment);
        }
    }
    if job.deliver.is_empty() {
        return Ok((worst, true));
    }
    for pause in 0..TRIES {
        if pause > 0 {
            // No clock of ours: the program of the system waits.
            let _ = fathom_device::command("sleep").arg(PAUSE_S).status();
        }
        if fathom(&["deliver".to_owned(), "--pending".to_owned()])? == 0 {
            return Ok((worst, true));
        }
    }
    Ok((worst, false))
}

/// The menu, again and again, until somebody wants a shell.
fn serve() -> Result<Exit, Error> {
    let cannot = |error: &io::Error| {
        Problem::new(Exit::Environment, "cannot speak with the console")
            .because(system_words(error))
    };
    loop {
        let system = live()?;
        print(&greeting(&system))?;
        let disks = disk::all(&system);
        let (mut input, mut output) = (io::stdin().lock(), terminal::stdout());
        let choice = menu::converse(&mut input, &mut output, &disks, &writes);
        match choice.map_err(|error| cannot(&error))? {
            Choice::Look => {}
            Choice::Run(job) => {
                let (_, has_arrived) = perform(&job)?;
                if !has_arrived {
                    say("not all results have arrived; 3 tries again")?;
                }
            }
            Choice::Send => {
                fathom(&["deliver".to_owned(), "--pending".to_owned()])?;
            }
            Choice::Shell => return Ok(Exit::Ok),
            Choice::End(program) => {
                let ended = fathom_device::command("sync").status();
                let ended = ended.and_then(|_| fathom_device::command(program).arg("-f").status());
                ended.map_err(|error| cannot(&error))?;
                return Ok(Exit::Ok);
            }
        }
    }
}

/// Whether a workload writes. Of a suite that is not looked at closer: all of ours do.
fn writes(name: &str) -> Result<bool, String> {
    if errand::is_suite(name) {
        return Ok(true);
    }
    let workload = selection::workload(name).map_err(|error| match error {
        Error::Problem(problem) => problem.thing,
        Error::Text(_) | Error::Said(..) | Error::BrokenPipe => {
            format!("`{name}` is no workload")
        }
    })?;
    let mut jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
    Ok(jobs.any(fathom_core::spec::Job::destroys))
}

/// Runs this program with other words, on the same console; its exit status, 128 where a signal
/// ended it.
fn fathom(words: &[String]) -> Result<i32, Problem> {
    let program = std::env::current_exe();
    let status = program.and_then(|program| fathom_device::command(program).args(words).status());
    let status = status.map_err(|error| {
        Problem::new(Exit::Environment, "cannot start fathom").because(system_words(&error))
    })?;
    Ok(status.code().unwrap_or(128))
}

fn live() -> Result<System, Problem> {
    System::live().map_err(|error| {
        Problem::new(Exit::Environment, "cannot list the disks").because(error.to_string())
    })
}

/// A line, at once.
fn say(line: &str) -> Result<(), Error> {
    let mut out = terminal::stdout();
    let said = writeln!(out, "{line}").and_then(|()| out.flush());
    said.map_err(|error| Error::stdout(&error))
}

/// The machine and its disks.
fn greeting(system: &System) -> String {
    let host = HostInfo::live();
    let name = host.hostname.unwrap_or_default();
    let kernel = host.kernel_release.unwrap_or_default();
    let machine = [host.vendor, host.product].into_iter().flatten();
    let machine = machine.collect::<Vec<_>>().join(" ");
    let memory = host.memory_bytes.map(figure::size).unwrap_or_default();
    let processors = figure::plural(u64::from(host.cpu_count), "processor");
    let version = env!("CARGO_PKG_VERSION");
    let disks: Vec<Disk> = disk::all(system);
    format!(
        "\nFathom {version}, live image, Linux {kernel}\n\
         {name}: {machine}, {processors}, {memory}\n\n{}\n",
        disk::table(&disks)
    )
}
