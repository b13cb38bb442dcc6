//! `image`: the image in machines of QEMU, each with its own way to start, kind of disk, job
//! and place for the results. What arrives is compared byte for byte; a disk that was not given up
//! is compared with what it was.

mod machine;
mod receivers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use machine::{Boot, Bus, Machine, SERIAL};
use receivers::{Kept, Received, Sshd};
use xtask::dist::program;
use xtask::image::{self, Files};

/// Size of the disk that is measured.
const DISK_BYTES: usize = 64 << 20;

/// Where a result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultRoute {
    Http,
    Ftp,
    Smtp,
    Ssh,
    Stick,
}

impl ResultRoute {
    const ALL: [Self; 5] = [Self::Http, Self::Ftp, Self::Smtp, Self::Ssh, Self::Stick];

    const fn word(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Ftp => "ftp",
            Self::Smtp => "smtp",
            Self::Ssh => "ssh",
            Self::Stick => "usb",
        }
    }
}

/// Where the job is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    CommandLine,
    Site,
    Stick,
    /// There is none; somebody types.
    Keyboard,
}

/// One machine and its task.
#[derive(Clone, Copy, Debug)]
struct Trial {
    name: &'static str,
    boot: Boot,
    bus: Bus,
    from: Origin,
    job: &'static str,
    options: &'static str,
    ways: &'static [ResultRoute],
    /// Whether the disk carries a partition table that the job does not name.
    is_signed: bool,
    /// Results that are to arrive.
    results: usize,
    /// What the console has to say of what is refused.
    refusal: Option<&'static str>,
    /// What is typed on the console: answers, each after its question. SERIAL and URL are replaced
    /// by the disk and the place of the results.
    typed: &'static [(&'static str, &'static str)],
}

/// Seven phases, as short as they come.
const SHORT: &str = "--time 300ms --warm-up 0s";

/// At the menu: a shell, in which a stick that is mounted for reading is refused; then the disk.
const AT_THE_MENU: &[(&str, &str)] = &[
    ("Choice: ", "4"),
    ("# ", "fathom quick /media/sda"),
    ("error: ", ""),
    ("# ", "exit"),
    ("Choice: ", "1"),
    ("What to run", "quick"),
    ("On which disk", "/dev/vda"),
    ("no disk has this serial number", ""),
    ("On which disk", "SERIAL"),
    ("To give it up, type ", "SERIAL"),
    ("Send the result to ", "URL"),
    ("ended   fathom quick with status 0", ""),
    ("Choice: ", "5"),
];

/// What most trials are.
const USUAL: Trial = Trial {
    name: "",
    boot: Boot::Kernel,
    bus: Bus::Virtio,
    from: Origin::CommandLine,
    job: "quick",
    options: SHORT,
    ways: &[ResultRoute::Http],
    is_signed: false,
    results: 1,
    refusal: None,
    typed: &[],
};

const TRIALS: [Trial; 11] = [
    // The first is the one that CI makes.
    Trial {
        name: "kernel",
        ..USUAL
    },
    Trial {
        name: "refused",
        bus: Bus::Nvme,
        is_signed: true,
        results: 0,
        refusal: Some("it carries gpt, which --destroy does not name"),
        ..USUAL
    },
    Trial {
        name: "deliveries",
        boot: Boot::BiosCd,
        bus: Bus::Sata,
        from: Origin::Site,
        ways: &ResultRoute::ALL,
        ..USUAL
    },
    Trial {
        name: "uefi-cd",
        boot: Boot::UefiCd,
        bus: Bus::Nvme,
        from: Origin::Site,
        ways: &[ResultRoute::Ftp],
        ..USUAL
    },
    Trial {
        name: "uki",
        boot: Boot::UefiStick,
        bus: Bus::Megasas,
        from: Origin::Stick,
        ways: &[ResultRoute::Stick],
        ..USUAL
    },
    Trial {
        name: "stick",
        boot: Boot::BiosStick,
        bus: Bus::Usb,
        from: Origin::Site,
        job: "random-read-4k",
        ways: &[ResultRoute::Ssh],
        is_signed: true,
        ..USUAL
    },
    Trial {
        name: "study",
        bus: Bus::Scsi,
        job: "proliant-profiles",
        options: "--time 200ms --warm-up 0s",
        ways: &[ResultRoute::Http, ResultRoute::Smtp],
        results: 12,
        ..USUAL
    },
    Trial {
        name: "no-such-disk",
        from: Origin::Stick,
        ways: &[ResultRoute::Stick],
        is_signed: true,
        results: 0,
        refusal: Some("no disk here has the serial number `TARGET`"),
        ..USUAL
    },
    Trial {
        name: "menu",
        from: Origin::Keyboard,
        options: "",
        refusal: Some("read-only file system"),
        typed: AT_THE_MENU,
        ..USUAL
    },
    Trial {
        name: "ipxe",
        boot: Boot::BiosNetwork,
        ..USUAL
    },
    Trial {
        name: "uefi-tftp",
        boot: Boot::UefiNetwork,
        bus: Bus::Nvme,
        from: Origin::Site,
        ..USUAL
    },
];

