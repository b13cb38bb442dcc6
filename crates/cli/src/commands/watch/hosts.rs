//! Many hosts in one view: each watches itself and tells what it saw, a line for each moment.

use crate::args::WatchArgs;
use crate::aside;
use crate::commands::cluster;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::platform;
use fathom_core::recording::{Moment, RecordingHead};
use fathom_core::units::rfc3339;
use fathom_engine::clock::utc_now_ns;
use std::io::{self, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// How long nobody may say anything before the first picture is drawn without them.
const FIRST_WORD: Duration = Duration::from_secs(5);

/// What is heard of a host.
enum News {
    Moment(Box<Moment>),
    /// It says nothing more, and why if that is known.
    Gone(String),
}

struct Host {
    name: String,
    child: Child,
    /// What came since the last look; the newest counts.
    latest: Option<Moment>,
    is_gone: bool,
}

/// Hosts that are watched.
pub(super) struct Hosts {
    all: Vec<Host>,
    news: Receiver<(usize, News)>,
    /// They go after the last look.
    _copies: cluster::Copies,
}

fn cannot_watch(host: &str, why: &str) -> Problem {
    Problem::new(Exit::Environment, format!("{host} cannot be watched")).because(why)
}

impl Hosts {
    /// Begins to watch the hosts that are named; none if nobody named any.
    pub(super) fn begin(args: &WatchArgs) -> Result<Option<Self>, Error> {
        if !args.reach.is_meant() {
            return Ok(None);
        }
        let mut words = vec![
            "watch".to_owned(),
            "--json".to_owned(),
            "--interval".to_owned(),
        ];
        words.push(format!("{}ns", args.interval.0));
        for group in &args.cgroup {
            words.push(format!("--cgroup={}", group.display()));
        }
        words.extend(
            args.devices
                .iter()
                .map(|device| device.display().to_string()),
        );
        let (teller, news) = channel();
        let mut hosts = Vec::new();
        let names = cluster::hosts(&args.reach)?.0;
        let (calls, copies) = cluster::calls(&args.reach, &names, &words, false)?;
        for (name, call) in names.into_iter().zip(calls) {
            let call = call.map_err(|why| cannot_watch(&name, &why))?;
            let child = start(&call, hosts.len(), &teller)?;
            hosts.push(Host {
                name,
                child,
                latest: None,
                is_gone: false,
            });
        }
        Ok(Some(Self {
            all: hosts,
            news,
            _copies: copies,
        }))
    }

    /// Waits until each host has said something or is gone; one that says nothing, not for long.
    pub(super) fn wait(&mut self) {
        let is_awaited = |host: &Host| host.latest.is_none() && !host.is_gone;
        while self.all.iter().any(is_awaited) {
            match self.news.recv_timeout(FIRST_WORD) {
                Ok((number, news)) => self.take(number, news),
                Err(_) => return,
            }
        }
    }

    /// Hears what has come.
    pub(super) fn gather(&mut self) {
        while let Ok((number, news)) = self.news.try_recv() {
            self.take(number, news);
        }
    }

    fn take(&mut self, number: usize, news: News) {
        let host = &mut self.all[number];
        match news {
            News::Moment(moment) => host.latest = Some(*moment),
            News::Gone(why) => {
                host.is_gone = true;
                aside::say(&format!("{} is no longer watched{why}", host.name));
            }
        }
    }

    /// What the hosts said since the last look, as one moment: each device with its host before
    /// its name. An error when no host is left.
    pub(super) fn again(&mut self) -> Result<Moment, Error> {
        self.gather();
        if self.all.iter().all(|host| host.is_gone) {
            return Err(
                Problem::new(Exit::Environment, "no host is watched any longer")
                    .because("the messages of each host are above")
                    .into(),
            );
        }
        let mut all = Moment {
            at: rfc3339(utc_now_ns()),
            ..Moment::default()
        };
        for host in &mut self.all {
            if let Some(moment) = host.latest.take() {
                add(&mut all, &host.name, moment);
            }
        }
        Ok(all)
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for host in &mut self.all {
            // Whatever is already gone needs no end; on its host a watch ends when nobody reads it.
            let _ = host.child.kill();
            let _ = host.child.wait();
        }
    }
}

fn add(all: &mut Moment, host: &str, mut moment: Moment) {
    all.length_ns = all.length_ns.max(moment.length_ns);
    let own = |name: &mut String| *name = format!("{host}:{name}");
    for device in &mut moment.devices {
        own(&mut device.device);
    }
    for group in &mut moment.groups {
        own(&mut group.device);
    }
    for process in &mut moment.processes {
        own(&mut process.name);
        for device in &mut process.devices {
            own(&mut device.device);
        }
    }
    all.devices.append(&mut moment.devices);
    all.groups.append(&mut moment.groups);
    all.processes.append(&mut moment.processes);
}

/// Starts to watch a host; what it says comes with its number.
fn start(words: &[String], number: usize, teller: &Sender<(usize, News)>) -> Result<Child, Error> {
    let (program, arguments) = words.split_first().ok_or_else(|| {
        Problem::new(Exit::Usage, "--ssh names no program").remedy("--ssh PROGRAM")
    })?;
    let cannot = |error: &io::Error| {
        Problem::new(Exit::Environment, format!("cannot run {program}"))
            .because(system_words(error))
    };
    let mut command = fathom_device::command(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    // Ctrl-C is for this process, which ends the others.
    let child = platform::apart(&mut command).spawn();
    let mut child = child.map_err(|error| cannot(&error))?;
    let teller = teller.clone();
    if let Some(output) = child.stdout.take() {
        let listen = move || {
            let why = listen(BufReader::new(output), number, &teller);
            // Nobody may be there to hear it.
            let _ = teller.send((number, News::Gone(why)));
        };
        let thread = std::thread::Builder::new().name("host".to_owned());
        thread.spawn(listen).map_err(|error| cannot(&error))?;
    }
    Ok(child)
}

/// Hands on the moments; why there are no more.
fn listen(lines: impl io::BufRead, number: usize, teller: &Sender<(usize, News)>) -> String {
    for (index, line) in lines.lines().enumerate() {
        let Ok(line) = line else { break };
        if index == 0 {
            if serde_json::from_str::<RecordingHead>(&line).is_err() {
                return format!(": instead of fathom, this answered: `{line}`");
            }
            continue;
        }
        let Ok(moment) = serde_json::from_str(&line) else {
            return ": its answer is not a sample".to_owned();
        };
        if teller.send((number, News::Moment(moment))).is_err() {
            break;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_host_says_is_heard_until_it_makes_no_sense() {
        let (teller, news) = channel();
        let head = "{\"fathom_recording\":1,\"tool\":\"fathom\"}";
        let moment = "{\"at\":\"x\",\"length_ns\":5,\"devices\":[]}";
        let said = |text: &str| listen(text.as_bytes(), 3, &teller);
        assert_eq!(said(&format!("{head}\n{moment}\n")), "");
        assert!(matches!(news.try_recv(), Ok((3, News::Moment(one))) if one.length_ns == 5));
        assert_eq!(
            said("Welcome\n"),
            ": instead of fathom, this answered: `Welcome`"
        );
        assert_eq!(
            said(&format!("{head}\nWelcome\n")),
            ": its answer is not a sample"
        );
    }

    #[test]
    fn devices_have_their_host_before_their_name() {
        let moment = || Moment {
            length_ns: 7,
            devices: vec![fathom_core::recording::DeviceMoment {
                device: "sda".to_owned(),
                ..Default::default()
            }],
            ..Moment::default()
        };
        let mut all = Moment::default();
        add(&mut all, "db1", moment());
        add(&mut all, "db2", moment());
        let names: Vec<&str> = all.devices.iter().map(|one| one.device.as_str()).collect();
        assert_eq!((names, all.length_ns), (vec!["db1:sda", "db2:sda"], 7));
    }
}
