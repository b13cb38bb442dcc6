//! Servers on loopback that take what the machine sends, and keep it to be compared.
//!
//! The machine sees the host as 10.0.2.2, which is how QEMU's network of the user has it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use mail_parser::{MessageParser, MimeHeaders as _};

use xtask::dist::program;

/// The host as the machine sees it, for an answer of FTP.
const HOST: &str = "10,0,2,2";

/// Files by their names.
pub(super) type Received = BTreeMap<String, Vec<u8>>;

/// Where a server keeps what it got.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Arc<Mutex<Received>>);

impl Kept {
    fn add(&self, name: &str, bytes: Vec<u8>) {
        let name = name.rsplit('/').next().unwrap_or(name).to_owned();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(name, bytes);
    }

    fn rename(&self, from: &str, to: &str) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = kept.remove(from) {
            kept.insert(to.to_owned(), bytes);
        }
    }

    /// Takes all that has arrived by now.
    pub(super) fn take(&self) -> Received {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A server that talks by lines, one connection after another until this process ends.
pub(super) fn serve(talk: fn(TcpStream, &Kept) -> Result<()>) -> Result<(u16, Kept)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port")?;
    let port = listener.local_addr()?.port();
    let kept = Kept::default();
    let shared = kept.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(std::io::Result::ok) {
            // A connection that breaks is what the machine has to cope with.
            let _ = talk(stream, &shared);
        }
    });
    Ok((port, kept))
}

struct LineSocket(BufReader<TcpStream>);

impl LineSocket {
    fn next(&mut self) -> Result<Option<String>> {
        let mut line = String::new();
        let count = self.0.read_line(&mut line)?;
        Ok((count > 0).then(|| line.trim_end().to_owned()))
    }

    fn say(&mut self, line: &str) -> Result<()> {
        Ok(self
            .0
            .get_mut()
            .write_all(format!("{line}\r\n").as_bytes())?)
    }
}

/// PUT of files.
pub(super) fn http(stream: TcpStream, kept: &Kept) -> Result<()> {
    let mut lines = LineSocket(BufReader::new(stream));
    while let Some(first) = lines.next()? {
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut length = 0;
        while let Some(line) = lines.next()?.filter(|line| !line.is_empty()) {
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        lines.0.read_exact(&mut body)?;
        kept.add(&path, body);
        lines.say("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n")?;
    }
    Ok(())
}

/// A server of files in passive mode.
pub(super) fn ftp(stream: TcpStream, kept: &Kept) -> Result<()> {
    let mut lines = LineSocket(BufReader::new(stream));
    let (mut data, mut from) = (None, String::new());
    lines.say("220 here")?;
    while let Some(line) = lines.next()? {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "USER" => lines.say("331 and the password")?,
            "PASS" => lines.say("230 welcome")?,
            "CWD" | "TYPE" => lines.say("200 done")?,
            "PASV" => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                lines.say(&format!("227 at ({HOST},{},{})", port >> 8, port & 255))?;
            }
            "STOR" => {
                lines.say("150 go on")?;
                let listener = data.take().context("no PASV before STOR")?;
                let mut bytes = Vec::new();
                listener.accept()?.0.read_to_end(&mut bytes)?;
                kept.add(rest, bytes);
                lines.say("226 done")?;
            }
            "RNFR" => {
                rest.clone_into(&mut from);
                lines.say("350 and to")?;
            }
            "RNTO" => {
                kept.rename(&from, rest);
                lines.say("250 done")?;
            }
            "QUIT" => return lines.say("221 bye"),
            _ => lines.say("502 what?")?,
        }
    }
    Ok(())
}

/// A server of mail; what is attached is kept.
pub(super) fn smtp(stream: TcpStream, kept: &Kept) -> Result<()> {
    let mut lines = LineSocket(BufReader::new(stream));
    lines.say("220 here")?;
    while let Some(line) = lines.next()? {
        match line.get(..4).unwrap_or_default() {
            "EHLO" => lines.say("250 here")?,
            "DATA" => {
                lines.say("354 go on")?;
                let mut mail = String::new();
                while let Some(line) = lines.next()?.filter(|line| line != ".") {
                    mail.push_str(line.strip_prefix('.').unwrap_or(&line));
                    mail.push_str("\r\n");
                }
                attachments(&mail, kept);
                kept.add("mail", mail.into_bytes());
                lines.say("250 taken")?;
            }
            "QUIT" => return lines.say("221 bye"),
            _ => lines.say("250 done")?,
        }
    }
    Ok(())
}

fn attachments(mail: &str, kept: &Kept) {
    let Some(message) = MessageParser::new().parse(mail) else {
        return;
    };
    for part in message.attachments() {
        let name = part.attachment_name().unwrap_or_default();
        kept.add(name, part.contents().to_vec());
    }
}

/// The system's sshd with keys of its own, and a folder that files are copied into.
#[derive(Debug)]
pub(super) struct Sshd {
    child: Child,
    pub(super) port: u16,
}

impl Sshd {
    /// Starts it, and puts the key for it and its own into the folder of a site.
    pub(super) fn start(place: &Path, site: &Path) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        drop(listener);
        fs::create_dir_all(site.join("ssh"))?;
        let host = place.join("host_key");
        let user = site.join("ssh/id_ed25519");
        for key in [&host, &user] {
            let mut command = Command::new("ssh-keygen");
            command.args(["-q", "-t", "ed25519", "-N", "", "-C", "trial", "-f"]);
            program::output(command.arg(key))?;
        }
        let allowed = place.join("authorized_keys");
        fs::rename(user.with_extension("pub"), &allowed)?;
        fs::set_permissions(&allowed, fs::Permissions::from_mode(0o600))?;
        let public = fs::read_to_string(host.with_extension("pub"))?;
        fs::write(
            site.join("ssh/known_hosts"),
            format!("[10.0.2.2]:{port} {public}"),
        )?;
        let config = place.join("sshd_config");
        fs::write(
            &config,
            format!(
                "ListenAddress 127.0.0.1:{port}\nHostKey {}\nAuthorizedKeysFile {}\n\
                 StrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\n\
                 Subsystem sftp internal-sftp\n",
                host.display(),
                allowed.display()
            ),
        )?;
        fs::create_dir_all("/run/sshd").context("sshd needs /run/sshd, and so root")?;
        let child = Command::new("/usr/sbin/sshd")
            .args(["-D", "-e", "-f"])
            .arg(&config)
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start sshd (package openssh-server)")?;
        Ok(Self { child, port })
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All files of a folder.
pub(super) fn of_folder(folder: &Path) -> Result<Received> {
    let mut files = Received::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, fs::read(entry.path())?);
    }
    Ok(files)
}