/// The servers, which serve all machines one after another.
struct Servers {
    http: (u16, Kept),
    ftp: (u16, Kept),
    smtp: (u16, Kept),
    ssh: Sshd,
    /// Keys for the machine.
    site: PathBuf,
    place: PathBuf,
}

/// `image [--binary FILE] [TRIAL…]`: makes the image and runs the trials of these names, or all;
/// true when each went as it should.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    let (binary, names) = match words {
        ["--binary", file, rest @ ..] => (Some(Path::new(file)), rest),
        rest => (None, rest),
    };
    if let Some(missing) = machine::missing() {
        println!("no machine is started: {missing}");
        return Ok(true);
    }
    for name in names {
        let is_known = TRIALS.iter().any(|trial| trial.name == *name);
        ensure!(is_known, "there is no trial {name}");
    }
    let (files, binary) = image::build(binary)?;
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let servers = servers(folder.path())?;
    println!(
        "{:13} {:22} {:12} {:14} seconds",
        "trial", "starts by", "disk", "sent by"
    );
    let mut is_good = true;
    let wanted = |trial: &&Trial| names.is_empty() || names.contains(&trial.name);
    for trial in TRIALS.iter().filter(wanted) {
        let place = folder.path().join(trial.name);
        fs::create_dir(&place)?;
        let began = Instant::now();
        let outcome = attempt(trial, &files, &binary, &servers, &place);
        let seconds = began.elapsed().as_secs();
        let ways: Vec<&str> = trial.ways.iter().map(|way| way.word()).collect();
        let said = match outcome {
            Ok(said) => said,
            Err(error) => {
                is_good = false;
                format!("WRONG: {error:#}")
            }
        };
        println!(
            "{:13} {:22} {:12} {:14} {seconds:7}  {said}",
            trial.name,
            trial.boot.word(),
            trial.bus.word(),
            ways.join(" "),
        );
    }
    Ok(is_good)
}

fn servers(place: &Path) -> Result<Servers> {
    let site = place.join("site");
    fs::create_dir(&site)?;
    let ssh = Sshd::start(place, &site)?;
    fs::write(site.join("netrc"), "default login anna password secret\n")?;
    Ok(Servers {
        http: receivers::serve(receivers::http)?,
        ftp: receivers::serve(receivers::ftp)?,
        smtp: receivers::serve(receivers::smtp)?,
        ssh,
        site,
        place: place.to_owned(),
    })
}

/// Makes disk, stick and image, starts the machine, and looks at what came of it.
fn attempt(
    trial: &Trial,
    files: &Files,
    binary: &Path,
    servers: &Servers,
    place: &Path,
) -> Result<String> {
    let disk = place.join("disk");
    fs::write(&disk, disk_bytes(trial.is_signed))?;
    let before = sha256(&disk)?;
    let inbox = servers.place.join(format!("inbox-{}", trial.name));
    fs::create_dir(&inbox)?;
    let job = job(trial, servers, &inbox);
    let stick = place.join("stick");
    if needs_stick(trial) {
        make_stick(trial, files, &stick, &job)?;
    }
    let iso = match trial.boot {
        Boot::BiosCd | Boot::UefiCd | Boot::BiosStick => {
            with_site(files, binary, servers, place, &job, ".iso")?
        }
        Boot::UefiNetwork => with_site(files, binary, servers, place, &job, ".efi")?,
        Boot::Kernel | Boot::UefiStick | Boot::BiosNetwork => PathBuf::new(),
    };
    let line = match trial.from {
        Origin::CommandLine => command_line(&job),
        Origin::Site | Origin::Stick | Origin::Keyboard => String::new(),
    };
    let typed = typed(trial, &job);
    let machine = Machine {
        boot: trial.boot,
        bus: trial.bus,
        disk: &disk,
        stick: needs_stick(trial).then_some(stick.as_path()),
        words: &line,
        iso: &iso,
        typed: &typed,
    };
    let console = machine.run(files, place)?;
    let kept = files.folder.join(format!("console-{}.txt", trial.name));
    fs::write(&kept, &console.text)?;
    let told = || format!("; its console is in {}", kept.display());
    if let Some(missing) = console.missing {
        bail!("it never said: {missing}{}", told());
    }
    let came: Vec<(ResultRoute, Received)> = trial
        .ways
        .iter()
        .map(|way| Ok((*way, received(*way, servers, &inbox, &stick, place)?)))
        .collect::<Result<_>>()?;
    let said = judge(trial, &console.text, &came)
        .map_err(|error| anyhow::anyhow!("{error:#}{}", told()))?;
    let only_reads = trial.results == 0 || trial.job.contains("read");
    if only_reads {
        ensure!(sha256(&disk)? == before, "the disk was changed{}", told());
        return Ok(format!("{said}, the disk unchanged"));
    }
    ensure!(sha256(&disk)? != before, "nothing was written{}", told());
    Ok(said)
}

