//! Members that a launcher starts: srun, mpirun, an Indexed Job, or anything that runs a command
//! many times.

use super::meeting::{self, Poster};
use super::pmi::{self, Table};
use crate::args::{ClusterArgs, Rendezvous};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::platform;
use fathom_cluster::HostList;
use fathom_cluster::token::{SealKey, Token};
use fathom_cluster::transport::{Arrival, Key, Listener, Transport};
use fathom_core::Nanos;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::str::FromStr;

/// The variables in which launchers say the rank of a process, and what results call them:
/// `fathom-mpi`, Slurm, Open MPI, PMIx, MPICH and Intel MPI, and an Indexed Job of Kubernetes.
const RANKS: [(&str, &str); 6] = [
    ("FATHOM_RANK", "messages of MPI"),
    ("SLURM_PROCID", "srun"),
    ("OMPI_COMM_WORLD_RANK", "mpirun"),
    ("PMIX_RANK", "a launcher with PMIx"),
    ("PMI_RANK", "mpirun"),
    ("JOB_COMPLETION_INDEX", "an Indexed Job"),
];
/// Those in which they say how many there are.
const SIZES: [&str; 3] = ["SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];
/// Those that name the job, for a meeting place that no other job has. MPICH has none, but keeps a
/// table for the processes of each.
const JOBS: [&str; 3] = ["SLURM_JOB_ID", "OMPI_MCA_ess_base_jobid", "PMIX_NAMESPACE"];
/// Options of launchers before the number of processes.
const COUNTS: [&str; 4] = ["-n", "-np", "--ntasks", "--np"];

/// Options of launchers before a list of hosts.
const LISTS: [&str; 4] = ["-w", "--nodelist", "-H", "--host"];
/// Variables with the hosts of a job.
const NODES: [&str; 2] = ["SLURM_JOB_NODELIST", "SLURM_NODELIST"];

fn number(name: &str) -> Option<u32> {
    std::env::var(name).ok()?.parse().ok()
}

/// Whether the launcher says that it started all on this host.
pub(super) fn is_on_one_host() -> bool {
    let equal = |(all, here)| number(all).is_some_and(|all| number(here) == Some(all));
    let pairs = [
        ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"),
        ("PMI_SIZE", "MPI_LOCALNRANKS"),
    ];
    number("SLURM_STEP_NUM_NODES") == Some(1) || pairs.into_iter().any(equal)
}

/// How those were started who say that a launcher did it.
pub(super) fn name() -> &'static str {
    let said = RANKS.iter().find(|(name, _)| number(name).is_some());
    said.map_or("launched", |(_, launcher)| launcher)
}

/// The rank that a launcher gave this process.
pub(crate) fn own_rank() -> Option<u32> {
    RANKS.iter().find_map(|(name, _)| number(name))
}

/// The rank of a process that must have one.
pub(in crate::commands) fn joined_rank() -> Result<u32, Error> {
    own_rank().ok_or_else(|| {
        let names = RANKS.map(|(name, _)| name);
        Problem::new(
            Exit::Usage,
            "--launched is given, but no launcher sets the rank",
        )
        .because(format!("none of {} is set", names.join(", ")))
        .remedy("start it with srun or mpirun, or use --launch or --hosts")
        .into()
    })
}

/// What stands behind one of these options in the words of a launcher.
fn behind<T: FromStr>(words: &str, options: &[&str]) -> Option<T> {
    let words: Vec<&str> = words.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        for option in options {
            let Some(rest) = word.strip_prefix(option) else {
                continue;
            };
            let value = match rest.strip_prefix('=') {
                Some(value) => Some(value),
                None if rest.is_empty() => words.get(at + 1).copied(),
                // As in `-n16`; another option may begin with the same letters.
                None if option.starts_with("--") => None,
                None => Some(rest),
            };
            if let Some(value) = value.and_then(|value| value.parse().ok()) {
                return Some(value);
            }
        }
    }
    None
}

