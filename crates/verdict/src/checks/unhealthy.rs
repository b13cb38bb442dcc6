//! A disk that says that it is not well.

use crate::check::{Code, Example, Look, entry, thresholds};
use crate::fitness::Facts;
use fathom_core::figure::plural;
use fathom_core::result::Health;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Estimate of a disk of its life that is used, percent: what it was made for
    WORN_PERCENT: u8 = 100, Percent, Decided;
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { Unhealthy: Before, Number, "suspect; qualified; note",
        "the health log of an NVMe controller (root only) reports a critical warning, \
         {WORN_PERCENT} or more of the rated life used, or media errors",
        [row::WORN_PERCENT],
        Example::Target(|| {
            let health = Health {
                critical_warning: 0b1001,
                ..Health::default()
            };
            Facts {
                health: vec![("nvme0n1".into(), health)],
                ..Facts::default()
            }
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for (name, health) in &facts.health {
        found.extend(unhealthy(health).map(|caveat| caveat.about(name.clone())));
    }
}

/// The worst that a controller says of itself.
fn unhealthy(health: &Health) -> Option<Caveat> {
    /// Bits of the critical warning, with what they mean.
    const WARNINGS: [&str; 6] = [
        "its spare capacity is used up",
        "it is too hot or too cold",
        "its reliability is degraded",
        "it is read-only",
        "the backup of its volatile memory has failed",
        "its persistent memory is no longer reliable",
    ];
    let bits = WARNINGS.iter().enumerate();
    let raised = bits.filter(|(bit, _)| health.critical_warning >> bit & 1 == 1);
    let raised: Vec<&str> = raised.map(|(_, words)| *words).collect();
    let (level, message) = if !raised.is_empty() {
        let message = format!("the disk warns: {}", raised.join(", "));
        (Level::Suspect, message)
    } else if health.used_percent >= WORN_PERCENT {
        let message = format!(
            "the disk reports {} % of its rated life used, and {} % of spare capacity left",
            health.used_percent, health.spare_percent
        );
        (Level::Qualified, message)
    } else if health.media_errors > 0 {
        let message = format!(
            "the disk reports {} that it could not correct",
            plural(health.media_errors, "error")
        );
        (Level::Note, message)
    } else {
        return None;
    };
    let remedy = "check `nvme smart-log`, and replace the disk. Its speed is not that of a new one";
    Some(Code::Unhealthy.caveat(level, message).remedy(remedy))
}