/// A blank disk, or one with a partition table of the kind GPT and a file system's first block.
fn disk_bytes(is_signed: bool) -> Vec<u8> {
    let mut bytes = vec![0; DISK_BYTES];
    if is_signed {
        bytes[510..512].copy_from_slice(&[0x55, 0xaa]);
        // A protective entry over all, then the header of the table in the second sector.
        bytes[450] = 0xee;
        bytes[454..458].copy_from_slice(&1_u32.to_le_bytes());
        bytes[458..462].copy_from_slice(&(DISK_BYTES as u32 / 512 - 1).to_le_bytes());
        bytes[512..520].copy_from_slice(b"EFI PART");
    }
    bytes
}

fn sha256(path: &Path) -> Result<String> {
    Ok(format!("{:x}", Sha256::digest(fs::read(path)?)))
}

fn needs_stick(trial: &Trial) -> bool {
    matches!(trial.from, Origin::Stick | Origin::Keyboard)
        || trial.ways.contains(&ResultRoute::Stick)
}

/// What is typed, with the words of the job.
fn typed(trial: &Trial, job: &JobKeys) -> Vec<(String, String)> {
    let url = job.iter().find(|(key, _)| *key == "deliver");
    let url = url.map_or("", |(_, url)| url.as_str());
    let turn = |(question, answer): &(&str, &str)| {
        let answer = match *answer {
            "SERIAL" => SERIAL,
            "URL" => url,
            other => other,
        };
        ((*question).to_owned(), answer.to_owned())
    };
    trial.typed.iter().map(turn).collect()
}

