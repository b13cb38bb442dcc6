//! The hosts on which a call is run: among its words, or as Fathom's own options before them.

use crate::args::{ClusterArgs, SharedArg};
use crate::commands::cluster;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_tools::{Call, Together};

/// The hosts of a call; `given` are the options before its words. The call gets the servers through
/// which they are reached.
pub(super) fn hosts_of(
    call: &mut dyn Call,
    given: Option<&ClusterArgs>,
) -> Result<ClusterArgs, Error> {
    let hosts = named(call, given)?;
    if !hosts.servers.is_empty() {
        let places = hosts.servers.iter().map(|server| server.place.clone());
        call.served_by(places.collect());
    }
    let translation = call.translation_mut();
    if hosts.is_meant() {
        let together = &translation.wishes.together;
        together.name_apart(&mut translation.workload);
    }
    Ok(hosts)
}

fn named(call: &dyn Call, given: Option<&ClusterArgs>) -> Result<ClusterArgs, Error> {
    let wish = &call.translation().wishes.together;
    let (mut words, clients) = match call.own() {
        Some(own) => (own.cluster.clone(), own.clients.as_slice()),
        None => (Vec::new(), &[][..]),
    };
    if clients.is_empty() && words.is_empty() {
        return Ok(as_wished(given.cloned().unwrap_or_default(), wish));
    }
    let is_token = |word: &String| word.starts_with("--token-file");
    let has_token = words.iter().any(is_token) || cluster::named_token_file(None).is_some();
    let (hosts, servers) = cluster::clients(call, clients, has_token)?;
    words.extend(hosts);
    let mut args = ClusterArgs::of_words(words).map_err(|error| {
        let cause = fathom_core::units::plain_message(&error.to_string());
        let cause = cause.lines().next().unwrap_or_default();
        let cause = cause.strip_prefix("error: ").unwrap_or(cause).to_owned();
        Problem::new(Exit::Usage, "the options of many hosts do not fit").because(cause)
    })?;
    args.servers = servers;
    if let Some(option) = args.beside_servers() {
        let thing = format!("{option} has nothing to change");
        return Err(Problem::new(Exit::Usage, thing)
            .because("each client is a server, which is one member")
            .remedy(format!(
                "without {option}; --client more than once for more members"
            ))
            .into());
    }
    // Clients use the names that jobs give as they are.
    if !clients.is_empty() && !args.spread && args.shared.is_none() {
        args.shared = Some(SharedArg::Common);
    }
    Ok(args)
}

/// The input's own way to share one target, where nothing else is said.
fn as_wished(mut args: ClusterArgs, wish: &Together) -> ClusterArgs {
    if !args.is_meant() || args.spread || args.shared.is_some() {
        return args;
    }
    if wish.interleaved {
        args.shared = Some(SharedArg::Interleaved);
    } else if wish.one_tree {
        args.shared = Some(SharedArg::Disjoint);
    }
    if wish.shift_reads > 0 && args.shift_reads.is_none() {
        // It counts hosts, and the option members.
        let of_host = args.per_host.unwrap_or(1);
        args.shift_reads = Some(wish.shift_reads.saturating_mul(of_host));
    }
    args
}

/// The host of each member as far as they are named; refuses what a call asks for that many hosts
/// do not do.
pub(super) fn host_names(
    call: &dyn Call,
    hosts: &ClusterArgs,
) -> Result<Option<Vec<String>>, Error> {
    let names = cluster::host_names(hosts)?;
    if hosts.is_meant()
        && let Some((thing, remedy)) = call.not_of_many_hosts(names.is_some())
    {
        return Err(Problem::new(Exit::Usage, thing)
            .because("they do not travel to where the results of all are")
            .remedy(remedy)
            .into());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_next_host_has_written_is_as_many_members_away_as_a_host_has() {
        let wish = Together {
            interleaved: true,
            shift_reads: 2,
            ..Together::default()
        };
        let shift = |words: &str| {
            let words = words.split(' ').map(str::to_owned).collect();
            let args = ClusterArgs::of_words(words).expect("options");
            as_wished(args, &wish).shift_reads
        };
        let cases = [
            ("--hosts a,b,c", Some(2)),
            ("--hosts a,b,c --per-host 4", Some(8)),
            ("--hosts a,b,c --per-host 4 --shift-reads 1", Some(1)),
            ("--hosts a,b,c --spread", None),
        ];
        assert_eq!(
            cases.map(|(words, _)| shift(words)),
            cases.map(|(_, shift)| shift)
        );
    }

    #[test]
    fn files_in_one_directory_are_wished_by_mdtest() {
        let wish = Together {
            one_tree: true,
            ..Together::default()
        };
        let shared = |words: &str| {
            let words = words.split(' ').map(str::to_owned).collect();
            let args = ClusterArgs::of_words(words).expect("options");
            as_wished(args, &wish).shared
        };
        assert_eq!(shared("--hosts a,b"), Some(SharedArg::Disjoint));
        assert_eq!(shared("--hosts a,b --spread"), None);
    }
}
