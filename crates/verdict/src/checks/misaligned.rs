//! A partition that begins inside a physical block.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::figure::size;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { Misaligned: Before, Number, "suspect",
        "a partition starts inside a physical block",
        [],
        Example::Target(|| Facts {
            misaligned: vec![("sdb1".into(), 32_256, 4096)],
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for (name, start, physical) in &facts.misaligned {
        let message = format!(
            "the partition starts at byte {start}, which is not a multiple of the physical block \
             of {}. Writes touch two blocks",
            size(u64::from(*physical))
        );
        let remedy = "use a partition that starts at a multiple of 1 MiB";
        let caveat = Code::Misaligned
            .caveat(Level::Suspect, message)
            .remedy(remedy);
        found.push(caveat.about(name.clone()));
    }
}