/// The words of a job by their keys.
type JobKeys = Vec<(&'static str, String)>;

fn job(trial: &Trial, servers: &Servers, inbox: &Path) -> JobKeys {
    let disk = if trial.name == "no-such-disk" {
        "TARGET"
    } else {
        SERIAL
    };
    let mut words: JobKeys = vec![
        ("job", trial.job.to_owned()),
        ("target", format!("serial:{disk}")),
        ("options", trial.options.to_owned()),
    ];
    if !trial.job.contains("read") {
        words.push(("destroy", format!("serial:{disk}")));
    }
    for way in trial.ways {
        let url = match way {
            ResultRoute::Http => format!("http://10.0.2.2:{}/in/", servers.http.0),
            ResultRoute::Ftp => format!("ftp://10.0.2.2:{}/", servers.ftp.0),
            ResultRoute::Smtp => format!(
                "smtp://10.0.2.2:{}/?to=storage@example.com&tls=no",
                servers.smtp.0
            ),
            ResultRoute::Ssh => format!(
                "ssh://root@10.0.2.2:{}{}/",
                servers.ssh.port,
                inbox.display()
            ),
            ResultRoute::Stick => "usb:".to_owned(),
        };
        words.push(("deliver", url));
    }
    // What is refused sends nothing, and is still switched off.
    words.push(("then", "poweroff".to_owned()));
    words
}

fn command_line(job: &JobKeys) -> String {
    let words = job.iter().map(|(key, value)| {
        let quote = if value.contains(' ') { "\"" } else { "" };
        format!("fathom.{key}={quote}{value}{quote}")
    });
    words.collect::<Vec<_>>().join(" ")
}

fn toml(job: &JobKeys) -> String {
    let mut text = String::new();
    for key in ["job", "target", "destroy", "deliver", "options", "then"] {
        let values = job.iter().filter(|(name, _)| *name == key);
        let values: Vec<String> = values
            .flat_map(|(_, value)| match key {
                "options" => value.split(' ').map(|word| format!("{word:?}")).collect(),
                _ => vec![format!("{value:?}")],
            })
            .collect();
        match &values[..] {
            [] => {}
            [one] => text.extend([key, " = ", one, "\n"]),
            many => text.extend([key, " = [", &many.join(", "), "]\n"]),
        }
    }
    text
}

/// A FAT stick with the job and the image where the machine needs them; it takes results where
/// these go to it.
fn make_stick(trial: &Trial, files: &Files, stick: &Path, job: &JobKeys) -> Result<()> {
    // 96 MiB, in sectors.
    let mut format = Command::new("mformat");
    format.args(["-C", "-F", "-T", "196608", "-h", "64", "-s", "32", "-i"]);
    program::output(format.arg(stick).arg("::"))?;
    let put = |bytes: &[u8], name: &str| -> Result<()> {
        let file = stick.with_extension("put");
        fs::write(&file, bytes)?;
        let mut copy = Command::new("mcopy");
        copy.arg("-i")
            .arg(stick)
            .arg(&file)
            .arg(format!("::/{name}"));
        program::output(&mut copy).map(drop)
    };
    if trial.ways.contains(&ResultRoute::Stick) {
        put(b"", "fathom.stick")?;
    }
    if trial.from == Origin::Stick {
        put(toml(job).as_bytes(), "fathom.toml")?;
    }
    if trial.boot == Boot::UefiStick {
        let mut folders = Command::new("mmd");
        program::output(folders.arg("-i").arg(stick).args(["::/EFI", "::/EFI/BOOT"]))?;
        put(&fs::read(files.path(".efi"))?, "EFI/BOOT/BOOTX64.EFI")?;
    }
    Ok(())
}

/// An image with the keys and the job, as `fathom image` makes it.
fn with_site(
    files: &Files,
    binary: &Path,
    servers: &Servers,
    place: &Path,
    job: &JobKeys,
    ending: &str,
) -> Result<PathBuf> {
    let iso = place.join(format!("site{ending}"));
    fs::write(servers.site.join("fathom.toml"), toml(job))?;
    let mut command = Command::new(binary);
    command.arg("image").arg("--site").arg(&servers.site);
    command.arg(files.path(ending)).arg("--output").arg(&iso);
    program::output(&mut command)?;
    Ok(iso)
}

/// What came by one way.
fn received(
    way: ResultRoute,
    servers: &Servers,
    inbox: &Path,
    stick: &Path,
    place: &Path,
) -> Result<Received> {
    let mut files = match way {
        ResultRoute::Http => servers.http.1.take(),
        ResultRoute::Ftp => servers.ftp.1.take(),
        ResultRoute::Smtp => servers.smtp.1.take(),
        ResultRoute::Ssh => receivers::of_folder(inbox)?,
        ResultRoute::Stick => {
            let folder = place.join("from-stick");
            fs::create_dir(&folder)?;
            let mut copy = Command::new("mcopy");
            copy.arg("-i")
                .arg(stick)
                .arg("::/fathom-results/*")
                .arg(&folder);
            // Without a result there is no such folder on it.
            if !copy.output()?.status.success() {
                return Ok(Received::new());
            }
            receivers::of_folder(&folder)?
        }
    };
    // A mail has its text in its body, and is no file.
    files.remove("mail");
    Ok(files)
}

/// What the console and the results say, in a few words.
fn judge(trial: &Trial, console: &str, came: &[(ResultRoute, Received)]) -> Result<String> {
    let has = |line: &str| console.contains(line);
    ensure!(has("Fathom"), "it never came up");
    for (way, files) in came {
        let results = results(files)?;
        ensure!(
            results == trial.results,
            "{results} results came by {}, and not {}",
            way.word(),
            trial.results
        );
    }
    if let Some(((first, expected), others)) = came.split_first() {
        for (way, files) in others {
            ensure!(
                compared(files) == compared(expected),
                "{} and {} brought different bytes",
                first.word(),
                way.word()
            );
        }
    }
    if let Some(refusal) = trial.refusal {
        ensure!(has(refusal), "it did not say: {refusal}");
        if trial.results == 0 {
            return Ok("refused".to_owned());
        }
    }
    let count = came.iter().map(|(_, files)| files.len()).sum::<usize>();
    Ok(match came.len() {
        1 => format!("{count} files"),
        ways => format!("{count} files, the same by {ways} ways"),
    })
}

fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|found| found == ending)
}

/// How many results are among the files, each of which measured something.
fn results(files: &Received) -> Result<usize> {
    let results = files.iter().filter(|(name, _)| has_ending(name, "json"));
    let mut count = 0;
    for (name, bytes) in results {
        let result: Value = serde_json::from_slice(bytes).with_context(|| name.clone())?;
        let phases = result["phases"].as_array().map_or(0, Vec::len);
        ensure!(phases > 0, "{name} has no phases");
        count += 1;
    }
    Ok(count)
}

/// What has to be the same by all ways: the text is a file, or the body of a mail.
fn compared(files: &Received) -> Vec<(&String, &Vec<u8>)> {
    let files = files.iter();
    files.filter(|(name, _)| !has_ending(name, "txt")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_said_in_both_forms() {
        let job: JobKeys = vec![
            ("job", "quick".to_owned()),
            ("target", "serial:A".to_owned()),
            ("options", "--time 1s".to_owned()),
            ("deliver", "usb:".to_owned()),
        ];
        let line = fathom_image::Job::of_command_line(&command_line(&job));
        let text = fathom_image::Job::of_text(&toml(&job));
        assert_eq!(line, text.map(Some));
    }
}
