//! Servers of fio's kind: where one listens, as `--server` and `--client` say it.

use super::source::Wrong;
use std::path::PathBuf;

/// The port of a server that names none.
const PORT: u16 = 8765;
const FORMS: &str = "HOST, HOST,PORT or ,PORT, after ip:, ip4: or ip6: if wanted, or sock:PATH";

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FioServer {
    /// Its host as it was given; empty where none was.
    pub host: String,
    /// Its port; 0 for a socket.
    pub port: u16,
    /// How it is reached.
    pub way: FioWay,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FioWay {
    /// By TCP over IP of version 4.
    Ip4,
    /// By TCP over IP of version 6.
    Ip6,
    /// Through a socket of this machine.
    Socket(PathBuf),
}

/// A host on which a client's jobs are to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FioClient {
    /// One of this name, or those whose names are in a file of this name; and where a server would
    /// be on it.
    Host(FioServer),
    /// One on which a server listens.
    Server(FioServer),
}

/// A server that is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FioServing {
    /// Where it listens.
    pub place: FioServer,
    /// File for its number, where it is to go on in the background.
    pub pid_file: Option<PathBuf>,
    /// File with the secret that its clients must know; a usual one without it.
    pub token_file: Option<PathBuf>,
    /// Whether it writes nothing, whatever its clients ask for.
    pub read_only: bool,
    /// Whether it says where the secret is; none for where somebody is there to read it.
    pub says: Option<bool>,
}

impl FioServer {
    /// Reads what stands behind `--server=` or, where a server is meant, `--client=`.
    pub(super) fn read(text: &str) -> Result<Self, Wrong> {
        let wrong = |message: String| Wrong::new(message, FORMS);
        if let Some(path) = text.strip_prefix("sock:") {
            if path.is_empty() {
                return Err(wrong("`sock:` names no socket".to_owned()));
            }
            return Ok(Self {
                host: path.to_owned(),
                port: 0,
                way: FioWay::Socket(path.into()),
            });
        }
        if text.starts_with("vsock:") {
            return Err(wrong(
                "sockets of virtual machines are not served".to_owned(),
            ));
        }
        let plain = |kind| text.strip_prefix(kind);
        let (way, text) = match (plain("ip6:"), plain("ip4:").or_else(|| plain("ip:"))) {
            (Some(rest), _) => (FioWay::Ip6, rest),
            (None, rest) => (FioWay::Ip4, rest.unwrap_or(text)),
        };
        let (host, port) = text.split_once(',').unwrap_or((text, ""));
        let port = match port {
            "" => PORT,
            digits => match digits.parse() {
                Ok(port) if port > 0 => port,
                _ => return Err(wrong(format!("`{digits}` is no port"))),
            },
        };
        Ok(Self {
            host: host.to_owned(),
            port,
            way,
        })
    }
}

impl FioClient {
    /// Reads what stands behind `--client=`: what names a port or a socket is a server.
    pub(super) fn read(text: &str) -> Result<Self, Wrong> {
        let server = FioServer::read(text)?;
        if text.contains(',') || matches!(server.way, FioWay::Socket(_)) {
            return Ok(Self::Server(server));
        }
        if server.host.is_empty() {
            let remedy = "--client=HOST, a file with a host in each line, or HOST,PORT of a server";
            return Err(Wrong::new("--client names no host", remedy));
        }
        Ok(Self::Host(server))
    }

    /// A line of a file of clients, where it names a server.
    pub fn of_line(line: &str) -> Option<FioServer> {
        match Self::read(line.split('#').next()?.trim()) {
            Ok(Self::Server(server)) => Some(server),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_fio_reads_them() {
        let ip4 = |host: &str, port| FioServer {
            host: host.to_owned(),
            port,
            way: FioWay::Ip4,
        };
        for (text, expected) in [
            ("", ip4("", 8765)),
            (",8766", ip4("", 8766)),
            ("db3", ip4("db3", 8765)),
            ("ip:db3,4444", ip4("db3", 4444)),
            ("10.0.0.1,", ip4("10.0.0.1", 8765)),
            (
                "ip6:::1,4444",
                FioServer {
                    way: FioWay::Ip6,
                    ..ip4("::1", 4444)
                },
            ),
            (
                "sock:/run/fio.sock",
                FioServer {
                    way: FioWay::Socket("/run/fio.sock".into()),
                    ..ip4("/run/fio.sock", 0)
                },
            ),
        ] {
            assert_eq!(FioServer::read(text).expect(text), expected, "{text}");
        }
        for (text, message) in [
            ("sock:", "`sock:` names no socket"),
            ("vsock:3:1", "sockets of virtual machines are not served"),
            ("db3,0", "`0` is no port"),
            ("db3,http", "`http` is no port"),
            ("db3,70000", "`70000` is no port"),
        ] {
            let wrong = FioServer::read(text).expect_err(text);
            assert_eq!(wrong.message, message);
        }
    }

    #[test]
    fn a_client_with_a_port_or_a_socket_is_a_server() {
        let server = |name: &str, way| FioServer {
            host: name.to_owned(),
            port: 8765,
            way,
        };
        let host = |name: &str| FioClient::Host(server(name, FioWay::Ip4));
        for (text, expected) in [
            ("db3", host("db3")),
            ("ip:10.0.0.1", host("10.0.0.1")),
            ("hosts.txt", host("hosts.txt")),
            ("ip6:::1", FioClient::Host(server("::1", FioWay::Ip6))),
            ("db3,8765", FioClient::Server(server("db3", FioWay::Ip4))),
        ] {
            assert_eq!(FioClient::read(text).expect(text), expected, "{text}");
        }
        let wrong = FioClient::read("ip:").expect_err("no host");
        assert_eq!(wrong.message, "--client names no host");
        let lines = ["db3,8765 # the third", "db[1-8],web3", "db3", "# ,1"];
        let servers = lines.map(|line| FioClient::of_line(line).is_some());
        assert_eq!(servers, [true, false, false, false]);
    }
}
