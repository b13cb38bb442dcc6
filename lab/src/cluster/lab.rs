//! The hosts: namespaces on one bridge, a key, and an sshd in each, all of which go with the lab.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Number of hosts.
const HOSTS: u32 = 4;
/// Name of the bridge, and begin of all others that are made.
const NAME: &str = "fathomc";
/// Begin of all addresses.
const NET: &str = "10.213.77";
/// Ports of the fourth host's sshd that do something else, and what.
const PORTS: [(&str, u32, &str); 4] = [
    ("motd", 2201, "echo Welcome to this host; cat >/dev/null"),
    ("none", 2202, "/no/such/fathom member"),
    (
        "old",
        2203,
        "printf '\\013\\000\\000\\000FTHM\\001\\0000.0.9'; cat >/dev/null",
    ),
    (
        "token",
        2204,
        "(read -r line; echo another secret than all the others; cat) | BINARY member",
    ),
];
/// Looks at whether members have gone, a fifth of a second apart.
const LOOKS: u32 = 100;

pub(super) struct Lab {
    folder: TempDir,
    servers: Vec<Child>,
}

/// What is not there.
pub(super) fn missing() -> Option<String> {
    if !rustix::process::geteuid().is_root() {
        return Some("it makes network namespaces, which needs root".to_owned());
    }
    let programs = [
        "/usr/sbin/sshd",
        "/usr/bin/ssh",
        "/usr/bin/ssh-keygen",
        "/usr/sbin/ip",
    ];
    let missing = programs.iter().find(|path| !Path::new(path).exists())?;
    Some(format!(
        "there is no {missing} (Debian: openssh-server, iproute2)"
    ))
}

fn run(program: &str, words: &[&str]) -> Result<()> {
    let ended = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .output();
    let ended = ended.with_context(|| format!("cannot run {program}"))?;
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    ensure!(
        ended.status.success(),
        "{program} {}: {said}",
        words.join(" ")
    );
    Ok(())
}

fn ip(words: &str) -> Result<()> {
    run("ip", &words.split(' ').collect::<Vec<_>>())
}

