//! Servers that wait for a coordinator: which ones a call names, and how they are reached.

use super::{list_of_hosts, text_of_hosts};
use crate::args::Server;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_cluster::transport::Launch;
use fathom_tools::{Call, Client, ServerPlace, ServerTransport};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::Path;

/// The clients of another program's words: an option that names hosts, or the servers.
pub(crate) fn clients(
    call: &dyn Call,
    clients: &[Client],
    has_token: bool,
) -> Result<(Option<String>, Vec<Server>), Error> {
    let (mut hosts, mut servers) = (Vec::new(), Vec::new());
    for client in clients {
        let place = match client {
            Client::Server(server) => {
                servers.push(called(server));
                continue;
            }
            Client::Host(place) => place,
        };
        let named = if Path::new(&place.host).is_file() {
            let (of_file, rest, thing) = servers_of_file(call, Path::new(&place.host))?;
            let only_servers = rest.trim().is_empty() && !of_file.is_empty();
            servers.extend(of_file.iter().map(called));
            if only_servers {
                continue;
            }
            list_of_hosts(&rest, thing)?.0
        } else {
            vec![place.host.clone()]
        };
        if has_token {
            let at = named.into_iter().map(|host| ServerPlace {
                host,
                ..place.clone()
            });
            servers.extend(at.map(|server| called(&server)));
        } else {
            hosts.extend(named);
        }
    }
    if !hosts.is_empty() && !servers.is_empty() {
        let thing = "some clients are servers, and some are not";
        return Err(Problem::new(Exit::Usage, thing)
            .because("hosts without a port use ssh")
            .remedy("use --token-file, so that all of them are servers")
            .into());
    }
    let word = (!hosts.is_empty()).then(|| format!("--hosts={}", hosts.join(",")));
    Ok((word, servers))
}

/// The servers that lines of a file name, what is in its other lines but for comments, and what
/// cannot be done if that is wrong.
fn servers_of_file(
    call: &dyn Call,
    path: &Path,
) -> Result<(Vec<ServerPlace>, String, String), Error> {
    let (text, thing) = text_of_hosts(path)?;
    let (mut servers, mut rest) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match call.server_of_line(line) {
            Some(server) => servers.push(server),
            None => rest.push(line.split('#').next().unwrap_or_default()),
        }
    }
    Ok((servers, rest.join("\n"), thing))
}

/// How a server is called.
fn called(server: &ServerPlace) -> Server {
    let launch = match &server.transport {
        ServerTransport::Socket(path) => Launch::Socket(path.clone()),
        _ => match address(server, ("127.0.0.1", "::1")) {
            Ok(address) => Launch::Address(address),
            Err(error) => Launch::Unreachable(system_words(&error)),
        },
    };
    let host = match (&server.transport, server.host.as_str()) {
        (ServerTransport::Socket(_), _) | (_, "") => "localhost",
        (_, host) => host,
    };
    Server {
        host: host.to_owned(),
        launch,
        place: server.clone(),
    }
}

/// The address of a server; where none is named, that of this machine.
pub(crate) fn address(server: &ServerPlace, usual: (&str, &str)) -> io::Result<SocketAddr> {
    let is_v6 = server.transport == ServerTransport::Ip6;
    let host = match server.host.as_str() {
        "" if is_v6 => usual.1,
        "" => usual.0,
        host => host,
    };
    let mut found = (host, server.port).to_socket_addrs()?;
    found.find(|one| one.is_ipv6() == is_v6).ok_or_else(|| {
        let version = if is_v6 { 6 } else { 4 };
        io::Error::other(format!("it has no address of IP version {version}"))
    })
}
