//! `ftp:` and `ftps:`: into a folder of a server, the files named when they are whole.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};

use suppaftp::types::{FileType, Mode};
use suppaftp::{FtpError, FtpResult, RustlsConnector, RustlsFtpStream};
use url::Url;

use super::{Form, PATIENCE, Transport, decoded, login, nothing_more};
use crate::{Attachment, Failure, Login, Message, Netrc, tls};

pub(super) const FTP: Transport = Transport {
    schemes: &["ftp", "ftps"],
    form: Form {
        example: "ftps://anna@ftp.example/results/",
        about: "to an existing folder; ftps uses TLS from the start (AUTH TLS). The login comes \
                from the netrc file [default: anonymous]",
    },
    needs_host: true,
    takes_query: false,
    check: nothing_more,
    send,
};

fn send(url: &Url, message: &Message, netrc: &Netrc) -> Result<String, Failure> {
    let login = login(url, netrc)?.unwrap_or_else(anonymous);
    let mut server = connect(url)?;
    let done = transfer(&mut server, url, &login, &message.attachments);
    // After an error the server may be gone as well.
    let _ = server.quit();
    let host = url.host_str().unwrap_or_default();
    done.map_err(|failure| failure.at(host))?;
    Ok(format!("in {} of {host}", url.path()))
}

fn anonymous() -> Login {
    Login {
        user: "anonymous".to_owned(),
        password: "fathom@".to_owned(),
    }
}

fn connect(url: &Url) -> Result<RustlsFtpStream, Failure> {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().unwrap_or(21);
    let unreachable =
        |cause: &str| Failure::of_library(cause).at(&format!("cannot reach {host}, port {port}"));
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let found = (bare, port).to_socket_addrs();
    let found = found.map_err(|error| unreachable(&error.to_string()))?;
    let mut last = unreachable("the name has no address");
    for address in found {
        match patient(address) {
            Ok(stream) => return prepared(stream, url, bare, address),
            Err(error) => last = unreachable(&error.to_string()),
        }
    }
    Err(last)
}

/// A connection on which no answer is waited for without end.
fn patient(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

/// Encrypted where the URL says so, and with a way for data that passes a firewall.
fn prepared(
    stream: TcpStream,
    url: &Url,
    host: &str,
    address: SocketAddr,
) -> Result<RustlsFtpStream, Failure> {
    let server = RustlsFtpStream::connect_with_stream(stream);
    let server = server.map_err(|error| Failure::of_library(&words(&error)).at(host))?;
    let server = server
        .passive_stream_builder(|address| patient(address).map_err(FtpError::ConnectionError));
    let mut server = if url.scheme() == "ftps" {
        let connector = RustlsConnector::from(tls::client()?);
        let secure = server.into_secure(connector, host);
        secure.map_err(|error| {
            Failure::of_library(&words(&error)).at(&format!("no TLS connection to {host}"))
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
) -> Result<(), Failure> {
    enter(server, url, login).map_err(|error| said(&error))?;
    for attachment in attachments {
        let draft = super::draft_of(&attachment.name);
        let stored = store(server, &draft, &attachment.bytes);
        if let Err(failure) = stored {
            // A part of a result is nobody's; the server may be gone as well.
            let _ = server.rm(&draft);
            return Err(failure);
        }
        let renamed = server.rename(&draft, &attachment.name);
        renamed.map_err(|error| said(&error))?;
    }
    Ok(())
}

/// Stores a file, and asks how large it is there: a connection for data that ends too early looks
/// to many servers like the end of the file.
fn store(server: &mut RustlsFtpStream, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let mut rest = bytes;
    server
        .put_file(name, &mut rest)
        .map_err(|error| said(&error))?;
    match server.size(name) {
        Ok(found) if found != bytes.len() => Err(Failure::of_library(&format!(
            "of {} bytes only {found} arrived",
            bytes.len()
        ))),
        // Not every server says.
        Ok(_) | Err(FtpError::UnexpectedResponse(_)) => Ok(()),
        Err(error) => Err(said(&error)),
    }
}

/// Logs in and goes where the files belong.
fn enter(server: &mut RustlsFtpStream, url: &Url, login: &Login) -> FtpResult<()> {
    server.login(&login.user, &login.password)?;
    // By RFC 1738 each part of the path is a step from the folder that the login begins in.
    for step in url.path_segments().into_iter().flatten() {
        if !step.is_empty() {
            server.cwd(decoded(step))?;
        }
    }
    server.transfer_type(FileType::Binary)
}

fn said(error: &FtpError) -> Failure {
    Failure::of_library(&words(error))
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
