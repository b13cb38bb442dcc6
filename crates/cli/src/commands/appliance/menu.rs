//! The menu on a console: what is asked, and what comes of the answers.

use super::disk::Disk;
use fathom_image::{Job, Then};
use fathom_tools::profiles::PROFILES;
use fathom_tools::suite::SUITES;
use std::io::{self, BufRead, Write};

/// What somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// A disk measured.
    Run(Job),
    /// The disks listed again.
    Look,
    /// What waits sent.
    Send,
    /// A shell on this machine.
    Shell,
    /// The machine switched off or started again, by this program.
    End(&'static str),
}

const MENU: &str = "\
1  measure a disk
2  list the disks again
3  send what could not be sent
4  shell
5  switch off
6  start again
Choice: ";

/// What a person at a console is asked with: lines in, text out.
struct Console<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
}

impl Console<'_> {
    /// The answer to a question; an empty one at the end of all input.
    fn ask(&mut self, question: &str) -> io::Result<String> {
        Ok(self.answer(question)?.unwrap_or_default())
    }

    /// The answer to a question; none at the end of all input.
    fn answer(&mut self, question: &str) -> io::Result<Option<String>> {
        write!(self.output, "{question}")?;
        self.output.flush()?;
        let mut line = String::new();
        let length = self.input.read_line(&mut line)?;
        Ok((length > 0).then(|| line.trim().to_owned()))
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }
}

/// Asks what to do. `writes` tells whether a workload of a name writes, or that there is none.
pub(super) fn converse(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    disks: &[Disk],
    writes: &dyn Fn(&str) -> Result<bool, String>,
) -> io::Result<Choice> {
    let mut console = Console { input, output };
    // A console on which nobody can answer any more would be asked without end.
    let Some(answer) = console.answer(MENU)? else {
        return Ok(Choice::Shell);
    };
    match answer.as_str() {
        "1" => Ok(match measure(&mut console, disks, writes)? {
            Some(job) => Choice::Run(job),
            None => Choice::Look,
        }),
        "3" => Ok(Choice::Send),
        "4" => Ok(Choice::Shell),
        "5" => Ok(Choice::End("poweroff")),
        "6" => Ok(Choice::End("reboot")),
        _ => Ok(Choice::Look),
    }
}

/// A job, from answers; none where somebody thought better of it.
fn measure(
    console: &mut Console<'_>,
    disks: &[Disk],
    writes: &dyn Fn(&str) -> Result<bool, String>,
) -> io::Result<Option<Job>> {
    let Some((name, destroys)) = workload(console, writes)? else {
        return Ok(None);
    };
    let Some(disk) = target(console, disks)? else {
        return Ok(None);
    };
    let serial = disk.serial.clone().unwrap_or_default();
    let mut destroy = Vec::new();
    if destroys {
        let Some(given_up) = give_up(console, disk, &serial)? else {
            console.say("nothing was changed")?;
            return Ok(None);
        };
        destroy.push(format!("serial:{given_up}"));
    }
    let deliver = console
        .ask("Send the result to (URL, such as ssh://host/folder/; empty: do not send): ")?;
    Ok(Some(Job {
        run: vec![name],
        targets: vec![format!("serial:{serial}")],
        destroy,
        deliver: if deliver.is_empty() {
            Vec::new()
        } else {
            vec![deliver]
        },
        options: Vec::new(),
        then: Then::Menu,
    }))
}

fn workload(
    console: &mut Console<'_>,
    writes: &dyn Fn(&str) -> Result<bool, String>,
) -> io::Result<Option<(String, bool)>> {
    loop {
        let answer = console.ask("What to run (quick, a profile or a suite; ? lists them): ")?;
        match answer.as_str() {
            "" => return Ok(None),
            "?" => {
                let profiles: Vec<&str> = PROFILES.iter().map(|one| one.name).collect();
                let suites: Vec<&str> = SUITES.iter().map(|one| one.name).collect();
                console.say(&format!("profiles: {}", profiles.join(", ")))?;
                console.say(&format!("suites: {}", suites.join(", ")))?;
            }
            name => match writes(name) {
                Ok(destroys) => return Ok(Some((name.to_owned(), destroys))),
                Err(cause) => console.say(&cause)?,
            },
        }
    }
}

