//! `ftp:` and `ftps:`: into a folder of a server, the files named when they are whole.

use std::net::{SocketAddr, ToSocketAddrs as _};

use suppaftp::types::{FileType, Mode};
use suppaftp::{FtpError, FtpResult, RustlsConnector, RustlsFtpStream};
use url::Url;

use super::{Form, PATIENCE, Transport, login, nothing_more};
use crate::{Attachment, Failure, Login, Message, Netrc, tls};

pub(super) const FTP: Transport = Transport {
    schemes: &["ftp", "ftps"],
    form: Form {
        example: "ftps://anna@ftp.example/results/",
        about: "into a folder that is there, with ftps by TLS from the first command on (AUTH \
                TLS); the login is of the netrc file, else anonymous",
    },
    needs_host: true,
    check: nothing_more,
    send,
};

fn send(url: &Url, message: &Message, netrc: &Netrc) -> Result<String, Failure> {
    let login = login(url, netrc)?.map_or_else(|| nobody(url), Ok)?;
    let mut server = connect(url)?;
    let done = transfer(&mut server, url, &login, &message.attachments);
    // After an error the server may be gone as well.
    let _ = server.quit();
    let host = url.host_str().unwrap_or_default();
    done.map_err(|error| Failure::of_library(&words(&error)).at(host))?;
    Ok(format!("in {} of {host}", url.path()))
}

/// Anybody, unless a user was named.
fn nobody(url: &Url) -> Result<Login, Failure> {
    if !url.username().is_empty() {
        let (user, host) = (url.username(), url.host_str().unwrap_or_default());
        let cause = format!("there is no password of {user} for {host}");
        let remedy = format!("a line in ~/.netrc: machine {host} login {user} password …");
        return Err(Failure::new(cause).remedy(remedy));
    }
    Ok(Login {
        user: "anonymous".to_owned(),
        password: "fathom@".to_owned(),
    })
}

fn connect(url: &Url) -> Result<RustlsFtpStream, Failure> {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().unwrap_or(21);
    let unreachable =
        |cause: &str| Failure::of_library(cause).at(&format!("cannot reach {host}, port {port}"));
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let found = (bare, port).to_socket_addrs();
    let found = found.map_err(|error| unreachable(&error.to_string()))?;
    let mut last = unreachable("it has no address");
    for address in found {
        match RustlsFtpStream::connect_timeout(address, PATIENCE) {
            Ok(server) => return prepared(server, url, bare, address),
            Err(error) => last = unreachable(&words(&error)),
        }
    }
    Err(last)
}

/// Encrypted where the URL says so, and with a way for data that passes a firewall.
fn prepared(
    server: RustlsFtpStream,
    url: &Url,
    host: &str,
    address: SocketAddr,
) -> Result<RustlsFtpStream, Failure> {
    let patient = server.get_ref().set_read_timeout(Some(PATIENCE));
    patient.map_err(Failure::new)?;
    let mut server = if url.scheme() == "ftps" {
        let connector = RustlsConnector::from(tls::client()?);
        let secure = server.into_secure(connector, host);
        secure.map_err(|error| {
            Failure::of_library(&words(&error)).at(&format!("{host} is not spoken to by TLS"))
        })?
    } else {
        server
    };
    server.set_mode(if address.is_ipv6() {
        Mode::ExtendedPassive
    } else {
        Mode::Passive
    });
    // A server behind a translator of addresses names one that cannot be reached.
    server.set_passive_nat_workaround(true);
    Ok(server)
}

fn transfer(
    server: &mut RustlsFtpStream,
    url: &Url,
    login: &Login,
    attachments: &[Attachment],
) -> FtpResult<()> {
    server.login(&login.user, &login.password)?;
    // By RFC 1738 each part of the path is a step from the folder that the login begins in.
    for step in url.path_segments().into_iter().flatten() {
        if !step.is_empty() {
            server.cwd(decoded(step))?;
        }
    }
    server.transfer_type(FileType::Binary)?;
    for attachment in attachments {
        let draft = format!("{}.part", attachment.name);
        server.put_file(&draft, &mut &attachment.bytes[..])?;
        server.rename(&draft, &attachment.name)?;
    }
    Ok(())
}

/// A part of a path without its `%2F`, so that `ftp://host/%2Fsrv` begins at the root.
fn decoded(step: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = step.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = (*first == b'%').then(|| tail.get(..2)).flatten();
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a server has said, without the frame of its answer.
fn words(error: &FtpError) -> String {
    match error {
        FtpError::UnexpectedResponse(answer) => {
            String::from_utf8_lossy(&answer.body).trim().to_owned()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_path_are_decoded() {
        for (step, expected) in [
            ("in", "in"),
            ("%2Fsrv", "/srv"),
            ("a%20b%", "a b%"),
            ("%zz", "%zz"),
        ] {
            assert_eq!(decoded(step), expected);
        }
    }
}
