//! A cluster shared volume that another node owns.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { CsvOwner: Before, Number, "note; suspect if requests are redirected",
        "on Windows: another node owns the cluster shared volume, or its requests are redirected",
        [],
        Example::Target(|| Facts {
            owner: Some("NODE2".into()),
            redirected: Some("FileSystemRedirected".into()),
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let remedy = "move the volume here with `Move-ClusterSharedVolume`, or measure on its owner";
    if let Some(state) = &facts.redirected {
        let message = format!(
            "requests to the cluster shared volume go over the network to another node: {state}"
        );
        let caveat = Code::CsvOwner.caveat(Level::Suspect, message);
        found.push(caveat.remedy(remedy));
    } else if let Some(owner) = &facts.owner {
        let message = format!(
            "the node {owner} owns the cluster shared volume. It changes the metadata of the file, \
             and on ReFS it serves all requests"
        );
        found.push(Code::CsvOwner.caveat(Level::Note, message).remedy(remedy));
    }
}