impl Lab {
    pub(super) fn new(binary: &Path) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a folder")?;
        let mut lab = Self {
            folder,
            servers: Vec::new(),
        };
        for key in ["id", "hostkey"] {
            let path = lab.path(key).display().to_string();
            run(
                "ssh-keygen",
                &["-q", "-t", "ed25519", "-N", "", "-f", &path],
            )?;
        }
        std::fs::create_dir_all("/run/sshd").context("sshd needs /run/sshd")?;
        ip(&format!("link add {NAME} type bridge"))?;
        ip(&format!("addr add {NET}.254/24 dev {NAME}"))?;
        ip(&format!("link set {NAME} up"))?;
        let mut config = format!(
            "UserKnownHostsFile {}\nIdentityFile {}\nIdentitiesOnly yes\nStrictHostKeyChecking no\n\
             LogLevel ERROR\nUser root\n",
            lab.path("known").display(),
            lab.path("id").display()
        );
        for host in 1..=HOSTS {
            lab.host(host, binary)?;
            writeln!(config, "Host n{host}\n  HostName {NET}.{host}")?;
        }
        for (name, port, _) in PORTS {
            writeln!(
                config,
                "Host {name}\n  HostName {NET}.{HOSTS}\n  Port {port}"
            )?;
        }
        std::fs::write(lab.path("ssh_config"), config)?;
        Ok(lab)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn host(&mut self, host: u32, binary: &Path) -> Result<()> {
        let (space, cable) = (format!("{NAME}{host}"), format!("{NAME}v{host}"));
        ip(&format!("netns add {space}"))?;
        ip(&format!(
            "link add {cable} type veth peer name eth0 netns {space}"
        ))?;
        ip(&format!("link set {cable} master {NAME} up"))?;
        ip(&format!("-n {space} addr add {NET}.{host}/24 dev eth0"))?;
        ip(&format!("-n {space} link set eth0 up"))?;
        ip(&format!("-n {space} link set lo up"))?;
        std::fs::create_dir_all(self.path(&format!("n{host}")))?;
        let mut config = format!(
            "ListenAddress {NET}.{host}\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\n\
             PidFile none\nUsePAM no\nPort 22\n",
            self.path("hostkey").display(),
            self.path("id.pub").display()
        );
        if host == HOSTS {
            for (_, port, _) in PORTS {
                writeln!(config, "Port {port}")?;
            }
            for (_, port, command) in PORTS {
                let command = command.replace("BINARY", &binary.display().to_string());
                writeln!(config, "Match LocalPort {port}\n  ForceCommand {command}")?;
            }
        }
        let file = self.path(&format!("sshd{host}"));
        std::fs::write(&file, config)?;
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600))?;
        let server = Command::new("ip")
            .args(["netns", "exec", &space, "unshare", "--uts", "sh", "-c"])
            .arg(format!(
                "hostname n{host}; exec /usr/sbin/sshd -D -f {}",
                file.display()
            ))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start sshd")?;
        self.servers.push(server);
        Ok(())
    }

    /// The program that reaches the hosts.
    pub(super) fn ssh(&self) -> String {
        format!("ssh -F {}", self.path("ssh_config").display())
    }

    /// Where members measure; `{host}` is theirs to fill in.
    pub(super) fn target(&self) -> PathBuf {
        self.path("{host}/data-{rank}")
    }

    /// Makes the folder of the fourth host's target one that is not there.
    pub(super) fn spoil_target(&self) -> Result<()> {
        std::fs::remove_dir(self.path("n4")).context("the folder of the fourth host")
    }

    /// Puts right what a fault has spoilt.
    pub(super) fn mend(&self) -> Result<()> {
        link(HOSTS, true)?;
        let folder = self.path("n4");
        if !folder.exists() {
            std::fs::create_dir(&folder)?;
        }
        Ok(())
    }

    /// Whether members or their files are still there some seconds after the end; one that was
    /// stopped is let go on, as its host would.
    pub(super) fn is_left(&self) -> Result<bool> {
        if is_any_member_left()? {
            return Ok(true);
        }
        for host in 1..=HOSTS {
            let folder = self.path(&format!("n{host}"));
            if folder.exists() && std::fs::read_dir(folder)?.next().is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Plugs a host in, or pulls its plug.
pub(super) fn link(host: u32, up: bool) -> Result<()> {
    let state = if up { "up" } else { "down" };
    ip(&format!("link set {NAME}v{host} {state}"))
}

/// The members that run in a host's namespace.
fn members(host: u32) -> Result<Vec<Pid>> {
    let space = format!("{NAME}{host}");
    let found = Command::new("ip")
        .args(["netns", "pids", &space])
        .output()?;
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    let is_member = |pid: &&str| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        words.len() == 3 && words[1] == b"member"
    };
    let pids = text.split_whitespace().filter(is_member);
    Ok(pids
        .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
        .collect())
}

pub(super) fn member(host: u32) -> Result<Pid> {
    let first = members(host)?.into_iter().next();
    first.with_context(|| format!("no member runs on host {host}"))
}

fn is_any_member_left() -> Result<bool> {
    for _ in 0..LOOKS {
        let mut is_left = false;
        for host in 1..=HOSTS {
            for pid in members(host)? {
                is_left = true;
                // It may be gone by now.
                let _ = kill_process(pid, Signal::CONT);
            }
        }
        if !is_left {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    for host in 1..=HOSTS {
        if !members(host)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Drop for Lab {
    fn drop(&mut self) {
        for server in &mut self.servers {
            // Whatever is already gone needs no end.
            let _ = server.kill();
            let _ = server.wait();
        }
        for host in 1..=HOSTS {
            let _ = ip(&format!("netns del {NAME}{host}"));
        }
        let _ = ip(&format!("link del {NAME}"));
    }
}