/// The hosts on which members will run, where the launcher's words or its job name them.
pub(super) fn hosts(args: &ClusterArgs) -> Option<HostList> {
    let words = args.launch.as_deref();
    let named = words.and_then(|words| behind(words, &LISTS));
    let of_job = || NODES.iter().find_map(|name| std::env::var(name).ok());
    named.or_else(|| of_job()?.parse().ok())
}

/// How many members there will be.
pub(super) fn members(args: &ClusterArgs) -> Result<u32, Error> {
    let said = match &args.launch {
        Some(words) => behind(words, &COUNTS),
        None => SIZES.iter().find_map(|name| number(name)),
    };
    args.members
        .or(said)
        .filter(|count| *count > 0)
        .ok_or_else(|| {
            let because = "the launcher does not set the number of members";
            Problem::new(Exit::Usage, "the number of members is unknown")
                .because(because)
                .remedy("--members N")
                .into()
        })
}

/// What was started, and what was left for members to find; ended and removed when dropped.
#[derive(Debug)]
pub(super) struct Started {
    child: Option<Child>,
    _poster: Option<Poster>,
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // The members have been asked to end; the launcher ends with them.
            let _ = child.wait();
        }
    }
}

/// Members that come by themselves, and the launcher that started them: it is awaited when their
/// connections have ended.
#[derive(Debug)]
pub(super) struct Launched {
    listener: Listener,
    _started: Started,
}

impl Launched {
    pub(super) const fn new(listener: Listener, started: Started) -> Self {
        Self {
            listener,
            _started: started,
        }
    }
}

impl Transport for Launched {
    fn poll(&mut self, wait: Nanos, arrivals: &mut Vec<Arrival>) -> std::io::Result<()> {
        self.listener.poll(wait, arrivals)
    }

    fn send(&mut self, key: Key, bytes: &[u8]) {
        self.listener.send(key, bytes);
    }

    fn close(&mut self, key: Key) {
        self.listener.close(key);
    }

    fn seals(&self, key: Key) -> bool {
        self.listener.seals(key)
    }

    fn trust(&mut self, key: Key, seal: &SealKey) {
        self.listener.trust(key, seal);
    }
}

