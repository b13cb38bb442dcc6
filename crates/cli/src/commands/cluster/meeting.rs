//! Where members find their coordinator: an address, or a file that all see.
//!
//! A node has several addresses, and which of them the others reach it cannot know: the file holds
//! all of them, and the secret. It is readable by its owner alone.

use crate::args::Rendezvous;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_cluster::token::Token;
use fathom_core::Nanos;
use fathom_core::SmallSort as _;
use fathom_device::{Door, input};
use fathom_engine::Clock;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs as _, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a member looks for its coordinator.
const PATIENCE: Nanos = Nanos::from_secs(60);
/// How long one address may take to answer.
const ONE: Duration = Duration::from_secs(2);
/// A port to look up a route with.
const PORT_OF_ANY: u16 = 9;
/// Between two looks.
const PAUSE: Nanos = Nanos::from_millis(100);

/// The working directory, whole.
pub(super) fn folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

/// A file that says where the coordinator is; removed when dropped.
#[derive(Debug)]
pub(super) struct Poster {
    path: PathBuf,
}

impl Drop for Poster {
    fn drop(&mut self) {
        // It is of no use to anybody by now, and tells nothing that is still true.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Poster {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn leave(path: &Path, bound: SocketAddr, token: &Token) -> Result<Self, Error> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let thing = || {
            format!(
                "cannot write the address for the members in {}",
                path.display()
            )
        };
        let draft = path.with_extension("new");
        let file = Door::default().create_private(&draft).map_err(|error| {
            Problem::of_door(thing(), &error, None).otherwise("another --rendezvous")
        })?;
        let cannot = |error: &io::Error| {
            Error::from(Problem::new(Exit::Environment, thing()).because(system_words(error)))
        };
        let mut text = String::from_utf8_lossy(token.secret()).into_owned();
        for address in addresses_of(bound) {
            text.push('\n');
            text.push_str(&address.to_string());
        }
        text.push('\n');
        // It has its name when all is in it.
        io::Write::write_all(&mut &file, text.as_bytes()).map_err(|error| cannot(&error))?;
        std::fs::rename(&draft, &path).map_err(|error| cannot(&error))?;
        Ok(Self { path })
    }
}

/// Where somebody who listens at this address is reached: that one, or else all addresses of this
/// machine, those that only it reaches last.
pub(super) fn addresses_of(bound: SocketAddr) -> Vec<SocketAddr> {
    if !bound.ip().is_unspecified() {
        return vec![bound];
    }
    let mut addresses = fathom_device::addresses::all();
    addresses.small_sort_by_key(IpAddr::is_loopback);
    let port = bound.port();
    let at = |address| SocketAddr::new(address, port);
    addresses.into_iter().map(at).collect()
}

/// Where to listen for members that come to `address`: there, if it is an address of this machine.
/// A name that this machine itself takes for its loopback, or that a router translates, says
/// nothing of where the others come in, and all addresses are needed.
pub(super) fn bound_to(address: &str) -> SocketAddr {
    let (host, port) = address.rsplit_once(':').unwrap_or((address, ""));
    let port = port.parse().unwrap_or(0);
    let resolved = address.to_socket_addrs().into_iter().flatten();
    let own = fathom_device::addresses::all();
    let is_literal = host == "localhost" || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    let is_here = |one: &SocketAddr| {
        let ip = one.ip();
        own.contains(&ip) && (is_literal || !ip.is_loopback())
    };
    let mut here = resolved.filter(is_here);
    here.next()
        .unwrap_or_else(|| (Ipv4Addr::UNSPECIFIED, port).into())
}

