//! The words of the command line.

use std::process::ExitCode;

use crate::{
    applications, cluster, devices, durability, explain, live, prometheus, siege, windows,
};

const USAGE: &str = "\
usage: cargo lab COMMAND

  siege [WORDS]    attack the program: `cargo lab siege help` says how (needs root)
  devices [--binary FATHOM] [EXPERIMENT...]
                   what is seen in a guest of QEMU of devices whose truth is known
  durability [--binary FATHOM] [--kills N] [STACK...]
                   what is left of acknowledged writes when QEMU is killed (needs root for file
                   systems); 50 kills of each stack, or N
  image [--binary FATHOM] [TRIAL...]
                   make the live image and start it in QEMU; all trials, or some
  cluster [FATHOM] four hosts as network namespaces, and what goes wrong between them (needs root
                   and sshd; a release build without FATHOM)
  applications [--binary FATHOM] [--seconds N] [--keep FOLDER] [APPLICATION...]
                   capture databases and copies, and compare replay and twin with them (as root; a
                   release build without FATHOM)
  explain [--held-out] [--write]
                   score `fathom explain` on public threads with a known cause
  prometheus [FATHOM]
                   a real Prometheus scrapes `fathom watch --listen` and loads the generated rules
                   (Debian's package prometheus; a debug build without FATHOM)
  windows [--exe FATHOM.EXE --binary FATHOM] [PART...]
                   compare fathom.exe under Wine with the program for Linux; all commands, or those
                   that contain a PART (debug builds without programs)
";

/// Does what the command line asks.
pub fn run() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["siege", words @ ..] => siege::run(words),
        ["devices", words @ ..] => devices::run(words),
        ["durability", words @ ..] => durability::run(words),
        ["image", words @ ..] => live::run(words),
        ["cluster", words @ ..] => cluster::run(words),
        ["windows", words @ ..] => windows::run(words),
        ["prometheus", words @ ..] => prometheus::run(words),
        ["explain", words @ ..] => explain::run(words),
        ["applications", words @ ..] => applications::run(words),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    xtask::command::status(&outcome)
}