/// Starts the launcher, or for rank 0 of those that were launched its own member, and leaves where
/// the coordinator is for the others.
pub(super) fn start(
    args: &ClusterArgs,
    listener: &Listener,
    token: &Token,
) -> Result<Started, Error> {
    let cannot = |thing: &str, error: &std::io::Error| {
        Error::from(Problem::new(Exit::Environment, thing).because(system_words(error)))
    };
    let address = listener
        .address()
        .map_err(|error| cannot("cannot determine the address for members", &error))?;
    let poster = match &args.rendezvous {
        Some(Rendezvous::Address(_)) => None,
        Some(Rendezvous::File(path)) => Some(Poster::leave(path, address, token)?),
        None if args.launched => match place_of_job()? {
            PlaceOfJob::File(path) => Some(Poster::leave(&path, address, token)?),
            PlaceOfJob::Table(table) => {
                table.leave(address, Some(token).filter(|_| args.token_file.is_none()))?;
                None
            }
        },
        None => {
            let place = meeting_place(&std::process::id().to_string());
            Some(Poster::leave(&place, address, token)?)
        }
    };
    let own = std::env::current_exe()
        .map_err(|error| cannot("cannot determine the path of this program", &error))?;
    let mut command = if let Some(words) = &args.launch {
        let place = match (&poster, &args.rendezvous) {
            (None, Some(Rendezvous::Address(named))) => named.clone(),
            (poster, _) => {
                let path = poster.as_ref().map(|poster| poster.path().display());
                path.map(|path| format!("file:{path}")).unwrap_or_default()
            }
        };
        let mut command = fathom_device::command("sh");
        let text = format!("exec {words} \"$@\"");
        command.args(["-c", &text, "sh"]);
        let fathom = args.reach.fathom.as_deref().map(std::ffi::OsStr::new);
        command.arg(fathom.unwrap_or(own.as_os_str()));
        command.args(["member", "--rendezvous", &place]);
        if let Some(file) = &args.token_file {
            command.arg("--token-file").arg(file);
        }
        command.stdin(Stdio::null());
        command
    } else {
        let mut command = fathom_device::command(own);
        let mut own_address = address;
        if address.ip().is_unspecified() {
            own_address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        command.args(["member", "--connect", &own_address.to_string()]);
        command.stdin(Stdio::piped());
        command
    };
    // What members and launchers print is no result.
    command.stdout(Stdio::null());
    // Ctrl-C is for the coordinator, which tells the members to end and report.
    platform::apart(&mut command);
    let mut child = command
        .spawn()
        .map_err(|error| cannot("cannot start the members", &error))?;
    if let Some(mut input) = child.stdin.take() {
        let mut line = token.secret().to_vec();
        line.push(b'\n');
        let told = input.write_all(&line);
        told.map_err(|error| cannot("cannot pass the secret to the own member", &error))?;
    }
    Ok(Started {
        child: Some(child),
        _poster: poster,
    })
}

/// Where the processes of a job meet that was launched from outside.
pub(super) enum PlaceOfJob {
    /// A file with the name of the job.
    File(PathBuf),
    /// What the launcher keeps for them.
    Table(Table<File>),
}

/// Where the coordinator of this job listens, and the secret if it is given there.
pub(crate) fn find_of_job() -> Result<(Vec<String>, Option<Token>), Error> {
    match place_of_job()? {
        PlaceOfJob::File(path) => meeting::find(&Rendezvous::File(path)),
        PlaceOfJob::Table(table) => table.find(),
    }
}

/// The place of the job that this process is of.
///
/// # Errors
///
/// If the launcher gives its processes nothing in common.
fn place_of_job() -> Result<PlaceOfJob, Error> {
    if let Some(job) = JOBS.iter().find_map(|name| std::env::var(name).ok()) {
        return Ok(PlaceOfJob::File(meeting_place(&job)));
    }
    let table = pmi::of_job().transpose()?.map(PlaceOfJob::Table);
    table.ok_or_else(|| {
        Problem::new(Exit::Usage, "the members have no address to meet")
            .because(format!(
                "the launcher sets no job name: none of {} is set",
                JOBS.join(", ")
            ))
            .remedy("use --rendezvous file:PATH in a shared folder, or --launch")
            .into()
    })
}

/// A file in the working directory, which launchers give all processes.
fn meeting_place(job: &str) -> PathBuf {
    let plain = |sign: char| {
        if sign.is_ascii_alphanumeric() {
            sign
        } else {
            '-'
        }
    };
    let job: String = job.chars().map(plain).collect();
    meeting::folder().join(format!(".fathom-{job}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_say_how_many_they_start() {
        for (words, expected) in [
            ("srun -N4 -n16", Some(16)),
            ("srun --ntasks=8", Some(8)),
            ("mpirun -np 4 --oversubscribe", Some(4)),
            ("mpirun.mpich -n 3", Some(3)),
            ("pdsh -R ssh -w db[1-3]", None),
            ("srun -N4", None),
        ] {
            assert_eq!(behind(words, &COUNTS), expected, "{words}");
        }
    }

    #[test]
    fn launchers_name_their_hosts() {
        for (words, expected) in [
            ("pdsh -R ssh -w db[1-2]", Some("db1 db2")),
            ("clush -wdb1,db2", Some("db1 db2")),
            ("srun -N2 --nodelist=db[1-2]", Some("db1 db2")),
            ("mpirun --host db1,db2 -n 2", Some("db1 db2")),
            ("mpirun --hostfile h -n 2", None),
            ("srun -N4", None),
        ] {
            let found = behind(words, &LISTS).map(|list: HostList| list.0.join(" "));
            assert_eq!(found.as_deref(), expected, "{words}");
        }
    }
}
