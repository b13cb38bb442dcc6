//! `fathom rhel-iotest`: how large the test has to be here, the test, and what SAS would say.

use crate::args::RhelIotestArgs;
use crate::commands::foreign::{self, check_directory, misplaced};
use crate::commands::surroundings::Live;
use crate::commands::{Origin, measure, member, print, show_text};
use crate::error::{Error, Problem, fragment};
use crate::exit::Exit;
use fathom_core::figure::plural;
use fathom_core::result::RunResult;
use fathom_device::{DeviceError, FreeSpace, HostInfo, Mounts};
use fathom_iotest::{
    Directory, FileSystem, Host, Request, Sizing, Wishes, parse_rhel, rhel_translation,
    sas_verdict, size_up,
};
use std::path::Path;

pub(crate) fn run(args: &RhelIotestArgs, origin: &Origin) -> Result<Exit, Error> {
    if let Some(exit) = member::be_launched(&args.call.options.cluster)? {
        return Ok(exit);
    }
    let request = parse_rhel(&args.call.words).map_err(|error| {
        misplaced::tell("rhel-iotest", &args.call.words);
        Error::Text(error)
    });
    let directories = match request? {
        Request::Test(directories) => directories,
        Request::Help => return help(),
        Request::Version => return print(concat!("fathom ", env!("CARGO_PKG_VERSION"), "\n")),
    };
    let other = &args.call.options.target;
    let directories = Directory::rebound(directories, other, &Live).map_err(Error::Text)?;
    let host = host();
    let file_kib = args.file_size.map(|size| size.0 / 1024);
    let mut tests = Vec::new();
    for directory in &directories {
        tests.push((directory, sizing(host, directory, file_kib)?));
    }
    let wishes = Wishes {
        cold: args.streams.cold,
        incompressible: args.streams.incompressible,
    };
    let translations: Vec<_> = tests
        .iter()
        .map(|(directory, sizing)| rhel_translation(directory, sizing, wishes))
        .collect();
    let Some(first) = translations.first() else {
        return Ok(Exit::Ok);
    };
    foreign::tell(first, args.call.options.quiet);
    // One screen, or what the script prints.
    let format = if args.streams.full {
        "rhel-iotest"
    } else {
        "brief"
    };
    let options = foreign::run_options(&args.call.options, &first.wishes, Some(format))?;
    let workloads: Vec<_> = translations
        .iter()
        .map(|one| one.workload.clone())
        .collect();
    let mut results: Vec<RunResult> = Vec::new();
    let mut told = |result: &RunResult| {
        results.push(result.clone());
        Ok(())
    };
    let exit = measure::each(&workloads, &[], &options, origin, &mut told)?;
    let kept = results.iter().map(|result| args.streams.kept(result));
    let exit = kept.fold(exit, Exit::max);
    if options.output.print || !args.call.options.output.is_empty() {
        // Whoever asked for another format gets nothing else on standard output.
        return Ok(exit);
    }
    // One screen has the verdict of its file system.
    if args.streams.full || tests.len() > 1 {
        show_text(&(warnings(&tests) + &verdict(&directories, &results)))?;
    } else {
        let count: usize = tests.iter().map(|(_, sizing)| sizing.warnings.len()).sum();
        if count > 0 {
            let count = plural(count as u64, "warning");
            show_text(&format!("{count} about the sizes of this test: --full\n"))?;
        }
    }
    Ok(exit)
}

fn help() -> Result<Exit, Error> {
    print(
        "usage: fathom rhel-iotest [--file-size SIZE] [--cold] -t [ROLE=]DIRECTORY ...\n\
         `fathom rhel-iotest --help` before any -t has all of it\n",
    )
}

fn host() -> Host {
    let host = HostInfo::live();
    Host {
        sockets: host.sockets,
        physical_cores: host.physical_cores,
        memory_kib: host.memory_bytes.unwrap_or(0) / 1024,
    }
}

fn sizing(host: Host, directory: &Directory, file_kib: Option<u64>) -> Result<Sizing, Problem> {
    let path = Path::new(&directory.path);
    check_directory(path)?;
    let place = place(path).map_err(|error| {
        let thing = format!(
            "cannot determine the size for the test of {}",
            path.display()
        );
        Problem::new(Exit::Environment, thing).because(fragment(&error.to_string()))
    })?;
    size_up(host, &place, file_kib).map_err(|error| {
        let thing = format!("cannot test {} as SAS requires", path.display());
        Problem::new(Exit::Environment, thing)
            .because(error.to_string())
            .remedy("set --file-size to the size of each stream's file, as in --file-size 1GiB")
    })
}

fn place(path: &Path) -> Result<FileSystem, DeviceError> {
    let space = FreeSpace::of_path(path)?;
    let mounts = Mounts::live()?;
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mount = mounts.of_path(&real);
    Ok(FileSystem {
        file_system: mount.map_or_else(String::new, |mount| mount.fs_type.clone()),
        mount_options: mount.map_or_else(String::new, |mount| {
            format!("{},{}", mount.options, mount.super_options)
        }),
        total_kib: space.total_bytes / 1024,
        available_kib: space.available_bytes / 1024,
    })
}

/// Warnings as the script gathers them.
fn warnings(tests: &[(&Directory, Sizing)]) -> String {
    let mut text = String::new();
    for (directory, sizing) in tests {
        for warning in &sizing.warnings {
            text.push_str("<<WARNING>>  [");
            text.push_str(&directory.path);
            text.push_str("] ");
            text.push_str(warning);
            text.push('\n');
        }
    }
    if text.is_empty() {
        return text;
    }
    let (above, below) = (
        "********* ALL ERRORS & WARNINGS *********\n",
        "*****************************************\n\n",
    );
    ["\n", above, &text, below].concat()
}

fn verdict(directories: &[Directory], results: &[RunResult]) -> String {
    let named: Vec<(&str, &RunResult)> = directories
        .iter()
        .zip(results)
        .map(|(directory, result)| (directory.role.as_deref().unwrap_or("-"), result))
        .collect();
    sas_verdict(&named).0
}