fn target<'a>(console: &mut Console<'_>, disks: &'a [Disk]) -> io::Result<Option<&'a Disk>> {
    loop {
        let answer = console.ask("On which disk (its serial number, in full): ")?;
        if answer.is_empty() {
            return Ok(None);
        }
        let is_named = |disk: &&Disk| disk.serial.as_deref() == Some(answer.as_str());
        let mut named = disks.iter().filter(is_named);
        match (named.next(), named.next()) {
            (Some(disk), None) => return Ok(Some(disk)),
            (Some(_), Some(_)) => console.say("more than one disk has this number")?,
            (None, _) => {
                console.say("no disk has this serial number; names as /dev/sda may change")?;
            }
        }
    }
}

/// The serial number once more, with what the disk carries if it carries anything.
fn give_up(console: &mut Console<'_>, disk: &Disk, serial: &str) -> io::Result<Option<String>> {
    let wanted = match &disk.carries {
        Ok(names) if names.is_empty() => serial.to_owned(),
        Ok(names) => format!("{serial}={names}"),
        Err(cause) => {
            console.say(&format!("it is not writable: {cause}"))?;
            return Ok(None);
        }
    };
    console.say(&format!(
        "This writes: all data on {} ({}) will be lost.",
        disk.name, disk.model
    ))?;
    let answer = console.ask(&format!("To confirm, type {wanted} : "))?;
    Ok((answer == wanted).then_some(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::appliance::disk::examples;

    fn said(lines: &str) -> (Choice, String) {
        let mut output = Vec::new();
        let writes = |name: &str| match name {
            "quick" => Ok(true),
            "random-read-4k" => Ok(false),
            other => Err(format!("there is no profile `{other}`")),
        };
        let choice = converse(&mut lines.as_bytes(), &mut output, &examples(), &writes);
        (choice.unwrap(), String::from_utf8(output).unwrap())
    }

    fn job(line: &str) -> Choice {
        Choice::Run(Job::of_command_line(line).unwrap().unwrap())
    }

    #[test]
    fn a_disk_is_given_up_by_its_number_and_what_it_carries() {
        let (choice, text) = said("1\nquick\nS2\nS2=gpt+ext4\nusb:\n");
        let line = "fathom.job=quick fathom.target=serial:S2 fathom.destroy=serial:S2=gpt+ext4 \
                    fathom.deliver=usb:";
        assert_eq!(choice, job(line));
        let expected = format!(
            "{MENU}What to run (quick, a profile or a suite; ? lists them): On which disk (its \
             serial number, in full): This writes: all data on sdb (QEMU HARDDISK) will be \
             lost.\nTo confirm, type S2=gpt+ext4 : Send the result to (URL, such as \
             ssh://host/folder/; empty: do not send): "
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn what_only_reads_gives_nothing_up() {
        let (choice, _) = said("1\nrandom-read-4k\nS1\n\n");
        assert_eq!(
            choice,
            job("fathom.job=random-read-4k fathom.target=serial:S1")
        );
    }

    #[test]
    fn anything_else_touches_nothing() {
        // Another word than asked for, no such disk, a disk without a number, no such workload.
        for lines in [
            "1\nquick\nS2\nS2\n",
            "1\nquick\nS1\nyes\n",
            "1\nquick\n/dev/sda\n\n",
            "1\nquick\n\n",
            "1\nquack\n\n",
            "1\n",
        ] {
            assert_eq!(said(lines).0, Choice::Look, "{lines}");
        }
        assert_eq!(said("").0, Choice::Shell);
        assert_eq!(said("5\n").0, Choice::End("poweroff"));
    }
}
