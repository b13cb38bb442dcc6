//! Servers of fio's kind: where one listens, as `--server` and `--client` say it.

use super::source::Wrong;
use fathom_tools::servers::{Client, ServerPlace, ServerTransport};

/// The port of a server that names none.
const PORT: u16 = 8765;
const FORMS: &str = "HOST, HOST,PORT or ,PORT, after ip:, ip4: or ip6: if wanted, or sock:PATH";

/// Reads what stands behind `--server=` or, where it names a server, `--client=`.
pub(super) fn place(text: &str) -> Result<ServerPlace, Wrong> {
    let wrong = |message: String| Wrong::new(message, FORMS);
    if let Some(path) = text.strip_prefix("sock:") {
        if path.is_empty() {
            return Err(wrong("`sock:` names no socket".to_owned()));
        }
        return Ok(ServerPlace {
            host: path.to_owned(),
            port: 0,
            transport: ServerTransport::Socket(path.into()),
        });
    }
    if text.starts_with("vsock:") {
        return Err(wrong(
            "sockets of virtual machines are not served".to_owned(),
        ));
    }
    let plain = |kind| text.strip_prefix(kind);
    let (transport, text) = match (plain("ip6:"), plain("ip4:").or_else(|| plain("ip:"))) {
        (Some(rest), _) => (ServerTransport::Ip6, rest),
        (None, rest) => (ServerTransport::Ip4, rest.unwrap_or(text)),
    };
    let (host, port) = text.split_once(',').unwrap_or((text, ""));
    let port = match port {
        "" => PORT,
        digits => match digits.parse() {
            Ok(port) if port > 0 => port,
            _ => return Err(wrong(format!("`{digits}` is no port"))),
        },
    };
    Ok(ServerPlace {
        host: host.to_owned(),
        port,
        transport,
    })
}

/// Reads what stands behind `--client=`: what names a port or a socket is a server.
pub(super) fn client(text: &str) -> Result<Client, Wrong> {
    let server = place(text)?;
    if text.contains(',') || matches!(server.transport, ServerTransport::Socket(_)) {
        return Ok(Client::Server(server));
    }
    if server.host.is_empty() {
        let remedy = "--client=HOST, a file with a host in each line, or HOST,PORT of a server";
        return Err(Wrong::new("--client names no host", remedy));
    }
    Ok(Client::Host(server))
}

/// A line of a file of clients, where it names a server.
pub(super) fn server_of_line(line: &str) -> Option<ServerPlace> {
    match client(line.split('#').next()?.trim()) {
        Ok(Client::Server(server)) => Some(server),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_fio_reads_them() {
        let ip4 = |host: &str, port| ServerPlace {
            host: host.to_owned(),
            port,
            transport: ServerTransport::Ip4,
        };
        for (text, expected) in [
            ("", ip4("", 8765)),
            (",8766", ip4("", 8766)),
            ("db3", ip4("db3", 8765)),
            ("ip:db3,4444", ip4("db3", 4444)),
            ("10.0.0.1,", ip4("10.0.0.1", 8765)),
            (
                "ip6:::1,4444",
                ServerPlace {
                    transport: ServerTransport::Ip6,
                    ..ip4("::1", 4444)
                },
            ),
            (
                "sock:/run/fio.sock",
                ServerPlace {
                    transport: ServerTransport::Socket("/run/fio.sock".into()),
                    ..ip4("/run/fio.sock", 0)
                },
            ),
        ] {
            assert_eq!(place(text).expect(text), expected, "{text}");
        }
        for (text, message) in [
            ("sock:", "`sock:` names no socket"),
            ("vsock:3:1", "sockets of virtual machines are not served"),
            ("db3,0", "`0` is no port"),
            ("db3,http", "`http` is no port"),
            ("db3,70000", "`70000` is no port"),
        ] {
            let wrong = place(text).expect_err(text);
            assert_eq!(wrong.message, message);
        }
    }

    #[test]
    fn a_client_with_a_port_or_a_socket_is_a_server() {
        let server = |name: &str, transport| ServerPlace {
            host: name.to_owned(),
            port: 8765,
            transport,
        };
        let host = |name: &str| Client::Host(server(name, ServerTransport::Ip4));
        for (text, expected) in [
            ("db3", host("db3")),
            ("ip:10.0.0.1", host("10.0.0.1")),
            ("hosts.txt", host("hosts.txt")),
            ("ip6:::1", Client::Host(server("::1", ServerTransport::Ip6))),
            (
                "db3,8765",
                Client::Server(server("db3", ServerTransport::Ip4)),
            ),
        ] {
            assert_eq!(client(text).expect(text), expected, "{text}");
        }
        let wrong = client("ip:").expect_err("no host");
        assert_eq!(wrong.message, "--client names no host");
        let lines = ["db3,8765 # the third", "db[1-8],web3", "db3", "# ,1"];
        let servers = lines.map(|line| server_of_line(line).is_some());
        assert_eq!(servers, [true, false, false, false]);
    }
}
