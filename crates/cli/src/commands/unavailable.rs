//! Commands that not every system has.

use crate::args::Command as Words;
use crate::error::Problem;
use crate::exit::Exit;
use crate::platform;

/// Why a command is not available on this system, and the alternative.
pub(super) fn refuse(command: &Words) -> Result<(), Problem> {
    if platform::HAS_ALL {
        return Ok(());
    }
    let (name, remedy) = match command {
        Words::Verify(_) => ("verify", "verify the file on a Linux host"),
        Words::Durability(_) => ("durability", "test the same storage from a Linux host"),
        Words::Capture(_) => ("capture", "capture on the Linux host that has the disks"),
        Words::Devices(_) => (
            "devices",
            "list the disks with Get-PhysicalDisk in PowerShell",
        ),
        Words::Throttled(_) => ("throttled", "look at the storage from a Linux host"),
        Words::Image(_) | Words::Appliance(_) => ("image", "make the image on a Linux host"),
        Words::Member(_) => ("member", "run the members of a cluster on Linux hosts"),
        Words::Run(args)
            if args.options.cluster.reach.hosts.is_some()
                || args.options.cluster.reach.hosts_file.is_some() =>
        {
            ("run with several hosts", "start the run from a Linux host")
        }
        _ => return Ok(()),
    };
    let thing = format!("fathom {name} is not available on this system");
    let problem = Problem::new(Exit::Environment, thing);
    Err(problem.because("it needs Linux").remedy(remedy))
}
