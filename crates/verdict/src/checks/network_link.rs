//! What `fathom check` says of the way to storage that another machine serves.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use crate::subject::is_served;
use fathom_core::figure::megabytes;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { NetworkLink: Before, Machine, "note",
        "another machine serves the file system, and the links to it report their speed",
        [],
        Example::Target(|| Facts {
            file_system: Some("nfs4".into()),
            links: vec![("eth0".into(), 125e6)],
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let file_system = facts.file_system.as_deref().unwrap_or_default();
    if !is_served(file_system) || facts.links.is_empty() {
        return;
    }
    let links = facts.links.iter();
    let links = links.map(|(name, rate)| format!("{name} has {} MB/s", megabytes(*rate)));
    let links: Vec<String> = links.collect();
    let message = format!(
        "another machine serves {file_system}, so the network limits the throughput: {}",
        links.join(", ")
    );
    let caveat = Code::NetworkLink.caveat(Level::Note, message);
    found.push(caveat.remedy("use several machines at once: --hosts"));
}
