//! `ftp:` and `ftps:`: into a folder of a server, the files named when they are whole.

mod connection;

use std::net::ToSocketAddrs as _;

use connection::Connection;
use rustls::pki_types::ServerName;
use url::Url;

use super::{AddressForm, Transport, decoded, login, nothing_more};
use crate::{Attachment, Failure, Login, Message, Netrc, tls};

pub(super) const FTP: Transport = Transport {
    schemes: &["ftp", "ftps"],
    form: AddressForm {
        example: "ftps://anna@ftp.example/results/",
        about: "to an existing folder; ftps uses TLS before the login (AUTH TLS). The login comes \
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
    let _ = server.answer("QUIT");
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

fn connect(url: &Url) -> Result<Connection, Failure> {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().unwrap_or(21);
    let thing = format!("cannot reach {host}, port {port}");
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let tls = if url.scheme() == "ftps" {
        let name = ServerName::try_from(bare.to_owned()).map_err(Failure::new)?;
        Some((tls::client()?, name))
    } else {
        None
    };
    let found = (bare, port).to_socket_addrs();
    let found = found.map_err(|error| Failure::new(error).at(&thing))?;
    let mut last = Failure::new("the name has no address");
    for address in found {
        match Connection::open(address, tls.clone()) {
            Ok(server) => return Ok(server),
            Err(failure) => last = failure,
        }
    }
    Err(last.at(&thing))
}

fn transfer(
    server: &mut Connection,
    url: &Url,
    login: &Login,
    attachments: &[Attachment],
) -> Result<(), Failure> {
    enter(server, url, login)?;
    for attachment in attachments {
        let draft = super::draft_of(&attachment.name);
        let sent = store(server, &draft, &attachment.bytes);
        stored(server, &draft, sent)?;
        let asked = server.ask(&format!("RNFR {draft}"), &[350]);
        let named = asked.and_then(|_| server.ask(&format!("RNTO {}", attachment.name), &[250]));
        stored(server, &draft, named.map(drop))?;
    }
    Ok(())
}

/// Removes a draft after a failure: a part of a result is nobody's.
fn stored(server: &mut Connection, draft: &str, done: Result<(), Failure>) -> Result<(), Failure> {
    // The server may be gone as well.
    done.inspect_err(|_| _ = server.answer(&format!("DELE {draft}")))
}

/// Stores a file, and asks how large it is there: a connection for data that ends too early looks
/// to many servers like the end of the file.
fn store(server: &mut Connection, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    server.store(name, bytes)?;
    let (code, text) = server.answer(&format!("SIZE {name}"))?;
    let found = text.split_whitespace().nth(1).filter(|_| code == 213);
    // Not every server says.
    match found.and_then(|found| found.parse::<usize>().ok()) {
        Some(found) if found != bytes.len() => Err(Failure::new(format!(
            "of {} bytes only {found} arrived",
            bytes.len()
        ))),
        _ => Ok(()),
    }
}

/// Logs in and goes where the files belong.
fn enter(server: &mut Connection, url: &Url, login: &Login) -> Result<(), Failure> {
    let (code, text) = server.answer(&format!("USER {}", login.user))?;
    match code {
        331 => _ = server.ask(&format!("PASS {}", login.password), &[230, 202])?,
        230 => {}
        _ => return Err(Failure::new(text)),
    }
    // By RFC 1738 each part of the path is a step from the folder that the login begins in.
    for step in url.path_segments().into_iter().flatten() {
        if !step.is_empty() {
            server.ask(&format!("CWD {}", decoded(step)), &[200, 250])?;
        }
    }
    server.ask("TYPE I", &[200])?;
    Ok(())
}
