//! The addresses of this machine, from `/proc/net/fib_trie` and `/proc/net/if_inet6`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Scope of addresses in `if_inet6` that are of use on one link only.
const LINK_SCOPE: &str = "20";

/// All of them that other machines or this one can use, those of IPv4 first; none where the system
/// does not say.
pub fn all() -> Vec<IpAddr> {
    // Both are missing in a kernel without that protocol.
    let read = |path| crate::input::read_text(path).unwrap_or_default();
    let mut all = ipv4(&read("/proc/net/fib_trie"));
    all.extend(ipv6(&read("/proc/net/if_inet6")));
    all
}

/// The leaves of the routing trie that are the machine's own.
fn ipv4(trie: &str) -> Vec<IpAddr> {
    let mut found: Vec<IpAddr> = Vec::new();
    let mut leaf = None;
    for line in trie.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("|-- ") {
            leaf = text.parse::<Ipv4Addr>().ok();
        } else if line == "/32 host LOCAL"
            && let Some(address) = leaf.map(IpAddr::from)
            && !found.contains(&address)
        {
            found.push(address);
        }
    }
    found
}

/// Address, interface, length of the prefix, scope, flags and name, in hexadecimal.
fn ipv6(table: &str) -> Vec<IpAddr> {
    let address = |line: &str| {
        let mut fields = line.split_whitespace();
        let digits = u128::from_str_radix(fields.next()?, 16).ok()?;
        let scope = fields.nth(2)?;
        (scope != LINK_SCOPE).then(|| IpAddr::from(Ipv6Addr::from(digits)))
    };
    table.lines().filter_map(address).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_addresses_are_the_local_leaves() {
        let trie = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n\
                    Local:\n     |-- 10.77.0.1\n        /32 host LOCAL\n     |-- 10.77.0.255\n\
                    /32 link BROADCAST\n     |-- 127.0.0.1\n        /32 host LOCAL\n";
        let found: Vec<String> = ipv4(trie).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["10.77.0.1", "127.0.0.1"]);
    }

    #[test]
    fn addresses_of_one_link_are_left_out() {
        let table = "fe800000000000000042acfffe110002 02 40 20 80 eth0\n\
                     00000000000000000000000000000001 01 80 10 80 lo\n\
                     20010db8000000000000000000000007 02 40 00 80 eth0\n";
        let found: Vec<String> = ipv6(table).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["::1", "2001:db8::7"]);
    }
}