/// The address of this machine from which it reaches all of these hosts, and by which they reach
/// it; none if they are not known, not by this name, or by several addresses.
pub(super) fn towards(hosts: &[String]) -> Option<IpAddr> {
    let own = |host: &String| {
        // Of `mpirun --host db1:4` the number is that of its processes.
        let name = host.split_once(':').map_or(host.as_str(), |(name, _)| name);
        let peer = (name, PORT_OF_ANY).to_socket_addrs().ok()?.next()?;
        let any: IpAddr = match peer {
            SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
            SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
        };
        // Nothing is sent: the kernel looks up its routes.
        let socket = UdpSocket::bind((any, 0)).ok()?;
        socket.connect(peer).ok()?;
        socket.local_addr().ok().map(|address| address.ip())
    };
    let mut found: Vec<IpAddr> = hosts.iter().map(own).collect::<Option<_>>()?;
    found.sort_unstable();
    found.dedup();
    // This host may know itself by its loopback; its other address reaches it too.
    if found.len() > 1 {
        found.retain(|address| !address.is_loopback());
    }
    match found[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Where the coordinator of a member is: addresses, and the secret if it is in the same folder.
pub(in crate::commands) fn find(place: &Rendezvous) -> Result<(Vec<String>, Option<Token>), Error> {
    let path = match place {
        Rendezvous::Address(address) => return Ok((vec![address.clone()], None)),
        Rendezvous::File(path) => path,
    };
    let mut clock = Clock::monotonic();
    let end = clock.now() + PATIENCE;
    while !path.exists() && clock.now() < end {
        let next = clock.now() + PAUSE;
        clock.wait_until(next, Nanos::ZERO);
    }
    let token = super::from_file(path);
    let text = input::read_text(path).map_err(|error| {
        let thing = format!(
            "cannot read the coordinator's address from {}",
            path.display()
        );
        Problem::new(Exit::Environment, thing).because(system_words(&error))
    })?;
    let mut lines = text.lines().map(str::to_owned);
    let secret = lines.next().unwrap_or_default();
    // The file holds more than the secret; whether others may read it was still checked.
    token?;
    let token = Token::new(secret.as_bytes()).map_err(|error| {
        let thing = format!("{} contains no secret", path.display());
        Problem::new(Exit::Usage, thing).because(error.to_string())
    })?;
    Ok((lines.collect(), Some(token)))
}

/// Connects to the first of these addresses that answers.
pub(in crate::commands) fn connect(addresses: &[String]) -> Result<TcpStream, Error> {
    let mut clock = Clock::monotonic();
    let end = clock.now() + PATIENCE;
    let mut last = io::Error::other("no address is named");
    loop {
        for text in addresses {
            let resolved = match text.to_socket_addrs() {
                Ok(resolved) => resolved,
                Err(error) => {
                    last = error;
                    continue;
                }
            };
            for address in resolved {
                match TcpStream::connect_timeout(&address, ONE) {
                    Ok(stream) => return Ok(stream),
                    Err(error) => last = error,
                }
            }
        }
        if clock.now() > end {
            let thing = format!("cannot reach the coordinator at {}", addresses.join(", "));
            let problem = Problem::new(Exit::Environment, thing).because(system_words(&last));
            return Err(problem
                .remedy("check that rank 0 runs and its port is open")
                .into());
        }
        let next = clock.now() + PAUSE;
        clock.wait_until(next, Nanos::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_reached_from_one_address_or_from_any() {
        let towards = |hosts: &[&str]| {
            let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
            super::towards(&hosts).map(|address| address.to_string())
        };
        let local = Some("127.0.0.1".to_owned());
        assert_eq!(towards(&["127.0.0.1"]), local);
        assert_eq!(towards(&["127.0.0.1:4", "127.0.0.1:2"]), local);
        assert_eq!(towards(&[]), None);
        assert_eq!(towards(&["127.0.0.1", "no.such.invalid"]), None);
    }

    #[test]
    fn the_named_address_is_listened_at() {
        let cases = [
            ("127.0.0.1:7000", "127.0.0.1:7000"),
            ("localhost:7001", "127.0.0.1:7001"),
            // Of no machine (RFC 5737).
            ("192.0.2.1:7002", "0.0.0.0:7002"),
        ];
        for (address, expected) in cases {
            let bound = bound_to(address);
            let is_v6 = address.starts_with("localhost") && bound.is_ipv6();
            assert!(is_v6 || bound.to_string() == expected, "{address}: {bound}");
        }
        let local: SocketAddr = "127.0.0.1:7000".parse().expect("an address");
        assert_eq!(addresses_of(local), [local]);
    }
}
