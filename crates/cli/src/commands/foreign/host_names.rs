//! What the logs of the members of many hosts are called.

use std::collections::BTreeSet;

/// The variable by which a call of several runs tells each of them what ends the names of its logs,
/// each in a line: a host may be in several of them.
pub(super) const LOG_HOSTS: &str = "FATHOM_LOG_HOSTS";

/// What ends the names of the logs of this run.
pub(super) fn given_names(hosts: &[String]) -> Vec<String> {
    let given = std::env::var(LOG_HOSTS).unwrap_or_default();
    let given: Vec<String> = given.lines().map(str::to_owned).collect();
    // Whoever else sets it means something else by it.
    let is_sound = given.len() == hosts.len() && names(&given) == given;
    if is_sound { given } else { names(hosts) }
}

/// What tells the members' files apart: the host, and for further members on one host a
/// number. Sockets have no name but their path.
pub(super) fn names(hosts: &[String]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let name = |host: &String| {
        let host = host.replace('/', "_");
        let numbered = (2..).map(|number| format!("{host}.{number}"));
        let mut names = std::iter::once(host.clone()).chain(numbered);
        let name = names.find(|name| !taken.contains(name));
        let name = name.expect("numbers do not end");
        taken.insert(name.clone());
        name
    };
    hosts.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_members_have_one_file() {
        let hosts = ["db", "db", "/run/a", "db.2", "db"].map(str::to_owned);
        assert_eq!(names(&hosts), ["db", "db.2", "_run_a", "db.2.2", "db.3"]);
    }
}
